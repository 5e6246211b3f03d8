// @ts-check
// The program's own question as a card, with the possible answers as buttons.
import { $, h, replace } from "./dom.js";
import { type } from "./session.js";
import { isClickWaiting } from "./click.js";
import { onDraw, partOf, state } from "./store.js";

const MAX_BUTTONS = 24;

let shownFor = "";
/** The question whose answers are known, and the answers. */
let answersFor = "";
/** @type {string[]} */
let possibleAnswers = [];

export function startQuestion() {
  onDraw(drawQuestion);
}

function drawQuestion() {
  const question = state.view?.question, box = $("question");
  if (isClickWaiting()) return;
  box.hidden = !question;
  if (!question) { shownFor = ""; return; }
  const key = JSON.stringify(question) + state.view.time;
  const shown = `${key}${answersFor === key ? possibleAnswers.length : ""}`;
  if (shownFor === shown) return;
  shownFor = shown;
  const answers = answersFor === key ? possibleAnswers : [];
  if (answersFor !== key) fetchAnswers(key);
  const input = h("input", { type: "text", "aria-labelledby": "question-title", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "data-key": "answer", placeholder: question.type ?? "" });
  replace(box, [
    h("h2", { id: "question-title" }, question.text?.trim() || (question.type ? `The program asks for ${articled(question.type)}` : "The program asks for input")),
    answers.length ? h("div", { class: "chips", role: "group", "aria-label": "Possible answers" }, ...answers.slice(0, MAX_BUTTONS).map((/** @type {string} */ answer) => h("button", { "data-key": `answer:${answer}`, onclick: () => type(answer) }, answer))) : null,
    h("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); type(input.value); } }, input, h("button", { class: "primary" }, "Answer")),
    h("p", { class: "note" }, question.takes_cell ? "You can also click a cell. Esc cancels." : "Esc cancels.")]);
  // The keyboard goes to the question, but on a phone it would cover the board.
  if (matchMedia("(pointer: fine)").matches && !$("prompt").matches(":focus")) (box.querySelector(".chips button") ?? input).focus();
}

/** Asks which answers are possible. @param {string} key */
async function fetchAnswers(key) {
  answersFor = key;
  possibleAnswers = [];
  const answer = await state.engine.request({ request: "query", text: ":moves" });
  if (answersFor !== key || !answer.ok) return;
  possibleAnswers = (partOf(answer, "moves")?.moves ?? []).map((/** @type {any} */ move) => move.entry);
  if (possibleAnswers.length) drawQuestion();
}

/** @param {string} type */
const articled = (type) => `${/^[aeiou]/i.test(type) ? "an" : "a"} ${type}`;
