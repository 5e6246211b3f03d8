// @ts-check
// Running a line: in slices that can be stopped, in a second worker if it is a long search, and again
// from the journal if the engine has ended.
import { $, plural } from "./dom.js";
import { EngineTrap, ServedEngine } from "./engine.js";
import { announce, hideToast, toast } from "./notify.js";
import { state } from "./store.js";

/** Instructions between two looks at the Stop button: 0.1 to 0.2 s. */
const SLICE_INSTRUCTIONS = 12_000_000;
/** A line that takes longer than this shows that it is running, and Stop. */
const SHOW_RUNNING_MS = 250;

/** Stops what is running; null if nothing can be stopped. @type {(() => void) | null} */
let stopRunning = null;

/** Runs a request to its end. Answers null if it was cancelled or the engine had to be started again.
 * @param {any} request @returns {Promise<any>} */
export async function runRequest(request) {
  state.isRunning = true;
  const timer = setTimeout(() => showRunning(0), SHOW_RUNNING_MS);
  try {
    return await runSlices(request);
  } catch (error) {
    if (!(error instanceof EngineTrap)) throw error;
    await recover(request.text ?? "", error.message);
    return null;
  } finally {
    clearTimeout(timer);
    if (isToastOfRun) hideToast();
    isToastOfRun = false;
    stopRunning = null;
    state.isRunning = false;
  }
}

/** @param {any} request */
async function runSlices(request) {
  let wantsStop = false, count = 0;
  stopRunning = () => { wantsStop = true; };
  let answer = await state.engine.request({ ...request, budget: SLICE_INSTRUCTIONS });
  while (answer.running) {
    count = answer.instructions ?? count + SLICE_INSTRUCTIONS;
    if (isToastOfRun) showRunning(count);
    answer = await state.engine.request(wantsStop ? { request: "interrupt" } : { request: "continue", budget: SLICE_INSTRUCTIONS });
  }
  return answer.needs_worker ? searchElsewhere(request) : answer;
}

/** Asks what a search answers, beside the game: in another worker that has replayed the session. `cancel`
 * ends it; then the answer is null.
 * @param {string} text @param {(task: () => Promise<any>) => Promise<any>} inTurn */
export function startSearch(text, inTurn) {
  const request = { request: "query", text };
  let cancel = () => {};
  const search = async () => {
    if (state.engine instanceof ServedEngine) {
      cancel = () => { state.engine.request({ request: "interrupt" }); };
      return inTurn(() => state.engine.request(request));
    }
    const second = await state.engine.second();
    cancel = () => second.end();
    try {
      await inTurn(() => copySession(state.engine, second));
      return await second.request(request);
    } catch (error) {
      if (error instanceof EngineTrap) return null;
      throw error;
    } finally {
      second.end();
    }
  };
  return { answer: search(), cancel: () => cancel() };
}

/** Runs a line without slices: in another worker that has replayed the session, so that the page can
 * end it. If the line ends, that worker has the session from then on. @param {any} request */
async function searchElsewhere(request) {
  if (state.engine instanceof ServedEngine) {
    stopRunning = () => { state.engine.request({ request: "interrupt" }); };
    return state.engine.request(request);
  }
  let isCancelled = false;
  const second = await state.engine.second();
  stopRunning = () => { isCancelled = true; second.end(); };
  try {
    await copySession(state.engine, second);
    if (isCancelled) return null;
    const answer = await second.request(request);
    const first = state.engine;
    state.engine = second;
    first.end();
    return answer;
  } catch (error) {
    if (!isCancelled) throw error;
    announce("Cancelled");
    return null;
  }
}

/** Replays the session of one engine in another. @param {any} from @param {any} to */
async function copySession(from, to) {
  const { session, time, is_away } = await from.request({ request: "session" });
  const { names = [] } = await from.request({ request: "files" });
  const { files = {} } = await from.request({ request: "files", get: names });
  await to.request({ request: "replay", session, files });
  if (is_away) await to.request({ request: "go", to: time, parts: [] });
}

/** Starts a new engine after a trap and replays the journal. The line is offered, not run.
 * @param {string} line @param {string} reason */
async function recover(line, reason) {
  const journal = state.journal;
  try {
    const engine = await state.engine.second();
    const answer = journal ? await engine.request({ request: "replay", session: journal }) : { ok: false, error: "" };
    if (!answer.ok) throw new EngineTrap(answer.error || reason);
    state.engine.end();
    state.engine = engine;
    $("prompt").value = line;
    dispatchEvent(new CustomEvent("gridbug:recovered"));
    toast("The engine stopped unexpectedly and was started again. Your game is back; the last line was not run.");
  } catch (error) {
    toast(`The engine stopped: ${error instanceof Error ? error.message : error}`, { stays: true });
  }
}

let isToastOfRun = false;

/** @param {number} instructions */
function showRunning(instructions) {
  const steps = instructions >= 1e6 ? `, ${Math.round(instructions / 1e6)} million steps so far` : "";
  isToastOfRun = true;
  toast(`Running${steps}…`, { stays: true, button: ["Stop", stopRun] });
}

/** Stops the line that is running. Answers whether there was one. */
export function stopRun() {
  if (!state.isRunning || !stopRunning) return false;
  stopRunning();
  return true;
}

/** @param {number} count */
export const steps = (count) => plural(count, "step");
