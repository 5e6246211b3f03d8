// @ts-check
// Reads an explanation: a chain of reasons, each with a number that is the same on the board, in the
// gutter and in the sentence; and for "why not", the changes that would help.
import { h, plural } from "./dom.js";
import { cellKey, partOf, state } from "./store.js";

/** The most reasons that get a number. */
const MAX_REASONS = 8;

/** What an answer explains, or null. @param {any} answer @returns {any} */
export function readExplanation(answer) {
  const explanation = partOf(answer, "explanation"), whyNot = partOf(answer, "why_not");
  if (!explanation && !whyNot) return null;
  const why = {
    title: "", lead: "", /** @type {any[]} */ chain: [], lines: new Map(), cells: new Map(), time: null, /** @type {any[]} */ solutions: [], way: 0,
    /** @type {any} */ reach: null, /** @type {string[]} */ hints: [],
  };
  if (explanation) readWhy(why, explanation);
  else readWhyNot(why, whyNot, answer);
  why.reach = readReach(partOf(answer, "reachability"));
  if (!why.chain.length && !why.lead) why.lead = answer.text.trim();
  showWay(why);
  return why;
}

/** Adds a reason. @param {any} why @param {any[]} text @param {string | null} note @param {any} [range] @param {any} [at] */
function addReason(why, text, note, range, at) {
  if (why.chain.length >= MAX_REASONS) return;
  const number = why.chain.length + 1, place = range ? `${range.file}:${range.line}` : "";
  why.chain.push({ number, text, note });
  if (place && !why.lines.has(place)) why.lines.set(place, number);
  const key = cellKey(at);
  if (key && !why.cells.get(key)?.number) why.cells.set(key, { ...why.cells.get(key), number });
}

/** @param {any} why @param {any} x */
function readWhy(why, x) {
  const subject = x.subject;
  why.time = x.time;
  const [title, first] = describeSubject(subject);
  why.title = title;
  addReason(why, first, null, subject.expression?.range, subject.at ?? cellNamed(subject.name ?? ""));
  for (const cause of x.causes ?? []) addCause(why, cause);
  for (const caller of x.callers ?? []) {
    const statement = caller.statement ?? caller.expression;
    if (!statement) continue;
    const isTyped = /^entry \d+$/.test(statement.range?.file ?? "");
    addReason(why, [isTyped ? "you typed " : "called by ", h("code", {}, statement.text), caller.function && !isTyped ? h("span", { class: "dim" }, ` in ${caller.function}`) : ""], null, isTyped ? null : statement.range, caller.at);
  }
  for (const test of x.deciding_tests ?? []) {
    addReason(why, [h("code", {}, test.test.expression.text), ` was ${test.test.value}`], valuesNote(test.parts), test.test.expression.range);
  }
  readSolutions(why, x.search);
}

/** @param {any} subject @returns {[string, any[]]} */
function describeSubject(subject) {
  const bold = (/** @type {string} */ text) => h("b", {}, text);
  switch (subject.type) {
    case "change": return [`Why is ${subject.name} ${subject.new}?`, [bold(subject.name), subject.old === null ? ` became ${subject.new}` : ` changed from ${subject.old} to ${subject.new}`]];
    case "unchanged": return [`Why is ${subject.name} as it is?`, [bold(subject.name), " has not changed", subject.since === null ? " since the start" : ""]];
    case "local": return [`Why is ${subject.name} ${subject.value}?`, [bold(subject.name), ` is ${subject.value}`]];
    case "output": return ["Why was this printed?", ["It printed ", bold(subject.text)]];
    case "game_over": return ["Why is the game over?", [bold(subject.winner ? `${subject.winner} has won` : `The game is ${subject.status}`)]];
    default: return [`Why is it ${subject.value ?? "so"}?`, [h("code", {}, subject.expression?.text ?? ""), ` is ${subject.value ?? "unknown"}`]];
  }
}

/** @param {any} why @param {any} cause */
function addCause(why, cause) {
  const shown = cause.statement ?? cause.expression;
  if (shown) {
    const lead = { enclosing: "because ", loop: "in ", call: "from ", argument: "given " }[/** @type {string} */ (cause.relation)] ?? "by ";
    const where = cause.function ? h("span", { class: "dim" }, ` in ${cause.function}`, cause.cell ? h("span", { class: "cell-name" }, ` at ${cause.cell}`) : null) : "";
    const round = cause.iteration ? h("span", { class: "dim" }, `, round ${cause.iteration}`) : "";
    addReason(why, [lead, h("code", {}, firstLine(shown.text)), where, round], valuesNote(cause.values), shown.range, cause.at);
  }
  for (const child of cause.children ?? []) if (child.statement || child.relation === "enclosing") addCause(why, child);
}

/** @param {string} text */
const firstLine = (text) => (text.includes("\n") ? `${text.split("\n")[0].trimEnd()} …` : text);

/** The values that decided it, in words. @param {any[] | undefined} values */
function valuesNote(values) {
  const last = values?.at(-1);
  if (!values || !last) return null;
  const first = values.find((value) => !value.is_short_circuited && value !== last && value.expression.text !== value.value);
  return `${first ? `${first.expression.text} was ${first.value}, so ` : ""}${firstLine(last.expression.text)} was ${last.value}`;
}

