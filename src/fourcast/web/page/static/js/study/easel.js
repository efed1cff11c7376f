// Where reasons are drawn: on the page's own board if it shows the position that the marks are about, else
// on a second board that stands in its place until the marks are taken away.

import { makeBoard, setEnabled, setFigures, showPosition } from "../board/board.js";
import { focusColumn } from "../board/input.js";
import { setReason } from "../board/overlays.js";
import { html } from "../elements/dom.js";
import { fetchPosition } from "../backend/positions.js";
import { startOf } from "../elements/setup.js";

/** @typedef {() => void} OnTaken Called when another drawing takes the place of one's own. */

/** @type {WeakMap<Board, Easel>} */
const easels = new WeakMap();

/** The easel of *board*: there is one for all that is drawn on it. @param {Board} board */
export function easelOf(board) {
  const known = easels.get(board) ?? new Easel(board);
  easels.set(board, known);
  return known;
}

export class Easel {
  #board;
  /** @type {Board | null} The second board; it is kept once it has been needed. */
  #second = null;
  /** @type {OnTaken | null} */
  #owner = null;
  #caption = html("p.past.easel-caption", { hidden: true });

  /** @param {Board} board */
  constructor(board) {
    this.#board = board;
  }

  /** Whether the second board stands in the place of the first. */
  get isApart() {
    return this.#second?.root.isConnected ?? false;
  }

  /** The board that is to be seen. */
  get shown() {
    return (this.isApart && this.#second) || this.#board;
  }

  /** Whether the page's board shows the position that *marks* are about. @param {MarksView} marks */
  isHere({ rows }) {
    return this.#board.position !== null && startOf(this.#board.position.cells) === rows;
  }

  /** Draw *marks*, which are about the position *query*; *caption* says where it is if not on the board.
   * @param {OnTaken} owner @param {MarksView} marks @param {PositionQuery} query @param {string} caption */
  async draw(owner, marks, query, caption) {
    this.#take(owner);
    if (this.isHere(marks)) {
      this.#putAway();
      setReason(this.#board, marks);
      return;
    }
    const position = await fetchPosition(query);
    if (this.#owner !== owner) return;
    this.show(owner, position, marks, { caption });
  }

  /** Show a position on the second board. With *onColumn* its columns can be chosen, for *turn*.
   * @param {OnTaken} owner @param {Shown} position @param {MarksView | null} marks
   * @param {{ caption?: string, turn?: Side, onColumn?: ((column: number) => void) | null }} options */
  show(owner, position, marks, { caption = "", turn = position.turn, onColumn = null } = {}) {
    this.#take(owner);
    const second = this.#setUp();
    second.onColumn = onColumn ?? (() => {});
    showPosition(second, position);
    setEnabled(second, onColumn !== null, turn);
    setReason(second, marks);
    this.#caption.textContent = caption;
    this.#caption.hidden = !caption;
  }

  /** Keep the board as it is for *owner*, who is about to show something: nobody plays meanwhile.
   * @param {OnTaken} owner */
  hold(owner) {
    const { position } = this.shown;
    if (position) this.show(owner, position, null);
  }

  /** Let a column of the second board have the focus. */
  focus() {
    const { legal_columns: open = [], width = 1 } = this.#second?.position ?? {};
    const middle = (width - 1) / 2;
    const nearest = [...open].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    if (this.#second) focusColumn(this.#second, nearest[0] ?? 0);
  }

  /** Take away what *owner* has drawn; what somebody else has drawn stays. @param {OnTaken} owner */
  clear(owner) {
    if (this.#owner !== owner) return;
    this.#owner = null;
    this.#putAway();
    setReason(this.#board, null);
  }

  /** @param {OnTaken} owner */
  #take(owner) {
    const before = this.#owner;
    this.#owner = owner;
    if (before === owner) return;
    setReason(this.#board, null);
    before?.();
  }

  #setUp() {
    const { root } = this.#board;
    const second = this.#second ?? this.#make();
    this.#second = second;
    if (!this.isApart) {
      // As large as the other one, and where it was, so that nothing moves.
      second.root.className = `${root.className} is-second`;
      setFigures(second, root.querySelector(".board-figures:not([hidden])") ? [] : null);
      root.after(second.root);
      root.hidden = true;
    }
    return second;
  }

  #make() {
    const second = makeBoard(html("div"));
    second.stage.append(this.#caption);
    return second;
  }

  #putAway() {
    if (!this.isApart) return;
    const hadFocus = this.#second?.root.contains(document.activeElement);
    this.#second?.root.remove();
    this.#board.root.hidden = false;
    if (hadFocus) focusColumn(this.#board, 0);
  }
}
