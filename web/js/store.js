// @ts-check
// What the page knows, and the order in which its parts are drawn again.

/** @typedef {import("../../docs/protocol.d.ts").Answer} Answer */
/** @typedef {import("../../docs/protocol.d.ts").Part} Part */

export const state = {
  /** @type {any} */ engine: null,
  /** @type {any} */ catalog: null,
  /** The language of the session, as the catalog has it. @type {any} */ language: null,
  /** The name of the program's file. */ file: "",
  /** The last answer to `view` or `go`. @type {any} */ view: null,
  /** The program: its version, its lines, and the tokens of each line. @type {any} */ program: { version: 0, lines: [], text: "", tokens: [] },
  /** The answer to the last line. @type {any} */ answer: null,
  /** Why the program stopped; null unless it is stopped. @type {any} */ stop: null,
  /** Cells that differ from the picture before, as `row,col`. @type {Set<string>} */ changed: new Set(),
  /** What is explained, as `why.js` reads it. @type {any} */ why: null,
  /** The evaluation of an expression, step by step. @type {any} */ evaluation: null,
  /** Tables of loops. @type {any} */ rounds: null,
  /** Runs of each line, by file and line. @type {Map<string, number> | null} */ coverage: null,
  /** The variables before the position changed. @type {Map<string, any>} */ previousValues: new Map(),
  /** Whether a line is running that has not been answered. */ isRunning: false,
  /** Whether the next click asks why. */ isAsking: false,
  /** The cell that was clicked last. @type {[number, number] | null} */ picked: null,
  /** The time that the page shows while the pointer is on a line of the log. @type {number | null} */ preview: null,
  /** The lesson's own state: verdict, report, hints, drafts. @type {any} */ lesson: null,
  /** The journal of the session, as the engine wrote it. */ journal: "",
  /** Pictures of pieces by name: object URLs, or null if the file is missing. @type {Map<string, string | null>} */ images: new Map(),
  isProjector: false,
  isEmbedded: false,
};

/** @type {(() => void)[]} */
const drawers = [];

/** Registers a function that draws a part of the page. @param {() => void} draw */
export function onDraw(draw) {
  drawers.push(draw);
}

/** Draws everything that differs from what is shown. */
export function draw() {
  for (const drawPart of drawers) drawPart();
}

/** The part of an answer with this kind. @param {any} answer @param {string} kind */
export const partOf = (answer, kind) => answer?.parts?.find((/** @type {Part} */ part) => part.kind === kind);

/** All parts of an answer with this kind. @param {any} answer @param {string} kind */
export const partsOf = (answer, kind) => (answer?.parts ?? []).filter((/** @type {Part} */ part) => part.kind === kind);

/** Whether the page shows a time before the last one. */
export function isInPast() {
  const timeline = state.view?.timeline;
  return Boolean(timeline && state.view.time < timeline.last);
}

/** The key of a cell in sets and maps. @param {[number, number] | null | undefined} at */
export const cellKey = (at) => (at ? `${at[0]},${at[1]}` : "");
