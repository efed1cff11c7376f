// The pages to get better with. What only they need, their texts and their style sheet, comes with them.

import { TRAINING_STYLES } from "../assets.js";
import { addStyles } from "../elements/styles.js";
import { drawingOfLearn } from "../learn/learn-page.js";
import { loadTrainingTexts } from "../words/text.js";
import { explorePage } from "./explore-page.js";
import { puzzlesPage } from "./puzzles-page.js";
import { trainPage } from "./train-page.js";

/** @typedef {(root: HTMLElement) => void} Draw */

/** Load what all of them need. */
export async function loadTraining() {
  await Promise.all([loadTrainingTexts(), addStyles(TRAINING_STYLES.href)]);
}

/** The function that draws a page. @param {"learn" | "puzzles" | "train" | "explore"} name @returns {Promise<Draw>} */
export async function drawingOf(name) {
  const pages = { puzzles: puzzlesPage, train: trainPage, explore: explorePage };
  const draw = name === "learn" ? drawingOfLearn() : pages[name];
  await Promise.all([loadTraining(), draw]);
  return draw;
}
