// @ts-check
// Files: opened, dropped onto the page, saved, handed in.
import { $, download, h } from "./dom.js";
import { closeDialog, openDialog, toast } from "./notify.js";
import { addBytes, imageType } from "./pictures.js";
import { showLessonTab } from "./lesson.js";
import { openGame, openSession, type, whileBusy } from "./session.js";
import { state } from "./store.js";
import { ago, forgetSession, keep, keptSessions, recall } from "./storage.js";

const MAX_TEXT_BYTES = 4 << 20;

export function startFiles() {
  $("open-files").onclick = openFilesDialog;
  $("file-input").onchange = async () => { await openFiles([...$("file-input").files]); $("file-input").value = ""; };
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer?.files.length) openFiles([...event.dataTransfer.files]);
  });
}

/** The name of the session as a file. */
const sessionName = () => `${state.file.replace(/^.*[\\/]/, "").replace(/\.\w+$/, "") || "game"}.session`;

/** Opens what was chosen or dropped. @param {File[]} files */
const openFiles = (files) => whileBusy(() => readFiles(files));

/** @param {File[]} files */
async function readFiles(files) {
  /** @type {Record<string, string>} */ const texts = {};
  const rejected = [];
  let images = 0;
  for (const file of files) {
    if (imageType(file.name)) {
      if (await addBytes(file.name, new Uint8Array(await file.arrayBuffer()))) images++;
      else rejected.push(file.name);
    } else if (file.size > MAX_TEXT_BYTES) rejected.push(file.name);
    else texts[file.name] = await file.text();
  }
  if (rejected.length) toast(`Not an image, or too large: ${rejected.slice(0, 3).join(", ")}`);
  else if (images) toast(images === 1 ? "The picture is shown where the program names it" : `${images} pictures are shown where the program names them`);
  const session = Object.keys(texts).find((name) => /\.session$|\.journal$/.test(name));
  if (session) return openSessionFile(session, texts);
  const handIn = Object.keys(texts).find((name) => name.endsWith(".json"));
  if (handIn) return openHandIn(texts[handIn]);
  const [name, text] = Object.entries(texts)[0] ?? [];
  if (name !== undefined) return openProgramFile(name, text);
}

/** @param {string} name @param {string} text */
async function openProgramFile(name, text) {
  const extension = name.split(".").pop()?.toLowerCase() ?? "";
  const language = state.catalog.languages.find((/** @type {any} */ l) => l.extensions.includes(extension));
  if (!language) {
    const known = state.catalog.languages.map((/** @type {any} */ l) => `.${l.extensions[0]}`).join(", ");
    return void toast(`Cannot tell the language of ${name} from its extension. Known are ${known} and .session`);
  }
  await openGame({ language: language.name, name, program: text });
}

/** A session is continued, or played as a lesson if it has remarks. @param {string} name @param {Record<string, string>} texts */
async function openSessionFile(name, texts) {
  const open = async () => {
    closeDialog();
    const error = await openSession(texts[name], { files: texts });
    if (error) toast(`${name} cannot be opened: ${error}`);
  };
  if (!/^(#|note |predict |exercise )/m.test(texts[name])) return open();
  openDialog(name, [h("div", { class: "dialog-body" }, h("p", {}, "This session has remarks. You can go through it step by step, or continue the game where it ended."),
    h("p", { class: "buttons" }, h("button", { class: "primary", onclick: () => whileBusy(() => playAsLesson(name, texts)) }, "Play as a lesson"), h("button", { onclick: open }, "Continue the game")))], "narrow");
}

/** @param {string} name @param {Record<string, string>} texts */
async function playAsLesson(name, texts) {
  closeDialog();
  const first = state.catalog.languages[0];
  await openGame({ language: first.name, name: first.sample_name, program: first.sample });
  await state.engine.request({ request: "files", set: texts });
  await type(`:lesson ${name}`, { log: false });
  if (state.lesson) showLessonTab();
}

/** A file that was handed in opens as the student's session. @param {string} text */
async function openHandIn(text) {
  let handIn = null;
  try {
    handIn = JSON.parse(text);
  } catch { /* Answered below. */ }
  if (handIn?.gridbug !== "hand-in" || typeof handIn.session !== "string") return void toast("This file was not handed in from this page.");
  const error = await openSession(handIn.session);
  toast(error ? `It cannot be opened: ${error}` : `The work of ${String(handIn.name).slice(0, 40)}`);
}

async function sessionText() {
  const answer = await state.engine.request({ request: "session" });
  return answer.ok ? answer.session : state.journal;
}

function openFilesDialog() {
  const kept = keptSessions();
  const run = (/** @type {() => any} */ action) => () => { closeDialog(); whileBusy(async () => action()); };
  openDialog("Files", [h("div", { class: "dialog-body" },
    h("p", { class: "buttons" },
      h("button", { class: "primary", onclick: run(() => $("file-input").click()) }, "Open a file…"),
      h("button", { onclick: run(async () => download(sessionName(), await sessionText())) }, "Save the session"),
      h("button", { onclick: run(() => download(state.file.replace(/^.*[\\/]/, "") || "game.txt", `${state.program.text}\n`)) }, "Save the program"),
      h("button", { onclick: run(handIn) }, "Hand in…")),
    h("p", { class: "note" }, "You can also drop a program, a session, or pictures of pieces onto the page. Nothing leaves this computer."),
    kept.length ? h("h3", {}, "Earlier games in this browser") : null,
    kept.length ? h("ul", { class: "file-list" }, ...kept.map(keptItem)) : null)], "narrow");
}

/** @param {import("./storage.js").Kept} kept */
function keptItem(kept) {
  const item = h("li", {},
    h("button", { onclick: async () => { closeDialog(); const error = await openSession(kept.journal); if (error) toast(`It cannot be restored: ${error}`); } }, h("span", {}, `${kept.file} · ${kept.language}`), h("span", { class: "note" }, ago(kept.saved))),
    h("button", { class: "quiet icon small", "aria-label": `Forget ${kept.file}, ${ago(kept.saved)}`, onclick: () => { forgetSession(kept.id); item.remove(); } }, "✕"));
  return item;
}

/** Asks for a name and offers a file with name, answers and session. */
export function handIn() {
  const input = h("input", { type: "text", id: "hand-in-name", class: "field", autocomplete: "name", maxlength: "40", required: true });
  input.value = recall("name") ?? "";
  const form = h("form", { class: "dialog-body", onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) return;
    keep("name", name);
    closeDialog();
    await downloadHandIn(name);
  } }, h("p", {}, "The file has your name, your answers and everything you did. Give it to your teacher."),
  h("label", { for: "hand-in-name" }, "Your name"), input, h("p", { class: "buttons" }, h("button", { class: "primary" }, "Download the file")));
  openDialog("Hand in", [form], "narrow");
  input.focus();
}

/** @param {string} name */
async function downloadHandIn(name) {
  const { score = null } = await state.engine.request({ request: "score" });
  const lesson = state.view.lesson?.argument ?? null;
  const file = { gridbug: "hand-in", version: 1, name, date: new Date().toISOString(), file: state.file, lesson, score, session: await sessionText() };
  const safe = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N} -]/gu, "").trim().replace(/ +/g, "-") || "student";
  download(`${(lesson ?? sessionName().replace(/\.session$/, "")).replace(/\W+/g, "-")}-${safe}.json`, `${JSON.stringify(file, null, 1)}\n`, "application/json");
}
