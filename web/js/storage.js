// @ts-check
// Nothing is lost: after each line the journal is in the browser's storage, the newest sessions first.
import { download } from "./dom.js";
import { banner } from "./notify.js";
import { newSessionId } from "./engine.js";
import { state } from "./store.js";

const PREFIX = "gridbug:journal:";
const MAX_SESSIONS = 20;

/** @typedef {{id: string, file: string, language: string, saved: number, journal: string}} Kept */

/** The name under which this session is kept. */
let sessionId = newSessionId();
/** Whether the journal could not be written, so that leaving the page would lose it. */
let isUnsaved = false;
let hasWarned = false;
/** Text of the journal that a new session starts with; a session without entries is not kept. */
let headerLength = 0;

export function startStorage() {
  addEventListener("gridbug:opened", () => { sessionId = newSessionId(); headerLength = 0; });
  addEventListener("beforeunload", (event) => { if (isUnsaved) event.preventDefault(); });
}

/** A setting that outlives the page. @param {string} name @returns {string | null} */
export function recall(name) {
  try {
    return localStorage.getItem(`gridbug:${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`gridbug:${name}`, value);
  } catch { /* Then it lasts as long as the page. */ }
}

/** The sessions that are kept, newest first. @returns {Kept[]} */
export function keptSessions() {
  const found = [];
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i);
      if (!key?.startsWith(PREFIX)) continue;
      const kept = readKept(localStorage.getItem(key));
      if (kept) found.push({ ...kept, id: key.slice(PREFIX.length) });
    }
  } catch {
    return [];
  }
  return found.sort((a, b) => b.saved - a.saved);
}

/** @param {string | null} text */
function readKept(text) {
  try {
    const kept = JSON.parse(text ?? "");
    return typeof kept.journal === "string" && typeof kept.saved === "number" ? kept : null;
  } catch {
    return null;
  }
}

/** @param {string} id */
export function forgetSession(id) {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch { /* Nothing to delete. */ }
}

/** Writes the journal. The oldest sessions make room for it. */
export function keepJournal() {
  headerLength ||= state.journal.length;
  if (state.journal.length <= headerLength) return;
  const kept = { file: state.file, language: state.language?.title ?? "", saved: Date.now(), journal: state.journal };
  const text = JSON.stringify(kept);
  const others = keptSessions().filter((session) => session.id !== sessionId);
  for (const old of others.slice(MAX_SESSIONS - 1)) forgetSession(old.id);
  for (const room of [null, ...others.slice(0, MAX_SESSIONS - 1).reverse()]) {
    if (room) forgetSession(room.id);
    try {
      localStorage.setItem(PREFIX + sessionId, text);
      isUnsaved = false;
      return;
    } catch { /* Full, or not allowed: make room and try again. */ }
  }
  isUnsaved = true;
  if (hasWarned) return;
  hasWarned = true;
  banner("This browser does not let the page keep your game. Download it before you leave.", [
    ["Download", () => { download(`${state.file.replace(/\.\w+$/, "")}.session`, state.journal); isUnsaved = false; hasWarned = false; }], ["Not now", () => {}]], { isWarning: true });
}

/** How long ago something was, in words. @param {number} time */
export function ago(time) {
  const minutes = Math.round((Date.now() - time) / 60_000);
  if (minutes < 2) return "just now";
  if (minutes < 90) return `${minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `${hours} hours ago` : `${Math.round(hours / 24)} days ago`;
}
