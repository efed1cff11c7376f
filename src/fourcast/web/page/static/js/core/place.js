// Positions in the questions to the core, which native/board/position_value.hpp reads, and in its answers.

/** @import * as types from "./types.js" */

/** @param {string | types.PositionQuery} place @returns {{ rows?: string, moves?: string, width?: number, height?: number }} */
export function placeRequest(place) {
  if (typeof place === "string") return { moves: place };
  const { start, moves, width, height } = place;
  return start ? { rows: start, moves } : { moves, width, height };
}

/** An answer with its bitboards as numbers: large ones are strings of digits. @template {{ first: unknown, second: unknown }} T
 * @param {T} answer @returns {T & { first: number, second: number }} */
export function withNumbers(answer) {
  return { ...answer, first: Number(answer.first), second: Number(answer.second) };
}