/** @param {any} why @param {any} x @param {any} answer */
function readWhyNot(why, x, answer) {
  if (x.subject === "false_flag") {
    why.title = `Why not ${x.name}?`;
    for (const writer of x.writers ?? []) readWriter(why, writer);
    if (x.actions?.length) why.hints.push(...x.actions.slice(0, 6));
  } else if (x.subject === "game_end") {
    why.title = "Why is the game not over?";
    for (const condition of x.conditions ?? []) readCondition(why, condition);
  } else if (x.subject === "call" && x.outcome === "condition") {
    why.title = `Why not ${x.name}?`;
    readCondition(why, x);
  } else {
    why.title = x.subject === "click" ? `Why does a click on ${x.cell} do nothing?` : `Why not ${x.name ?? "this"}?`;
    why.lead = answer.text.trim();
    const key = cellKey(x.at);
    if (key) why.cells.set(key, { isFailing: true });
    if (x.head && x.range) addReason(why, [h("code", {}, x.head), " did not run"], null, x.range);
  }
}

/** @param {any} why @param {any} writer */
function readWriter(why, writer) {
  for (const write of writer.writes ?? []) {
    const note = write.execution === "was_false" ? `was false ${times(write.false_count)}`
      : (write.false_tests ?? []).map((/** @type {any} */ test) => `${test.text} was false${test.count > 1 ? " each time" : ""}`).join(", ");
    addReason(why, [h("code", {}, firstLine(write.statement)), write.execution === "was_false" ? "" : write.count ? ` ran ${times(write.count)}` : " was not reached"], note || null, write.range);
  }
  for (const test of writer.tests ?? []) markFailing(why, test);
  if (writer.result === "becomes_true") why.lead = `It becomes true as soon as ${writer.function} runs: it has not run since the board changed.`;
  readSolutions(why, writer.search);
}

/** @param {any} why @param {any} condition */
function readCondition(why, condition) {
  if (condition.result === "true") why.lead = `${condition.name} is true now. It has not been checked since the board changed.`;
  const tests = (condition.tests ?? []).filter((/** @type {any} */ test) => test.false_count);
  for (const test of tests) {
    addReason(why, [h("code", {}, firstLine(test.text)), ` was false ${times(test.false_count)}`], null, test.range);
    markFailing(why, test);
  }
  if (!tests.length && condition.result === "finished") addReason(why, [h("code", {}, condition.name), " is false"], null, condition.range);
  readSolutions(why, condition.search);
}

/** @param {number} count */
const times = (count) => (count === 1 ? "once" : plural(count, "time"));

/** @param {any} why @param {any} test */
function markFailing(why, test) {
  if (!test.false_count) return;
  for (const [i, cell] of (test.cells?.first ?? []).entries()) {
    const key = cellKey(test.cells.at?.[i] ?? cellNamed(cell));
    if (key) why.cells.set(key, { ...why.cells.get(key), isFailing: true });
  }
}

/** Changes of the game that would make it true. @param {any} why @param {any} search */
function readSolutions(why, search) {
  for (const solution of search?.solutions ?? []) {
    const changes = solution.extent === "every_cell"
      ? solution.cells.map((/** @type {string} */ cell, /** @type {number} */ i) => ({ name: cell, at: solution.at?.[i] ?? cellNamed(cell), new: solution.new, isCell: true }))
      : solution.changes.map((/** @type {any} */ change) => ({ name: change.name, at: change.at ?? (change.target === "cell" ? cellNamed(change.name) : null), new: change.new, isCell: change.target === "cell" }));
    why.solutions.push(changes);
  }
}

/** Draws one of the ways: a ghost on each cell that would have to change. @param {any} why */
export function showWay(why) {
  for (const [key, cell] of why.cells) {
    delete cell.ghost;
    if (!cell.number && !cell.isFailing) why.cells.delete(key);
  }
  for (const change of why.solutions[why.way] ?? []) {
    const key = cellKey(change.at);
    if (key && change.isCell) why.cells.set(key, { ...why.cells.get(key), ghost: change.new });
  }
}

/** @param {any} reach */
function readReach(reach) {
  if (!reach) return null;
  if (reach.verdict === "found") return { text: `${plural(reach.moves.length, "move")} ${reach.moves.length === 1 ? "leads" : "lead"} there`, moves: reach.moves.map((/** @type {any} */ move) => move.entry), goal: reach.goal };
  return { text: reach.verdict === "never" ? "No moves lead there" : "It is not known whether moves lead there", moves: [], goal: reach.goal };
}

/** Row and column of a cell from its name in the language, where an answer has nothing but that.
 * @param {string} name @returns {[number, number] | null} */
export function cellNamed(name) {
  const found = /^[[(](-?\d+)(?:\]\[|,\s*)(-?\d+)/.exec(name), board = state.view?.board;
  if (!found || !board) return null;
  const [a, b] = [Number(found[1]), Number(found[2])];
  const isColumnFirst = ["bogl", "tinygame", "gridlang"].includes(state.language.name);
  const [row, col] = isColumnFirst && name.startsWith("(") ? [b, a] : [a, b];
  const at = /** @type {[number, number]} */ ([row - board.origin[0], col - board.origin[1]]);
  return at[0] >= 0 && at[1] >= 0 && at[0] < board.rows && at[1] < board.cols ? at : null;
}
