// The states of the free board, and how they are named in addresses.

import { ApiError } from "../backend/api-error.js";
import { fetchPosition, upTo } from "../backend/positions.js";
import { emptyStart, movesIn, rulesText } from "../core/rules.js";
import { colorName } from "../words/names.js";
import { cellsOf, countsOf, draftOf } from "../elements/setup.js";
import { STANDARD } from "../words/sizes.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

/**
 * What is on the page: `at` moves of `moves` are on the board, the others can be stepped to. Undo and redo
 * go through the states that there were.
 * @typedef {PositionQuery & { at: number }} State
 */

/** @param {Size} size @returns {State} */
export function emptyState({ width, height }, rules = "") {
  return { start: emptyStart({ width, height }, rules), moves: "", width, height, at: 0 };
}

/** The state that an address names. @param {string} search @returns {State} */
export function stateOf(search) {
  const query = new URLSearchParams(search);
  const number = (/** @type {string} */ name, /** @type {number} */ fallback) => {
    const text = query.get(name) ?? "";
    return /^\d{1,3}$/.test(text) ? Number(text) : fallback;
  };
  const [, columns, rows] = /^(\d{1,2})x(\d{1,2})$/.exec(query.get("size") ?? "") ?? [];
  const given = query.get("start") ?? "";
  const moves = query.get("moves") ?? "";
  const cells = given ? cellsOf(given) : null;
  const width = cells ? cells[0].length : Number(columns ?? number("width", STANDARD.width));
  const height = cells ? cells.length : Number(rows ?? number("height", STANDARD.height));
  const start = given || emptyStart({ width, height }, query.get("rules") ?? "");
  const total = movesIn({ start, moves }).length;
  return { start, moves, width, height, at: Math.min(number("at", total), total) };
}

/** The position of a state. A line that cannot be played to its end is no line, so that its end is asked for first.
 * @param {State} state */
export async function positionOf(state) {
  if (state.at < movesIn(state).length) await fetchPosition(state);
  return fetchPosition(upTo(state, state.at));
}

/** What is being set up, if that is why the server refused *state*. @param {State} state @param {unknown} error */
export function draftInstead({ start, moves }, error) {
  const isRefused = error instanceof ApiError && error.status === 400;
  const cells = isRefused && start && !moves ? cellsOf(start) : null;
  return cells && draftOf(cells, describeError(error), rulesText(start));
}

/** Whether no move can be made there. @param {Shown} position */
export function isEnd(position) {
  return position.is_over || Boolean(position.isDraft);
}

/** @param {Shown} position */
export function describeStanding(position) {
  if (position.isDraft) return t("free.not_a_position_with", { counts: countsOf(position.cells) });
  if (position.winner) return t("analysis.has_won", { player: colorName(position.winner) });
  return position.is_over
    ? t("analysis.a_draw")
    : t("free.says_to_move", { player: colorName(position.turn) });
}

const MOST_BRANCHES = 8;

/** The other lines that are kept when *line* takes the place of *before*: each that is not a part of
 * another one. @param {string[]} branches @param {string} before @param {string} line */
export function keepBranches(branches, before, line) {
  const all = [...new Set([before, ...branches])].filter((each) => each && !line.startsWith(each));
  const isPart = (/** @type {string} */ each) =>
    all.some((other) => other !== each && other.startsWith(each));
  return all.filter((each) => !isPart(each)).slice(0, MOST_BRANCHES);
}

/** How many moves two lines from *start* have in common. @param {string} start @param {string} one @param {string} other */
export function commonMoves(start, one, other) {
  const [moves, others] = [one, other].map((line) => movesIn({ start, moves: line }));
  let count = 0;
  while (count < moves.length && moves[count] === others[count]) count += 1;
  return count;
}
