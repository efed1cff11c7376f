// Exact values for the core's questions about puzzles and openings: from the core in the page, or where it
// cannot run from the server. So a long search can be given up, and the questions themselves are quick.

import { askWhole, outcomesOf } from "../backend/backend.js";
import { queryOf } from "../backend/positions.js";
import { Recent } from "../backend/recent.js";
import { withMoves } from "../words/names.js";
import { t } from "../words/text.js";

const PATIENCE_S = 30;
const KEPT = 200; // positions

/** @type {Recent<Promise<AnalysisView>>} */
const known = new Recent(KEPT);

/** The exact values of all columns; those asked for before are remembered. Throws if it takes too long.
 * @param {PositionQuery} query @param {AbortSignal} [signal] @returns {Promise<AnalysisView>} */
export function solve(query, signal) {
  const named = queryOf(query);
  const key = JSON.stringify(named);
  const found = known.get(key) ?? search(named, signal);
  known.delete(key); // it is the latest now
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

/** @param {Record<string, string>} named @param {AbortSignal} [signal] */
async function search(named, signal) {
  const view = await outcomesOf({ ...named, time_s: PATIENCE_S }, { signal });
  if (!view.complete) throw new Error(t("puzzle.too_long"));
  return view;
}

/** The scores of the columns as the core's questions take them. @param {Pick<AnalysisView, "columns">} view */
export function scoresOf({ columns }) {
  return columns.map(({ column, score }) => [column, score]);
}

/** Ask a question about the position of *query*, and solve the positions after it that the answer needs.
 * @param {string} question @param {Record<string, unknown>} request @param {PositionQuery} query
 * @param {{ signal?: AbortSignal, ask?: typeof askWhole, find?: typeof solve }} [options]
 * @returns {Promise<any>} */
export async function judged(question, request, query, { signal, ask = askWhole, find = solve } = {}) {
  const scores = [];
  for (;;) {
    const answer = await ask(question, { ...request, known: scores });
    if (!answer.needs) return answer;
    const view = await find(withMoves(query, answer.needs), signal);
    scores.push({ columns: answer.needs, scores: scoresOf(view) });
  }
}
