// Keys on the free board, and what is pasted anywhere on its page.

import { hasModifier, isWithin } from "../elements/dom.js";
import { columnOf } from "../words/names.js";
import { chooseColumn, redo, step, undo } from "./board-edit.js";
import { soon } from "./board-show.js";

/** @type {Record<string, (at: number) => number>} */
const STEPS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: () => Infinity,
};

/** @param {BoardPage} page */
export function listenForKeys(page) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    if (isWithin(event, "input:not([type=radio]), textarea, select, dialog")) return;
    if (hasModifier(event)) command(page, event);
    else if (isWithin(event, "input[type=radio]")) {
      // Arrow keys choose among the tools while these have the focus; digits still go to the board.
      const column = columnOf(event.key);
      if (column >= 0 && column < page.state.width) chooseColumn(page, column);
    } else if (Object.hasOwn(STEPS, event.key)) {
      event.preventDefault();
      step(page, STEPS[event.key]);
    }
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trim() || isWithin(event, "input, textarea, dialog")) return;
    event.preventDefault();
    page.entry.paste(text);
  });
}

/** @param {BoardPage} page @param {KeyboardEvent} event */
function command(page, event) {
  const key = event.key.toLowerCase();
  const isUndo = key === "z" && !event.shiftKey;
  const isRedo = key === "y" || (key === "z" && event.shiftKey);
  if (!isUndo && !isRedo) return;
  event.preventDefault();
  soon(page, () => (isUndo ? undo(page) : redo(page)));
}
