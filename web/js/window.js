// @ts-check
// Which part of the board the page asks for, and what differs between two pictures of it.
import { cellKey } from "./store.js";

/** A board of at most this many cells is always shown whole, if its cells stay large enough. */
const MAX_WHOLE_CELLS = 40 * 40;
/** How many cells beyond the visible ones are fetched on each side. */
const MARGIN_CELLS = 10;

/** The rows and columns that are visible; grows with what the screen shows. */
const visible = { row: 0, col: 0, rows: 60, cols: 60 };

/** The window of the board to ask for. */
export function boardWindow() {
  return {
    first_row: Math.max(0, visible.row - MARGIN_CELLS), first_col: Math.max(0, visible.col - MARGIN_CELLS),
    rows: visible.rows + 2 * MARGIN_CELLS, cols: visible.cols + 2 * MARGIN_CELLS,
  };
}

/** Sets what is visible. @param {number} row @param {number} col @param {number} rows @param {number} cols */
export function setVisible(row, col, rows, cols) {
  Object.assign(visible, { row, col, rows, cols });
}

/** A new board starts at its corner. */
export function resetVisible() {
  setVisible(0, 0, 60, 60);
}

/** Whether the board is so large that only a part of it is drawn. @param {any} board */
export const isLarge = (board) => board.rows * board.cols > MAX_WHOLE_CELLS;

/** What is on a cell of the board, by its row and column on the whole board; null outside of the window.
 * @param {any} board @param {number} row @param {number} col */
export function contentAt(board, row, col) {
  const r = row - board.first_row, c = col - board.first_col;
  const cells = board.cells[r];
  if (!cells || c < 0 || c >= cells.length) return null;
  const top = board.top?.[r][c] ?? 0, color = board.color?.[r][c] ?? 0;
  return {
    name: board.names[cells[c]], glyph: board.glyphs[cells[c]], hue: board.hues[cells[c]],
    top: board.names[top], color: board.colors?.[color] ?? null,
    isHidden: Boolean(board.hidden?.[r][c]), owner: board.owner ? board.names[board.owner[r][c]] : null,
  };
}

/** The cells that differ between two pictures of the same board. @param {any} before @param {any} after */
export function compareBoards(before, after) {
  const changed = new Set();
  if (!before || !after || before.rows !== after.rows || before.cols !== after.cols) return changed;
  if (String(before.origin) !== String(after.origin)) return changed;
  const names = (/** @type {any} */ board, /** @type {any} */ list, /** @type {number} */ r, /** @type {number} */ c) => (list ? board.names[list[r][c]] : null);
  after.cells.forEach((/** @type {number[]} */ cells, /** @type {number} */ r) => {
    const old = r + after.first_row - before.first_row;
    if (!before.cells[old]) return;
    for (let c = 0; c < cells.length; c++) {
      const oldCol = c + after.first_col - before.first_col;
      if (oldCol < 0 || oldCol >= before.cells[old].length) continue;
      const isSame = before.names[before.cells[old][oldCol]] === after.names[cells[c]]
        && names(before, before.top, old, oldCol) === names(after, after.top, r, c)
        && Boolean(before.hidden?.[old][oldCol]) === Boolean(after.hidden?.[r][c])
        && (before.colors?.[before.color?.[old][oldCol]] ?? null) === (after.colors?.[after.color?.[r][c]] ?? null);
      if (!isSame) changed.add(cellKey([r + after.first_row, c + after.first_col]));
    }
  });
  return changed;
}
