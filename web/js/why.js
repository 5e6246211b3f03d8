// @ts-check
// The panel that explains: a chain of numbered reasons, ways that would help, and the moment itself.
import { $, h, plural, replace } from "./dom.js";
import { toast } from "./notify.js";
import { readExplanation, showWay } from "./reasons.js";
import { ask, search, travel, type, whileBusy } from "./session.js";
import { draw, onDraw, state } from "./store.js";

export function startWhy() {
  onDraw(drawWhy);
}

/** Explains something, without a trace in the session. @param {string} line */
export const openWhy = (line) => whileBusy(() => explain(line));

/** @param {string} line */
async function explain(line) {
  // What is missing for an ending is searched for, beside the game.
  const answer = await (line.startsWith(":why not") ? search(line).answer : ask(line));
  if (!answer) return;
  state.why = readExplanation(answer);
  if (!state.why) return void toast(answer.text?.trim().split("\n")[0] || "There is nothing to explain here.");
  if (document.body.dataset.tab !== "inspect") { document.body.dataset.tab = "inspect"; dispatchEvent(new CustomEvent("gridbug:tab")); }
  draw();
  $("status").textContent = `${state.why.title} ${state.why.chain.map((/** @type {any} */ reason) => spoken(reason.text)).join(". ")}`;
}

/** A reason as text. @param {any[]} parts */
const spoken = (parts) => parts.flat().map((part) => part.textContent ?? part).join("");

export function closeWhy() {
  state.why = null;
  draw();
}

function drawWhy() {
  const why = state.why, box = $("why");
  box.hidden = !why;
  if (!why) return void box.replaceChildren();
  replace(box, [
    h("div", { class: "head" }, h("h2", { id: "why-title" }, why.title), h("button", { class: "quiet icon small", "aria-label": "Close the explanation", onclick: closeWhy }, "✕")),
    ...wayPager(why),
    why.lead ? h("p", { class: "lead" }, why.lead) : null,
    h("ol", { class: "chain" }, ...why.chain.map((/** @type {any} */ reason) => h("li", {},
      h("span", { class: "num" }, String(reason.number)), h("div", {}, ...[reason.text].flat(), reason.note ? h("div", { class: "dim" }, reason.note) : null)))),
    why.hints.length ? h("div", { class: "pager" }, h("span", { class: "note" }, "Try"), ...why.hints.map((/** @type {string} */ entry) => h("button", { class: "small", onclick: () => type(entry) }, entry))) : null,
    why.time !== null ? h("div", { class: "pager" }, h("span", {}), h("button", { class: "small", onclick: () => travel(why.time) }, "Go to that moment")) : null,
    why.reach ? h("div", { class: "pager" }, h("span", { class: "note" }, why.reach.text),
      why.reach.moves.length ? h("button", { class: "small", onclick: () => type(`:find ${why.reach.goal}`) }, "Keep as a branch") : null) : null]);
}

/** The ways that would help, one at a time. @param {any} why */
function wayPager(why) {
  const way = why.solutions[why.way];
  if (!way) return [];
  const turn = (/** @type {number} */ step) => () => {
    why.way = (why.way + step + why.solutions.length) % why.solutions.length;
    showWay(why);
    draw();
  };
  const text = way.slice(0, 6).map((/** @type {any} */ change) => (change.isCell ? `${change.new} on ${change.name}` : `${change.name} = ${change.new}`)).join(", ");
  const count = why.solutions.length;
  return [
    h("p", { class: "lead" }, `It would be true with ${text}${way.length > 6 ? ` and ${way.length - 6} more` : ""}.`),
    h("div", { class: "pager" },
      h("span", { class: "note" }, `${count === 1 ? "the nearest way" : `way ${why.way + 1} of ${plural(count, "way").split(" ")[0]}`}${way.some((/** @type {any} */ c) => c.isCell) ? ", drawn on the board" : ""}`),
      ...(count > 1 ? [h("button", { class: "small", "aria-label": "Previous way", onclick: turn(-1) }, "‹"), h("button", { class: "small", "aria-label": "Next way", onclick: turn(1) }, "›")] : []))];
}
