// How positions are named in addresses, and the ones that the server has told us about.

import { getJson } from "../api.js";

export const STANDARD = { width: 7, height: 6 };

const KEPT = 300; // positions, some KB each

/** The columns of a move string. */
export function columnsOf(moves) {
  return [...moves].map((name) => parseInt(name, 36) - 1);
}

/** The part of an address that names a position; nothing that goes without saying. */
export function queryOf({ start = "", moves = "", width, height }) {
  const query = {};
  if (start) query.start = start;
  else if (width && height && (width !== STANDARD.width || height !== STANDARD.height)) {
    Object.assign(query, { width, height });
  }
  if (moves) query.moves = moves;
  return query;
}

/** The address of a position on the free board. With *at* it opens at that move of a longer game. */
export function boardAddress(position, at = null) {
  const query = new URLSearchParams(queryOf(position));
  if (at !== null && at < (position.moves ?? "").length) query.set("at", at);
  // Slashes may stand in a query as they are, and read better.
  const text = query.toString().replaceAll("%2F", "/");
  return text ? `/board?${text}` : "/board";
}

const known = new Map();

/** Ask the server for a position; those asked for before are remembered, the oldest forgotten. */
export async function fetchPosition(query, { signal } = {}) {
  const named = queryOf(query);
  const key = JSON.stringify(named);
  if (!known.has(key)) {
    const position = await getJson("/api/position", named, { signal });
    if (known.size >= KEPT) known.delete(known.keys().next().value);
    known.set(key, position);
  }
  return known.get(key);
}
