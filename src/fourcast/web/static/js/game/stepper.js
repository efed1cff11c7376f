// Stepping through a game: the buttons below the board, the list of moves, and what says that the board
// shows an earlier position.

import { announce } from "../announce.js";
import { discIcon } from "../disc.js";
import { button, focusInPlace, hasModifier, html, iconButton, isWithin, setDisabled } from "../dom.js";
import { colorName, sideKey } from "../names.js";
import { fetchPosition, upTo } from "../positions.js";
import { describeError } from "../words.js";

/** @typedef {import("./state.js").GameState} GameState */

export class Stepper {
  /** @type {GameState | null} */
  #state = null;
  /** @type {number | null} How many moves are to be shown, if it is not all of them. */
  #aim = null;
  /** @type {PositionView | null} The earlier position that is shown. */
  #past = null;
  #onStep;
  #onProblem;
  #onJump;
  #count = html("span", { class: "count" });
  #buttons = {
    first: iconButton("first", "First position", () => this.step(0), "step"),
    back: iconButton("back", "One move back", () => this.step(this.shown - 1), "step"),
    forward: iconButton("forward", "One move forward", () => this.step(this.shown + 1), "step"),
    last: iconButton("last", "Last position", () => this.step(Infinity), "step"),
  };
  element = html(
    "div",
    { class: "steps", role: "group", "aria-label": "Step through the game" },
    this.#buttons.first,
    this.#buttons.back,
    this.#count,
    this.#buttons.forward,
    this.#buttons.last,
  );
  list = html("ol", { class: "moves" });
  overlay = html("p", { class: "past", hidden: true });

  /**
   * *onStep* is called when another position is to be shown. *onJump(number)* may take a step over, as a
   * review does, and then returns true.
   * @param {{ onStep: () => void, onJump: (number: number) => boolean, onProblem: (text: string) => void }} listeners
   */
  constructor({ onStep, onJump, onProblem }) {
    this.#onStep = onStep;
    this.#onJump = onJump;
    this.#onProblem = onProblem;
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** How many moves are on the board. */
  get shown() {
    return this.#aim ?? this.#total;
  }

  /** Whether an earlier position is looked at. */
  get isPast() {
    return this.#aim !== null;
  }

  /** The earlier position that is looked at; null as long as it is on its way. */
  get past() {
    return this.isPast ? this.#past : null;
  }

  get #total() {
    return this.#state?.total ?? 0;
  }

  /** Back to the game. */
  reset() {
    this.#aim = null;
    this.#past = null;
  }

  /** Look at *position*, which is one of the game's. @param {PositionView} position */
  lookAt(position) {
    this.#aim = position.moves.length === this.#total ? null : position.moves.length;
    this.#past = position;
    this.#onStep();
  }

  /** Look at the position after *count* moves. @param {number} count */
  async step(count) {
    if (!this.#state) return;
    const target = Math.max(0, Math.min(this.#total, count));
    if (target === this.shown || this.#onJump(target)) return;
    this.#aim = target === this.#total ? null : target;
    try {
      const position = await fetchPosition(upTo(this.#state.position, target));
      if (this.shown !== target) return; // somebody stepped on meanwhile
      this.#past = position;
    } catch (error) {
      this.reset();
      this.#onProblem(describeError(error));
    }
    this.#onStep();
    announce(this.isPast ? `After move ${target} of ${this.#total}.` : "The game as it stands.");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || hasModifier(event) || event.shiftKey) return;
    const own = "input, textarea, select, dialog, summary, [contenteditable], [role=slider]";
    if (isWithin(event, own)) return;
    const targets = new Map([
      ["ArrowLeft", this.shown - 1],
      ["ArrowRight", this.shown + 1],
      ["Home", 0],
      ["End", Infinity],
    ]);
    if (isWithin(event, ".board-columns")) {
      targets.set("ArrowUp", this.shown - 1).set("ArrowDown", this.shown + 1);
    }
    const target = targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    this.step(target);
  }

  // ---- Drawing -----------------------------------------------------------------------------------

  /** @param {GameState} state */
  draw(state) {
    this.#state = state;
    const { first, back, forward, last } = this.#buttons;
    for (const element of [first, back]) setDisabled(element, this.shown === 0);
    for (const element of [forward, last]) setDisabled(element, this.shown === this.#total);
    this.#count.textContent = `${this.shown} / ${this.#total}`;
    this.overlay.hidden = !this.isPast;
    const where = this.shown
      ? `Move ${this.shown} of ${this.#total}`
      : `Before move 1 of ${this.#total}`;
    this.overlay.replaceChildren(
      html("span", {}, where),
      button("Back to the game", () => this.step(Infinity), { kind: "small" }),
    );
    this.#drawList(state);
  }

  /** @param {GameState} state */
  #drawList(state) {
    const { list } = this;
    const before = [...list.querySelectorAll("button")].findIndex(
      (each) => each === document.activeElement,
    );
    const items = [...state.position.moves].map((name, index) => this.#item(state, name, index));
    const nothing = html("li", { class: "none" }, "No moves yet.");
    list.replaceChildren(...(items.length ? items : [nothing]));
    if (before >= 0) focusInPlace(list.querySelectorAll("button")[before]);
    const current = list.querySelector("[aria-current]");
    const top = current instanceof HTMLElement ? current.offsetTop - list.clientHeight / 2 : 0;
    list.scrollTop = Math.max(0, top);
  }

  /** @param {GameState} state @param {string} name @param {number} index */
  #item(state, name, index) {
    const side = state.moverOf(index);
    const number = index + 1;
    return html(
      "li",
      {},
      html(
        "button",
        {
          type: "button",
          class: `move ${sideKey(side)}`,
          "aria-label": `Move ${number}: ${colorName(side).toLowerCase()}, column ${name}`,
          "aria-current": number === this.shown ? "step" : null,
          on: { click: () => this.step(number) },
        },
        html("span", { class: "move-number" }, number),
        discIcon(side),
        html("span", { class: "move-column" }, name),
      ),
    );
  }
}
