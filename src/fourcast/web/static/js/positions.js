// How positions are named in addresses, and the ones that the server has told us about.

import { getJson } from "./api.js";
import { STANDARD, isSameSize } from "./sizes.js";

/**
 * @typedef {object} PositionQuery What names a position: moves, from the empty board or from *start*.
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
  if (start) query.start = start;
  else if (!isSameSize({ width, height }, STANDARD)) {
    Object.assign(query, { width: String(width), height: String(height) });
  }
  if (moves) query.moves = moves;
  return query;
}

/** The address of a position on the free board. With *at* it opens at that move of a longer game.
 * @param {PositionQuery} position @param {number} [at] */
export function boardAddress(position, at = position.moves.length) {
  const query = new URLSearchParams(queryOf(position));
  if (at < position.moves.length) query.set("at", String(at));
  // Slashes may stand in a query as they are, and read better.
  const text = query.toString().replaceAll("%2F", "/");
  return text ? `/board?${text}` : "/board";
}

/** The position after the first *count* moves. @param {PositionQuery} query @param {number} count @returns {PositionQuery} */
export function upTo({ start, moves, width, height }, count) {
  return { start, moves: moves.slice(0, count), width, height };
}

/** @type {Map<string, PositionView>} */
const known = new Map();

/** Ask the server for a position; those asked for before are remembered, the oldest forgotten.
 * @param {PositionQuery} query @returns {Promise<PositionView>} */
export async function fetchPosition(query) {
  const named = queryOf(query);
  const key = JSON.stringify(named);
  const found = known.get(key);
  if (found) return found;
  const position = await getJson("/api/position", named);
  const [oldest] = known.keys();
  if (known.size >= KEPT) known.delete(oldest);
  known.set(key, position);
  return position;
}
