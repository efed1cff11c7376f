// The page's judge of attempts: the core in the page, or where it cannot run the server.

import { outcomesOf } from "../backend/backend.js";
import { fetchPosition, queryOf } from "../backend/positions.js";
import { t } from "../words/text.js";

/** @typedef {import("../backend/positions.js").PositionQuery} PositionQuery */

const PATIENCE_S = 30;
const KEPT = 200; // positions

/** @type {Map<string, Promise<AnalysisView>>} */
const known = new Map();

/** The exact values of all columns; those asked for before are remembered. Throws if it takes too long.
 * @param {PositionQuery} query @param {AbortSignal} [signal] @returns {Promise<AnalysisView>} */
export function solve(query, signal) {
  const named = queryOf(query);
  const key = JSON.stringify(named);
  const found = known.get(key) ?? search(named, signal);
  known.delete(key);
  known.set(key, found);
  found.catch(() => known.delete(key));
  if (known.size > KEPT) known.delete([...known.keys()][0]);
  return found;
}

/** @param {Record<string, string>} named @param {AbortSignal} [signal] */
async function search(named, signal) {
  const view = await outcomesOf({ ...named, time_s: PATIENCE_S }, { signal });
  if (!view.complete) throw new Error(t("puzzle.too_long"));
  return view;
}

/** @type {import("./attempt.js").Judge} */
export const judge = { position: fetchPosition, solve };
