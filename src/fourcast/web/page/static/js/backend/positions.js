// How positions are named in addresses, and the ones that were asked for.

import { gamePage, pageAddress } from "./addresses.js";
import { ask } from "./backend.js";
import { Recent } from "./recent.js";
import { emptyStart, movesIn, rulesText } from "../core/rules.js";
import { STANDARD, isSameSize } from "../words/sizes.js";

/**
 * @typedef {object} PositionQuery What names a position: moves, from the empty board or from *start*, which
 *   also says what the rules are if they are not the standard ones.
 * @property {string} start
 * @property {string} moves
 * @property {number} width
 * @property {number} height
 */

const KEPT = 300; // positions, some KB each

/** The part of an address that names a position; nothing that goes without saying.
 * @param {PositionQuery} query */
export function queryOf({ start, moves, width, height }) {
  /** @type {Record<string, string>} */
  const query = {};
  const rules = rulesText(start);
  const isEmpty = start === emptyStart({ width, height }, rules);
  if (rules && isEmpty) query.rules = rules;
  if (!isEmpty) query.start = start;
  else if (!isSameSize({ width, height }, STANDARD)) {
    Object.assign(query, { width: String(width), height: String(height) });
  }
  if (moves) query.moves = moves;
  return query;
}

/** The same in the address of a page, where the size is one word. @param {PositionQuery} position */
export function pageQuery(position) {
  const { width, height, ...query } = queryOf(position);
  return new URLSearchParams({ ...(width && { size: `${width}x${height}` }), ...query });
}

/** @typedef {{ analysis?: boolean, review?: boolean }} Wishes What a link opens with. */

/** The address of a position on the free board. With *at* it opens at that move of a longer game.
 * @param {PositionQuery} position @param {number} [at] @param {Wishes} [wishes] */
export function boardAddress(position, at = Infinity, wishes = {}) {
  const query = pageQuery(position);
  if (at < movesIn(position).length) query.set("at", String(at));
  return pageAddress("board", withWishes(query, wishes));
}

/** The address of a live game, opened at move *at*; null is where it stands.
 * @param {string} id @param {number | null} at @param {Wishes} [wishes] */
export function gameAddress(id, at, wishes = {}) {
  return gamePage(id, withWishes(new URLSearchParams(at === null ? {} : { at: String(at) }), wishes));
}

/** @param {URLSearchParams} query @param {Wishes} wishes */
function withWishes(query, { analysis = false, review = false }) {
  if (analysis) query.set("analysis", "on");
  if (review) query.set("review", "on");
  return query;
}

/** The position after the first *count* moves. @param {PositionQuery} query @param {number} count @returns {PositionQuery} */
export function upTo({ start, moves, width, height }, count) {
  return { start, moves: movesIn({ start, moves }).slice(0, count).join(""), width, height };
}

/** @type {Recent<PositionView>} */
const known = new Recent(KEPT);

/** Ask for a position; those asked for before are remembered, the oldest forgotten.
 * @param {PositionQuery} query @returns {Promise<PositionView>} */
export async function fetchPosition(query) {
  const named = queryOf(query);
  const key = JSON.stringify(named);
  const found = known.get(key);
  if (found) return found;
  const position = await ask("/api/position", named);
  known.set(key, position);
  return position;
}
