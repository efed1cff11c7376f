// A button on every square of a board, for somebody who is to point at one: by touch, mouse or keyboard.

import { hasModifier, html, setDisabled } from "../elements/dom.js";
import { SIDES, colorInside, squareName, squareOf } from "../words/names.js";
import { t } from "../words/text.js";

const STEPS = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, 1]],
  ["ArrowDown", [0, -1]],
]);

export class Squares {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  #size = { width: 0, height: 0 };
  #isEnabled = false;
  #onSquare;
  element;

  /** @param {(square: string) => void} onSquare */
  constructor(onSquare) {
    this.#onSquare = onSquare;
    this.element = html("div.board-squares", {
      role: "group",
      "aria-label": t("learn.squares"),
      hidden: true,
      on: { keydown: (event) => this.#arrow(event) },
    });
  }

  /** Lay the buttons over the squares of a position. @param {PositionView} position */
  show({ width, height, cells }) {
    this.#size = { width, height };
    this.#buttons.clear();
    const rows = [...cells.keys()].reverse(); // as they are read
    for (const row of rows) {
      for (const [column, player] of cells[row].entries()) {
        const name = squareName(column, row);
        const state = player ? colorInside(SIDES[player - 1]) : t("board.empty");
        const square = html("button.board-square", {
          "data-square": name,
          tabindex: -1,
          "aria-label": t("board.square", { square: name, state }),
          on: { click: () => this.#isEnabled && this.#onSquare(name) },
        });
        this.#buttons.set(name, square);
      }
    }
    this.element.replaceChildren(...this.#buttons.values());
    this.#makeCurrent(squareName(Math.floor((width - 1) / 2), 0));
    this.element.hidden = false;
    this.setEnabled(true);
  }

  hide() {
    this.element.hidden = true;
  }

  /** @param {boolean} isEnabled */
  setEnabled(isEnabled) {
    this.#isEnabled = isEnabled;
    for (const square of this.#buttons.values()) setDisabled(square, !isEnabled);
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    const step = STEPS.get(event.key);
    const at = event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
    if (!step || !at || hasModifier(event)) return;
    event.preventDefault();
    const { column, row } = squareOf(at);
    const within = (/** @type {number} */ place, /** @type {number} */ count) =>
      Math.min(Math.max(place, 0), count - 1);
    const { width, height } = this.#size;
    const name = squareName(within(column + step[0], width), within(row + step[1], height));
    this.#makeCurrent(name);
    this.#buttons.get(name)?.focus();
  }

  /** @param {string} name of the square that the tab key reaches */
  #makeCurrent(name) {
    for (const [each, square] of this.#buttons) {
      square.setAttribute("tabindex", each === name ? "0" : "-1");
    }
  }
}
