// @ts-check
// Time: each move a segment, a slider over all of them, and a second line for the steps of one move.
import { $, classes, h, isPhone, plural, replace } from "./dom.js";
import { travel, type } from "./session.js";
import { isInPast, onDraw, state } from "./store.js";
import { announce } from "./notify.js";

/** More segments than this are drawn as groups. */
const MAX_SEGMENTS = 160;
/** Up to so many segments have their names below. */
const MAX_NAMED = 14, MAX_NAMED_ON_PHONE = 5;

/** @typedef {{start: number, end: number, name: string, count: number}} Segment */

/** The segments of the timeline that was drawn last. @type {{timeline: any, milestones: any, list: Segment[]}} */
let cached = { timeline: null, milestones: null, list: [] };
/** What the elements were made for. @type {any} */
let drawn = null;
let isDragging = false;

export function startTime() {
  const slider = $("slider"), fine = $("fine-slider");
  slider.addEventListener("input", () => { isDragging = true; travel(timeAt(Number(slider.value))); });
  slider.addEventListener("change", (/** @type {any} */ event) => snap(event));
  slider.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => { if (isDragging && !event.altKey) snap(event); });
  slider.addEventListener("keydown", onSliderKey);
  fine.addEventListener("input", () => travel(Number(fine.value)));
  $("now").onclick = returnToNow;
  onDraw(drawTime);
}

export async function returnToNow() {
  await travel("end");
  announce("Back at the present");
  $("slider").focus();
}

/** The moves as segments; a single long one by its milestones. @returns {Segment[]} */
export function segments() {
  const timeline = state.view?.timeline, milestones = state.view?.milestones;
  if (cached.timeline === timeline && cached.milestones === milestones) return cached.list;
  const entries = (timeline?.entries ?? []).filter((/** @type {any} */ e) => e.end > e.start);
  const isFew = entries.length <= 40, starts = timeline?.start_entries ?? 0;
  /** @type {Segment[]} */ let list = [];
  for (const entry of entries) {
    const isStart = entry.index < starts || entry.text === "";
    const name = isStart ? "start" : entry.text;
    const points = isFew ? (milestones ?? []).find((/** @type {any} */ m) => m.entry === entry.index)?.points ?? [] : [];
    const parts = splitEntry(entry, name, points);
    // What happens before the first move is one segment, unless it has milestones of its own.
    if (isStart && list.length === 1 && list[0].name === "start" && parts.length === 1) list[0].end = entry.end;
    else list.push(...parts);
  }
  const size = Math.ceil(list.length / MAX_SEGMENTS);
  if (size > 1) list = group(list, size);
  cached = { timeline, milestones, list };
  return list;
}

/** @param {any} entry @param {string} name @param {{time: number, text: string}[]} points @returns {Segment[]} */
function splitEntry(entry, name, points) {
  const inside = points.filter((point) => point.time > entry.start && point.time < entry.end);
  if (!inside.length) return [{ start: entry.start, end: entry.end, name, count: 1 }];
  const before = points.find((point) => point.time <= entry.start);
  const starts = [{ time: entry.start, text: before?.text ?? name }, ...inside];
  return starts.map((point, i) => ({ start: point.time, end: starts[i + 1]?.time ?? entry.end, name: point.text, count: 1 })).filter((s) => s.end > s.start);
}

/** @param {Segment[]} list @param {number} size */
function group(list, size) {
  const groups = [];
  for (let i = 0; i < list.length; i += size) {
    const last = Math.min(i + size, list.length) - 1;
    groups.push({ start: list[i].start, end: list[last].end, name: list[last].name, count: last - i + 1 });
  }
  return groups;
}

/** The place of a time on the slider, in segments. @param {number} time */
export function placeOfTime(time) {
  const list = segments(), i = list.findIndex((segment) => time <= segment.end);
  if (i < 0) return list.length;
  return i + Math.max(0, (time - list[i].start) / (list[i].end - list[i].start));
}

/** @param {number} place */
function timeAt(place) {
  const list = segments();
  if (!list.length) return 0;
  const i = Math.max(0, Math.min(list.length - 1, Math.floor(place)));
  return Math.round(list[i].start + (list[i].end - list[i].start) * Math.min(1, place - i));
}

/** Released, the slider goes to the nearest end of a move, so that the next click is a normal move. @param {any} event */
function snap(event) {
  if (!isDragging) return;
  isDragging = false;
  const list = segments();
  if (event.altKey || !list.length) return;
  const i = Math.round(Number($("slider").value));
  travel(i <= 0 ? list[0].start : list[Math.min(i, list.length) - 1].end);
}

