// @ts-check
// One cell of the board: what is on it, what happened to it, and what is said about it.
import { classes, drawnText, h } from "./dom.js";
import { cellKey, state } from "./store.js";
import { contentAt } from "./window.js";

/** Hues of pieces, by the number of their kind. */
const HUES = [275, 25, 245, 150, 75, 325, 195, 110];
/** Cells of at least this many pixels have the piece's name below its letter. */
const NAMED_CELL_PX = 74;

/** What a cell looks like; two equal keys look the same.
 * @param {any} board @param {number} row @param {number} col @param {number} size @param {any} looks */
export function cellLook(board, row, col, size, looks) {
  const content = contentAt(board, row, col);
  if (!content) return null;
  const key = cellKey([row, col]), why = state.why?.cells.get(key);
  const others = looks.stack.get(key) ?? [];
  const name = content.isHidden ? null : content.name;
  return {
    row, col, size, ...content, name, others,
    isBlank: content.name === null || content.glyph === "·",
    isMany: looks.many.has(content.name),
    image: looks.image(content.isHidden ? null : content.top ?? content.name),
    paint: content.color ? (content.top ? looks.colors.get(content.name) ?? content.color : content.color) : null,
    isChanged: state.changed.has(key),
    isHere: cellKey(board.current ?? state.view.stop?.at) === key,
    isRead: state.evaluation?.reads.has(key) ?? false,
    isAsked: cellKey(state.view.prediction?.at) === key,
    number: why?.number ?? 0, ghost: why?.ghost ?? null, isFailing: Boolean(why?.isFailing && why.ghost === undefined),
  };
}

/** What a cell is called in speech. @param {any} look @param {[number, number]} origin */
function spokenName(look, origin) {
  const said = [`row ${look.row + origin[0]}, column ${look.col + origin[1]}: ${look.isHidden ? "covered" : look.top ?? look.name ?? "empty"}`];
  if (look.owner) said.push(`of ${look.owner}`);
  if (look.others.length) said.push(`and ${look.others.join(", ")}`);
  if (look.isAsked) said[0] = `row ${look.row + origin[0]}, column ${look.col + origin[1]}: asked`;
  if (look.isChanged) said.push("changed");
  if (look.isHere) said.push("running here");
  if (look.number) said.push(`reason ${look.number}`);
  if (look.isFailing) said.push("its test failed");
  if (look.ghost !== null) said.push(`would have to be ${look.ghost}`);
  return said.join(", ");
}

/** Shows a look on a cell's element. @param {any} node @param {any} look @param {any} board */
export function drawCell(node, look, board) {
  const painted = look.paint !== null, isPiece = !look.isBlank && !look.isHidden && !painted;
  node.className = classes("cell", painted && "paint", look.isHidden ? "covered" : look.isBlank || (painted && look.top) ? "blank" : isPiece && "piece",
    look.isMany && "many", look.isChanged && "changed", look.isHere && "here", look.isRead && "read", look.number && "cause",
    look.isFailing && "failing", look.isAsked && "asked", look.size < 40 && "tiny");
  node.style.setProperty("--hue", String(HUES[(look.hue ?? 0) % HUES.length]));
  if (painted) node.style.setProperty("--paint", look.paint);
  node.setAttribute("aria-label", spokenName(look, board.origin));
  node.title = look.others.length ? [look.top ?? look.name, ...look.others].join(", ") : "";
  const content = [];
  if (look.image) content.push(h("img", { src: look.image, alt: "", draggable: "false" }));
  else if (look.top) content.push(disc(look));
  else if (look.isHidden) content.push(drawnText("glyph", "?"));
  else if (look.isBlank) content.push(look.size > 26 && !painted ? drawnText("", "·") : null);
  else content.push(drawnText("glyph", shortGlyph(look)));
  if (!look.image && isPiece && look.size >= NAMED_CELL_PX && [...look.name].length > 1 && shortGlyph(look) !== look.name) {
    content.push(drawnText("name", look.name));
    node.classList.add("named");
  }
  if (look.others.length && !(look.top && look.others.length === 1)) content.push(drawnText("more", `+${look.others.length}`));
  if (look.number) content.push(drawnText("num badge", String(look.number)));
  if (look.ghost !== null) content.push(drawnText("ghost", [...look.ghost].slice(0, 2).join("")));
  node.replaceChildren(...content.filter(Boolean));
}

/** A letter, or up to two where there is room. @param {any} look */
function shortGlyph(look) {
  const characters = [...(look.glyph ?? look.name ?? "")];
  return characters.slice(0, look.size < 40 ? 1 : 2).join("");
}

/** The player, the goal, or another sprite on top of a painted cell. @param {any} look */
function disc(look) {
  const sign = look.top === "player" ? "P" : look.top === "goal" ? "★" : [...look.top][0];
  return h("span", { class: classes("disc", look.top === "goal" && "goal"), style: { "--disc": look.color ?? "var(--accent)", "--disc-ink": inkOn(look.color) } },
    drawnText("", sign));
}

/** Black or white, whichever can be read on a color. @param {string | null} color */
function inkOn(color) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt((color ?? "#444444").slice(i, i + 2), 16));
  return r * 0.3 + g * 0.59 + b * 0.11 > 140 ? "#1c1b19" : "#ffffff";
}
