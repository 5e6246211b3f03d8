// @ts-check
// Starts the page: connects to the engine, and opens what the address asks for.
import { $, h } from "./dom.js";
import { focusBoard, startBoard } from "./board.js";
import { startClicks } from "./click.js";
import { startDialogs } from "./dialogs.js";
import { startEditor } from "./editor.js";
import { connect, ServedEngine } from "./engine.js";
import { startExplore } from "./explore.js";
import { startFiles } from "./files.js";
import { startKeys } from "./keys.js";
import { openLesson, startLesson } from "./lesson.js";
import { share, unpackLink } from "./link.js";
import { startNotify } from "./parent.js";
import { banner, toast } from "./notify.js";
import { startPictures } from "./pictures.js";
import { startProgram } from "./program.js";
import { startPrompt } from "./prompt.js";
import { startQuestion } from "./question.js";
import { openGame, openSession, refresh } from "./session.js";
import { setProjector, startSettings } from "./settings.js";
import { startStage } from "./stage.js";
import { ago, keptSessions, startStorage } from "./storage.js";
import { startSteps } from "./steps.js";
import { onDraw, state } from "./store.js";
import { startTime } from "./time.js";
import { startTransport } from "./transport.js";
import { startValues } from "./values.js";
import { startWhy } from "./why.js";

/** What the address asks for: `#embed&lesson=gridlok-2`. @returns {Map<string, string>} */
function wishes() {
  const text = location.hash.slice(1);
  if (text.startsWith("s=")) return new Map([["s", text.slice(2)]]);
  return new Map(text.split("&").filter(Boolean).map((wish) => /** @type {[string, string]} */ ([wish.split("=")[0], decodeURIComponentSafely(wish.slice(wish.indexOf("=") + 1))])));
}

/** @param {string} text */
function decodeURIComponentSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function startParts() {
  // The order in which they draw: what decides the layout comes first, the board last.
  startSettings();
  startStorage();
  startLesson();
  startProgram();
  startStage();
  startValues();
  startSteps();
  startWhy();
  startQuestion();
  startClicks();
  startPictures();
  startBoard();
  startExplore();
  startTransport();
  startTime();
  startPrompt();
  startEditor();
  startDialogs();
  startFiles();
  startKeys();
  startNotify();
  $("share").onclick = share;
  document.querySelector(".skip")?.addEventListener("click", (event) => { event.preventDefault(); focusBoard(); });
  addEventListener("gridbug:recovered", refresh);
  onDraw(drawBar);
}

function drawBar() {
  $("language").textContent = state.language.title;
  document.title = `${state.file || "gridbug"} · gridbug`;
  const index = state.catalog.examples.findIndex((/** @type {any} */ e) => e.file === state.file && e.language === state.language.name);
  const select = $("example");
  const lesson = state.view?.lesson;
  const shown = lesson ? `Lesson ${lesson.number === undefined ? "" : (lesson.argument ?? "").split(" ")[1] ?? ""}`.trim() : index < 0 ? state.file : "";
  const own = select.querySelector(".own");
  if (own?.textContent !== shown) own?.remove();
  if (shown && !select.querySelector(".own")) select.prepend(h("option", { class: "own", value: "own" }, shown));
  select.value = shown ? "own" : String(index);
}

function fillExamples() {
  const select = $("example");
  for (const language of state.catalog.languages) {
    const options = state.catalog.examples.map((/** @type {any} */ e, /** @type {number} */ i) => [e, i]).filter((/** @type {any} */ [e]) => e.language === language.name);
    select.append(h("optgroup", { label: language.title }, ...options.map((/** @type {any} */ [e, i]) => h("option", { value: i }, e.name))));
  }
  select.onchange = () => { if (select.value !== "own") openExample(state.catalog.examples[Number(select.value)]); };
}

/** @param {any} example */
export const openExample = (example) => openGame({ language: example.language, name: example.file, program: example.program });

/** Opens what the address asks for. @param {Map<string, string>} wished */
async function openWished(wished) {
  const link = wished.get("s");
  if (link !== undefined) {
    try {
      const { session, time } = await unpackLink(link);
      const error = await openSession(session, { time });
      if (!error) return;
      toast(`This link cannot be opened: ${error}. Here is a new game instead.`);
    } catch {
      toast("This link is damaged. Here is a new game instead.");
    }
    return openExample(state.catalog.examples[0]);
  }
  const [language, number] = (wished.get("lesson") ?? "").split("-");
  const lesson = state.catalog.lessons.find((/** @type {any} */ l) => l.language === language && l.number === Number(number));
  if (lesson) return openLesson(lesson);
  const game = wished.get("game");
  const example = state.catalog.examples.find((/** @type {any} */ e) => e.name === game || `${e.language}-${e.name}` === game);
  if (state.engine instanceof ServedEngine) {
    const { file } = await state.engine.request({ request: "served" });
    if (file) return openGame({ language: file.language, name: file.name, served: true });
  }
  await openExample(example ?? state.catalog.examples[0]);
  if (wished.has("lesson") || (game && !example)) toast(`There is nothing called ${(wished.get("lesson") ?? game ?? "").slice(0, 40)}. Here is a game instead.`);
  else if (!example && !wished.has("embed")) offerEarlier();
}

/** Offers the last game of this browser. */
function offerEarlier() {
  const last = keptSessions()[0];
  if (!last) return;
  banner(`Your last game is still here: ${last.file}, ${ago(last.saved)}.`, [["Continue it", async () => {
    const error = await openSession(last.journal);
    if (error) toast(`It cannot be restored: ${error}`);
  }], ["Not now", () => {}]]);
}

async function start() {
  const wished = wishes();
  state.isEmbedded = wished.has("embed");
  document.body.classList.toggle("embed", state.isEmbedded);
  startParts();
  if (wished.has("projector")) setProjector(true);
  try {
    state.engine = await connect();
    state.catalog = await state.engine.request({ request: "catalog" });
  } catch (error) {
    toast(`gridbug could not be started: ${error instanceof Error ? error.message : error}`, { stays: true });
    document.body.dataset.ready = "failed";
    return;
  }
  if (wished.has("key")) history.replaceState(null, "", location.pathname);
  fillExamples();
  await openWished(wished);
  addEventListener("hashchange", () => { if (/[#&](s|lesson|game|key)=/.test(location.hash)) location.reload(); });
  document.body.dataset.ready = "true";
  performance.mark("ready");
}

start();
