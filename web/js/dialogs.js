// @ts-check
// The list of lessons, and the sheet with keys.
import { $, h } from "./dom.js";
import { closeDialog, openDialog } from "./notify.js";
import { openLesson } from "./lesson.js";
import { state } from "./store.js";

/** @type {[string, [string[], string][]][]} */
const KEYS = [
  ["Run", [[["→", "s"], "step"], [["←"], "step back"], [["n"], "step over"], [["f"], "step out"], [["c"], "continue"], [["r"], "back to the last breakpoint"], [["e"], "next part of the expression"], [["E"], "the whole statement"], [["t"], "rounds of the loop"], [["p"], "slow motion"], [["Esc"], "stop what is running"]]],
  ["Time", [[["u"], "undo a move"], [["U"], "redo it"], [["Home", "End"], "on the slider: first and last moment"], [["Page"], "on the slider: one move"]]],
  ["Look", [[["w"], "ask why, then choose a cell"], [["b", "F9"], "breakpoint on a line"], [["B"], "its condition and message"], [["1", "9"], "answer a prediction"], [["Enter"], "next step of a lesson"], [[":", "/"], "prompt"], [["?"], "this sheet"]]],
];

export function startDialogs() {
  $("open-lessons").onclick = openLessonsDialog;
  $("open-help").onclick = openHelp;
  $("dialog").addEventListener("click", (/** @type {any} */ event) => { if (event.target === $("dialog")) closeDialog(); });
}

function openLessonsDialog() {
  const groups = state.catalog.languages.map((/** @type {any} */ language) => {
    const lessons = state.catalog.lessons.filter((/** @type {any} */ lesson) => lesson.language === language.name);
    return lessons.length ? [h("h3", {}, language.title), ...lessons.map(lessonButton)] : [];
  });
  openDialog("Lessons", [h("div", { class: "lesson-list" }, ...groups.flat()),
    h("div", { class: "dialog-body" }, h("p", { class: "buttons" }, h("button", { onclick: () => { closeDialog(); $("file-input").click(); } }, "Open a lesson file…")))]);
}

/** @param {any} lesson */
function lessonButton(lesson) {
  const title = lesson.title.replace(/^\d+\.\s*/, "");
  return h("button", { onclick: () => { closeDialog(); openLesson(lesson); } }, h("b", {}, String(lesson.number)), h("span", {}, title), h("small", {}, `${lesson.step_count} steps`));
}

export function openHelp() {
  openDialog("Keys", [
    ...KEYS.flatMap(([title, keys]) => [h("h3", { class: "dialog-body" }, title), h("dl", { class: "keys" }, ...keys.map(([names, effect]) => h("div", {}, h("dt", {}, ...names.map((name) => h("kbd", {}, name))), h("dd", {}, effect))))]),
    h("div", { class: "dialog-body" }, h("p", { class: "note" }, "On the board, arrow keys move and Enter plays; in SGL2D, arrow keys play. A long press or the right button on a cell asks why. Every command of the prompt works: :help lists them."))]);
}

