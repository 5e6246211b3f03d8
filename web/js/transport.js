// @ts-check
// The buttons that run the program, forward and back, and slow motion.
import { $, h, icon } from "./dom.js";
import { announce, toast } from "./notify.js";
import { type } from "./session.js";
import { isInPast, onDraw, state } from "./store.js";

/** @type {[string, string, string, string][]} The icon, the line, what it does, and its keys. */
const BUTTONS = [
  ["rcont", "reverse-continue", "Back to the last breakpoint", "r"],
  ["back", "back", "Step back", "←"],
  ["step", "step", "Step", "→ or s"],
  ["over", "next", "Step over", "n"],
  ["out", "finish", "Step out", "f"],
  ["cont", "continue", "Continue", "c"],
  ["expr", "step sub", "Next part of the expression", "e"],
];
/** Lines that make sense only at a stop. */
const NEED_STOP = ["next", "finish", "step sub", "step expr"];
/** Lines that go on from the past even if nothing is stopped there. */
const NEED_FUTURE = ["step", "continue", ...NEED_STOP];

/** The delay of slow motion; null if it is off. */
let slowTimer = 0;
let delayMs = 600;

export function startTransport() {
  const buttons = BUTTONS.map(([sign, line, title, keys]) => h("button", {
    class: line === "step" ? "main" : null, "data-line": line, title: `${title} (${keys})`, "aria-label": line === "step" ? null : title, "aria-keyshortcuts": keys.includes("←") ? "ArrowLeft" : keys[0] === "→" ? "ArrowRight s" : keys,
    onclick: () => runLine(line),
  }, icon(sign), line === "step" ? h("span", {}, "Step") : null));
  buttons.splice(6, 0, h("span", { class: "gap" }));
  $("transport").append(...buttons,
    h("button", { id: "slow", title: "Slow motion (p)", "aria-label": "Slow motion", "aria-pressed": "false", onclick: () => (slowTimer ? stopSlowMotion() : startSlowMotion()) }, icon("slow")),
    h("input", { id: "speed", class: "speed", type: "range", min: "100", max: "1000", step: "100", value: String(1100 - delayMs), "aria-label": "Speed", hidden: true, oninput: (/** @type {any} */ event) => { delayMs = 1100 - Number(event.target.value); } }));
  onDraw(drawTransport);
}

function drawTransport() {
  if (!state.view) return;
  const isStopped = state.view.status.is_stopped;
  for (const button of $("transport").querySelectorAll("[data-line]")) {
    const line = button.dataset.line;
    button.setAttribute("aria-disabled", String(NEED_STOP.includes(line) ? !isStopped : NEED_FUTURE.includes(line) ? !isStopped && !isInPast() : false));
  }
}

/** Runs the program with a line of the debugger. @param {string} line */
export async function runLine(line) {
  const isStopped = state.view?.status.is_stopped;
  if (state.view?.question || state.view?.prediction) return void toast(state.view.question ? "Answer the question first, or press Esc to cancel it." : "Predict first, or skip the question.");
  if (NEED_FUTURE.includes(line) && !isStopped && (NEED_STOP.includes(line) || !isInPast())) {
    return void toast("Nothing is running. Set a breakpoint and play, or press ← to go back into the last move.");
  }
  await type(line.startsWith(":") ? line : `:${line}`, { log: false });
}

/** Steps with a pause after each step, until a key is pressed. @param {number} [delay] */
export function startSlowMotion(delay) {
  if (delay) delayMs = Math.min(1000, Math.max(100, delay));
  if (!state.view?.status.is_stopped && !isInPast()) return void toast("Nothing is running. Set a breakpoint and play, or go back into a move; then slow motion steps through it.");
  stopSlowMotion();
  $("slow").setAttribute("aria-pressed", "true");
  $("speed").hidden = false;
  announce("Slow motion; any key stops it");
  const tick = async () => {
    await type(":step", { log: false });
    const isOver = !state.view.status.is_stopped && !isInPast() || state.view.question || state.stop?.reason === "error";
    if (!slowTimer) return;
    if (isOver) stopSlowMotion();
    else slowTimer = setTimeout(tick, delayMs);
  };
  slowTimer = setTimeout(tick, Math.min(delayMs, 300));
}

/** Answers whether slow motion was on. */
export function stopSlowMotion() {
  if (!slowTimer) return false;
  clearTimeout(slowTimer);
  slowTimer = 0;
  $("slow").setAttribute("aria-pressed", "false");
  $("speed").hidden = true;
  return true;
}
