// The puzzles that come with fourcast: by theme, by rating, of the day. Their file is read when they are
// first asked for.

import { loadText } from "./files.js";
import { THEMES, idOf, parsePuzzle } from "./puzzle.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/** @typedef {import("../words/sizes.js").Size} Size */

const HEADER = /^# fourcast puzzles 1 (\d{1,3})x(\d{1,3})( .*)?$/;
const DAY_MS = 86_400_000;
const DAY_STEP = 7919; // lines from one day to the next
const FIRST_DAY = 719_163; // how Python numbers 1970-01-01

/** The sizes of the boards that there are puzzles for. */
export const SIZES = [
  { width: 7, height: 6 },
  { width: 6, height: 5 },
  { width: 8, height: 7 },
];

/** @type {Map<string, Promise<Collection>>} */
const loaded = new Map();

/** The puzzles for a board. @param {Size} size @returns {Promise<Collection>} */
export function collectionOf({ width, height }) {
  const name = `${width}x${height}.puzzles`;
  const promise = loaded.get(name) ?? loadText(name).then(readCollection);
  loaded.set(name, promise);
  promise.catch(() => loaded.delete(name)); // the next question tries again
  return promise;
}

/** The puzzles of a file. @param {string} text */
export function readCollection(text) {
  const [header, ...lines] = text.trimEnd().split("\n");
  const size = HEADER.exec(header);
  if (!size) throw new Error("this is not a file of puzzles");
  return new Collection(lines, { width: Number(size[1]), height: Number(size[2]) });
}

export class Collection {
  #lines;
  #size;
  /** Lines become puzzles when they are needed. @type {Map<string, Puzzle>} */
  #puzzles = new Map();

  /** @param {string[]} lines @param {Size} size */
  constructor(lines, size) {
    this.#lines = lines;
    this.#size = size;
  }

  /** @param {string} line */
  #puzzle(line) {
    const puzzle = this.#puzzles.get(line) ?? parsePuzzle(line, this.#size);
    this.#puzzles.set(line, puzzle);
    return puzzle;
  }

  get count() {
    return this.#lines.length;
  }

  /** The puzzle of a day, by the calendar of UTC: the same for everybody. @param {Date} day */
  daily(day) {
    const count = this.#lines.length;
    let step = DAY_STEP;
    while (commonDivisor(step, count) > 1) step += 1;
    const ordinal = Math.floor(day.getTime() / DAY_MS) + FIRST_DAY;
    return this.#puzzle(this.#lines[(ordinal * step) % count]);
  }

  /** The puzzle with that id, or null. @param {string} id */
  find(id) {
    for (const line of this.#lines) {
      const puzzle = this.#puzzle(line);
      if (idOf(puzzle) === id) return puzzle;
    }
    return null;
  }

  /** How many puzzles have *theme*. @param {string | null} theme */
  countOf(theme) {
    return this.#linesOf(theme).length;
  }

  /** @param {string | null} theme */
  #linesOf(theme) {
    const letter = theme === null ? "" : (THEMES.get(theme) ?? "?");
    return this.#lines.filter((line) => line.slice(line.lastIndexOf(" ") + 1).includes(letter));
  }

  /** Puzzles about as hard as *rating*, none with an id of *without* if there are others.
   * @param {number} rating @param {{ theme?: string | null, without?: Set<string> }} options */
  near(rating, { theme = null, without = new Set() } = {}) {
    const lines = this.#linesOf(theme);
    const most = Math.max(10, Math.floor(lines.length / 50));
    const nearest = byDistance(lines, ratingOf, rating);
    /** @type {Puzzle[]} */
    const found = [];
    for (const line of nearest) {
      if (found.length === most) break;
      const puzzle = this.#puzzle(line);
      if (!without.has(idOf(puzzle))) found.push(puzzle);
    }
    return found.length ? found : nearest.slice(0, most).map((line) => this.#puzzle(line));
  }

  /** One of those by *chance*, a number from 0 to 1; null if none has the theme.
   * @param {number} rating @param {{ theme?: string | null, without?: Set<string>, chance?: () => number }} options */
  pick(rating, { chance = Math.random, ...options } = {}) {
    return choice(this.near(rating, options), chance);
  }

  /** The puzzles of a theme that are about as hard as *puzzle*, and not the same.
   * @param {Puzzle} puzzle @param {string} theme @param {number} count */
  alike(puzzle, theme, count) {
    const id = idOf(puzzle);
    const others = this.#linesOf(theme)
      .map((line) => this.#puzzle(line))
      .filter((other) => idOf(other) !== id);
    return byDistance(others, ({ rating }) => rating, puzzle.rating).slice(0, count);
  }
}

/** @param {string} line */
function ratingOf(line) {
  return Number(line.split(" ", 5)[4]);
}

/** *items* by how far their value is from *aim*; the order of those as far stays.
 * @template Item @param {Item[]} items @param {(item: Item) => number} value @param {number} aim */
function byDistance(items, value, aim) {
  const far = items.map((item) => ({ item, distance: Math.abs(value(item) - aim) }));
  return far.sort((one, other) => one.distance - other.distance).map(({ item }) => item);
}

/** One of *items* by chance, or null. @template Item @param {Item[]} items @param {() => number} chance */
export function choice(items, chance) {
  return items[Math.floor(chance() * items.length)] ?? null;
}

/** @param {number} one @param {number} other @returns {number} */
function commonDivisor(one, other) {
  return other ? commonDivisor(other, one % other) : one;
}
