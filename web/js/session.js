// @ts-check
// What the page does with a session: opens it, types lines, looks at it, and moves through its time.
import { $ } from "./dom.js";
import { announce, toast } from "./notify.js";
import { runRequest, startSearch } from "./run.js";
import { draw, isInPast, partOf, state } from "./store.js";
import { boardWindow, compareBoards, isLarge } from "./window.js";
import { addToLog, clearLog } from "./log.js";
import { keepJournal } from "./storage.js";
import { readExplanation } from "./reasons.js";
import { takeLesson } from "./lesson.js";
import { takeEvaluation } from "./steps.js";
import { handleControl } from "./control.js";

/** What changes with every position in time. */
const LEAN_PARTS = ["status", "question", "prediction", "board", "stop", "frames", "variables"];
/** What changes with a line, besides. The program is fetched when its version has changed. */
const FULL_PARTS = [...LEAN_PARTS, "breakpoints", "timeline", "pieces", "lesson"];

/** Requests that change the session run one after another. */
let queue = Promise.resolve(/** @type {any} */ (null));
/** How many of them are not answered yet. */
let waitingCount = 0;

/** @template T @param {() => Promise<T>} task @returns {Promise<T>} */
function inTurn(task) {
  const result = whileBusy(() => queue.then(task));
  queue = result.catch(reportFailure);
  return result;
}

/** Marks the page as busy until a task has ended. @template T @param {() => Promise<T>} task @returns {Promise<T>} */
export async function whileBusy(task) {
  waitingCount++;
  document.body.dataset.busy = "true";
  try {
    return await task();
  } finally {
    if (--waitingCount === 0) delete document.body.dataset.busy;
  }
}

/** @param {any} error */
function reportFailure(error) {
  console.error(error);
  toast(`That did not work: ${error?.message ?? error}`);
}

/** Opens a game.
 * @param {{language: string, name: string, program?: string, seed?: number, served?: boolean}} game */
export function openGame(game) {
  return inTurn(async () => {
    resetPage(game.language, game.name);
    const answer = await state.engine.request({ request: "open", stops_on_errors: true, ...game });
    if (!answer.ok && answer.error) return void toast(answer.error);
    await takeAnswer(answer, { shown: null });
  });
}

/** Opens a session from the text of a session file or journal. Answers what went wrong, or null.
 * @param {string} text @param {{files?: Record<string, string>, time?: number}} [options] @returns {Promise<string | null>} */
export function openSession(text, { files = {}, time } = {}) {
  return inTurn(async () => {
    const answer = await state.engine.request({ request: "replay", session: text, files });
    if (!answer.ok) return answer.error ?? "this is not a session";
    const { status } = await state.engine.request({ request: "view", parts: ["status"] });
    resetPage(status.language, status.file);
    state.journal = answer.journal ?? "";
    for (const entry of answer.entries) if (!entry.input.startsWith("(")) addToLog(entry.input, null, { lines: entry.reply.filter((/** @type {string} */ line) => !line.startsWith("  ")) });
    if (answer.answer) { takeLesson(answer.answer); state.answer = answer.answer; }
    if (time !== undefined) await state.engine.request({ request: "go", to: time, parts: [] });
    await look();
    keepJournal();
    state.stop = state.view.stop ? { reason: "breakpoint" } : null;
    draw();
    // A file without replies differs in all of them.
    if (answer.mismatch_count && answer.mismatch_count < answer.entries.length) toast("Some replies differ from those in the file: the rules of the engine or the program have changed.");
    return null;
  });
}

/** Forgets what belonged to another session. @param {string} language @param {string} file */
function resetPage(language, file) {
  state.language = state.catalog.languages.find((/** @type {any} */ l) => l.name === language) ?? state.catalog.languages[0];
  Object.assign(state, {
    file, view: null, answer: null, stop: null, why: null, evaluation: null, rounds: null, coverage: null, lesson: null,
    picked: null, journal: "", previousValues: new Map(), program: { version: 0, lines: [], text: "", tokens: [] }, changed: new Set(), isAsking: false,
  });
  state.images.clear();
  clearLog();
  dispatchEvent(new CustomEvent("gridbug:opened"));
}

