// A puzzle, as the core hands it over and takes it back; docs/puzzles.md describes it.

import { moveString } from "../words/names.js";

/**
 * @typedef {object} Puzzle
 * @property {string} id the name that it shares with its mirror image
 * @property {number} width
 * @property {number} height
 * @property {string} moves the game that led to the position
 * @property {"win" | "keep win" | "keep draw" | "better" | "break"} goal
 * @property {number[]} solution columns: the player's, the reply, the player's, and so on
 * @property {"four" | "plan" | "choice"} ending
 * @property {number | null} tempting the wrong column that the levels played most often
 * @property {number} rating
 * @property {number} error half the width of the 95% interval of the rating; 0 if it has none
 * @property {string[]} themes
 */
/**
 * @typedef {object} Attempt
 * @property {Puzzle} puzzle
 * @property {number[]} columns the moves of both sides since it began
 * @property {"open" | "solved" | "failed"} state
 * @property {Said | null} [said] of a column that wins, but not as quickly: it was taken back
 */

/** The position of a puzzle after *columns*. @param {Puzzle} puzzle @param {number[]} columns
 * @returns {PositionQuery} */
export function queryAfter({ moves, width, height }, columns) {
  return { start: "", moves: moves + moveString(columns), width, height };
}
