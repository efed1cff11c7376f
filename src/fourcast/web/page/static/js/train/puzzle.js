// A puzzle, as `fourcast.puzzles` has it: in the file of puzzles, in the history, and in words.

import { columnName, columnsOf } from "../words/names.js";
import { digest } from "./digest.js";

/** @typedef {"win" | "keep win" | "keep draw" | "better"} Goal */
/** @typedef {"four" | "plan" | "choice"} Ending */
/**
 * @typedef {object} Puzzle
 * @property {string} moves the game that led to the position
 * @property {Goal} goal
 * @property {number[]} solution columns: the player's, the reply, the player's, and so on
 * @property {Ending} ending
 * @property {number | null} tempting the wrong column that the levels played most often
 * @property {number} rating
 * @property {number} error half the width of the 95% interval of the rating; 0 if it has none
 * @property {string[]} themes
 * @property {number} width
 * @property {number} height
 */

/** @type {Record<string, Goal>} */
const GOALS = { w: "win", k: "keep win", d: "keep draw", b: "better" };
/** @type {Record<string, Ending>} */
const ENDINGS = { 4: "four", p: "plan", c: "choice" };

/** The letters of the themes in files, by their names. */
export const THEMES = new Map([
  ["double threat", "d"],
  ["stacked threats", "s"],
  ["forcing line", "f"],
  ["odd threat", "o"],
  ["even threat", "e"],
  ["do not play below", "b"],
  ["defuse", "u"],
  ["sacrifice", "c"],
  ["block with tempo", "t"],
  ["quiet move", "q"],
  ["zugzwang", "z"],
  ["only-move draw", "w"],
  ["opening trap", "p"],
]);
const THEME_NAMES = new Map([...THEMES].map(([name, letter]) => [letter, name]));

const ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH = 8;

/** Whether a text can be the id of a puzzle. @param {string} text */
export function isId(text) {
  return text.length === ID_LENGTH && [...text].every((letter) => ID_LETTERS.includes(letter));
}

/** The puzzle of a line of a file. @param {string} line @param {import("../words/sizes.js").Size} size @returns {Puzzle} */
export function parsePuzzle(line, { width, height }) {
  const [moves, kind, solution, tempting, rating, error, themes] = line.split(" ");
  return checked({
    moves,
    goal: GOALS[kind[0]],
    solution: columnsOf(solution),
    ending: ENDINGS[kind.slice(1)],
    tempting: tempting === "-" ? null : columnsOf(tempting)[0],
    rating: Number(rating),
    error: Number(error),
    themes: themes === "-" ? [] : [...themes].map((letter) => THEME_NAMES.get(letter) ?? letter),
    width,
    height,
  });
}

const isCount = (/** @type {unknown} */ value, most = 1e6) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;

/** *puzzle* if it has the form of one; whether its moves can be played, the core says.
 * @param {Puzzle} puzzle */
export function checked(puzzle) {
  const { moves, goal, solution, ending, tempting, rating, error, themes, width, height } = puzzle;
  const isColumn = (/** @type {unknown} */ column) => isCount(column, width - 1);
  const isRight =
    [width, height].every((length) => isCount(length, 128) && length > 0) &&
    width * (height + 1) <= 128 &&
    typeof moves === "string" &&
    columnsOf(moves).every(isColumn) &&
    Object.values(GOALS).includes(goal) &&
    Object.values(ENDINGS).includes(ending) &&
    Array.isArray(solution) &&
    solution.length % 2 === 1 &&
    solution.every(isColumn) &&
    moves.length + solution.length <= width * height &&
    (tempting === null || (isColumn(tempting) && tempting !== solution[0])) &&
    isCount(rating) &&
    isCount(error) &&
    Array.isArray(themes) &&
    themes.length <= 40 &&
    themes.every((theme) => typeof theme === "string" && theme.length <= 40);
  if (!isRight) throw new TypeError("this is not a puzzle");
  return puzzle;
}

/** @type {WeakMap<Puzzle, string>} */
const ids = new WeakMap();

/** The name that a puzzle shares with its mirror image. @param {Puzzle} puzzle */
export function idOf(puzzle) {
  const known = ids.get(puzzle);
  if (known) return known;
  const [first, second] = digest(`${puzzle.width}x${puzzle.height} ${canonicalKey(puzzle)}`);
  // 40 bits, five for a letter, the last letter first.
  const number = first * 256 + (second >>> 24);
  const letter = (/** @type {number} */ index) => ID_LETTERS[Math.floor(number / 32 ** index) % 32];
  const id = Array.from({ length: ID_LENGTH }, (_, index) => letter(index)).join("");
  ids.set(puzzle, id);
  return id;
}

/** The core's number of a position, the smaller one of it and its mirror image: for every column a bit above
 * its discs, plus the first player's discs. @param {Puzzle} puzzle */
function canonicalKey({ moves, width, height }) {
  const heights = Array(width).fill(0);
  const first = Array(width).fill(0);
  columnsOf(moves).forEach((column, ply) => {
    if (ply % 2 === 0) first[column] += 2 ** heights[column];
    heights[column] += 1;
  });
  const columns = heights.map((count, column) => BigInt(2 ** count + first[column]));
  const key = (/** @type {bigint[]} */ values) =>
    values.reduceRight((sum, value) => (sum << BigInt(height + 1)) + value, 0n);
  const [one, other] = [key(columns), key(columns.toReversed())];
  return one < other ? one : other;
}

/** The side that a puzzle is for. @param {Puzzle} puzzle @returns {Side} */
export function playerOf({ moves }) {
  return moves.length % 2 === 0 ? 1 : 2;
}

/** How many moves the player makes. @param {Puzzle} puzzle */
export function movesToFind({ solution }) {
  return (solution.length + 1) / 2;
}

/** The mirror image of a puzzle. @param {Puzzle} puzzle @returns {Puzzle} */
export function mirrored(puzzle) {
  const other = (/** @type {number} */ column) => puzzle.width - 1 - column;
  return {
    ...puzzle,
    moves: columnsOf(puzzle.moves)
      .map((column) => columnName(other(column)))
      .join(""),
    solution: puzzle.solution.map(other),
    tempting: puzzle.tempting === null ? null : other(puzzle.tempting),
  };
}

/** What the history and `fourcast puzzles export` write. @param {Puzzle} puzzle */
export function puzzleToJson(puzzle) {
  const { width, height, moves, goal, solution, ending, tempting, rating, error, themes } = puzzle;
  const size = { width, height };
  return { id: idOf(puzzle), ...size, moves, goal, solution, ending, tempting, rating, error, themes };
}

/** What `puzzleToJson` gave; its id is not needed. @param {any} value @returns {Puzzle} */
export function puzzleFromJson(value) {
  const { width, height, moves, goal, solution, ending, tempting, rating, error, themes } = value;
  return checked({ moves, goal, solution, ending, tempting, rating, error, themes, width, height });
}
