// @ts-check
// The form for a breakpoint's condition and message.
import { $, h } from "./dom.js";
import { type } from "./session.js";

/** @param {any} line @param {any} point @param {string | null} argument */
export function openBreakpointForm(line, point, argument) {
  if (!argument) return;
  const form = $("breakpoint-form");
  const condition = h("input", { type: "text", id: "breakpoint-condition", autocomplete: "off", spellcheck: "false", placeholder: "always" });
  const message = h("input", { type: "text", id: "breakpoint-message", autocomplete: "off", spellcheck: "false", placeholder: "stop" });
  condition.value = point?.condition ?? "";
  message.value = point?.log_message ?? "";
  const close = () => {
    form.hidden = true;
    /** @type {any} */ ($("code").querySelector('.gutter[tabindex="0"]'))?.focus();
  };
  form.replaceChildren(
    h("h3", {}, `Breakpoint on line ${line.line}`),
    h("label", { for: "breakpoint-condition" }, "Only if"), condition,
    h("label", { for: "breakpoint-message" }, "Print instead"), message,
    h("div", { class: "buttons" },
      h("button", { class: "primary small", type: "submit" }, "Save"),
      point ? h("button", { class: "small", type: "button", onclick: async () => { close(); await type(`:delete ${point.id}`, { log: false }); } }, "Delete") : null,
      h("button", { class: "small quiet", type: "button", onclick: close }, "Cancel"),
      h("span", { class: "note" }, "A message may contain values: {turn}")));
  form.onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    await saveBreakpoint(point, argument, condition.value.trim(), message.value.trim());
  };
  form.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
  };
  form.hidden = false;
  condition.focus();
}

/** @param {any} point @param {string} argument @param {string} condition @param {string} message */
async function saveBreakpoint(point, argument, condition, message) {
  if (point) await type(`:delete ${point.id}`, { log: false });
  const suffix = condition ? ` if ${condition}` : "";
  await type(message ? `:log ${argument} ${JSON.stringify(message)}${suffix}` : `:break ${argument}${suffix}`, { log: false });
}
