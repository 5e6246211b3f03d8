// @ts-check
// Variables with their old values, and the calls that are running.
import { $, classes, h, plural, replace } from "./dom.js";
import { openWhy } from "./why.js";
import { type } from "./session.js";
import { onDraw, state } from "./store.js";

/** More variables than this are shown on request. */
const MAX_ROWS = 200;

export function startValues() {
  onDraw(drawValues);
  onDraw(drawCalls);
}

function drawValues() {
  if (!state.view) return;
  const variables = state.view.variables ?? [], rows = [];
  let changes = 0;
  for (const [scope, title] of [["local", "Here"], ["global", state.view.stop ? "Game" : ""]]) {
    const some = variables.filter((/** @type {any} */ v) => (scope === "local") === (v.scope === "local"));
    if (some.length && title) rows.push(h("tr", {}, h("th", { colspan: 2, scope: "colgroup" }, title)));
    let owner = "";
    for (const variable of some.slice(0, MAX_ROWS)) {
      const field = /^(\w+(?:\[\d+\])?)\.(\w+)$/.exec(variable.name);
      if (field && field[1] !== owner) rows.push(h("tr", {}, h("th", { colspan: 2, scope: "colgroup", class: "owner" }, field[1])));
      owner = field?.[1] ?? "";
      const old = oldValue(variable);
      if (old !== null || variable.changed) changes++;
      rows.push(valueRow(variable, field?.[2] ?? variable.name, old, isPicked(owner || variable.name)));
    }
    if (some.length > MAX_ROWS) rows.push(h("tr", {}, h("th", { colspan: 2, scope: "colgroup" }, `and ${plural(some.length - MAX_ROWS, "more variable")}; :vars lists them`)));
  }
  replace($("values"), variables.length ? [h("table", {}, h("tbody", {}, ...rows))] : [h("p", { class: "empty" }, "No variables here.")]);
  $("values-note").textContent = changes ? plural(changes, "change") : "";
  document.body.classList.toggle("has-values", variables.length > 0 || Boolean(state.view.stop) || Boolean(state.why));
}

/** The value before, if it was another one. @param {any} variable */
function oldValue(variable) {
  const old = state.previousValues.get(`${variable.scope}:${variable.name}`);
  return old && old.value !== variable.value ? old : null;
}

/** Whether a variable holds what is on the cell that was clicked. @param {string} name */
function isPicked(name) {
  const picked = state.picked, board = state.view.board;
  if (!picked || !board) return false;
  const here = (board.variables ?? []).find((/** @type {any} */ cell) => cell.at[0] === picked[0] && cell.at[1] === picked[1]);
  return here?.names.includes(name) ?? false;
}

/** @param {any} variable @param {string} name @param {any} old @param {boolean} picked */
function valueRow(variable, name, old, picked) {
  const changed = old !== null || variable.changed;
  const board = variable.data?.board;
  const ask = () => openWhy(`:why ${variable.name}`);
  return h("tr", { class: classes(changed && "changed", picked && "picked") || null },
    h("th", { scope: "row" }, name, changed ? h("span", { class: "sr" }, " (changed)") : null),
    h("td", {},
      old && !board ? h("del", {}, h("span", { class: "sr" }, "was "), old.value) : null,
      h("button", { class: board ? "mini-button" : null, title: `Why? (${variable.type})`, "data-key": `value:${variable.name}`, "aria-label": `${variable.name} is ${variable.value}: why?`, onclick: ask },
        board ? miniBoard(board, old?.data?.board) : variable.value)));
}

/** A board that is a value. @param {any[][]} rows @param {any[][] | undefined} old */
function miniBoard(rows, old) {
  const shown = rows.slice(0, 12).map((row) => row.slice(0, 14));
  const text = (/** @type {any} */ value) => (value === null || value === undefined ? "" : typeof value === "object" ? value.sym ?? value.piece ?? "" : String(value));
  return h("span", { class: "mini", "aria-hidden": "true", style: { "--cols": shown[0]?.length ?? 1 } },
    ...shown.flatMap((row, r) => row.map((value, c) => h("span", { "data-text": [...text(value)][0] ?? "·", style: old && text(old[r]?.[c]) !== text(value) ? { background: "var(--change)" } : {} }))));
}

function drawCalls() {
  if (!state.view) return;
  const frames = (state.view.stop && state.view.frames?.entries) || [];
  const items = frames.map((/** @type {any} */ frame) => {
    if (frame.entry !== "frame") return h("li", { class: "empty" }, `… ${frame.frames.end - frame.frames.start} more of the same`);
    if (frame.is_hidden) return null;
    const isEntry = frame.function_kind === "entry";
    return h("li", { class: frame.is_current ? "current" : "" },
      h("button", { "data-key": `frame:${frame.index}`, "aria-current": frame.is_current ? "true" : null, onclick: () => type(`:frame ${frame.index}`, { log: false }) },
        h("span", { class: "fn" }, isEntry ? frame.statement : frame.function),
        frame.cell ? h("span", { class: "at" }, `at ${frame.cell}`) : null,
        h("span", { class: "line-no" }, isEntry ? "you" : frame.range ? `line ${frame.range.line}` : "")));
  }).filter(Boolean);
  replace($("calls"), items.length ? items : [h("li", { class: "empty" }, "Nothing is running.")]);
}
