// The states of the free board, and how they are named in addresses.

import { ApiError } from "../api.js";
import { colorName, inDiscs } from "../names.js";
import { cellsOf, countsOf, draftOf } from "../setup.js";
import { STANDARD } from "../sizes.js";
import { describeError } from "../words.js";

/** @typedef {import("../board.js").Shown} Shown */
/** @typedef {import("../sizes.js").Size} Size */
/**
 * What is on the page: `at` moves of `moves` are on the board, the others can be stepped to. Undo and redo
 * go through the states that there were.
 * @typedef {import("../positions.js").PositionQuery & { at: number }} State
 */

/** @param {Size} size @returns {State} */
export function emptyState({ width, height }) {
  return { start: "", moves: "", width, height, at: 0 };
}

/** The state that an address names. @param {string} search @returns {State} */
export function stateOf(search) {
  const query = new URLSearchParams(search);
  const number = (/** @type {string} */ name, /** @type {number} */ fallback) => {
    const text = query.get(name) ?? "";
    return /^\d{1,3}$/.test(text) ? Number(text) : fallback;
  };
  const start = query.get("start") ?? "";
  const moves = query.get("moves") ?? "";
  const cells = start ? cellsOf(start) : null;
  return {
    start,
    moves,
    width: cells ? cells[0].length : number("width", STANDARD.width),
    height: cells ? cells.length : number("height", STANDARD.height),
    at: Math.min(number("at", moves.length), moves.length),
  };
}

/** What is being set up, if that is why the server refused *state*. @param {State} state @param {unknown} error */
export function draftInstead({ start, moves }, error) {
  const isRefused = error instanceof ApiError && error.status === 400;
  const cells = isRefused && start && !moves ? cellsOf(start) : null;
  return cells && draftOf(cells, inDiscs(describeError(error)));
}

/** Whether no move can be made there. @param {Shown} position */
export function isEnd(position) {
  return position.is_over || Boolean(position.isDraft);
}

/** @param {Shown} position */
export function describePosition(position) {
  if (position.isDraft) return `Not a position yet: ${countsOf(position.cells)}.`;
  if (position.winner) return `${colorName(position.winner)} has won.`;
  return position.is_over ? "A draw." : `${colorName(position.turn)} to move.`;
}
