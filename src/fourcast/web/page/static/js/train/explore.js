// What every move of a position leads to, and how easily the opponent goes wrong after it, as
// `fourcast explore` says it.

import { columnsFromCenter, keepingColumns } from "./attempt.js";
import { columnName } from "../words/names.js";

/** @typedef {import("../backend/positions.js").PositionQuery} PositionQuery */
/** @typedef {import("../core/types.js").Outcome} Outcome */
/** @typedef {import("./attempt.js").Judge} Judge */
/**
 * @typedef {object} ExploredMove
 * @property {number} column
 * @property {Outcome} outcome of the side that moves
 * @property {number} score
 * @property {number[]} replies the columns with which the opponent can reply
 * @property {number[]} keeping those that keep what the opponent then has
 */

const WORTH = { win: 2, draw: 1, loss: 0 };

/** Look at what follows a move. @param {PositionQuery} query
 * @param {{ column: number, outcome: Outcome | null, score: number | null }} line @param {Judge} judge
 * @returns {Promise<ExploredMove>} */
export async function exploreMove(query, { column, outcome, score }, judge) {
  const after = { ...query, moves: query.moves + columnName(column) };
  const { is_over: isOver } = await judge.position(after);
  const solved = isOver ? null : await judge.solve(after);
  return {
    column,
    outcome: outcome ?? "draw",
    score: score ?? 0,
    replies: solved ? solved.columns.map((reply) => reply.column) : [],
    keeping: solved ? keepingColumns(solved) : [],
  };
}

/** How many replies give something away. @param {ExploredMove} move */
export function trapsOf({ replies, keeping }) {
  return replies.length - keeping.length;
}

/** Of the moves with the best outcome, the one after which most replies give something away; of several the
 * one with the better score, then the one nearest the center. @param {ExploredMove[]} moves @param {number} width */
export function mostTesting(moves, width) {
  const best = Math.max(...moves.map(({ outcome }) => WORTH[outcome]));
  const order = columnsFromCenter(width);
  const share = (/** @type {ExploredMove} */ move) => trapsOf(move) / (move.replies.length || 1);
  const far = (/** @type {ExploredMove} */ { column }) => order.indexOf(column);
  const kept = moves.filter(({ outcome }) => WORTH[outcome] === best);
  return kept.sort((a, b) => share(b) - share(a) || b.score - a.score || far(a) - far(b))[0] ?? null;
}

// ---- Orders of moves -----------------------------------------------------------------------------------
//
// Whoever explores a position looks at a game that is not over: no order of its discs makes a four on the
// way, because all of them would still be there.

const MOST_DISCS = 16; // with more of them orders are not counted

/** The orders of moves that lead to *cells* (rows from the bottom): how many, and up to *most* others than
 * *moves*. Null if there are too many discs. @param {number[][]} cells @param {string} moves */
export function ordersOf(cells, moves, most = 3) {
  const goal = cells[0].map((_, column) => cells.map((row) => row[column]).filter(Boolean));
  if (goal.flat().length > MOST_DISCS) return null;
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** The columns where the next disc can lie as in the goal. @param {number[]} heights */
  const next = (heights) => {
    const turn = 1 + (heights.reduce((sum, height) => sum + height, 0) % 2);
    return heights.flatMap((height, column) => (goal[column][height] === turn ? [column] : []));
  };
  const raised = (/** @type {number[]} */ heights, /** @type {number} */ column) =>
    heights.with(column, heights[column] + 1);
  /** @param {number[]} heights @returns {number} */
  const count = (heights) => {
    const key = heights.join();
    const isThere = heights.every((height, column) => height === goal[column].length);
    const found =
      counts.get(key) ??
      (isThere ? 1 : next(heights).reduce((sum, column) => sum + count(raised(heights, column)), 0));
    counts.set(key, found);
    return found;
  };
  /** @param {number[]} heights @param {string} played @returns {Generator<string>} */
  const walk = function* (heights, played) {
    if (!count(heights)) return;
    if (heights.every((height, column) => height === goal[column].length)) yield played;
    for (const column of next(heights)) {
      yield* walk(raised(heights, column), played + columnName(column));
    }
  };
  const empty = goal.map(() => 0);
  const others = [];
  for (const order of walk(empty, "")) {
    if (order !== moves) others.push(order);
    if (others.length === most) break;
  }
  return { count: count(empty), others: others.sort() };
}
