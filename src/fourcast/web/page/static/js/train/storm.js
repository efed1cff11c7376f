// A storm: as many quick wins as somebody finds in three minutes. Nothing of it counts for the rating.

import { askWhole } from "../backend/backend.js";
import { html } from "../elements/dom.js";
import { announce } from "../shell/announce.js";
import { getPref, setPref } from "../shell/prefs.js";
import { STANDARD } from "../words/sizes.js";
import { t } from "../words/text.js";
import { askPuzzle, complain } from "./exercise.js";
import { puzzleText } from "./collection.js";

const LENGTH_S = 180;
const PAUSE_MS = 900; // to see how a puzzle ended

/**
 * @typedef {object} Storm
 * @property {number} end when it is over, by the clock of `performance`; 0 until the first puzzle is there
 * @property {string[]} seen the ids of its puzzles
 * @property {number} solved
 * @property {number} timer of the clock
 * @property {HTMLElement} bar what stands above the board
 * @property {Exercise} exercise
 */

/** @param {Exercise} exercise @returns {Storm} */
export function startStorm(exercise) {
  const bar = html("p.storm-bar", { role: "timer" });
  exercise.main.prepend(bar);
  const storm = { end: 0, seen: [], solved: 0, timer: 0, bar, exercise };
  storm.timer = window.setInterval(() => tick(storm), 250);
  nextOfStorm(storm);
  return storm;
}

/** @param {Storm} storm */
export function stopStorm(storm) {
  clearInterval(storm.timer);
  storm.bar.remove();
}

/** Go on after a puzzle, if it was *solved* or not. @param {Storm} storm @param {boolean} solved */
export function answeredInStorm(storm, solved) {
  if (performance.now() < storm.end) storm.solved += solved ? 1 : 0;
  setTimeout(() => nextOfStorm(storm), PAUSE_MS);
}

/** @param {Storm} storm */
export async function nextOfStorm(storm) {
  const { seen, solved, exercise } = storm;
  if (isOver(storm) || !storm.bar.isConnected) return;
  const request = { solved, without: seen, chance: Math.random() };
  const puzzle = await askWhole("puzzles.storm", { text: await puzzleText(STANDARD), ...request });
  if (isOver(storm) || !storm.bar.isConnected) return;
  seen.push(puzzle.id);
  await askPuzzle(exercise, puzzle, { isQuick: true });
  storm.end ||= performance.now() + 1000 * LENGTH_S;
}

/** @param {Storm} storm */
function isOver({ end }) {
  return end > 0 && performance.now() >= end;
}

/** @param {Storm} storm */
function tick(storm) {
  const { end, solved, exercise, seen } = storm;
  const left_s = end ? Math.max(0, Math.ceil((end - performance.now()) / 1000)) : LENGTH_S;
  const clock = `${Math.floor(left_s / 60)}:${String(left_s % 60).padStart(2, "0")}`;
  storm.bar.textContent = t("storm.bar", { clock, count: solved });
  if (!isOver(storm)) return;
  clearInterval(storm.timer);
  const best = Math.max(solved, Number(getPref("storm.best")) || 0);
  setPref("storm.best", best);
  complain(exercise, "");
  const text = t("storm.over", { count: solved, asked: seen.length, best });
  const again = html("a.button.primary", { href: window.location.href }, t("storm.again"));
  storm.bar.replaceChildren(html("strong", text), " ", again);
  announce(text);
}
