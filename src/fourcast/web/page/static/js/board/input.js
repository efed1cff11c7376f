// What people do with a board: mouse, touch and keys choose a column, or are told why none can be chosen.

import { hasModifier, isWithin, stepByKey } from "../elements/dom.js";
import { announce } from "../shell/announce.js";
import { columnName, columnOf } from "../words/names.js";
import { t } from "../words/text.js";
import { drawHover, makeCurrent } from "./draw.js";
import { land } from "./fall.js";
import { popsOf } from "./pops.js";
import { isOpen } from "./state.js";

const NOTE_MS = 3000; // how long a refusal is shown

/** @param {Board} board @param {Document | HTMLElement} keysFrom */
export function listen(board, keysFrom) {
  const { columns, pops } = board;
  pops.addEventListener("click", (event) => {
    const column = columnAt(event);
    if (column !== null) choose(board, board.size.width + column);
  });
  pops.addEventListener("keydown", (event) => stepUp(board, event));
  columns.addEventListener("click", (event) => {
    const column = columnAt(event);
    if (column === null) return;
    // A click leaves the arrow keys to stepping; somebody who came by the tab key chooses columns with them.
    if (event.detail > 0) board.buttons[column]?.blur();
    choose(board, column);
  });
  columns.addEventListener("keydown", (event) => step(board, event));
  columns.addEventListener("focusin", () => drawHover(board));
  columns.addEventListener("focusout", () => drawHover(board));
  // A finger does not point before it touches.
  const point = (/** @type {PointerEvent} */ event) =>
    pointTo(board, event.pointerType === "touch" ? null : columnAt(event));
  columns.addEventListener("pointerover", point);
  columns.addEventListener("pointerleave", () => pointTo(board, null));
  keysFrom.addEventListener("keydown", (event) => key(board, /** @type {KeyboardEvent} */ (event)));
}

/** Give the button of a column the focus. @param {Board} board @param {number} column */
export function focusColumn(board, column) {
  makeCurrent(board, column);
  board.buttons[column]?.focus();
}

/** @param {Board} board */
export function hideNote({ note, noteTimer }) {
  clearTimeout(noteTimer);
  note.hidden = true;
}

/** Choose a column, or in PopOut the move that takes a disc out of one. @param {Board} board @param {number} move */
function choose(board, move) {
  const { isEnabled, position, size, whyNot } = board;
  const column = move % size.width;
  const isDrop = move < size.width;
  if (!position) refuse(board, t("board.loading"));
  else if (!isEnabled) refuse(board, whyNot);
  else if (!isOpen(board, move)) {
    refuse(board, t(isDrop ? "board.column_full" : "board.no_pop", { column: columnName(column) }));
  } else {
    hideNote(board);
    makeCurrent(board, column);
    land(board);
    board.onColumn(move);
  }
}

/** Say on the board, and to a screen reader, why nothing happens. @param {Board} board @param {string} why */
function refuse(board, why) {
  if (!why) return;
  announce(why);
  hideNote(board);
  board.note.textContent = why;
  board.note.hidden = false;
  board.noteTimer = window.setTimeout(() => hideNote(board), NOTE_MS);
}

/** The column of the button that an event is about, or null. @param {Event} event */
function columnAt({ target }) {
  const button = target instanceof Element ? target.closest("[data-column]") : null;
  return button instanceof HTMLElement ? Number(button.dataset.column) : null;
}

/** @param {Board} board @param {number | null} column */
function pointTo(board, column) {
  board.pointed = column;
  drawHover(board);
}

/** Arrow keys, Home and End lead from column to column. @param {Board} board @param {KeyboardEvent} event */
function step(board, event) {
  const pop = popsOf(board)[board.current];
  if (event.key === "ArrowDown" && !hasModifier(event) && pop?.tabIndex === 0) {
    event.preventDefault();
    pop.focus();
    return;
  }
  const last = board.buttons.length - 1;
  const target = board.isEnabled ? stepByKey(event, board.current, last) : null;
  if (target !== null) focusColumn(board, Math.min(Math.max(target, 0), last));
}

/** From a button below a column back to the column. @param {Board} board @param {KeyboardEvent} event */
function stepUp(board, event) {
  if (event.key !== "ArrowUp" || hasModifier(event)) return;
  event.preventDefault();
  focusColumn(board, board.current);
}

/** The name of a column chooses it; in PopOut after the key p to take a disc out of it.
 * @param {Board} board @param {KeyboardEvent} event */
function key(board, event) {
  if (!board.root.isConnected || board.root.hidden) return;
  if (event.defaultPrevented || hasModifier(event) || event.repeat) return;
  if (isWithin(event, "input, textarea, select, dialog, [contenteditable]")) return;
  const isPop = board.hasP;
  board.hasP = board.rules.pop && event.key.toLowerCase() === "p";
  const column = columnOf(event.key);
  if (column < 0 || column >= board.buttons.length) return;
  event.preventDefault();
  choose(board, isPop ? board.size.width + column : column);
}
