// @ts-check
// An exercise: the task, a place to write, checks with the teacher's remarks, hints and the solution.
import { h, plural, prose } from "./dom.js";
import { type, whileBusy } from "./session.js";
import { draw, partOf, state } from "./store.js";
import { applyEdit } from "./log.js";

/** @param {any} lesson */
export function exerciseCard(lesson) {
  const task = lesson.exercise;
  const area = h("textarea", { "aria-label": `Your ${task.name}`, spellcheck: "false", autocapitalize: "off", "data-key": "draft", oninput: () => { lesson.draft = area.value; }, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check(lesson, area.value); } });
  area.value = lesson.draft ?? startText(task.name);
  const left = Math.max(0, task.hint_count - (lesson.hints?.length ?? task.hints_given));
  return [h("div", { class: "task" },
    h("h3", {}, ...prose(task.text.join(" "))), area,
    h("div", { class: "buttons" },
      h("button", { class: "primary", "data-key": "check", title: "Ctrl+Enter", onclick: () => whileBusy(() => check(lesson, area.value)) }, "Check"),
      task.hint_count ? h("button", { "data-key": "hint", "aria-disabled": String(left === 0), onclick: () => { if (left) type(":lesson hint", { log: false }); } }, `Hint (${left} left)`) : null,
      lesson.report?.failure ? h("button", { "data-key": "try", onclick: () => type(":lesson try", { log: false }) }, "Show me on the board") : null,
      lesson.report?.failure && left === 0 ? h("button", { class: "quiet", "data-key": "solution", onclick: () => type(":lesson solution", { log: false }) }, "Solution") : null),
    ...taskErrors(lesson, area),
    ...checks(lesson.report),
    ...(lesson.hints ?? []).map((/** @type {string} */ hint) => h("p", { class: "hint" }, ...prose(hint))),
    lesson.solution ? h("pre", { class: "hint" }, lesson.solution) : null)];
}

/** What the editor starts with: what the program has, or an empty definition. @param {string} name */
function startText(name) {
  /** @type {string[]} */ const lines = state.program.text.split("\n");
  const at = lines.findIndex((line) => new RegExp(`^\\s*${name.replace(/\W/g, "\\$&")}\\b`).test(line));
  if (at < 0) return state.language.name === "gridlok" ? `${name} {\n  \n}` : "";
  const indent = /^\s*/.exec(lines[at])?.[0].length ?? 0;
  let end = at, depth = 0;
  do {
    depth += (lines[end].match(/[{(]/g) ?? []).length - (lines[end].match(/[})]/g) ?? []).length;
    end++;
  } while (depth > 0 && end < lines.length);
  return lines.slice(at, end).map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)?.[0].length ?? 0))).join("\n");
}

/** Enters what was written and checks it. @param {any} lesson @param {string} text */
async function check(lesson, text) {
  lesson.draft = text;
  lesson.taskError = null;
  const answer = await type(text);
  const error = answer?.diagnostics?.find((/** @type {any} */ d) => d.severity === "error") ?? partOf(answer, "error");
  if (!answer || error || answer.incomplete) {
    if (answer?.incomplete) await type(":cancel", { log: false });
    if (state.lesson) state.lesson.taskError = error ?? { message: "This is not complete: a bracket is still open" };
    return draw();
  }
  await type(":lesson check", { log: false });
}

/** @param {any} lesson @param {any} area */
function taskErrors(lesson, area) {
  const error = lesson.taskError;
  if (!error) return [];
  const edit = error.suggested_edits?.[0];
  return [h("p", { class: "error", role: "alert" }, error.line ? `Line ${error.line}: ${error.message}` : error.message),
    edit && edit.line ? h("div", {}, h("button", { class: "small", onclick: () => { lesson.draft = applyEdit(area.value, edit); lesson.taskError = null; draw(); } }, `Write ${edit.text || "nothing"} instead`)) : null];
}

/** @param {any} report */
function checks(report) {
  if (!report) return [];
  const items = [];
  if (report.passed_count) items.push(h("li", {}, h("span", { class: "yes", "aria-hidden": "true" }, "✓"), h("span", {}, `${plural(report.passed_count, "check")} of ${report.check_count} passed`)));
  const failure = report.failure;
  if (failure) {
    items.push(h("li", {}, h("span", { class: "no", "aria-hidden": "true" }, "✕"), h("span", {},
      h("b", {}, failure.remarks.join(" ") || "A check failed."), h("br"),
      `After ${failure.inputs.join(", ") || "the start"}: expected ${quoted(failure.expected)}, but it was ${quoted(failure.actual)}.`)));
  } else items.push(h("li", {}, h("span", { class: "yes", "aria-hidden": "true" }, "✓"), h("span", {}, "Everything is right.")));
  return [h("ul", { class: "checks" }, ...items)];
}

/** @param {string[]} lines */
const quoted = (lines) => (lines.length ? `“${lines.join(" ")}”` : "nothing");
