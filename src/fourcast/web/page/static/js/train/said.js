// What is said about puzzles: the question, the themes, and how a solution ends.

import { colorName, columnName } from "../words/names.js";
import { say, t } from "../words/text.js";
import { THEMES, movesToFind, playerOf } from "./puzzle.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */

/** The task of a puzzle in a sentence. @param {Puzzle} puzzle */
export function questionText(puzzle) {
  const who = colorName(playerOf(puzzle));
  const count = movesToFind(puzzle);
  const { goal, tempting } = puzzle;
  if (goal === "win") return t("puzzle.ask_win", { who, count });
  if (goal === "better") {
    return tempting === null
      ? t("puzzle.ask_better", { who })
      : t("puzzle.ask_better_than", { who, column: columnName(tempting) });
  }
  if (goal === "keep win") return t("puzzle.ask_keep_win", { who, count });
  return t("puzzle.ask_keep_draw", { who, count });
}

/** What a theme is called. A history may name one that this page does not know. @param {string} theme */
export function themeName(theme) {
  const key = keyOf(theme);
  return THEMES.has(theme) ? say(`idea.${key}`) : theme;
}

/** What a theme is, in a sentence. @param {string} theme */
export function themeSentence(theme) {
  const key = keyOf(theme);
  return THEMES.has(theme) ? say(`idea.${key}_is`) : "";
}

/** @param {string} theme */
function keyOf(theme) {
  return theme.replaceAll(/[ -]/g, "_");
}

/** What there is to say where a solution ends. @param {Puzzle} puzzle */
export function endingText(puzzle) {
  const { ending, goal } = puzzle;
  if (ending === "plan") return t("puzzle.end_plan", { who: colorName(playerOf(puzzle)) });
  return ending === "choice" && goal.startsWith("keep") ? t("puzzle.end_choice") : "";
}

/** What can still be had where a mistake was made, for somebody who wants a hint.
 * @param {import("../core/types.js").Outcome | null} outcome */
export function goalText(outcome) {
  return t(outcome === "win" ? "puzzle.hint_win" : "puzzle.hint_draw");
}
