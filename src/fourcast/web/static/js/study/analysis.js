// What an analysis says, in words and figures.

import { colorName } from "../names.js";
import { listColumns } from "../words.js";

/** @typedef {import("../board.js").Figure} Figure */

/** Whether one column is as good as any other. @param {AnalysisView} analysis */
export function isAnyBest({ columns, best_columns: best, complete }) {
  return complete && columns.length > 1 && best.length === columns.length;
}

/** What the side to move gets, as a sentence. @param {AnalysisView} analysis */
export function describeOutcome(analysis) {
  const { lower, upper, position, text } = analysis;
  if (lower < 0 && upper > 0) return "Not solved yet.";
  const who = colorName(position.turn);
  if (!isAnyBest(analysis)) return `${who} ${text}.`;
  return `${who} ${text.replace(/ in 1 move$/, " next move")}, whatever ${who} plays.`;
}

/** Which columns are best, as a sentence; empty if they are not known or no better than others.
 * @param {AnalysisView} analysis */
export function describeBest(analysis) {
  const { best_columns: best, complete } = analysis;
  return complete && best.length && !isAnyBest(analysis) ? `Best: ${listColumns(best)}.` : "";
}

/** The figure above a column: a large text, a small one that says what it is, and all of it in words.
 * @param {ColumnView} column @returns {Figure} */
export function figureOf({ column, outcome, moves_to_end: moves, text: label, is_best: best }) {
  /** @type {Omit<Figure, "text" | "detail">} */
  const figure = { column, label, tone: outcome ?? "unknown", best };
  if (outcome === null) return { ...figure, detail: "", text: "?" };
  if (outcome === "draw") return { ...figure, detail: "draw", text: "=" };
  const verb = outcome === "win" ? "wins" : "loses";
  return moves === null
    ? { ...figure, detail: verb, text: "…" }
    : { ...figure, detail: `${verb} in`, text: String(moves) };
}

/** Figures for columns of which nothing is known yet but perhaps that they are the *best*.
 * @param {number[]} columns @param {number[]} best @returns {Figure[]} */
export function pendingFigures(columns, best = []) {
  return columns.map((column) => {
    const isBest = best.includes(column);
    const text = isBest ? "★" : "…";
    return {
      column,
      text,
      detail: "",
      label: isBest ? "best" : "solving",
      tone: "unknown",
      best: isBest,
    };
  });
}

/** What a column leads to, on one short line. @param {ColumnView} column */
export function shortText({ outcome, moves_to_end: moves, text }) {
  if (outcome === "draw") return "draw";
  return outcome && moves !== null ? text.replace(/ moves?$/, "") : text;
}
