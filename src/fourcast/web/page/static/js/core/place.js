// Positions in the questions to the core, which native/board/position_value.hpp reads.

/** @import * as types from "./types.js" */

/** @param {string | types.PositionQuery} place @returns {{ rows?: string, moves?: string, width?: number, height?: number }} */
export function placeRequest(place) {
  if (typeof place === "string") return { moves: place };
  const { start, moves, width, height } = place;
  return start ? { rows: start, moves } : { moves, width, height };
}
