// Where a move stands in the graph of a review: plain arithmetic.

/** @typedef {"first" | "second" | "even"} Lead */

export const HEIGHT = 216;
export const LEFT = 12;
export const RIGHT = 12;
export const TOP = 30; // room above, for who wins there
export const FOOT = 48; // and below, with the numbers of the moves

const LEAST = 6; // the scale of a game in which all was close
const FLOOR = 0.22; // where the least win is drawn: that somebody wins matters more than how fast
const TICKS = [1, 2, 5, 10, 20];
const TICK_ROOM = 26; // for one number

export class Scale {
  #highest;
  /** The width of a move. */
  step;

  /** @param {(number | null)[]} scores for the first player, after each move @param {number} width */
  constructor(scores, width) {
    this.#highest = Math.max(LEAST, ...scores.map((score) => Math.abs(score ?? 0)));
    this.step = (width - LEFT - RIGHT) / Math.max(scores.length, 1);
  }

  /** The left edge of move *number*, the first being 1. @param {number} number */
  x(number) {
    return LEFT + (number - 1) * this.step;
  }

  /** The height of a score: above the middle if the first player wins. @param {number} score */
  y(score) {
    const half = (HEIGHT - TOP - FOOT) / 2;
    if (!score) return TOP + half;
    const share = FLOOR + (1 - FLOOR) * Math.min(Math.abs(score) / this.#highest, 1);
    return TOP + half - Math.sign(score) * share * half;
  }

  /** The move at *x*; 0 is left of the first one. @param {number} x */
  numberAt(x) {
    return Math.floor((x - LEFT) / this.step) + 1;
  }

  /** Every how many moves there is room for a number. */
  get tick() {
    return TICKS.find((count) => count * this.step >= TICK_ROOM) ?? 25;
  }
}

/** Who wins with a score of the first player's. @param {number} score @returns {Lead} */
export function leadOf(score) {
  if (!score) return "even";
  return score > 0 ? "first" : "second";
}
