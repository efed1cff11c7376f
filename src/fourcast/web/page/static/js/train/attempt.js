// An attempt to solve a puzzle, judged as `fourcast.puzzles` does.

import { columnName, columnsOf, otherSide } from "../words/names.js";
import { upTo } from "../backend/positions.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/** @typedef {import("../backend/positions.js").PositionQuery} PositionQuery */
/** @typedef {import("../core/types.js").Outcome} Outcome */
/** @typedef {import("../core/types.js").Square} Square */
/**
 * @typedef {object} Solved The exact values of a position's columns.
 * @property {Outcome | null} outcome
 * @property {number[]} best_columns
 * @property {{ column: number, outcome: Outcome | null, score: number | null }[]} columns
 */
/**
 * @typedef {object} Judge Who knows the rules and the exact values.
 * @property {(query: PositionQuery) => Promise<Place>} position
 * @property {(query: PositionQuery) => Promise<Solved>} solve
 */
/**
 * @typedef {object} Place What an attempt needs to know of a position.
 * @property {Side} turn
 * @property {boolean} is_over
 * @property {number[][]} cells
 * @property {number} width
 * @property {number[][]} threats_first
 * @property {number[][]} threats_second
 */
/**
 * @typedef {object} Attempt
 * @property {Puzzle} puzzle
 * @property {number[]} columns the moves of both sides since it began
 * @property {"open" | "solved" | "failed"} state
 */

/** @param {Puzzle} puzzle @returns {Attempt} */
export function startOf(puzzle) {
  return { puzzle, columns: [], state: "open" };
}

/** The position of a puzzle after *columns*. @param {Puzzle} puzzle @param {number[]} columns @returns {PositionQuery} */
export function queryAfter({ moves, width, height }, columns) {
  return { start: "", moves: moves + columns.map(columnName).join(""), width, height };
}

/** What the opponent has just played, or null. @param {Attempt} attempt */
export function replyOf({ columns }) {
  return columns.length && columns.length % 2 === 0 ? columns[columns.length - 1] : null;
}

/** The columns that are right now. @param {Attempt} attempt @param {Judge} judge @returns {Promise<number[]>} */
export async function acceptedColumns({ puzzle, columns }, judge) {
  if (puzzle.goal.startsWith("keep") && isStartOf(columns, puzzle.solution)) {
    return puzzle.solution.slice(columns.length, columns.length + 1);
  }
  return rightColumns(await judge.solve(queryAfter(puzzle, columns)), puzzle.goal);
}

/** The attempt after the player's move, with the opponent's reply if it goes on. The column can be played.
 * @param {Attempt} attempt @param {number} column @param {Judge} judge @returns {Promise<Attempt>} */
export async function tryColumn(attempt, column, judge) {
  const { puzzle } = attempt;
  const played = [...attempt.columns, column];
  const follows = isStartOf(played, puzzle.solution);
  if (!follows && !(await acceptedColumns(attempt, judge)).includes(column)) {
    return { puzzle, columns: played, state: "failed" };
  }
  const query = queryAfter(puzzle, played);
  const { is_over: isOver } = await judge.position(query);
  if (isOver || played.length >= puzzle.solution.length) {
    return { puzzle, columns: played, state: "solved" };
  }
  const reply = follows ? puzzle.solution[played.length] : await bestReply(query, puzzle.goal, judge);
  return { puzzle, columns: [...played, reply], state: "open" };
}

/** The quickest columns, or those that keep the result. @param {Solved} solved @param {import("./puzzle.js").Goal} goal */
function rightColumns(solved, goal) {
  return goal === "win" ? solved.best_columns : keepingColumns(solved);
}

/** The columns that keep the outcome. @param {Solved} solved */
export function keepingColumns({ columns, outcome }) {
  return columns.filter((each) => each.outcome === outcome).map(({ column }) => column);
}

/** All columns, nearest to the center first, the left one first of two that are as near. @param {number} width */
export function columnsFromCenter(width) {
  const far = (/** @type {number} */ column) => Math.abs(column - (width - 1) / 2);
  return Array.from({ length: width }, (_, column) => column).sort((a, b) => far(a) - far(b) || a - b);
}

/** The opponent's move: of those that hold out longest, or keep the draw, one that blocks, then the one that
 * leaves the fewest right columns, then the one nearest the center.
 * @param {PositionQuery} query @param {import("./puzzle.js").Goal} goal @param {Judge} judge */
async function bestReply(query, goal, judge) {
  const position = await judge.position(query);
  const { best_columns: replies } = await judge.solve(query);
  const blocks = winningColumns(position, otherSide(position.turn)).filter((each) =>
    replies.includes(each),
  );
  const among = blocks.length ? blocks : replies;
  const order = columnsFromCenter(position.width).filter((column) => among.includes(column));
  if (order.length === 1) return order[0];
  let [best] = order;
  let fewest = Infinity;
  for (const column of order) {
    const after = { ...query, moves: query.moves + columnName(column) };
    const { is_over: isOver } = await judge.position(after);
    const count = isOver ? 0 : rightColumns(await judge.solve(after), goal).length;
    if (count < fewest) [best, fewest] = [column, count];
  }
  return best;
}

/** Where *side* completes a four with its next disc. @param {Place} position @param {Side} side */
export function winningColumns({ cells, threats_first: first, threats_second: second }, side) {
  const squares = side === 1 ? first : second;
  const open = squares.filter(([column, row]) => row === 0 || cells[row - 1][column]);
  return open.map(([column]) => column).sort((a, b) => a - b);
}

/** @param {number[]} columns @param {number[]} line */
function isStartOf(columns, line) {
  return columns.every((column, index) => column === line[index]);
}

/** An exercise of a mistake: find a better move than the one played; null if it kept the result.
 * @param {PositionQuery} game @param {number} number the move that was the mistake, from 1
 * @param {Judge} judge @returns {Promise<Puzzle | null>} */
export async function exerciseOf(game, number, judge) {
  const before = upTo(game, number - 1);
  const solved = await judge.solve(before);
  const [played] = columnsOf(game.moves.slice(number - 1, number));
  if (keepingColumns(solved).includes(played)) return null;
  const best = columnsFromCenter(game.width).find((each) => solved.best_columns.includes(each));
  if (best === undefined) return null;
  const { moves, width, height } = before;
  /** @type {Pick<Puzzle, "goal" | "ending" | "rating" | "error" | "themes">} */
  const kind = { goal: "better", ending: "choice", rating: 0, error: 0, themes: [] };
  return { ...kind, moves, solution: [best], tempting: played, width, height };
}
