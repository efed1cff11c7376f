// What levels 1 to 10 play in an opening, from their tournament; docs/openings.md describes the file.

import { loadText } from "./files.js";

/** @typedef {{ asked: number, counts: number[][] }} LevelChoices how often each level chose each column */
/**
 * @typedef {object} LevelFile
 * @property {number} width
 * @property {number} height
 * @property {number} asked
 * @property {Record<string, [games: number, digits: string]>} positions
 */

const BASE = 36; // of the digits that count

/** @type {Promise<LevelFile> | null} */
let file = null;

/** What the levels play in a position; null if hardly any of their games came to it.
 * @param {{ cells: number[][], width: number, height: number }} position @returns {Promise<LevelChoices | null>} */
export async function levelChoices({ cells, width, height }) {
  file ??= loadText("7x6.levels.json").then((text) => JSON.parse(text));
  file.catch(() => (file = null)); // the next question tries again
  const data = await file;
  if (data.width !== width || data.height !== height) return null;
  const columns = cells[0].map((_, column) => cells.map((row) => row[column] || "").join(""));
  const [name, other] = [columns.join(), columns.toReversed().join()];
  const isMirrored = other < name;
  const row = data.positions[isMirrored ? other : name];
  if (!row) return null;
  const counts = row[1].match(new RegExp(`.{${width}}`, "g")) ?? [];
  return {
    asked: data.asked,
    counts: counts.map((digits) => {
      const numbers = [...digits].map((digit) => parseInt(digit, BASE));
      return isMirrored ? numbers.reverse() : numbers;
    }),
  };
}

/** The share of a level's choices that are not among the columns *keeping*.
 * @param {LevelChoices} choices @param {number} level from 0 @param {number[]} keeping */
export function wrongShare({ counts, asked }, level, keeping) {
  return 1 - keeping.reduce((sum, column) => sum + counts[level][column], 0) / asked;
}
