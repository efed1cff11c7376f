// The history of attempts that this browser keeps: the lines of `training.jsonl`, which the terminal reads
// and writes as well. The core says what they amount to.

import { askWhole } from "../backend/backend.js";
import { keepText, keptText } from "../shell/prefs.js";

/**
 * @typedef {object} Answered A puzzle that somebody has tried.
 * @property {number} when milliseconds since 1970
 * @property {Puzzle} puzzle
 * @property {boolean} solved
 * @property {number} hints how many were asked for
 * @property {string | null} card the id of the puzzle that this one was asked in place of
 */
/** @typedef {{ id: string, puzzle: Puzzle, due: number, box: number, is_known: boolean }} Card */
/**
 * @typedef {object} Training What the attempts amount to.
 * @property {Answered[]} answered in the order of their times
 * @property {{ when: number, lesson: string | null, step: number }[]} learned steps of lessons that are done
 * @property {[rating: number, deviation: number, volatility: number][]} strengths at the start, and after
 *   each attempt that counts
 * @property {number} error half the width of the 95% interval of the last one
 * @property {number} level how hard the next puzzle should be
 * @property {number} streak how many were solved in a row
 * @property {Card[]} cards
 * @property {Card[]} due those that have waited longest first
 * @property {number | null} next_due when the next card is due, or was
 * @property {{ theme: string, tried: number, solved: number }[]} themes the weakest first
 * @property {string[]} seen the ids of the cards that were asked
 * @property {string[]} tried the ids of the puzzles that were asked
 */

const NAME = "training";
const HEADER = '{"format":"fourcast training 1"}';
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

/** @param {any} found */
function readable(found) {
  if ("problem" in found) throw new HistoryError(found.line);
  return found;
}

/** The history that this browser keeps. Another window of it may add to it at any time. */
export class History {
  #ask;
  /** What could not be kept, or is not to be read. @type {string | null} */
  #memory = null;

  /** @param {typeof askWhole} ask */
  constructor(ask = askWhole) {
    this.#ask = ask;
  }

  /** The text that is kept. */
  get text() {
    return this.#memory ?? keptText(NAME) ?? "";
  }

  /** Whether it will be there after this page is closed. */
  get isKept() {
    return this.#memory === null;
  }

  /** What all attempts amount to. Throws `HistoryError` if what is kept is no history.
   * @returns {Promise<Training>} */
  async training(now = Date.now()) {
    return readable(await this.#ask("training", { text: this.text, now }));
  }

  /** The same, or nothing at all if what is kept is no history. @returns {Promise<Training>} */
  async readable(now = Date.now()) {
    try {
      return await this.training(now);
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      return this.#ask("training", { text: "", now });
    }
  }

  /** Write down an attempt. Throws `HistoryError` if what is kept is no history: that is left alone.
   * @param {Omit<Answered, "when">} attempt @param {number} [now] */
  add({ solved, hints, card, puzzle }, now = Date.now()) {
    return this.#append({ solved, hints, card, puzzle }, now);
  }

  /** Write down a step of a lesson that is done. @param {string} lesson @param {number} step from 1 */
  learn(lesson, step) {
    return this.#append({ lesson, step });
  }

  /** Write down that all lessons start over. */
  forgetLessons() {
    return this.#append({ lesson: null });
  }

  /** @param {object} entry @param {number} [now] */
  async #append(entry, now = Date.now()) {
    await this.training(now);
    const when = `${new Date(now).toISOString().slice(0, 19)}+00:00`;
    const line = JSON.stringify({ when, ...entry });
    // A line that was cut off is left out, as in the terminal.
    const whole = this.text.slice(0, this.text.lastIndexOf("\n") + 1) || `${HEADER}\n`;
    this.#keep(`${whole}${line}\n`);
  }

  /** Add the attempts of a file that are not here yet; returns how many. @param {string} file */
  async merge(file) {
    const found = readable(await this.#ask("training.merge", { text: this.text, other: file }));
    this.#keep(found.text);
    return found.added;
  }

  /** Forget everything. */
  clear() {
    this.#memory = null;
    keepText(NAME, null);
  }

  /** @param {string} text */
  #keep(text) {
    this.#memory = keepText(NAME, text) ? null : text; // as long as the page
  }
}
