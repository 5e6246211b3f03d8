// @ts-check
// Questions about the game that a search answers. Lines that are found are buttons that play.
import { $, h, plural, replace } from "./dom.js";
import { search, type } from "./session.js";
import { onDraw, partOf, state } from "./store.js";

/** @type {[string, string][]} */
const QUESTIONS = [["Moves", ":moves"], ["Hint", ":hint"], ["Way to win", ":find win"], ["Check rules", ":check"], ["Statistics", ":stats"]];
const MAX_CHIPS = 16, MAX_TEXT_LINES = 8;

/** What was found, and at which time. @type {{time: number, nodes: any[]} | null} */
let found = null;
let isSearching = false;
/** @type {{answer: Promise<any>, cancel: () => void} | null} */
let running = null;

export function startExplore() {
  addEventListener("gridbug:opened", () => { found = null; });
  onDraw(drawExplore);
}

function drawExplore() {
  if (!state.view) return;
  const canAsk = !state.view.status.is_stopped && !state.view.prediction && !isSearching && Boolean(state.view.board || state.view.question);
  const buttons = QUESTIONS.map(([name, line]) => h("button", { class: "small", "data-key": line, "aria-disabled": String(!canAsk), onclick: () => { if (canAsk) question(line); } }, name));
  replace($("asks"), buttons);
  drawOpponent();
  if (!isSearching && found && found.time !== state.view.time) found = null;
  if (!isSearching) replace($("found"), found?.nodes ?? []);
}

/** @param {string} line */
async function question(line) {
  isSearching = true;
  $("found").replaceChildren(h("div", { class: "progress" }, "Searching", h("i", {}), h("button", { class: "small", onclick: () => running?.cancel() }, "Cancel")));
  drawExplore();
  let answer = null;
  running = search(line);
  try {
    answer = await running.answer;
  } finally {
    running = null;
    isSearching = false;
    found = answer ? { time: state.view.time, nodes: foundNodes(answer) } : null;
    drawExplore();
  }
}

/** @param {string[]} entries */
const chips = (entries) => h("div", { class: "chips" }, ...entries.slice(0, MAX_CHIPS).map((entry) => h("button", { onclick: () => type(entry) }, entry)),
  entries.length > MAX_CHIPS ? h("span", { class: "note" }, `and ${entries.length - MAX_CHIPS} more`) : null);

/** What an answer says, with its moves as buttons. @param {any} answer */
function foundNodes(answer) {
  const moves = partOf(answer, "moves"), line = partOf(answer, "find"), hint = partOf(answer, "hint"), stats = partOf(answer, "stats");
  if (moves?.moves.length) return [h("span", {}, `${plural(moves.moves.length, "move")} from here:`), chips(moves.moves.map((/** @type {any} */ m) => m.entry))];
  if (line?.verdict === "found") return [h("span", {}, `In ${plural(line.moves.length, "move")}${line.shortest ? ", the shortest way" : ""}:`), chips(line.moves.map((/** @type {any} */ m) => m.entry))];
  if (hint?.best) return [h("span", {}, firstLines(answer.text, 2)), chips([hint.best.entry])];
  if (stats) return [statsTable(stats)];
  return [h("span", {}, firstLines(answer.text, MAX_TEXT_LINES) || "Nothing was found.")];
}

/** @param {string} text @param {number} count */
const firstLines = (text, count) => (text ?? "").trim().split("\n").slice(0, count).join("\n");

/** @param {any} stats */
function statsTable(stats) {
  const percent = (/** @type {number} */ rate) => `${(rate * 100).toFixed(rate < 0.1 ? 1 : 0)} %`;
  return h("table", { class: "rounds" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "ends with"), h("th", { scope: "col" }, stats.exact ? "exactly" : `in ${plural(stats.games, "game")}`))),
    h("tbody", {}, ...Object.entries(stats.results).map(([key, result]) => h("tr", {}, h("td", {}, result.name ?? key), h("td", {}, percent(result.rate)))),
      h("tr", {}, h("td", {}, "moves on average"), h("td", {}, stats.length?.mean?.toFixed(1) ?? ""))));
}

/** The players whom the computer can play. */
function drawOpponent() {
  /** @type {string[]} */ const players = state.view.status.players ?? [];
  let box = document.querySelector(".opponent");
  if (players.length < 2) return void box?.remove();
  if (!box) {
    box = h("div", { class: "opponent" });
    $("asks").after(box);
  }
  const key = players.join();
  if (/** @type {any} */ (box).dataset.players === key) return;
  /** @type {any} */ (box).dataset.players = key;
  const select = h("select", { id: "opponent", onchange: (/** @type {any} */ event) => type(event.target.value) },
    h("option", { value: ":opponent off" }, "nobody"), ...players.flatMap((player) => [1, 3, 5].map((level) => h("option", { value: `:opponent ${player} ${level}` }, `${player}, ${["easy", "medium", "strong"][(level - 1) / 2]}`))));
  replace(/** @type {any} */ (box), [h("label", { for: "opponent" }, "The computer plays"), select]);
}
