// @ts-check
// What a click on a cell does: it plays, answers, asks why, or opens what is on the cell.
import { $, h, replace } from "./dom.js";
import { announce, toast } from "./notify.js";
import { openWhy } from "./why.js";
import { travel, type, whileBusy } from "./session.js";
import { draw, onDraw, state } from "./store.js";

/** What to do with a click while a move is not finished: asked once. @type {"finish" | "inside" | null} */
let habit = null;
/** The entry that waits for the answer. @type {string | null} */
let waiting = null;

/** How often a move is continued to its end before its breakpoints are left alone. */
const MAX_CONTINUES = 100;

export function startClicks() {
  addEventListener("gridbug:opened", () => { habit = null; waiting = null; });
  onDraw(drawInsideQuestion);
}

/** @param {[number, number]} at */
export const clickCell = (at) => whileBusy(() => takeClick(at));

/** @param {[number, number]} at */
async function takeClick(at) {
  state.picked = at;
  const cell = await state.engine.request({ request: "cell", row: at[0], col: at[1] });
  if (!cell.ok) return;
  if (state.isAsking) {
    state.isAsking = false;
    draw();
    return void (cell.name ? await openWhy(`:why ${cell.name}`) : toast("There is nothing to explain here."));
  }
  if (!cell.entry) return void await openCell(at, cell.name);
  if (state.view.status.is_stopped && !cell.answers_question && !state.view.question) return playInsideMove(cell.entry);
  await type(cell.entry);
}

/** Shows what is on a cell that cannot be played: its names are marked among the values.
 * @param {[number, number]} at @param {string | null} name */
async function openCell(at, name) {
  draw();
  const variable = document.querySelector(".values tr.picked");
  if (variable) return void variable.scrollIntoView({ block: "nearest" });
  if (name) await openWhy(`:why ${name}`);
}

/** @param {string} entry */
async function playInsideMove(entry) {
  if (habit === "inside") return void type(entry);
  if (habit === "finish") return finishAndPlay(entry);
  waiting = entry;
  draw();
  $("question").querySelector("button")?.focus();
  announce("A move is not finished. Finish it first, or play inside it?");
}

/** Finishes the move that is running, then plays. @param {string} entry */
async function finishAndPlay(entry) {
  const running = (state.view.timeline.entries ?? []).find((/** @type {any} */ e) => state.view.time > e.start && state.view.time < e.end);
  if (state.view.is_away && running) await travel(running.end);
  for (let i = 0; i < MAX_CONTINUES && state.view.status.is_stopped; i++) await type(":continue", { log: false });
  if (state.view.status.is_stopped) return void toast("The move stops again and again. Delete its breakpoint, or play inside the move.");
  await type(entry);
}

function drawInsideQuestion() {
  if (!waiting || !state.view) return;
  if (!state.view.status.is_stopped) { waiting = null; return; }
  const entry = waiting, running = state.view.stop?.action?.entry || "this move";
  const choose = (/** @type {"finish" | "inside"} */ what) => () => {
    habit = what;
    waiting = null;
    draw();
    return what === "finish" ? finishAndPlay(entry) : type(entry);
  };
  const box = $("question");
  box.hidden = false;
  replace(box, [
    h("h2", { id: "question-title" }, `${running} is not finished.`),
    h("div", { class: "buttons" },
      h("button", { class: "primary", onclick: choose("finish") }, `Finish ${running} first`),
      h("button", { onclick: choose("inside") }, "Play inside it"),
      h("button", { class: "quiet", onclick: () => { waiting = null; draw(); } }, "Cancel")),
    h("p", { class: "note" }, `Then ${entry} is played. The page remembers your answer for this game.`)]);
}

/** Whether a click waits for an answer, so that no other question is shown. */
export const isClickWaiting = () => waiting !== null;
