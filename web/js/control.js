// @ts-check
// What an answer asks the page to do: open the editor, play with keys, step slowly, offer files.
import { download } from "./dom.js";
import { announce, toast } from "./notify.js";
import { focusBoard } from "./board.js";
import { openEditor } from "./editor.js";
import { clearLog } from "./log.js";
import { prefill } from "./prompt.js";
import { startSlowMotion } from "./transport.js";

/** @param {any} answer */
export function handleControl(answer) {
  for (const file of answer.written_files ?? []) {
    download(file.name, file.text);
    announce(`${file.name} is offered as a download`);
  }
  const control = answer.control;
  if (!control) return;
  if (control.kind === "edit") openEditor(control.file === null ? control.text : undefined);
  else if (control.kind === "play_keys") focusBoard();
  else if (control.kind === "animate") startSlowMotion(control.delay_ms);
  else if (control.kind === "prefill") prefill(control.text);
  else if (control.kind === "clear_screen") clearLog();
  else if (control.kind === "quit") toast("Close the tab to leave. Your game is kept in this browser.");
}