/** @param {KeyboardEvent} event */
function onSliderKey(event) {
  const list = segments(), place = Number($("slider").value);
  const moves = { ArrowLeft: Math.ceil(place) - 1, ArrowDown: Math.ceil(place) - 1, PageUp: Math.ceil(place) - 1, ArrowRight: Math.floor(place) + 1, ArrowUp: Math.floor(place) + 1, PageDown: Math.floor(place) + 1, Home: 0, End: list.length };
  if (!(event.key in moves) || !list.length) return;
  event.preventDefault();
  event.stopPropagation();
  const to = Math.max(0, Math.min(list.length, /** @type {any} */ (moves)[event.key]));
  $("slider").value = String(to);
  travel(to === 0 ? list[0].start : list[to - 1].end);
}

function drawTime() {
  if (!state.view?.timeline) return;
  const list = segments(), time = state.view.time, box = $("time"), inPast = isInPast();
  const at = list.findLastIndex((segment) => segment.start < time);
  const shape = `${list.length}|${at}`;
  if (drawn !== cached.list || $("segments").dataset.shape !== shape) {
    drawn = cached.list;
    $("segments").dataset.shape = shape;
    drawSegments(list, at);
    drawTicks(list);
  }
  box.classList.toggle("in-past", inPast);
  [...$("segments").children].forEach((node, i) => {
    const segment = list[i], done = Math.min(1, Math.max(0, (time - segment.start) / (segment.end - segment.start)));
    node.style.setProperty("--done", String(done));
    node.classList.toggle("ahead", inPast && time <= segment.start);
  });
  const slider = $("slider");
  slider.max = String(Math.max(1, list.length));
  if (!isDragging) slider.value = String(placeOfTime(time));
  slider.setAttribute("aria-valuetext", at < 0 ? "start" : `${list[at].name}, step ${time - list[at].start} of ${list[at].end - list[at].start}`);
  drawPast(inPast, time);
  drawFine(list, at, inPast);
}

/** @param {Segment[]} list @param {number} at */
function drawSegments(list, at) {
  const isDense = list.length > (isPhone() ? MAX_NAMED_ON_PHONE : MAX_NAMED);
  $("segments").classList.toggle("dense", isDense);
  $("segments").replaceChildren(...list.map((segment, i) => h("div", { class: classes("seg", i === at && "at"), title: segment.name },
    h("div", { class: "track" }, h("div", { class: "fill" })),
    !isDense || i === at ? h("div", { class: "name", style: isDense && i > list.length * 0.75 ? { "--shift": "auto", right: "0" } : {} }, segment.name) : null)));
}

/** Forks, marks and where branches begin. @param {Segment[]} list */
function drawTicks(list) {
  const { branches = [], marks = [] } = state.view.timeline;
  const left = (/** @type {number} */ time) => `${(100 * placeOfTime(time)) / Math.max(1, list.length)}%`;
  const shown = branches.slice(-3);
  replace($("ticks"), [
    ...shown.map((/** @type {any} */ branch, /** @type {number} */ i) => {
      const overlaps = shown.slice(0, i).filter((/** @type {any} */ other) => other.fork_time === branch.fork_time).length;
      return h("span", { class: "fork", style: { left: `calc(${left(branch.fork_time)} + ${overlaps * 9}rem)` } },
        h("button", { "data-key": `branch:${branch.number}`, title: "Switch to this branch", onclick: () => type(`:branches ${branch.number}`) }, `branch ${branch.number} · ${plural(branch.entries.length, "move")}`));
    }),
    ...marks.filter((/** @type {any} */ m) => m.branch === null && !m.is_lost).map((/** @type {any} */ mark) => h("span", { class: "flag", style: { left: left(mark.time) } }, mark.name))]);
  $("time").classList.toggle("has-forks", branches.length > 0);
  $("time").classList.toggle("has-flags", marks.some((/** @type {any} */ m) => m.branch === null));
}

/** @param {boolean} inPast @param {number} time */
function drawPast(inPast, time) {
  $("past").hidden = !inPast;
  if (!inPast) return;
  const ahead = state.view.timeline.entries.filter((/** @type {any} */ e) => e.end > e.start && e.start >= time).length;
  $("past-text").textContent = ahead ? `In the past · ${plural(ahead, "move")} ahead` : "In the middle of a move";
}

/** The steps of the move in which the slider is. @param {Segment[]} list @param {number} at @param {boolean} inPast */
function drawFine(list, at, inPast) {
  const fine = $("fine"), segment = list[at];
  const isShown = Boolean(segment) && inPast && segment.count === 1 && segment.end - segment.start >= 2;
  fine.hidden = !isShown;
  $("time").classList.toggle("has-fine", isShown);
  if (!isShown) return;
  fine.style.left = `min(${(100 * at) / list.length}%, 100% - 12rem)`;
  fine.style.width = `${100 / list.length}%`;
  const step = state.view.time - segment.start, count = segment.end - segment.start;
  Object.assign($("fine-slider"), { min: String(segment.start), max: String(segment.end), value: String(state.view.time) });
  $("fine-slider").setAttribute("aria-valuetext", `step ${step} of ${count}`);
  $("fine-text").textContent = `step ${step.toLocaleString("en")} of ${count.toLocaleString("en")}`;
}
