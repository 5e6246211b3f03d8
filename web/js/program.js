// @ts-check
// The program: its lines as the engine highlights them, with breakpoints, the line that runs next, the
// reasons of an explanation, and how often lines ran.
import { $, classes, drawnText, h, plural } from "./dom.js";
import { ask, type, whileBusy } from "./session.js";
import { openBreakpointForm } from "./breakpoint.js";
import { draw, isInPast, onDraw, partOf, state } from "./store.js";

/** What each line shows; only lines that look different are made again. @type {string[]} */
let keys = [];
/** The version of the program whose lines are shown. @type {any} */
let shown = null;
/** The line that Tab goes to, as an index. */
let currentLine = 0;
/** The line that was scrolled to, so that scrolling by hand is left alone. */
let scrolledTo = "";

export function startProgram() {
  $("code").addEventListener("keydown", onLineKey);
  $("code").addEventListener("click", onGutterClick);
  $("code").addEventListener("contextmenu", onGutterMenu);
  $("coverage").onclick = toggleCoverage;
  onDraw(drawProgram);
}

/** The line of a file or entry as the debugger names it. @param {any} line */
const placeOf = (line) => (line.origin ? `${line.origin.file}:${line.origin.line}` : "");

function drawProgram() {
  const code = $("code"), program = state.program;
  $("file").textContent = state.file;
  $("program-title").textContent = program.unsavedCount ? "Program (changed)" : "Program";
  if (!state.view) return;
  if (shown !== program) {
    shown = program;
    keys = [];
    scrolledTo = "";
    code.replaceChildren();
    currentLine = 0;
    state.coverage = null;
  }
  $("coverage").setAttribute("aria-pressed", String(state.coverage !== null));
  const marks = lineMarks();
  program.lines.forEach((/** @type {any} */ line, /** @type {number} */ index) => drawLine(line, index, marks));
  code.classList.toggle("is-empty", !program.lines.length);
  if (!program.lines.length) code.replaceChildren(h("p", { class: "empty" }, "No program yet. Define something at the prompt."));
  scrollToMark(code, marks);
}

/** What is marked in the program, by place. */
function lineMarks() {
  const { stop, frames, breakpoints } = state.view;
  /** @type {Map<string, any>} */ const points = new Map();
  for (const point of breakpoints ?? []) for (const range of point.ranges ?? []) points.set(`${range.file}:${range.line}`, point);
  const callers = new Set((frames?.entries ?? []).filter((/** @type {any} */ f) => stop && !f.is_current && f.range).map((/** @type {any} */ f) => `${f.range.file}:${f.range.line}`));
  return { stop, now: stop ? `${stop.file}:${stop.line}` : "", callers, points, causes: state.why?.lines ?? new Map() };
}

/** @param {any} line @param {number} index @param {any} marks */
function drawLine(line, index, marks) {
  const place = placeOf(line), isNow = place !== "" && place === marks.now, point = marks.points.get(place);
  const cause = marks.causes.get(place), count = state.coverage?.get(place);
  const values = isNow ? fittingValues(line.text, marks.stop.variables ?? []) : [];
  const stop = marks.stop;
  const key = [point?.id, point?.is_enabled, point?.condition, point?.log_message, isNow && [stop.column, stop.end_line, stop.end_column], isNow && isInPast(), !isNow && marks.callers.has(place), cause, count, values.map((v) => v.name + v.value)].join("|");
  if (keys[index] === key) return;
  keys[index] = key;
  const exact = isNow ? [stop.column - 1, stop.end_line === stop.line ? stop.end_column - 1 : Infinity] : null;
  const row = h("div", {
    class: classes("row", isNow && "now", !isNow && marks.callers.has(place) && "caller", cause && "cause", count === 0 && "never"), "data-place": place,
  },
  gutter(line, index, { isNow, point, cause }),
  h("span", { class: "src", style: { "--indent": /^\s*/.exec(line.text)?.[0].length ?? 0 } }, ...highlighted(line.text, state.program.tokens[index] ?? [], exact)),
  count !== undefined ? h("span", { class: "inline" }, count === 0 ? "never ran" : `ran ${count.toLocaleString("en")}×`) : null,
  values.length ? h("span", { class: "inline" }, ...values.flatMap((v, i) => [i ? "   " : "", `${v.name} `, h("b", {}, v.value)])) : null);
  const old = $("code").children[index], hadFocus = old?.contains(document.activeElement);
  if (old) old.replaceWith(row);
  else $("code").append(row);
  if (hadFocus) row.firstElementChild.focus({ preventScroll: true });
}

/** @param {any} line @param {number} index @param {{isNow: boolean, point: any, cause: any}} marks */
function gutter(line, index, { isNow, point, cause }) {
  const kind = point && classes(point.condition && "conditional", point.log_message && "logs", !point.is_enabled && "off");
  const said = [`Breakpoint on line ${line.line}`, isNow && "runs next", cause && `reason ${cause}`, point?.condition && `if ${point.condition}`, point?.log_message && "prints a message"].filter(Boolean);
  return h("button", { class: classes("gutter", kind), "aria-pressed": String(Boolean(point)), tabindex: index === currentLine ? "0" : "-1", "data-index": index, "aria-label": said.join(", ") },
    cause ? drawnText("num", String(cause)) : null, drawnText("", String(line.line)));
}

/** The values that fit behind a line; otherwise they are only in the inspector.
 * @param {string} text @param {any[]} variables */
