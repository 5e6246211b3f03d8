// @ts-check
// Pictures of pieces. A GridLok program names a file for each piece; it is shown if it is there: beside
// the program that is served, dropped onto the page, or in the file of the page itself.
import { toast } from "./notify.js";
import { ServedEngine } from "./engine.js";
import { draw, onDraw, state } from "./store.js";

/** Types that a browser shows as an image without running anything. */
const TYPES = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp", svg: "image/svg+xml" };
const MAX_IMAGE_BYTES = 4 << 20;

/** Images by the name of their file: an URL, or null if there is none. @type {Map<string, string | null>} */
const files = new Map();
let hasComplained = false;
/** `piece { name {"X"} image {x.png}`: GridLok wants both, in this order. */
const PIECE_WITH_IMAGE = /\bpiece\s*\{\s*name\s*\{\s*"([^"]*)"\s*\}\s*image\s*\{\s*"?([^}"]*)"?\s*\}/g;
/** The files of the program for which they were looked up. @type {{program: any, files: Map<string, string>}} */
let named = { program: null, files: new Map() };

export function startPictures() {
  onDraw(requestPictures);
  addEventListener("gridbug:opened", () => { hasComplained = false; });
}

/** The picture of a piece, or null. @param {string | null} piece */
export function pictureOf(piece) {
  const file = piece === null ? undefined : namedFiles().get(piece);
  return file ? files.get(file) ?? null : null;
}

/** The files that the program names for its pieces. */
function namedFiles() {
  if (named.program === state.program) return named.files;
  named = { program: state.program, files: new Map() };
  if (state.language?.name !== "gridlok") return named.files;
  for (const [, piece, file] of state.program.text.matchAll(PIECE_WITH_IMAGE)) named.files.set(piece, baseName(file.trim()));
  return named.files;
}

/** @param {string} path */
const baseName = (path) => path.split(/[\\/]/).pop() ?? path;

/** The type of an image by the name of its file, or null. @param {string} name */
export const imageType = (name) => /** @type {Record<string, string>} */ (TYPES)[name.split(".").pop()?.toLowerCase() ?? ""] ?? null;

/** Asks for pictures that the program names and the page does not know yet. */
function requestPictures() {
  const missing = [...new Set(namedFiles().values())].filter((name) => !files.has(name));
  if (!missing.length) return;
  for (const name of missing) files.set(name, null);
  const embedded = /** @type {any} */ (window).gridbugImages ?? {};
  for (const name of missing) if (embedded[name]) addBytes(name, fromBase64(embedded[name]));
  if (state.engine instanceof ServedEngine) fetchPictures(missing);
}

/** @param {string[]} names */
async function fetchPictures(names) {
  const failed = [];
  for (const name of names) {
    const answer = await state.engine.request({ request: "image", name });
    if (!answer.ok) failed.push(name);
    else if (!await addBytes(name, fromBase64(answer.data))) failed.push(name);
  }
  if (failed.length && failed.length < names.length && !hasComplained) {
    hasComplained = true;
    toast(`Not found or not an image: ${failed.slice(0, 5).join(", ")}. Letters are shown instead.`);
  }
  draw();
}

/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Keeps an image if it is one. @param {string} name @param {Uint8Array} bytes @returns {Promise<boolean>} */
export async function addBytes(name, bytes) {
  const type = imageType(name);
  if (!type || bytes.length > MAX_IMAGE_BYTES) return false;
  const url = URL.createObjectURL(new Blob([/** @type {any} */ (bytes)], { type }));
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    return false;
  }
  files.set(baseName(name), url);
  draw();
  return true;
}
