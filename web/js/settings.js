// @ts-check
// Theme, projector size and the panels of a phone.
import { $ } from "./dom.js";
import { keep, recall } from "./storage.js";
import { draw, state } from "./store.js";

export function startSettings() {
  const root = document.documentElement;
  const theme = recall("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  nameTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  $("theme").onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep("theme", root.dataset.theme);
    nameTheme();
  };
  $("size").onclick = () => setProjector(!state.isProjector);
  for (const button of $("tabs").querySelectorAll("button")) button.onclick = () => { document.body.dataset.tab = button.dataset.tab; markTab(); };
  addEventListener("gridbug:tab", markTab);
}

const nameTheme = () => $("theme").setAttribute("aria-label", isDark() ? "Use light colors" : "Use dark colors");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** @param {boolean} on */
export function setProjector(on) {
  state.isProjector = on;
  document.documentElement.dataset.size = on ? "large" : "normal";
  $("size").setAttribute("aria-pressed", String(on));
  if (state.view) draw();
}

function markTab() {
  for (const button of $("tabs").querySelectorAll("button")) {
    if (button.dataset.tab === document.body.dataset.tab) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}
