// @ts-check
// Keys that work wherever nothing is typed; the same as in the terminal's view.
import { $ } from "./dom.js";
import { focusBoard } from "./board.js";
import { openHelp } from "./dialogs.js";
import { toggleHere } from "./program.js";
import { focusPrompt } from "./prompt.js";
import { stopRun } from "./run.js";
import { pressEnter, type } from "./session.js";
import { toggleAsking } from "./stage.js";
import { toggleRounds } from "./steps.js";
import { draw, state } from "./store.js";
import { runLine, startSlowMotion, stopSlowMotion } from "./transport.js";
import { closeWhy } from "./why.js";

/** @type {Record<string, () => any>} */
const ACTIONS = {
  ArrowRight: () => runLine("step"), s: () => runLine("step"), ArrowLeft: () => runLine("back"),
  n: () => runLine("next"), f: () => runLine("finish"), c: () => runLine("continue"), r: () => runLine("reverse-continue"),
  e: () => runLine("step sub"), E: () => runLine("step expr"), t: toggleRounds, p: () => startSlowMotion(),
  u: () => type(":undo", { log: false }), U: () => type(":redo", { log: false }),
  w: () => { toggleAsking(); if (state.isAsking) focusBoard(); }, b: toggleHere, F9: toggleHere,
  "?": openHelp, ":": focusPrompt, "/": focusPrompt,
};

export function startKeys() {
  addEventListener("keydown", onGlobalKey);
}

/** @param {any} event */
function onGlobalKey(event) {
  if (event.key === "Escape") return escape(event);
  if (stopSlowMotion() && event.key === "p") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest("input, textarea, select, dialog")) return;
  const choice = state.view?.prediction?.choices?.[Number(event.key) - 1];
  if (choice) { event.preventDefault(); return void type(choice.answer, { log: false }); }
  if (event.key === "Enter") {
    const isFree = !target.closest("button, a, .log");
    if (isFree && state.lesson && !state.lesson.isAlone && !state.lesson.exercise && !state.view.prediction) { event.preventDefault(); pressEnter(); }
    return;
  }
  const run = ACTIONS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

/** Esc stops, cancels or closes, one thing at a time. @param {KeyboardEvent} event */
function escape(event) {
  if ($("dialog").open) return;
  if (stopRun() || stopSlowMotion()) return void event.preventDefault();
  if (state.isAsking) { state.isAsking = false; return draw(); }
  const typing = document.activeElement?.closest("#prompt, #editor");
  if (state.view?.question && !typing) return void type(":cancel", { log: false });
  if (state.why) return closeWhy();
  if (document.activeElement instanceof HTMLElement && document.activeElement.closest(".question input")) document.activeElement.blur();
}
