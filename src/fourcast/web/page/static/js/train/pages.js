// The pages to get better with. What only they need, their texts and their style sheet, comes with them.

import { loadTrainingTexts } from "../words/text.js";

/** @typedef {(root: HTMLElement) => void} Draw */

/** The function that draws a page. @param {"puzzles" | "train" | "explore"} name @returns {Promise<Draw>} */
export async function drawingOf(name) {
  const [draw] = await Promise.all([moduleOf(name), loadTrainingTexts(), loadStyles()]);
  return draw;
}

/** @param {"puzzles" | "train" | "explore"} name @returns {Promise<Draw>} */
async function moduleOf(name) {
  if (name === "puzzles") return (await import("./puzzles-page.js")).puzzlesPage;
  if (name === "train") return (await import("./train-page.js")).trainPage;
  return (await import("./explore-page.js")).explorePage;
}

async function loadStyles() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("../../train.css", import.meta.url).href;
  const loaded = new Promise((resolve) => {
    // Without it the page is plain, but there.
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
  });
  document.head.append(link);
  await loaded;
}
