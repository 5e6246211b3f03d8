// @ts-check
// Making and finding elements. Text of answers always becomes text nodes, never HTML.

/** The element with this id, which `index.html` has.
 * @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/** A new element. Attributes that are null, undefined or false are left out, functions are properties
 * such as `onclick`, and `style` sets custom properties. Strings among the children become text.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...any} children @returns {any} */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {HTMLElement} element @param {Record<string, any>} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") /** @type {any} */ (element)[name] = value;
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, String(text));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** An icon that `index.html` defines. @param {string} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg"), use = document.createElementNS(space, "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Text that is only seen: what is spoken is the name of the element around it. @param {string} name @param {string} text */
export const drawnText = (name, text) => h("span", { class: name || null, "data-text": text, "aria-hidden": "true" });

/** Class names, without those that are false. @param {...any} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** @param {number} count @param {string} word */
export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** Replaces the content of a container, and keeps the focus on the element that has the same `data-key`.
 * @param {HTMLElement} container @param {any[]} children */
export function replace(container, children) {
  const active = document.activeElement;
  const focused = active && container.contains(active) && active !== container ? keyOf(active) : null;
  const caret = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement && active.type === "text" ? active.selectionStart : null;
  container.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  if (focused === null) return;
  const again = /** @type {any} */ ([...container.querySelectorAll("button, input, textarea, select, [tabindex]")].find((element) => keyOf(element) === focused));
  if (again) {
    again.focus({ preventScroll: true });
    if (caret !== null && again.setSelectionRange) again.setSelectionRange(caret, caret);
  } else {
    // What had the focus is gone: its container takes it, so that Tab goes on from here.
    if (!container.hasAttribute("tabindex")) container.tabIndex = -1;
    container.focus({ preventScroll: true });
  }
}

/** @param {Element} element */
const keyOf = (element) => element.getAttribute("data-key") ?? element.getAttribute("aria-label") ?? element.textContent;

/** Text in which `code` is marked with backticks. @param {string} text */
export const prose = (text) => text.split(/(`[^`]+`)/).map((piece) => (/^`.+`$/.test(piece) ? h("code", {}, piece.slice(1, -1)) : piece));

/** Offers a text as a download. @param {string} name @param {string} text @param {string} [type] */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Whether the page has the layout of a phone. */
export const isPhone = () => matchMedia("(max-width: 720px)").matches;
