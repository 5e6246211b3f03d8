// @ts-check
// The board: a grid of cells as large as there is room, or, of a large board, the part that is visible.
import { $, classes, h, isPhone } from "./dom.js";
import { cellLook, drawCell } from "./cell.js";
import { pictureOf } from "./pictures.js";
import { scrollBoard, type } from "./session.js";
import { clickCell } from "./click.js";
import { cellKey, draw, onDraw, state } from "./store.js";
import { isLarge, resetVisible, setVisible } from "./window.js";

const MIN_CELL_PX = 18, MAX_CELL_PX = 156, MAX_PHONE_CELL_PX = 92, SCROLLED_CELL_PX = 26;

/** The elements of the cells by key, and what each of them shows. @type {Map<string, {node: any, look: string}>} */
let cells = new Map();
/** What the grid of elements was made for. */
let shape = "";
/** The room that the board has, measured when it changes and not while drawing. */
const room = { width: 0, height: 0, under: 0 };
/** The cell that Tab goes to. @type {[number, number]} */
let current = [0, 0];
/** Its element. @type {any} */
let tabStop = null;

export function startBoard() {
  const observer = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      if (target === $("board-area")) Object.assign(room, { width: contentRect.width, height: contentRect.height });
    }
    room.under = ["footer-lines", "under", "question"].reduce((sum, id) => sum + ($(id).hidden ? 0 : $(id).offsetHeight + 9), 0);
    drawBoard();
  });
  observer.observe($("board-area"));
  for (const id of ["under", "footer-lines", "question"]) observer.observe($(id));
  $("board").addEventListener("click", onClick);
  $("board").addEventListener("keydown", onKey);
  $("board").addEventListener("focusin", onFocus);
  $("board").addEventListener("contextmenu", onContextMenu);
  $("board-wrap").addEventListener("scroll", onScroll, { passive: true });
  addEventListener("gridbug:opened", () => { resetVisible(); shape = ""; current = [0, 0]; });
  onDraw(drawBoard);
}

function drawBoard() {
  const board = state.view?.board, wrap = $("board-wrap");
  wrap.hidden = !board;
  if (!board || !room.width) return;
  const gap = board.cols > 14 ? 2 : board.cols > 8 ? 3 : 6;
  const fitted = isLarge(board) ? 0 : cellSize(board, gap);
  if (fitted < MIN_CELL_PX) drawLarge(board);
  else drawWhole(board, fitted, gap);
}

/** How large cells can be. @param {any} board @param {number} gap */
function cellSize(board, gap) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const phone = isPhone();
  const width = room.width - 2.2 * rem;
  const height = phone ? innerHeight * phoneShare() : room.height - room.under - 2.6 * rem;
  const size = Math.min((width - gap * board.cols) / board.cols, (height - gap * board.rows) / board.rows, phone ? MAX_PHONE_CELL_PX : MAX_CELL_PX);
  // Wide boards on a narrow screen scroll later than they would be unreadable.
  return Math.floor(size);
}

/** How much of a phone's screen is for the board: less if something below it wants room. */
function phoneShare() {
  if (!$("steps").hidden || !$("question").hidden) return 0.24;
  return document.body.classList.contains("has-lesson") ? 0.28 : 0.35;
}

/** What all cells of a picture need to know. @param {any} board */
function looksOf(board) {
  const colors = new Map(), stack = new Map();
  if (board.colors) board.cells.forEach((/** @type {number[]} */ row, /** @type {number} */ r) => row.forEach((name, c) => {
    if (!board.top?.[r][c]) colors.set(board.names[name], board.colors[board.color[r][c]]);
  }));
  for (const { at, names } of board.stack ?? []) stack.set(cellKey(at), names.map((/** @type {number} */ n) => board.names[n]));
  const many = new Set((state.view.pieces?.pieces ?? []).filter((/** @type {any} */ p) => p.count > Math.max(8, board.rows * board.cols * 0.42)).map((/** @type {any} */ p) => p.name));
  return { colors, stack, many, image: pictureOf };
}

/** @param {any} board @param {number} size @param {number} gap */
function drawWhole(board, size, gap) {
  const element = $("board");
  const wanted = ["whole", board.rows, board.cols, board.origin, board.upward].join();
  if (shape !== wanted) makeGrid(board, wanted);
  const style = `--cols:${board.cols};--cell:${size}px;--gap:${gap}px;--axis:${String(board.origin[0] + board.rows).length > 2 ? 2 : 1.3}rem`;
  if (element.style.cssText !== style) element.style.cssText = style;
  const looks = looksOf(board);
  for (let row = 0; row < board.rows; row++) for (let col = 0; col < board.cols; col++) show(board, row, col, size, looks);
  moveTabStop(board);
}

