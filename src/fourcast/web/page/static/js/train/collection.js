// The files of puzzles and of repertoires that come with fourcast, loaded when they are first asked for.

import { loadText } from "./files.js";

/** @typedef {"first" | "second"} Player */

/** The sizes of the boards that there are puzzles for. */
export const SIZES = [
  { width: 7, height: 6 },
  { width: 6, height: 5 },
  { width: 8, height: 7 },
];

/** @type {Map<string, Promise<string>>} */
const loaded = new Map();

/** The text of a file; what could not be loaded is tried again. @param {string} name */
function textOf(name) {
  const promise = loaded.get(name) ?? loadText(name);
  loaded.set(name, promise);
  promise.catch(() => loaded.delete(name));
  return promise;
}

/** The puzzles for a board. @param {Size} size */
export function puzzleText({ width, height }) {
  return textOf(`${width}x${height}.puzzles`);
}

/** The puzzles of earlier versions, which are not asked any more. @param {Size} size */
export function retiredText({ width, height }) {
  return textOf(`${width}x${height}.retired`);
}

/** @param {Player} player */
export function repertoireText(player) {
  return textOf(`${player}.repertoire`);
}

/** The certificates that come with fourcast: a list of their bytes in hexadecimal digits. */
export function certificatesText() {
  return textOf("certificates.json");
}

/** What levels 1 to 10 play in openings, from their tournament. */
export function levelsText() {
  return textOf("7x6.levels.json");
}
