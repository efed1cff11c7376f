// Positions that are being set up: a grid of discs which need not be a position of the game yet.
//
// Whether it is one, and who is to move, the server says. All that happens here is that a disc lies on
// those below it, as it would lie on a table.

import { SIDES, colorInside, columnName, otherSide } from "../words/names.js";
import { t } from "../words/text.js";

/** @typedef {number[][]} Cells Rows from the bottom; 0, 1 or 2. */

const LETTERS = [".", "X", "O"];

/** A grid without discs. @param {Size} size @returns {Cells} */
export function emptyCells({ width, height }) {
  return Array.from({ length: height }, () => Array(width).fill(0));
}

/** The rows of a grid from the top, as `start` has them, with the rules of that text; empty for an empty board of
 * the standard ones. @param {Cells} cells */
export function startOf(cells, rules = "") {
  if (!rules && cells.every((row) => row.every((player) => !player))) return "";
  const rows = cells.map((row) => row.map((player) => LETTERS[player]).join(""));
  return rows.reverse().join("/") + (rules && `:${rules}`);
}

/** The grid of a `start`, or null if it is none. @param {string} start @returns {Cells | null} */
export function cellsOf(start) {
  const rows = start.split(":")[0].split("/").reverse();
  if (rows.some((row) => !row || row.length !== rows[0].length || /[^XO.]/.test(row))) return null;
  return rows.map((row) => [...row].map((letter) => LETTERS.indexOf(letter)));
}

/** A `start` as in a mirror. @param {string} start */
export function mirrorStart(start) {
  const [board, ...rules] = start.split(":");
  const rows = board.split("/").map((row) => [...row].reverse().join(""));
  return [rows.join("/"), ...rules].join(":");
}

/** A copy of *cells* with a disc on top of a column, or null if there is no room.
 * @param {Cells} cells @param {number} column @param {Side} player */
export function withDisc(cells, column, player) {
  const row = cells.findIndex((each) => !each[column]);
  return row < 0 ? null : replaced(cells, column, row, player);
}

/** A copy of *cells* without the top disc of a column, or null if there is none.
 * @param {Cells} cells @param {number} column */
export function withoutTop(cells, column) {
  const row = cells.findLastIndex((each) => each[column]);
  return row < 0 ? null : replaced(cells, column, row, 0);
}

/** @param {Cells} cells @param {number} column @param {number} row @param {number} player */
function replaced(cells, column, row, player) {
  return cells.map((each, index) => (index === row ? each.with(column, player) : each));
}

/** *position* with a disc dropped into *column*, to be drawn until the server has answered: whether that
 * ends the game, the server says. @param {Shown} position @param {number} column
 * @returns {Shown} */
export function afterDrop(position, column) {
  const { turn, height, legal_columns: open } = position;
  const isDrop = column < position.width && open.includes(column);
  const cells = isDrop ? withDisc(position.cells, column, turn) : null;
  if (!cells) return position;
  const row = cells.findLastIndex((each) => each[column]);
  return {
    ...position,
    cells,
    moves: position.moves + columnName(column),
    ply: position.ply + 1,
    next_ply: position.next_ply + 1,
    turn: otherSide(turn),
    legal_columns: open.filter((each) => each < position.width && !cells[height - 1][each]),
    last_move: [column, row],
    threats_first: [],
    threats_second: [],
    diagram: startOf(cells),
  };
}

/** How many discs lie there: "3 red, 2 yellow". @param {Cells} cells */
export function countsOf(cells) {
  const count = (/** @type {Side} */ side) => cells.flat().filter((each) => each === side).length;
  return SIDES.map((side) => t("setup.count", { count: count(side), color: colorInside(side) })).join(
    ", ",
  );
}

/** What a board can draw of a grid that is no position, or of which it is not known yet.
 * @param {Cells} cells @param {string} [problem] why it is none
 * @returns {Shown} */
export function draftOf(cells, problem, rules = "") {
  const start = startOf(cells, rules);
  return {
    width: cells[0].length,
    height: cells.length,
    start,
    moves: "",
    ply: cells.flat().filter(Boolean).length,
    next_ply: cells.flat().filter(Boolean).length,
    turn: 1,
    cells,
    legal_columns: [],
    last_move: null,
    winner: null,
    is_over: false,
    is_draw: false,
    winning_squares: [],
    threats_first: [],
    threats_second: [],
    diagram: start,
    text: start ? t("setup.being", { counts: countsOf(cells) }) : t("setup.empty"),
    isDraft: true,
    problem,
  };
}