/** @param {any} board @param {string} wanted */
function makeGrid(board, wanted) {
  shape = wanted;
  cells = new Map();
  const order = rowOrder(board);
  const axis = (/** @type {any} */ text) => h("span", { class: "axis", "aria-hidden": "true" }, String(text));
  const columns = Array.from({ length: board.cols }, (_, col) => col);
  const element = $("board"), wrap = $("board-wrap");
  wrap.className = "board-wrap";
  element.className = "board fits";
  setGridSize(board);
  element.replaceChildren(
    h("div", { class: "axes", role: "presentation" }, axis(""), columns.map((col) => axis(col + board.origin[1]))),
    ...order.map((row) => h("div", { role: "row", "aria-rowindex": order.indexOf(row) + 1 }, axis(row + board.origin[0]), columns.map((col) => newCell(row, col)))));
}

/** The rows from top to bottom. @param {any} board */
function rowOrder(board) {
  const order = Array.from({ length: board.rows }, (_, row) => row);
  return board.upward ? order.reverse() : order;
}

/** @param {any} board */
function setGridSize(board) {
  $("board").setAttribute("aria-rowcount", String(board.rows));
  $("board").setAttribute("aria-colcount", String(board.cols));
}

/** @param {number} row @param {number} col */
function newCell(row, col) {
  const node = h("button", { class: "cell", role: "gridcell", tabindex: "-1", "data-r": row, "data-c": col, "aria-colindex": col + 1 });
  cells.set(cellKey([row, col]), { node, look: "" });
  return node;
}

/** @param {any} board @param {number} row @param {number} col @param {number} size @param {any} looks */
function show(board, row, col, size, looks) {
  const cell = cells.get(cellKey([row, col])), look = cellLook(board, row, col, size, looks);
  if (!cell || !look) return;
  const key = Object.values(look).join("|");
  if (cell.look === key) return;
  cell.look = key;
  drawCell(cell.node, look, board);
}

/** A large board: only the cells that are visible exist; scrolling moves them.
 * @param {any} board */
function drawLarge(board) {
  const wrap = $("board-wrap"), element = $("board"), step = SCROLLED_CELL_PX + 1;
  const wanted = ["large", board.rows, board.cols, board.origin, board.upward].join();
  if (shape !== wanted) {
    shape = wanted;
    cells = new Map();
    wrap.className = "board-wrap scrolls";
    element.className = "board";
    element.replaceChildren();
    setGridSize(board);
    if (board.focus) scrollTo(board, board.focus);
    else if (board.upward) wrap.scrollTop = board.rows * step;
  }
  const style = `width:${board.cols * step}px;height:${board.rows * step}px;--cell:${SCROLLED_CELL_PX}px`;
  if (element.style.cssText !== style) element.style.cssText = style;
  const range = visibleRange(board);
  const looks = looksOf(board), kept = new Set();
  for (let line = range.top; line < range.bottom; line++) {
    const row = board.upward ? board.rows - 1 - line : line;
    for (let col = range.left; col < range.right; col++) {
      const key = cellKey([row, col]);
      kept.add(key);
      if (!cells.has(key)) placeCell(row, col, line);
      show(board, row, col, SCROLLED_CELL_PX, looks);
    }
  }
  for (const [key, { node }] of cells) {
    if (kept.has(key) || node === document.activeElement) continue;
    if (node === tabStop) { node.tabIndex = -1; tabStop = null; }
    spare.push(node);
    cells.delete(key);
    node.remove();
  }
  spare.length = Math.min(spare.length, 400);
  if (!kept.has(cellKey(current)) && document.activeElement?.closest?.("#board") === null) current = [board.upward ? board.rows - 1 - range.top : range.top, range.left];
  moveTabStop(board);
}

/** Elements of cells that are not visible any more. @type {any[]} */
const spare = [];

/** @param {number} row @param {number} col @param {number} line */
function placeCell(row, col, line) {
  const step = SCROLLED_CELL_PX + 1, element = $("board");
  const node = spare.pop() ?? h("button", { role: "gridcell", tabindex: "-1" });
  Object.assign(node.dataset, { r: row, c: col });
  node.setAttribute("aria-colindex", String(col + 1));
  node.style.transform = `translate(${col * step}px,${line * step}px)`;
  let group = element.querySelector(`[data-line="${line}"]`);
  if (!group) {
    group = h("div", { role: "row", "aria-rowindex": line + 1, "data-line": line });
    element.append(group);
  }
  group.append(node);
  cells.set(cellKey([row, col]), { node, look: "" });
}

