// @ts-check
// An expression step by step, one rung for each part, and the iterations of a loop as a table.
import { $, classes, h, replace } from "./dom.js";
import { ask } from "./session.js";
import { cellKey, draw, onDraw, partOf, state } from "./store.js";

const MAX_RUNGS = 40, MAX_ROUNDS = 60;

export function startSteps() {
  onDraw(drawSteps);
}

/** `step sub` answers with one part at a time; those of the same statement are collected. @param {any} answer */
export function takeEvaluation(answer) {
  const next = partOf(answer, "evaluation"), old = state.evaluation;
  state.rounds = partOf(answer, "loop_tables") ?? (next || answer.stopped && answer.entry?.startsWith(":b") ? null : state.rounds && answer.stopped ? state.rounds : null);
  if (!next) { state.evaluation = null; return; }
  const continues = old?.is_partial && old.range.file === next.range.file && old.range.line === next.range.line && old.range.column === next.range.column && next.steps[0]?.number > 1;
  state.evaluation = { ...next, steps: [...(continues ? old.steps : []), ...next.steps].slice(-MAX_RUNGS) };
  state.evaluation.reads = new Set(state.evaluation.steps.map((/** @type {any} */ step) => cellKey(step.cell)).filter(Boolean));
}

/** Shows the loop around the current line as a table, or hides it. */
export async function toggleRounds() {
  state.rounds = state.rounds ? null : partOf(await ask(":rounds"), "loop_tables") ?? null;
  draw();
}

function drawSteps() {
  const box = $("steps"), evaluation = state.evaluation;
  const isShown = evaluation && (evaluation.steps.length || evaluation.effect);
  box.hidden = !isShown && !state.rounds;
  if (box.hidden) return;
  replace(box, isShown ? ladder(evaluation) : state.rounds.tables.flatMap(roundsTable));
  box.scrollTop = isShown ? box.scrollHeight : 0;
}

/** A text with its marked part. @param {any} text */
const marked = (text) => {
  const characters = [...text.text];
  return [characters.slice(0, text.start).join(""), h("mark", {}, characters.slice(text.start, text.end).join("")), characters.slice(text.end).join("")];
};

/** @param {any} evaluation */
function ladder(evaluation) {
  const steps = evaluation.steps, rungs = [];
  if (steps.length) rungs.push(h("li", {}, h("span", { class: "arrow" }, ""), h("span", {}, ...marked(steps[0].before))));
  steps.forEach((/** @type {any} */ step, /** @type {number} */ i) => rungs.push(h("li", { class: classes(i === steps.length - 1 && !evaluation.effect && "last") },
    h("span", { class: "arrow", "aria-hidden": "true" }, "↳"), h("span", {}, ...marked(step.substituted)),
    step.short_circuit ? h("span", { class: "skipped" }, "the rest is skipped") : null)));
  const effect = effectText(evaluation.effect);
  if (effect) rungs.push(h("li", { class: "last" }, h("span", { class: "arrow", "aria-hidden": "true" }, "✓"), h("span", {}, effect)));
  return [
    h("div", { class: "head" }, h("h2", { id: "steps-title" }, "Step by step"), h("span", { class: "note" }, `${evaluation.function}, line ${evaluation.range.line}`)),
    h("ol", { class: "ladder" }, ...rungs)];
}

/** What the statement did in the end. @param {any} effect */
function effectText(effect) {
  if (!effect) return "";
  const said = effect.variables.map((/** @type {any} */ v) => `${v.name}: ${v.old} → ${v.new}`);
  if (effect.returned) said.push(`${effect.returned.function} returns ${effect.returned.value}`);
  for (const change of effect.changes.slice(0, 4)) said.push(change.cell ? `${change.cell}: ${change.old} → ${change.new}` : change.name ? `${change.name}: ${change.old} → ${change.new}` : "");
  return said.filter(Boolean).join(", ");
}

/** @param {any} table */
function roundsTable(table) {
  const rows = table.rows.slice(-MAX_ROUNDS);
  const text = (/** @type {any} */ value) => (Array.isArray(value) ? value.map((cell) => `${cell.cell} ${cell.value}`).join(", ") : value ?? "");
  return [
    h("div", { class: "head" }, h("h2", { id: "steps-title" }, `Rounds of ${table.head}`), h("span", { class: "note" }, table.function),
      h("button", { class: "quiet icon small", "aria-label": "Close the table", onclick: () => { state.rounds = null; draw(); } }, "✕")),
    h("table", { class: "rounds" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "round"), ...table.columns.map((/** @type {any} */ column) => h("th", { scope: "col" }, h("code", {}, column.name))))),
      h("tbody", {}, ...rows.map((/** @type {any} */ row) => h("tr", { class: row.is_current || row.is_deciding ? "current" : "" },
        h("td", {}, row.iteration === null ? "" : `${row.is_current ? "▸ " : ""}${row.iteration}`), ...row.values.map((/** @type {any} */ value) => h("td", {}, text(value)))))))];
}
