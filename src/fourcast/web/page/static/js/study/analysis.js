// What an analysis says, in words and figures.

import { rulesOf } from "../core/rules.js";
import { playerName } from "../words/names.js";
import { t } from "../words/text.js";
import { listColumns } from "../words/words.js";

/** @typedef {import("../board/state.js").Figure} Figure */

/** Whether one column is as good as any other. @param {AnalysisView} analysis */
export function isAnyBest({ columns, best_columns: best, complete }) {
  return complete && columns.length > 1 && best.length === columns.length;
}

/** What the side to move gets, as a sentence. @param {AnalysisView} analysis */
export function describeOutcome(analysis) {
  const { lower, upper, position, text, outcome, moves_to_end: moves } = analysis;
  if (lower < 0 && upper > 0) return t("analysis.not_solved");
  const player = playerName(position.turn);
  if (!isAnyBest(analysis)) return t("analysis.outcome", { player, text });
  if (moves === 1 && (outcome === "win" || outcome === "loss")) {
    return t(`analysis.any_${outcome}`, { player });
  }
  return t("analysis.any", { player, text });
}

/** Which columns are best, as a sentence; empty if they are not known or no better than others.
 * @param {AnalysisView} analysis */
export function describeBest(analysis) {
  const { best_columns: best, complete, position } = analysis;
  const isPop = rulesOf(position.start).pop; // where a best move may be known before all others are
  const isKnown = (complete || isPop) && best.length > 0 && !isAnyBest(analysis);
  return isKnown ? t("analysis.best", { columns: listColumns(best, position) }) : "";
}

/** The figure above a column: a large text, a small one that says what it is, and all of it in words.
 * @param {ColumnView} column @returns {Figure} */
export function figureOf({ column, outcome, moves_to_end: moves, text: label, is_best: best }) {
  /** @type {Omit<Figure, "text" | "detail">} */
  const figure = { column, label, tone: outcome ?? "unknown", best };
  if (outcome === null) return { ...figure, detail: "", text: "?" };
  if (outcome === "draw") return { ...figure, detail: t("figure.draw"), text: "=" };
  const verb = outcome === "win" ? "wins" : "loses";
  return moves === null
    ? { ...figure, detail: t(`figure.${verb}`), text: "…" }
    : { ...figure, detail: t(`figure.${verb}_in`), text: String(moves) };
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
      label: t(isBest ? "figure.best" : "figure.solving"),
      tone: "unknown",
      best: isBest,
    };
  });
}

/** What a column leads to, on one short line. @param {ColumnView} column */
export function shortText({ outcome, moves_to_end: moves, text }) {
  if (outcome === "draw") return t("figure.draw");
  if (!outcome || moves === null) return text;
  return t(outcome === "win" ? "figure.short_wins" : "figure.short_loses", { moves });
}
