// @ts-check
// Short messages: spoken ones, ones that go away, and ones that stay.
import { $, h } from "./dom.js";

let toastTimer = 0;

/** Says something to screen readers, once and politely. @param {string} text */
export function announce(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

/** Shows a message for some seconds, or until it is hidden.
 * @param {string} text @param {{stays?: boolean, button?: [string, () => void]}} [options] */
export function toast(text, { stays = false, button } = {}) {
  clearTimeout(toastTimer);
  const box = $("toast");
  // A button stays the same element while the text beside it changes, so that a press on it counts.
  if (button && !box.hidden && box.querySelector("button")?.textContent === button[0]) return void (box.firstElementChild.textContent = text);
  box.replaceChildren(h("span", {}, text), ...(button ? [h("button", { class: "small", onclick: button[1] }, button[0])] : []));
  box.hidden = false;
  announce(text);
  if (!stays) toastTimer = setTimeout(hideToast, Math.min(9000, 2600 + text.length * 45));
}

export function hideToast() {
  clearTimeout(toastTimer);
  $("toast").hidden = true;
}

/** Shows a notice below the bar until one of its buttons is pressed.
 * @param {string} text @param {[string, () => void][]} buttons @param {{isWarning?: boolean}} [options] */
export function banner(text, buttons, { isWarning = false } = {}) {
  const box = $("banner");
  const close = () => { box.hidden = true; };
  box.className = isWarning ? "banner warning" : "banner";
  box.replaceChildren(h("span", {}, text), ...buttons.map(([name, run], i) => h("button", {
    class: i === 0 ? "small primary" : "small", onclick: () => { close(); run(); },
  }, name)));
  box.hidden = false;
  announce(text);
}

/** Fills the page's dialog and opens it. @param {string} title @param {any[]} content @param {string} [size] */
export function openDialog(title, content, size = "") {
  const dialog = $("dialog");
  dialog.className = size;
  dialog.replaceChildren(
    h("div", { class: "head" }, h("h2", { id: "dialog-title" }, title), h("button", { class: "quiet icon", "aria-label": "Close", onclick: closeDialog }, "✕")),
    ...content);
  if (!dialog.open) dialog.showModal();
}

export function closeDialog() {
  if ($("dialog").open) $("dialog").close();
}
