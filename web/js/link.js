// @ts-check
// Links that contain a whole session: its program, its journal and the position, deflated.
import { $, download, h } from "./dom.js";
import { ServedEngine } from "./engine.js";
import { closeDialog, openDialog, toast } from "./notify.js";
import { whileBusy } from "./session.js";
import { isInPast, state } from "./store.js";

/** Longer links are cut by mail programs and chats. */
const MAX_LINK_CHARACTERS = 8192;
/** More than this is no link that this page has made. */
const MAX_UNPACKED_BYTES = 4 << 20;

/** @param {any} value @returns {Promise<string>} */
export async function packLink(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} text @returns {Promise<{session: string, time?: number}>} */
export async function unpackLink(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let json = "", size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_UNPACKED_BYTES) throw new Error("the link is too large");
    json += decoder.decode(value, { stream: true });
  }
  const link = JSON.parse(json + decoder.decode());
  if (link.v !== 1 || typeof link.s !== "string") throw new Error("this is not a link of this page");
  return { session: link.s, time: Number.isSafeInteger(link.at) ? link.at : undefined };
}

/** Offers a link to what is shown, or a file if it would be too long. */
export const share = () => whileBusy(offerLink);

async function offerLink() {
  const { ok, session, time, error } = await state.engine.request({ request: "session" });
  if (!ok) return void toast(error);
  const name = `${state.file.replace(/\.\w+$/, "") || "game"}.session`;
  const packed = await packLink({ v: 1, s: session, ...(isInPast() ? { at: time } : {}) });
  const url = `${location.href.split("#")[0]}#s=${packed}`;
  const asFile = h("button", { onclick: () => { download(name, session); closeDialog(); } }, "Download as a file");
  const past = isInPast() ? " It opens at this moment in the past." : "";
  if (state.engine instanceof ServedEngine || packed.length > MAX_LINK_CHARACTERS) {
    const reason = state.engine instanceof ServedEngine ? "This page runs on your computer alone, so a link to it would work only here." : "This game is too long for a link.";
    return openDialog("Share", [h("div", { class: "dialog-body" }, h("p", {}, `${reason} A file has all of it: drop it onto the page to open it.${past}`), asFile)], "narrow");
  }
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link", class: "field", value: url, onfocus: () => field.select() });
  const copy = h("button", { class: "primary", onclick: () => copyLink(field) }, "Copy the link");
  openDialog("Share", [h("div", { class: "dialog-body" },
    h("p", {}, `The link contains the program and all moves (${packed.length.toLocaleString("en")} characters).${past} It is sent nowhere: whoever opens it can play on.`),
    h("p", { class: "buttons" }, field), h("p", { class: "buttons" }, copy, asFile))], "narrow");
  $("dialog").querySelector(".primary")?.focus();
}

/** @param {any} field */
async function copyLink(field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    toast("Copied");
    closeDialog();
  } catch {
    toast("Press Ctrl+C to copy the link");
  }
}
