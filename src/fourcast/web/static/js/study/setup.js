// Positions that are being set up: a grid of discs which need not be a position of the game yet.
//
// Whether it is one, and who is to move, the server says. All that happens here is that a disc lies on
// those below it, as it would lie on a table.

import { nameOf } from "./words.js";

const LETTERS = [".", "X", "O"];

/** The rows of a grid from the top, as `start` has them; empty for an empty board. */
export function startOf(cells) {
  if (cells.every((row) => row.every((player) => !player))) return "";
  return cells.map((row) => row.map((player) => LETTERS[player]).join("")).reverse().join("/");
}

/** The grid of a `start`, rows from the bottom, or null if it is none. */
export function cellsOf(start, width, height) {
  if (!start) return Array.from({ length: height }, () => Array(width).fill(0));
  const rows = start.split("/").reverse();
  if (rows.some((row) => row.length !== rows[0].length || /[^XO.]/.test(row))) return null;
  return rows.map((row) => [...row].map((letter) => LETTERS.indexOf(letter)));
}

/** A copy of *cells* with a disc of *player* on top of a column, or null if there is no room. */
export function withDisc(cells, column, player) {
  const row = cells.findIndex((each) => !each[column]);
  return row < 0 ? null : replaced(cells, column, row, player);
}

/** A copy of *cells* without the top disc of a column, or null if there is none. */
export function withoutTop(cells, column) {
  const row = cells.findLastIndex((each) => each[column]);
  return row < 0 ? null : replaced(cells, column, row, 0);
}

function replaced(cells, column, row, player) {
  return cells.map((each, index) => (index === row ? each.with(column, player) : each));
}

/** How many discs lie there: "3 red, 2 blue". */
export function countsOf(cells) {
  const count = (player) => cells.flat().filter((each) => each === player).length;
  return `${count(1)} ${nameOf(1).toLowerCase()}, ${count(2)} ${nameOf(2).toLowerCase()}`;
}

/** What a board can draw of a grid that is no position, or of which it is not known yet. */
export function draftOf(cells) {
  return {
    width: cells[0].length,
    height: cells.length,
    start: startOf(cells),
    moves: "",
    ply: cells.flat().filter(Boolean).length,
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
    diagram: startOf(cells),
    text: `Being set up: ${countsOf(cells)}.`,
    isDraft: true,
  };
}