function fittingValues(text, variables) {
  const some = variables.slice(0, 4);
  const characters = some.reduce((sum, v) => sum + v.name.length + v.value.length + 4, text.length + 8);
  return some.length && characters * 7.4 < $("code").clientWidth - 60 ? some : [];
}

/** The spans of a line, with the part that runs next in one of its own.
 * @param {string} text @param {any[]} tokens @param {number[] | null} exact */
export function highlighted(text, tokens, exact) {
  const characters = [...text];
  /** @type {[string, string][]} */ const spans = [];
  let at = 0;
  for (const token of tokens) {
    if (token.column - 1 > at) spans.push([characters.slice(at, token.column - 1).join(""), ""]);
    spans.push([characters.slice(token.column - 1, token.end_column - 1).join(""), token.class]);
    at = token.end_column - 1;
  }
  spans.push([characters.slice(at).join(""), ""]);
  const parts = [[], [], []].map(() => /** @type {any[]} */ ([]));
  at = 0;
  for (const [piece, kind] of spans) {
    const letters = [...piece];
    const from = exact ? Math.min(Math.max(exact[0] - at, 0), letters.length) : letters.length;
    const to = exact ? Math.min(Math.max(exact[1] - at, 0), letters.length) : letters.length;
    [letters.slice(0, from), letters.slice(from, to), letters.slice(to)].forEach((cut, i) => {
      if (cut.length) parts[i].push(kind ? h("span", { class: `tk-${kind}` }, cut.join("")) : cut.join(""));
    });
    at += letters.length;
  }
  return [...parts[0], parts[1].length ? h("span", { class: "exact" }, ...parts[1]) : null, ...parts[2]];
}

/** @param {any} code @param {any} marks */
function scrollToMark(code, marks) {
  const first = [...marks.causes.keys()][0] ?? "";
  const wanted = marks.now || first;
  if (!wanted || wanted === scrolledTo) { scrolledTo = wanted; return; }
  scrolledTo = wanted;
  const row = code.querySelector(`[data-place="${CSS.escape(wanted)}"]`);
  if (!row) return;
  const top = row.offsetTop - code.offsetTop;
  if (top < code.scrollTop + 20 || top > code.scrollTop + code.clientHeight - 60) code.scrollTop = Math.max(0, top - code.clientHeight / 2.6);
}

/** @param {any} event */
function lineOf(event) {
  const button = event.target.closest?.(".gutter");
  return button ? Number(button.dataset.index) : null;
}

/** @param {any} event */
function onGutterClick(event) {
  const index = lineOf(event);
  if (index === null) return;
  moveTo(index);
  toggleBreakpoint(index);
}

/** A long press or the right button: condition and message. @param {any} event */
function onGutterMenu(event) {
  const index = lineOf(event);
  if (index === null) return;
  event.preventDefault();
  editBreakpoint(index);
}

/** @param {number} index */
function moveTo(index) {
  const rows = $("code").children;
  rows[currentLine]?.firstElementChild?.setAttribute("tabindex", "-1");
  currentLine = index;
  rows[currentLine]?.firstElementChild?.setAttribute("tabindex", "0");
}

/** @param {any} event */
function onLineKey(event) {
  const index = lineOf(event);
  if (index === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const last = state.program.lines.length - 1;
  /** @type {Record<string, number>} */ const moves = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last, PageUp: index - 15, PageDown: index + 15 };
  if (event.key in moves) {
    moveTo(Math.max(0, Math.min(last, moves[event.key])));
    $("code").children[currentLine].firstElementChild.focus();
  } else if (event.key === "b") toggleBreakpoint(index);
  else if (event.key === "B") editBreakpoint(index);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** What `:break` calls a line, or null if nothing stops there. @param {number} index */
function breakArgument(index) {
  const origin = state.program.lines[index]?.origin;
  if (!origin) return null;
  return origin.file === (state.program.mainSource ?? state.file) ? String(origin.line) : `${origin.file}:${origin.line}`;
}

/** @param {number} index */
function pointAt(index) {
  return lineMarks().points.get(placeOf(state.program.lines[index]));
}

/** Sets a breakpoint, or deletes the one that is there. @param {number} index */
async function toggleBreakpoint(index) {
  const point = pointAt(index), argument = breakArgument(index);
  if (point) await type(`:delete ${point.id}`, { log: false });
  else if (argument) await type(`:break ${argument}`, { log: false });
}

/** F9: the breakpoint of the line that runs next, or of the one with the keyboard. */
export function toggleHere() {
  const now = lineMarks().now;
  const index = $("code").contains(document.activeElement) ? currentLine : state.program.lines.findIndex((/** @type {any} */ line) => placeOf(line) === now && now);
  toggleBreakpoint(index < 0 ? currentLine : index);
}

/** @param {number} index */
function editBreakpoint(index) {
  moveTo(index);
  openBreakpointForm(state.program.lines[index], pointAt(index), breakArgument(index));
}

/** How often each line ran, until it is pressed again. */
const toggleCoverage = () => whileBusy(showCoverage);

async function showCoverage() {
  if (state.coverage) state.coverage = null;
  else {
    const coverage = partOf(await ask(":coverage"), "coverage");
    state.coverage = new Map((coverage?.lines ?? []).map((/** @type {any} */ line) => [`${line.file}:${line.line}`, line.count]));
    const never = [...state.coverage.values()].filter((count) => count === 0).length;
    $("status").textContent = never ? `${plural(never, "line")} never ran` : "Every line ran";
  }
  draw();
}