/** Types a line, as at the prompt. With `log: false` it is not shown in the log.
 * @param {string} text @param {{log?: boolean}} [options] */
export function type(text, { log = true } = {}) {
  return send({ request: "line", text }, log ? text : null);
}

/** What Enter does at an empty prompt: the next step of a lesson, or the last step once more. */
export function pressEnter() {
  return send({ request: "enter" }, null);
}

/** @param {any} request @param {string | null} shown */
function send(request, shown) {
  // What is clicked while a line runs for long would come as a surprise later.
  if (state.isRunning && !$("toast").hidden) return Promise.resolve(null);
  return inTurn(async () => {
    const answer = await runRequest(request);
    if (!answer) return null;
    if (!answer.ok && answer.error) return void toast(answer.error);
    await takeAnswer(answer, { shown });
    return answer;
  });
}

/** Asks something that changes nothing and leaves no trace. @param {string} text @returns {Promise<any>} */
export function ask(text) {
  return inTurn(async () => {
    const answer = await state.engine.request({ request: "query", text });
    if (answer && !answer.ok && answer.error) return { ...answer, text: answer.error, parts: [] };
    return answer;
  });
}

/** Asks what takes long to find out, beside the game. @param {string} text */
export const search = (text) => startSearch(text, inTurn);

/** Shows an answer to a line. @param {any} answer @param {{shown: string | null}} options */
async function takeAnswer(answer, { shown }) {
  if (answer.journal !== undefined) {
    state.journal = answer.journal_restarts || !state.view ? answer.journal : state.journal + answer.journal;
  }
  state.answer = answer;
  state.stop = answer.stopped ? partOf(answer, "stop") ?? state.stop : null;
  takeEvaluation(answer);
  takeLesson(answer);
  const before = state.view?.board ?? null;
  await look();
  if (answer.journal !== undefined) keepJournal();
  state.changed = compareBoards(before, state.view.board);
  state.why = readExplanation(answer);
  addToLog(shown, answer, { time: state.view.time });
  draw();
  announceAnswer(answer);
  handleControl(answer);
}

/** Fetches everything that is shown. */
async function look() {
  const { board, pieces } = state.view ?? {};
  // Counting the pieces of a board of a million cells takes longer than all the rest. A new program counts them again.
  const isCounted = board && isLarge(board) && pieces;
  const parts = isCounted ? FULL_PARTS.filter((part) => part !== "pieces") : FULL_PARTS;
  await takeView(await state.engine.request({ request: "view", parts, board: boardWindow() }));
}

/** @param {any} view */
async function takeView(view) {
  if (!view?.ok) throw new Error(view?.error ?? "the engine does not answer");
  rememberValues(view);
  state.view = { ...state.view, ...view };
  if (view.status?.file) state.file = view.status.file;
  if (view.status && view.status.language !== state.language.name) state.language = state.catalog.languages.find((/** @type {any} */ l) => l.name === view.status.language);
  if (view.program_version !== state.program.version) await fetchProgram(view.program_version);
}

/** Keeps the values before the position changed, for the old value beside the new one. @param {any} view */
function rememberValues(view) {
  if (!state.view || state.view.time === view.time) return;
  state.previousValues = new Map((state.view.variables ?? []).map((/** @type {any} */ v) => [`${v.scope}:${v.name}`, v]));
}

/** @param {number} version */
async function fetchProgram(version) {
  const { program, pieces } = await state.engine.request({ request: "view", parts: ["program", "pieces"] });
  state.view.pieces = pieces;
  const text = program.lines.map((/** @type {any} */ line) => line.text).join("\n");
  const { lines = [] } = await state.engine.request({ request: "highlight", language: state.language.name, text });
  state.program = { version, lines: program.lines, text, tokens: lines, mainSource: program.main_source, unsavedCount: program.unsaved_count };
}

