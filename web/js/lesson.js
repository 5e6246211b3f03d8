// @ts-check
// A lesson: its text, its predictions, and the button that runs the next step.
import { $, h, prose, replace } from "./dom.js";
import { announce } from "./notify.js";
import { exerciseCard } from "./exercise.js";
import { openWhy } from "./why.js";
import { openGame, pressEnter, type, whileBusy } from "./session.js";
import { draw, onDraw, partOf, state } from "./store.js";

export function startLesson() {
  onDraw(drawLesson);
}

/** Opens a lesson of the course. @param {any} lesson */
export const openLesson = (lesson) => whileBusy(() => startLessonOf(lesson));

/** @param {any} lesson */
async function startLessonOf(lesson) {
  const language = state.catalog.languages.find((/** @type {any} */ l) => l.name === lesson.language);
  await openGame({ language: lesson.language, name: language.sample_name, program: language.sample });
  await type(`:lesson ${lesson.argument ?? `${lesson.language} ${lesson.number}`}`, { log: false });
  $("log").replaceChildren();
  showLessonTab();
}

export function showLessonTab() {
  document.body.dataset.tab = "lesson";
  dispatchEvent(new CustomEvent("gridbug:tab"));
}

/** Keeps what an answer says about the lesson. @param {any} answer */
export function takeLesson(answer) {
  const lesson = partOf(answer, "lesson"), result = partOf(answer, "prediction_result");
  const isLeft = (answer.parts ?? []).some((/** @type {any} */ part) => part.kind === "notice" && part.notice === "left_lesson");
  if (isLeft) state.lesson = null;
  if (lesson) {
    const isNew = lesson.number !== state.lesson?.number || lesson.exercise?.name !== state.lesson?.exercise?.name;
    state.lesson = { ...state.lesson, ...lesson, ...(isNew ? { report: null, hints: [], solution: null, taskError: null, draft: null } : {}) };
  }
  if (result) Object.assign(lessonState(), { verdict: result, isRevealed: !state.isProjector });
  else if (state.lesson && lesson && !partOf(answer, "prediction")) state.lesson.verdict = null;
  const help = partOf(answer, "exercise_help");
  if (help && state.lesson) {
    if (help.help === "solution") state.lesson.solution = help.lines.join("\n");
    else state.lesson.hints = [...(state.lesson.hints ?? []), help.lines.join("\n")];
  }
  const report = partOf(answer, "exercise_report");
  if (report && state.lesson) state.lesson.report = report;
}

/** Predictions can be asked without a lesson, too (`:predict`). */
function lessonState() {
  state.lesson ??= { isAlone: true, number: 0, count: 0, remarks: [], next: null, exercise: null };
  return state.lesson;
}

function drawLesson() {
  if (!state.view) return;
  if (state.view.prediction) lessonState();
  if (state.view.lesson) state.lesson = { ...state.lesson, ...state.view.lesson, isAlone: false };
  else if (state.lesson && !state.lesson.isAlone && state.view.lesson === null) state.lesson = null;
  const lesson = state.lesson, box = $("lesson");
  const wasShown = !box.hidden;
  box.hidden = !lesson;
  document.body.classList.toggle("has-lesson", Boolean(lesson));
  document.querySelector('.tabs [data-tab="lesson"]')?.toggleAttribute("hidden", !lesson);
  if (!lesson) {
    if (wasShown && document.body.dataset.tab === "lesson") { document.body.dataset.tab = "program"; dispatchEvent(new CustomEvent("gridbug:tab")); }
    return;
  }
  replace(box, [stepLine(lesson), title(lesson), ...verdict(lesson), ...remarks(lesson), ...work(lesson)]);
}

/** @param {any} lesson */
function stepLine(lesson) {
  const dots = lesson.count > 1 ? h("div", { class: "dots", role: "img", "aria-label": `Step ${lesson.number} of ${lesson.count}` },
    ...Array.from({ length: lesson.count }, (_, i) => h("i", { class: i + 1 < lesson.number ? "done" : i + 1 === lesson.number ? "at" : null }))) : h("span", { class: "dots" });
  return h("div", { class: "step" }, dots, lesson.count ? `${lesson.number} / ${lesson.count}` : "",
    h("button", { class: "quiet icon small", "aria-label": lesson.isAlone ? "Close" : "Leave the lesson", onclick: leave }, "✕"));
}

async function leave() {
  if (!state.lesson?.isAlone) await type(":lesson off", { log: false });
  state.lesson = null;
  draw();
}

/** @param {any} lesson */
function title(lesson) {
  return lesson.isAlone ? h("h2", {}, "What will happen?") : h("h2", {}, (lesson.title ?? "Lesson").replace(/\.$/, ""));
}

