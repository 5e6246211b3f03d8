// @ts-check
// The prompt: entries, commands and answers, with completion and the entries before.
import { $, h } from "./dom.js";
import { pressEnter, type } from "./session.js";
import { onDraw, state } from "./store.js";

const MAX_COMPLETIONS = 8;

/** @type {any[]} */
let completions = [];
/** The completion that is selected, or -1. */
let chosen = -1;
/** Entries before, for the arrow keys. @type {string[]} */
const history = [];
let historyAt = 0;

export function startPrompt() {
  const input = $("prompt");
  $("prompt-form").onsubmit = (/** @type {Event} */ event) => { event.preventDefault(); submit(); };
  input.oninput = complete;
  input.onblur = () => setTimeout(hideCompletions, 120);
  input.onkeydown = onPromptKey;
  onDraw(drawPrompt);
}

export function focusPrompt() {
  document.body.classList.add("prompt-open");
  if (document.body.dataset.tab !== "console") document.body.dataset.tab = "console";
  dispatchEvent(new CustomEvent("gridbug:tab"));
  $("prompt").focus();
}

/** Offers a text at the prompt. @param {string} text */
export function prefill(text) {
  $("prompt").value = text;
  focusPrompt();
}

function drawPrompt() {
  const prompt = state.view?.status.prompt ?? "";
  $("prompt").placeholder = state.answer?.incomplete ? "… goes on; a blank line runs it" : $("log").children.length ? "" : placeholder();
  $("prompt").title = prompt;
}

function placeholder() {
  const example = state.catalog?.examples.find((/** @type {any} */ e) => e.file === state.file && e.language === state.language?.name);
  const entry = example?.try?.find((/** @type {string} */ line) => !line.startsWith(":"));
  return entry ? `Click a cell, or type ${entry}` : "Type an entry, or :help";
}

function submit() {
  const input = $("prompt"), text = input.value;
  input.value = "";
  hideCompletions();
  if (text.trim() && history.at(-1) !== text) history.push(text);
  historyAt = history.length;
  if (text.trim() === "" && !state.answer?.incomplete && !state.view?.question) return void pressEnter();
  type(text);
}

/** @param {KeyboardEvent} event */
function onPromptKey(event) {
  const input = $("prompt"), isOpen = !$("completions").hidden;
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    if (isOpen && chosen >= 0) take(completions[chosen]);
    else submit();
  } else if (event.key === "Tab" && !event.shiftKey && isOpen && completions.length) {
    event.preventDefault();
    take(completions[Math.max(chosen, 0)]);
  } else if (event.key === "Escape") {
    if (isOpen) { event.stopPropagation(); hideCompletions(); }
    else { document.body.classList.remove("prompt-open"); input.blur(); }
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !input.value.includes("\n")) {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    if (isOpen) choose(step);
    else recallEntry(step);
  }
}

/** @param {number} step */
function recallEntry(step) {
  historyAt = Math.max(0, Math.min(history.length, historyAt + step));
  $("prompt").value = history[historyAt] ?? "";
}

/** @param {number} step */
function choose(step) {
  chosen = (chosen + step + completions.length) % completions.length;
  [...$("completions").children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
  $("prompt").setAttribute("aria-activedescendant", `completion-${chosen}`);
}

async function complete() {
  const input = $("prompt"), text = input.value;
  if (!text.trim() || text.includes("\n") || input.selectionStart !== text.length || state.isRunning) return hideCompletions();
  const answer = await state.engine.request({ request: "complete", line: text });
  if (input.value !== text) return;
  completions = (answer.completions ?? []).slice(0, MAX_COMPLETIONS);
  chosen = -1;
  $("completions").replaceChildren(...completions.map((item, i) => h("li", {
    role: "option", id: `completion-${i}`, "aria-selected": "false", onpointerdown: (/** @type {Event} */ event) => { event.preventDefault(); take(item); },
  }, item.text, h("small", {}, item.detail ?? item.kind ?? ""))));
  $("completions").hidden = !completions.length;
  input.removeAttribute("aria-activedescendant");
}

/** @param {any} completion */
function take(completion) {
  const input = $("prompt");
  input.value = [...input.value].slice(0, completion.start ?? completion.range?.start ?? 0).join("") + completion.text;
  hideCompletions();
  input.focus();
}

function hideCompletions() {
  completions = [];
  chosen = -1;
  $("completions").hidden = true;
  $("prompt").removeAttribute("aria-activedescendant");
}