/** Fetches what is shown and draws it, after something changed it elsewhere. */
export function refresh() {
  return inTurn(async () => { await look(); draw(); });
}

/** Fetches another part of a large board. */
export async function scrollBoard() {
  if (!state.view?.board || state.preview !== null) return;
  const answer = await state.engine.request({ request: "view", parts: ["board"], board: boardWindow() });
  if (answer.ok && state.view) state.view.board = answer.board;
}

/** @type {any} */
let wantedTime = null;
let isTraveling = false;

/** Goes to a time without recording it. Of several quick calls only the last one counts.
 * @param {number | string | {entry: number}} time */
export async function travel(time) {
  wantedTime = time;
  if (isTraveling) return;
  isTraveling = true;
  try {
    while (wantedTime !== null) {
      const to = wantedTime;
      wantedTime = null;
      await inTurn(() => goTo(to));
      // One picture per position: the next one waits for the screen.
      if (wantedTime !== null) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  } finally {
    isTraveling = false;
  }
}

/** @param {any} to */
async function goTo(to) {
  // The history may begin later than the first move.
  if (typeof to === "number") to = Math.max(to, state.view.timeline.first);
  const answer = await state.engine.request({ request: "go", to, parts: LEAN_PARTS, board: boardWindow() });
  if (!answer.ok) return void toast(answer.error);
  const before = state.view.board;
  Object.assign(state, { stop: null, why: null, evaluation: null, rounds: null, preview: null });
  await takeView(answer);
  state.changed = compareBoards(before, state.view.board);
  draw();
}

/** @type {any} */
let viewBeforePreview = null;

/** Shows the game as it was at a time, until `endPreview`. @param {number} time */
export function preview(time) {
  return inTurn(async () => {
    if (time === state.view?.time && state.preview === null) return;
    const answer = await state.engine.request({ request: "view", time, parts: LEAN_PARTS, board: boardWindow() });
    if (!answer.ok) return;
    viewBeforePreview ??= { view: state.view, changed: state.changed };
    state.preview = time;
    state.changed = compareBoards(viewBeforePreview.view.board, answer.board);
    state.view = { ...viewBeforePreview.view, ...answer };
    draw();
  });
}

/** Goes back to what was shown before `preview`. */
export function endPreview() {
  return inTurn(async () => {
    if (!viewBeforePreview) return;
    ({ view: state.view, changed: state.changed } = viewBeforePreview);
    viewBeforePreview = null;
    state.preview = null;
    draw();
  });
}

/** Says what an answer changed, for those who do not see it. @param {any} answer */
function announceAnswer(answer) {
  const said = [];
  const stop = partOf(answer, "stop"), status = state.view.status;
  if (answer.diagnostics?.length) said.push(answer.diagnostics[0].message);
  else if (answer.stopped && stop) said.push(`${stop.reason === "error" ? "Error" : "Paused"} at ${stop.location}`);
  if (state.changed.size) said.push(state.changed.size === 1 ? "1 cell changed" : `${state.changed.size} cells changed`);
  if (status?.status !== "playing" && status?.status) said.push(status.ending ?? endingOf(status));
  else if (!answer.stopped && status?.turn && state.changed.size) said.push(`${status.turn} to move`);
  if (answer.output?.length) said.push(answer.output.slice(0, 3).join(", "));
  if (answer.question) said.push(answer.question.text || "Your answer?");
  if (said.length) announce(said.join(". "));
}

/** How a game ended, in words. @param {any} status @returns {string} */
export function endingOf(status) {
  if (status.ending) return status.ending;
  if (status.status === "won") return `${status.winner ?? "The player"} has won`;
  if (status.status === "lost") return "The game is lost";
  return status.status === "draw" ? "A draw" : "The game is over";
}

/** The board is drawn again when the page shows another time. */
export const shownTime = () => (isInPast() ? state.view.time : null);