/** @param {any} board */
function visibleRange(board) {
  const wrap = $("board-wrap"), step = SCROLLED_CELL_PX + 1;
  const top = Math.max(0, Math.floor(wrap.scrollTop / step) - 1), left = Math.max(0, Math.floor(wrap.scrollLeft / step) - 1);
  return {
    top, left,
    bottom: Math.min(board.rows, top + Math.ceil((wrap.clientHeight || 400) / step) + 3),
    right: Math.min(board.cols, left + Math.ceil((wrap.clientWidth || 400) / step) + 3),
  };
}

let isFetching = false;

/** Draws what is known at once, and fetches what is missing. */
async function onScroll() {
  const board = state.view?.board;
  if (!board || !shape.startsWith("large")) return;
  const range = visibleRange(board);
  const rows = range.bottom - range.top, cols = range.right - range.left;
  const first = board.upward ? board.rows - range.bottom : range.top;
  setVisible(first, range.left, rows, cols);
  drawBoard();
  const isKnown = first >= board.first_row && first + rows <= board.first_row + board.cells.length
    && range.left >= board.first_col && range.left + cols <= board.first_col + (board.cells[0]?.length ?? 0);
  if (isKnown || isFetching) return;
  isFetching = true;
  const { scrollTop, scrollLeft } = $("board-wrap");
  await scrollBoard();
  isFetching = false;
  if (scrollTop === $("board-wrap").scrollTop && scrollLeft === $("board-wrap").scrollLeft) drawBoard();
  else onScroll();
}

/** @param {any} board @param {[number, number]} at */
function scrollTo(board, at) {
  const wrap = $("board-wrap"), step = SCROLLED_CELL_PX + 1;
  const line = board.upward ? board.rows - 1 - at[0] : at[0];
  wrap.scrollTop = line * step - wrap.clientHeight / 2;
  wrap.scrollLeft = at[1] * step - wrap.clientWidth / 2;
}

/** Exactly one cell can be reached with Tab. @param {any} board */
function moveTabStop(board) {
  if (current[0] >= board.rows || current[1] >= board.cols) current = [0, 0];
  const node = (cells.get(cellKey(current)) ?? cells.values().next().value)?.node;
  if (!node || (node === tabStop && node.tabIndex === 0)) return;
  if (tabStop) tabStop.tabIndex = -1;
  node.tabIndex = 0;
  tabStop = node;
}

/** Moves the keyboard to the board. */
export function focusBoard() {
  (cells.get(cellKey(current))?.node ?? $("board").querySelector('[tabindex="0"]') ?? $("board")).focus();
}

/** @param {any} event @returns {[number, number] | null} */
function cellOf(event) {
  const node = event.target.closest(".cell");
  return node ? [Number(node.dataset.r), Number(node.dataset.c)] : null;
}

/** @param {any} event */
function onClick(event) {
  const at = cellOf(event);
  if (at) clickCell(at);
}

/** A long press or the right button asks why. @param {any} event */
function onContextMenu(event) {
  const at = cellOf(event);
  if (!at) return;
  event.preventDefault();
  state.isAsking = true;
  clickCell(at);
}

/** @param {any} event */
function onFocus(event) {
  const at = cellOf(event);
  if (!at) return;
  current = at;
  if (state.view?.board) moveTabStop(state.view.board);
}

/** @param {any} event */
function onKey(event) {
  const at = cellOf(event), board = state.view?.board;
  const arrow = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].indexOf(event.key);
  if (!at || !board || arrow < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (state.language.arrow_keys) return void type(state.language.arrow_keys[arrow]);
  const down = board.upward ? -1 : 1;
  const [dr, dc] = [[-down, 0], [down, 0], [0, -1], [0, 1]][arrow];
  const next = /** @type {[number, number]} */ ([at[0] + dr, at[1] + dc]);
  if (next[0] < 0 || next[1] < 0 || next[0] >= board.rows || next[1] >= board.cols) return;
  current = next;
  if (!cells.has(cellKey(next))) { scrollTo(board, next); draw(); }
  const node = cells.get(cellKey(next))?.node;
  if (!node) return;
  moveTabStop(board);
  node.focus({ preventScroll: false });
}
