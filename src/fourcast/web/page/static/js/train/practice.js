// What Puzzles, storms and Train have in common: an exercise, how somebody stands, and what is written down.

import { askWhole } from "../backend/backend.js";
import { html } from "../elements/dom.js";
import { STANDARD } from "../words/sizes.js";
import { t } from "../words/text.js";
import { puzzleText, retiredText } from "./collection.js";
import { makeExercise } from "./exercise.js";
import { History, HistoryError } from "./history.js";
import { Standing } from "./standing.js";

/**
 * @typedef {object} Practice
 * @property {History} history the attempts that this browser keeps
 * @property {Standing} standing rating and streak
 * @property {Exercise} exercise the board with what is asked
 * @property {HTMLElement} now the card that says what is asked, above how somebody stands
 * @property {HTMLElement} page all of it
 */

/** *onAnswered* is called with each attempt that has been written down. *about* says what is asked, and
 * *below* stands under the explanation.
 * @param {import("./exercise.js").ExerciseListeners} listeners
 * @param {HTMLElement} about @param {Node[]} below @returns {Practice} */
export function makePractice({ onAnswered, ...listeners }, about, ...below) {
  const history = new History();
  const standing = new Standing(history);
  const write = async (/** @type {import("./exercise.js").Answer} */ answer) => {
    const { strengths } = await history.readable();
    await history.add(answer).catch((error) => {
      if (!(error instanceof HistoryError)) throw error; // which the page says already
    });
    standing.update(strengths[strengths.length - 1][0]);
    onAnswered(answer);
  };
  const exercise = makeExercise({ ...listeners, onAnswered: write });
  const look = { class: "card puzzle-standing", "aria-label": t("puzzle.standing") };
  const now = html("section", look, about, standing.element);
  const side = html("div.study-side", now, exercise.explanation.element, ...below);
  const page = html("div.study-page.puzzle-page", exercise.main, side);
  return { history, standing, exercise, now, page };
}

/** The puzzle with an id; one of an earlier version is found, too.
 * @param {{ id: string | null, size: Size }} wish @returns {Promise<Puzzle | null>} */
export async function findPuzzle({ id, size }) {
  const found = await askWhole("puzzles.find", { text: await puzzleText(size), id });
  return found ?? askWhole("puzzles.find", { text: await retiredText(size), id });
}

/** A puzzle that was not tried before, as hard as *rating*, or as fits the person; null if there is none.
 * @param {Practice} practice
 * @param {{ size?: Size, theme?: string | null, rating?: number | null }} wish
 * @returns {Promise<Puzzle | null>} */
export async function pickPuzzle({ history }, { size = STANDARD, theme = null, rating = null }) {
  const [text, { level, tried }] = await Promise.all([puzzleText(size), history.readable()]);
  const wanted = { rating: rating ?? level, theme, without: tried, chance: Math.random() };
  return askWhole("puzzles.pick", { text, ...wanted });
}
