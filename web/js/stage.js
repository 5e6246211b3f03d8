// @ts-check
// What is around the board: whose turn it is, the pieces, and the buttons of the language.
import { $, classes, h, plural, replace } from "./dom.js";
import { endingOf, type } from "./session.js";
import { isInPast, onDraw, state } from "./store.js";

const MAX_PIECES = 7;

export function startStage() {
  onDraw(drawCaption);
  onDraw(drawLines);
  onDraw(drawLegend);
  onDraw(drawActions);
}

function drawCaption() {
  if (!state.view) return;
  const { status, question, stop, display } = { ...state.view, display: state.view.status.display };
  document.body.classList.toggle("in-past", isInPast() || state.preview !== null);
  const pill = (/** @type {string} */ text, kind = "") => h("span", { class: classes("pill", kind) }, text);
  const main = (/** @type {string} */ text) => h("span", { class: "main" }, text);
  const sub = (/** @type {string} */ text) => h("span", { class: "sub" }, text);
  const parts = [];
  if (state.preview !== null) parts.push(pill("As it was then", "then"));
  if (question) parts.push(main("Your answer?"));
  else if (stop) {
    const isError = state.stop?.reason === "error";
    if (state.preview === null) parts.push(isError ? pill("Error", "error") : isInPast() && !state.stop ? pill("In the past", "then") : pill("Paused"));
    parts.push(main(stop.where === "entry" ? stop.action?.entry || "start" : stop.where), sub(whereInMove(stop)));
  } else if (status.status !== "playing" && status.status) parts.push(pill("Game over", "end"), main(endingOf(status)));
  else if (status.turn) parts.push(main(`${status.turn} to move`));
  else if (!state.view.board) parts.push(main("No board yet"));
  else parts.push(main(state.language.arrow_keys ? "Use the arrow keys" : "Ready"));
  if (display) parts.push(sub(`“${display}”`));
  $("caption").replaceChildren(...parts);
}

/** Where the program is, for people. @param {any} stop */
function whereInMove(stop) {
  const check = stop.action?.check;
  if (check) return `${stop.action.player ? `${stop.action.player}: ` : ""}${check.when}, checking ${check.condition}`;
  if (stop.where === "entry") return "in the middle of this move";
  const iteration = stop.iteration ? `, round ${stop.iteration}` : "";
  return `${stop.action?.entry ?? ""}${iteration}`;
}

function drawLines() {
  // TinyGame's lines below the board are its variables, which the inspector has.
  const footer = state.language?.name === "tinygame" ? [] : state.view?.status.footer;
  for (const [id, lines] of [["header-lines", state.view?.status.header], ["footer-lines", footer]]) {
    $(id).hidden = !lines?.length;
    $(id).replaceChildren(...(lines ?? []).map((/** @type {string} */ line) => h("span", {}, line)));
  }
}

function drawLegend() {
  const board = state.view?.board;
  const all = state.view?.pieces?.pieces ?? [];
  const shown = new Set();
  board?.cells.forEach((/** @type {number[]} */ row, /** @type {number} */ r) => row.forEach((name, c) => { if (!board.hidden?.[r][c]) shown.add(board.names[name]); }));
  for (const { names } of board?.stack ?? []) for (const name of names) shown.add(board.names[name]);
  const pieces = all.filter((/** @type {any} */ p) => p.count > 0 && p.glyph !== "·" && shown.has(p.name));
  $("legend").replaceChildren(...(board ? pieces.slice(0, MAX_PIECES).map(legendEntry) : []),
    ...(pieces.length > MAX_PIECES ? [h("span", {}, `and ${plural(pieces.length - MAX_PIECES, "more kind")}`)] : []));
}

/** @param {any} piece */
function legendEntry(piece) {
  const color = colorOf(piece.name);
  const sign = color ? h("i", { style: { background: `color-mix(in oklch, ${color} 42%, var(--surface))` } }) : h("b", {}, `${piece.glyph} `);
  return h("span", {}, sign, piece.glyph === piece.name && !color ? `× ${piece.count}` : piece.name);
}

/** The colour in which a kind of piece is painted, or null. @param {string} name */
function colorOf(name) {
  const board = state.view.board;
  if (!board?.colors) return null;
  const index = board.names.indexOf(name);
  for (let r = 0; r < board.cells.length; r++) {
    const c = board.cells[r].findIndex((/** @type {number} */ n, /** @type {number} */ i) => n === index && !board.top?.[r][i]);
    if (c >= 0) return board.colors[board.color[r][c]];
  }
  return null;
}

/** "Next turn", "Run", the arrow pad and "Ask why". */
function drawActions() {
  if (!state.view) return;
  const { status, question } = state.view, isOpen = !question && !state.view.prediction;
  const buttons = [];
  const main = mainEntry();
  if (main && isOpen && !status.is_stopped && (status.status === "playing" || main.title !== "Next turn")) buttons.push(mainAction(main.title, main.entry));
  buttons.push(h("button", { class: "pill-button ask-why", "data-key": "ask-why", "aria-pressed": String(state.isAsking), onclick: toggleAsking }, h("kbd", { "aria-hidden": "true" }, "w"), "Ask why"));
  if (state.language.arrow_keys) buttons.unshift(arrowPad());
  replace($("actions"), buttons);
  document.body.classList.toggle("asking", state.isAsking);
}

/** The line of the main button: the next turn, the whole game, or the program once more. */
function mainEntry() {
  const { play } = state.view.status;
  if (play) return { title: play.is_whole_game ? `Run ${play.line}` : "Next turn", entry: play.line };
  return state.language.name === "tinygame" && !state.lesson ? { title: "Run again", entry: ":restart" } : null;
}

/** @param {string} title @param {string} entry */
const mainAction = (title, entry) => h("button", { class: "pill-button primary", "data-key": `action:${title}`, onclick: () => type(entry) }, title);

/** The arrow keys as buttons, on phones. */
function arrowPad() {
  const [up, down, left, right] = state.language.arrow_keys;
  const keys = [["u", up, "↑"], ["l", left, "←"], ["d", down, "↓"], ["r", right, "→"]];
  return h("div", { class: "pad for-keys", role: "group", "aria-label": "Move" }, keys.map(([area, entry, sign]) => h("button", {
    style: { "grid-area": area }, "aria-label": entry, "data-key": `pad:${entry}`, onclick: () => type(entry),
  }, sign)));
}

/** The next click on a cell asks why, or plays again. */
export function toggleAsking() {
  state.isAsking = !state.isAsking;
  drawActions();
}
