// What somebody has solved, and how strong that makes them: the lines of `training.jsonl`, which the
// terminal reads and writes as well, kept in the browser.

import { BEGINNER, updated } from "./glicko.js";
import { isPassed } from "./cards.js";
import { puzzleFromJson, puzzleToJson } from "./puzzle.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/**
 * @typedef {object} Answered A puzzle that somebody has tried.
 * @property {number} when milliseconds since 1970, whole seconds
 * @property {Puzzle} puzzle
 * @property {boolean} solved
 * @property {number} hints how many were asked for
 * @property {string | null} card the id of the puzzle that this one was asked in place of
 */

const KEY = "fourcast.training";
const HEADER = '{"format":"fourcast training 1"}';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d:\d\d|Z)$/;
const MOST_HINTS = 1000;
const PER_SIGMA = 1.96; // of the half width of a 95% interval
/** Letters of a file that are read; a browser keeps no more. */
export const MOST_LETTERS = 5_000_000;

/** A line that cannot be read; `line` counts from 1. */
export class HistoryError extends Error {
  /** @param {number} line */
  constructor(line) {
    super(`line ${line}`);
    this.line = line;
  }
}

/** The line of an attempt, letter for letter as the terminal writes it. @param {Answered} answered */
export function formatAnswered({ when, solved, hints, card, puzzle }) {
  const time = `${new Date(when).toISOString().slice(0, 19)}+00:00`;
  return JSON.stringify({ when: time, solved, hints, card, puzzle: puzzleToJson(puzzle) });
}

/** @param {any} value @returns {Answered} */
function answeredFrom({ when, solved, hints, card = null, puzzle }) {
  const time = typeof when === "string" && TIME.test(when) ? Date.parse(when) : NaN;
  const isRight =
    Number.isFinite(time) &&
    typeof solved === "boolean" &&
    Number.isInteger(hints) &&
    hints >= 0 &&
    hints <= MOST_HINTS &&
    (card === null || (typeof card === "string" && card.length <= 40));
  if (!isRight) throw new TypeError("this is not an attempt");
  return { when: time, puzzle: puzzleFromJson(puzzle), solved, hints, card };
}

/** The attempts of a file, in the order of their times. A last line that is incomplete is left out, as one
 * that a crash has cut. Throws `HistoryError` at any other line that is none. @param {string} text */
export function parseHistory(text) {
  const lines = text.split("\n");
  const rest = lines.pop(); // nothing, if the last line is whole
  if (!lines.length && rest) lines.push(rest);
  /** @type {Answered[]} */
  const answered = [];
  lines.forEach((line, index) => {
    try {
      const value = JSON.parse(line);
      if (index > 0) answered.push(answeredFrom(value));
      else if (JSON.stringify(value) !== HEADER) throw new TypeError("this is not a history");
    } catch {
      if (index > 0 && index === lines.length - 1 && !isObject(line)) return;
      throw new HistoryError(index + 1);
    }
  });
  return answered.sort((a, b) => a.when - b.when);
}

/** @param {string} line */
function isObject(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The file of attempts. @param {Answered[]} answered */
export function formatHistory(answered) {
  return `${[HEADER, ...answered.map(formatAnswered)].join("\n")}\n`;
}

/** Whether an attempt counts for the rating: not with hints, and not as a repetition. @param {Answered} answered */
export function isRated({ hints, puzzle, card }) {
  return hints === 0 && puzzle.error > 0 && card === null;
}

/** The strength at the start, and after each attempt that counts. @param {Answered[]} answered */
export function strengthsOf(answered) {
  const strengths = [BEGINNER];
  for (const each of answered.filter(isRated)) {
    const { rating, error } = each.puzzle;
    const opponent = { rating, deviation: error / PER_SIGMA };
    strengths.push(updated(strengths[strengths.length - 1], opponent, each.solved ? 1 : 0));
  }
  return strengths;
}

/** Half the width of the 95% interval of a strength. @param {import("./glicko.js").Strength} strength */
export function errorOf({ deviation }) {
  return PER_SIGMA * deviation;
}

/** How many puzzles were solved in a row, without hints, up to the last one. @param {Answered[]} answered */
export function streakOf(answered) {
  const last = answered.findLastIndex((each) => !isPassed(each));
  return answered.length - 1 - last;
}

/** The history that this browser keeps. Another window of it may add to it at any time. */
export class History {
  /** What could not be kept, or is not to be read. @type {string | null} */
  #memory = null;
  /** @type {Answered[]} */
  #answered = [];
  #read = ""; // the text that these come from

  /** The text that is kept. */
  get text() {
    return this.#memory ?? kept() ?? "";
  }

  /** Whether it will be there after this page is closed. */
  get isKept() {
    return this.#memory === null;
  }

  /** All attempts, in the order of their times. Throws `HistoryError` if what is kept is no history. */
  get answered() {
    const { text } = this;
    if (text !== this.#read) this.#answered = text ? parseHistory(text) : [];
    this.#read = text;
    return this.#answered;
  }

  /** Write down an attempt. Throws `HistoryError` if what is kept is no history: that is left alone.
   * @param {Omit<Answered, "when">} attempt @param {number} [now] */
  add(attempt, now = Date.now()) {
    const line = formatAnswered({ ...attempt, when: Math.floor(now / 1000) * 1000 });
    const { text } = this;
    // A line that was cut off is left out, as in the terminal.
    const whole = this.answered.length ? text.slice(0, text.lastIndexOf("\n") + 1) : `${HEADER}\n`;
    this.#keep(`${whole}${line}\n`);
  }

  /** Add the attempts of a file that are not here yet; returns how many. @param {string} file */
  merge(file) {
    const known = new Set(this.answered.map(formatAnswered));
    const lines = [...new Set(parseHistory(file).map(formatAnswered))];
    const added = lines.filter((line) => !known.has(line));
    const all = [...this.answered.map(formatAnswered), ...added];
    this.#keep(formatHistory(parseHistory([HEADER, ...all, ""].join("\n"))));
    return added.length;
  }

  /** Forget everything. */
  clear() {
    this.#memory = null;
    try {
      window.localStorage.removeItem(KEY);
    } catch {
      // There is nothing to forget.
    }
  }

  /** @param {string} text */
  #keep(text) {
    try {
      window.localStorage.setItem(KEY, text);
      this.#memory = null;
    } catch {
      this.#memory = text; // full or blocked: as long as the page
    }
  }
}

function kept() {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
