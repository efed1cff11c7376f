// The pages to get better with. What only they need, their texts and their style sheet, comes with them.

import { TRAINING_STYLES } from "../assets.js";
import { drawingOfLearn } from "../learn/learn-page.js";
import { loadTrainingTexts } from "../words/text.js";
import { explorePage } from "./explore-page.js";
import { puzzlesPage } from "./puzzles-page.js";
import { trainPage } from "./train-page.js";

/** @typedef {(root: HTMLElement) => void} Draw */

/** The function that draws a page. @param {"learn" | "puzzles" | "train" | "explore"} name @returns {Promise<Draw>} */
export async function drawingOf(name) {
  const pages = { puzzles: puzzlesPage, train: trainPage, explore: explorePage };
  const draw = name === "learn" ? drawingOfLearn() : pages[name];
  await Promise.all([loadTrainingTexts(), loadStyles(), draw]);
  return draw;
}

async function loadStyles() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = TRAINING_STYLES.href;
  const loaded = new Promise((resolve) => {
    // Without it the page is plain, but there.
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
  });
  document.head.append(link);
  await loaded;
}
