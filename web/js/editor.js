// @ts-check
// The program in an editor: the same gutter, checked while typing, with fixes as buttons. What was
// played is played again on the new rules.
import { $, h } from "./dom.js";
import { announce, toast } from "./notify.js";
import { applyEdit } from "./log.js";
import { type, whileBusy } from "./session.js";
import { partOf, state } from "./store.js";

/** How long typing has to pause before the program is checked. */
const CHECK_DELAY_MS = 160;

let checkTimer = 0;
/** @type {any} */
let area = null;
/** Texts before each change of a whole text, which undo of the browser does not know. */
let original = "";

export function startEditor() {
  $("edit").onclick = () => (area ? closeEditor() : openEditor());
  addEventListener("gridbug:opened", () => { if (area) closeEditor(); });
}

/** Opens the editor with the program, or with a definition to change. @param {string} [text] */
export function openEditor(text) {
  original = state.program.text;
  area = h("textarea", { "aria-label": "Program text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
    oninput: onEdit, onscroll: () => { gutter.scrollTop = area.scrollTop; }, onkeydown: onEditorKey });
  const gutter = h("div", { class: "editor-gutter", "aria-hidden": "true" });
  area.value = text === undefined ? original : `${original}\n${text}`;
  const box = $("editor");
  box.replaceChildren(h("div", { class: "editor-lines" }, gutter, area), h("ul", { class: "problems", id: "problems", "aria-label": "Problems" }),
    h("div", { class: "buttons" }, h("button", { class: "primary small", onclick: keepPlaying, title: "Ctrl+Enter" }, "Keep playing"), h("button", { class: "small", onclick: closeEditor }, "Cancel"),
      h("span", { class: "note" }, "Your moves are played again on the new rules.")));
  box.hidden = false;
  $("code").hidden = true;
  $("breakpoint-form").hidden = true;
  document.body.classList.add("editing");
  $("edit").setAttribute("aria-pressed", "true");
  if (document.body.dataset.tab !== "program") { document.body.dataset.tab = "program"; dispatchEvent(new CustomEvent("gridbug:tab")); }
  drawLineNumbers([]);
  area.focus();
  area.setSelectionRange(0, 0);
  checkText();
}

export function closeEditor() {
  clearTimeout(checkTimer);
  area = null;
  $("editor").hidden = true;
  $("code").hidden = false;
  $("editor").replaceChildren();
  document.body.classList.remove("editing");
  $("edit").setAttribute("aria-pressed", "false");
  $("edit").focus();
}

/** @param {number[]} bad Lines with errors. */
function drawLineNumbers(bad) {
  const gutter = $("editor").querySelector(".editor-gutter"), count = area.value.split("\n").length;
  gutter.replaceChildren(...Array.from({ length: count }, (_, i) => h("div", { class: bad.includes(i + 1) ? "bad" : null }, String(i + 1))));
  gutter.scrollTop = area.scrollTop;
}

function onEdit() {
  clearTimeout(checkTimer);
  drawLineNumbers([]);
  checkTimer = setTimeout(checkText, CHECK_DELAY_MS);
}

/** @param {KeyboardEvent} event */
function onEditorKey(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    keepPlaying();
  } else if (event.key === "Escape") {
    event.stopPropagation();
    if (area.value === original) closeEditor();
    else toast("Keep playing with Ctrl+Enter, or press Cancel to discard your changes.");
  }
}

async function checkText() {
  if (!area) return;
  const text = area.value;
  const answer = await state.engine.request({ request: "analyze", language: state.language.name, name: state.file, program: text });
  if (!area || area.value !== text || !answer.ok) return;
  const diagnostics = answer.diagnostics ?? [];
  drawLineNumbers(diagnostics.filter((/** @type {any} */ d) => d.severity === "error").map((/** @type {any} */ d) => d.line));
  $("problems").replaceChildren(...(diagnostics.length ? diagnostics.slice(0, 20).map(problem) : [h("li", {}, h("span", { class: "fine" }, "✓"), "No problems found")]));
  announce(diagnostics.length ? `${diagnostics[0].severity} in line ${diagnostics[0].line}: ${diagnostics[0].message}` : "No problems found");
}

/** @param {any} diagnostic */
function problem(diagnostic) {
  const edit = diagnostic.suggested_edits?.[0];
  return h("li", {},
    h("button", { class: "quiet small", onclick: () => selectLine(diagnostic.line ?? 1) }, `line ${diagnostic.line ?? "?"}`),
    h("span", { class: `severity-${diagnostic.severity}` }, diagnostic.severity), h("span", {}, diagnostic.message),
    edit?.line ? h("button", { class: "small", onclick: () => { area.value = applyEdit(area.value, edit); onEdit(); area.focus(); } }, edit.text ? `Write ${edit.text.trim()}` : "Remove it") : null);
}

/** @param {number} line */
function selectLine(line) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((/** @type {number} */ sum, /** @type {string} */ text) => sum + text.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}

/** Plays the same moves on the new rules, and says what differs. */
const keepPlaying = () => whileBusy(reload);

async function reload() {
  const text = area.value;
  const set = await state.engine.request({ request: "files", set: { [state.file]: text.endsWith("\n") ? text : `${text}\n` } });
  if (!set.ok) return void toast(set.error);
  const answer = await type(":reload", { log: false });
  const reloaded = partOf(answer, "reloaded");
  if (!reloaded) {
    await state.engine.request({ request: "files", set: { [state.file]: original } });
    const error = answer?.diagnostics?.find((/** @type {any} */ d) => d.severity === "error");
    return void toast(error ? `Line ${error.line}: ${error.message}` : answer?.text || "The program cannot be loaded");
  }
  closeEditor();
  const difference = reloaded.first_difference;
  toast(difference ? `New rules. The first move that differs is ${difference.input}` : reloaded.replayed_count ? "New rules. All your moves have the same results." : "New rules.");
}