/** What became of a prediction. In front of a class it waits for Reveal. @param {any} lesson */
function verdict(lesson) {
  const result = lesson.verdict;
  if (!result) return [];
  if (!lesson.isRevealed) {
    return [h("div", { class: "verdict hidden-verdict" }, "The answer is in."), h("div", { class: "buttons" }, h("button", { class: "primary", "data-key": "reveal", onclick: () => { lesson.isRevealed = true; draw(); announce(verdictText(result)); } }, "Reveal"))];
  }
  const sign = { right: "✓", wrong: "✕", skipped: "–", undecided: "…" }[/** @type {string} */ (result.verdict)] ?? "";
  return [h("div", { class: `verdict ${result.verdict}`, "data-key": "verdict" }, `${sign} ${verdictWord(result)}`, h("small", {}, verdictDetail(result)),
    result.verdict === "wrong" ? h("button", { class: "small", onclick: () => openWhy(whyLine(result)) }, "Why?") : null)];
}

/** @param {any} result */
const verdictWord = (result) => ({ right: "Right", wrong: "Not quite", skipped: "Skipped", undecided: "Not decided yet" }[/** @type {string} */ (result.verdict)] ?? "");

/** @param {any} result */
function verdictDetail(result) {
  if (result.verdict === "wrong") return `You said ${result.answer}. It is ${result.right_answer}.`;
  return result.right_answer === null ? "" : `It is ${result.right_answer}.`;
}

/** @param {any} result */
const verdictText = (result) => `${verdictWord(result)}. ${verdictDetail(result)}`;

/** @param {any} result */
function whyLine(result) {
  const cell = /[[(]-?\d+(?:\]\[|,\s*)-?\d+[\])]/.exec(result.question)?.[0];
  return result.about === "cell" && cell ? `:why ${cell}` : ":why";
}

/** The teacher's remarks as paragraphs. @param {any} lesson */
function remarks(lesson) {
  const paragraphs = [];
  let text = "";
  const name = (lesson.title ?? "").replace(/\.$/, "");
  for (const remark of [...(lesson.remarks ?? []), ""]) {
    if (remark.trim() && remark.replace(/\.$/, "") !== name) text += (text ? " " : "") + remark;
    else if (text) { paragraphs.push(text); text = ""; }
  }
  return paragraphs.map((paragraph) => h("p", {}, ...prose(paragraph)));
}

/** What there is to do. @param {any} lesson */
function work(lesson) {
  if (state.view.prediction) return [predictionCard(state.view.prediction)];
  if (lesson.exercise) return exerciseCard(lesson);
  if (lesson.isAlone) return [];
  const isOver = !lesson.next && lesson.number >= lesson.count;
  return [h("div", { class: "next" },
    lesson.next ? h("pre", {}, lesson.next) : h("p", {}, isOver ? "That was the last step. Try your own ideas, or go on." : ""),
    h("div", { class: "buttons" },
      lesson.next || !isOver ? h("button", { class: "primary", "data-key": "lesson-next", onclick: () => pressEnter() }, "Run this step", h("kbd", { "aria-hidden": "true" }, "Enter")) : null,
      isOver && lesson.following ? h("button", { class: "primary", "data-key": "lesson-next", onclick: () => openFollowing(lesson.following) }, "Next lesson") : null,
      lesson.number > 1 ? h("button", { "data-key": "lesson-back", onclick: () => type(":lesson back", { log: false }) }, "Back") : null))];
}

/** @param {string} following */
function openFollowing(following) {
  const [language, number] = following.split(" ");
  openLesson({ language, number: Number(number), argument: following });
}

/** @param {any} prediction */
function predictionCard(prediction) {
  const skip = h("button", { class: "quiet small", "data-key": "skip", onclick: () => type("", { log: false }) }, "Skip");
  const question = h("h3", { id: "prediction-title" }, ...prose(prediction.text));
  if (prediction.choices?.length) {
    return h("div", { class: "predict", role: "group", "aria-labelledby": "prediction-title" }, question,
      h("div", { class: "choices" }, ...prediction.choices.map((/** @type {any} */ choice, /** @type {number} */ i) => h("button", { "data-key": `choice:${choice.answer}`, onclick: () => type(choice.answer, { log: false }) }, h("kbd", { "aria-hidden": "true" }, String(i + 1)), choice.text || choice.answer))),
      h("div", {}, skip));
  }
  const input = h("input", { type: "text", "aria-labelledby": "prediction-title", "data-key": "prediction", autocomplete: "off", spellcheck: "false" });
  return h("div", { class: "predict" }, question,
    h("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); type(input.value, { log: false }); } }, input, h("button", { class: "primary" }, "Predict")),
    h("div", {}, skip));
}
