// A line of play on the board: its discs appear one after the other.

import { setPreview } from "../board/overlays.js";
import { reducedMotion } from "../elements/dom.js";
import { moverOf } from "../words/names.js";

const STEP_MS = 320; // between two discs

export class LinePlayer {
  #board;
  #timer = 0;
  /** Whether a line of this player's is on the board. */
  isShown = false;
  #squares = ""; // of the line that is shown

  /** @param {Board} board */
  constructor(board) {
    this.#board = board;
  }

  /** Show a line, all at once to people who want no movement; one that is shown goes on as it is.
   * @param {Side} turn @param {number[][]} squares */
  play(turn, squares) {
    const key = JSON.stringify([turn, squares]);
    if (this.isShown && key === this.#squares) return;
    this.stop();
    if (!squares.length) return;
    this.#squares = key;
    this.isShown = true;
    const discs = squares.map(([column, row], index) => ({
      column,
      row,
      player: moverOf(index, 0, turn),
      number: index + 1,
    }));
    const step = (/** @type {number} */ count) => {
      setPreview(this.#board, discs.slice(0, count));
      if (count < discs.length) this.#timer = window.setTimeout(() => step(count + 1), STEP_MS);
    };
    step(reducedMotion() ? discs.length : 1);
  }

  /** Take the line away; a line that somebody else shows stays. */
  stop() {
    clearTimeout(this.#timer);
    if (this.isShown) setPreview(this.#board, null);
    this.isShown = false;
  }
}
