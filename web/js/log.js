// @ts-check
// What was typed and what it answered. Pointing at a line shows the board as it was then.
import { $, h } from "./dom.js";
import { endPreview, preview, travel, type } from "./session.js";
import { openWhy } from "./why.js";
import { partsOf } from "./store.js";

/** Lines that the log keeps; the journal has all of them. */
const MAX_LOG_LINES = 2000;
/** How long the pointer has to rest on a line before the board shows that time. */
const PREVIEW_DELAY_MS = 160;
/** Parts that the page shows elsewhere. */
const SHOWN_ELSEWHERE = new Set(["stop", "board", "evaluation", "lesson", "prediction", "prediction_result", "exercise_report", "exercise_help",
  "explanation", "why_not", "reachability", "loop_tables", "new_breakpoint", "deleted_breakpoints", "echo", "finished", "forked", "future_kept", "returned", "undone", "redone", "position"]);

export function clearLog() {
  $("log").replaceChildren();
}

/** Adds a line and its answer. @param {string | null} text @param {any} answer @param {{time?: number, lines?: string[]}} [options] */
export function addToLog(text, answer, { time, lines } = {}) {
  const log = $("log");
  const echo = answer?.parts?.find((/** @type {any} */ part) => part.kind === "echo");
  const input = echo?.input ?? text;
  if (input !== null && input !== undefined && input !== "") log.append(inputLine(input, time));
  if (lines) log.append(...lines.map((line) => h("p", { class: "out" }, line)));
  if (answer) log.append(...answerLines(answer));
  while (log.children.length > MAX_LOG_LINES) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
}

/** @param {string} text @param {number | undefined} time */
function inputLine(text, time) {
  if (time === undefined) return h("p", { class: "in" }, text);
  let timer = 0;
  const show = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { line.classList.add("shown"); preview(time); }, PREVIEW_DELAY_MS);
  };
  const hide = () => {
    clearTimeout(timer);
    if (line.classList.contains("shown")) endPreview();
    line.classList.remove("shown");
  };
  const line = h("button", {
    class: "in", title: "Point here to see the board as it was then; press to go there",
    onpointerenter: show, onpointerleave: hide, onfocus: () => { if (line.matches(":focus-visible")) show(); }, onblur: hide,
    onclick: async () => { hide(); await endPreview(); travel(time); },
  }, text);
  return line;
}

/** @param {any} answer */
function answerLines(answer) {
  const lines = [];
  let number = 0;
  for (const text of answer.output ?? []) lines.push(h("p", { class: "print" }, text), ...(number++ ? [] : []));
  if (answer.output_omitted) lines.push(h("p", { class: "out" }, `… ${answer.output_omitted} more lines`));
  for (const diagnostic of answer.diagnostics ?? []) lines.push(...diagnosticLines(diagnostic, answer.entry));
  for (const part of answer.parts ?? []) {
    if (SHOWN_ELSEWHERE.has(part.kind)) continue;
    if (part.kind === "log" || part.kind === "trace") lines.push(h("p", { class: "print" }, part.text));
    else if (part.kind === "opponent_move") lines.push(h("p", { class: "out" }, `${part.player} plays ${part.entry}`));
  }
  const rest = textOfParts(answer);
  if (rest) lines.push(h("p", { class: answer.ok ? "out" : "error" }, rest));
  for (const error of partsOf(answer, "error")) {
    const command = error.advice?.find((/** @type {any} */ a) => a.kind === "command" || a.kind === "example");
    if (command) lines.push(fixButton(command.command, () => type(command.command)));
  }
  return lines;
}

/** What the answer says, if the page shows it nowhere else. @param {any} answer */
function textOfParts(answer) {
  const shown = (answer.parts ?? []).filter((/** @type {any} */ part) => !SHOWN_ELSEWHERE.has(part.kind) && !["log", "trace", "opponent_move"].includes(part.kind));
  if (!shown.length) return "";
  const value = shown.find((/** @type {any} */ part) => part.kind === "value");
  if (shown.length === 1 && value) return value.text;
  // Text that belongs to parts shown elsewhere is in the same string, so it is used only without them.
  if (shown.length === (answer.parts ?? []).length) return answer.text;
  return shown.flatMap((/** @type {any} */ part) => part.lines ?? part.text ?? part.message ?? []).filter((/** @type {any} */ t) => typeof t === "string").join("\n");
}

/** @param {any} diagnostic @param {string} entry */
function diagnosticLines(diagnostic, entry) {
  const where = diagnostic.line && !/^(entry|expression)/.test(diagnostic.file ?? "") ? ` (line ${diagnostic.line})` : "";
  const lines = [h("p", { class: diagnostic.severity === "error" ? "error" : "out" }, `${diagnostic.severity}: ${diagnostic.message}${where}`)];
  for (const note of diagnostic.notes ?? []) lines.push(h("p", { class: "out" }, note));
  const edit = diagnostic.suggested_edits?.[0];
  if (edit && /^entry|^expression/.test(edit.file ?? "entry") && edit.line === edit.end_line) {
    const fixed = applyEdit(entry, edit);
    if (fixed !== entry) lines.push(fixButton(fixed, () => type(fixed)));
  }
  if (diagnostic.severity === "error" && /^R/.test(diagnostic.phase ?? "")) lines.push(fixButton("What led here?", () => openWhy(":why")));
  return lines;
}

/** A text with a suggested edit. @param {string} text @param {any} edit */
export function applyEdit(text, edit) {
  const lines = text.split("\n");
  const first = [...(lines[edit.line - 1] ?? "")], last = [...(lines[edit.end_line - 1] ?? "")];
  const changed = first.slice(0, edit.column - 1).join("") + edit.text + last.slice(edit.end_column - 1).join("");
  return [...lines.slice(0, edit.line - 1), changed, ...lines.slice(edit.end_line)].join("\n");
}

/** @param {string} text @param {() => void} run */
const fixButton = (text, run) => h("button", { class: "small fix", onclick: run }, text);
