// The score of a game over its moves as a drawing that is also a slider: for mouse, finger and keys.

import { html, stepByKey, svg } from "../elements/dom.js";
import { playerName } from "../words/names.js";
import { t } from "../words/text.js";
import { labelOf, lookOf } from "./review-parts.js";
import { FOOT, HEIGHT, LEFT, RIGHT, Scale, TOP, leadOf } from "./review-scale.js";

const PAGE = 5; // moves that the page keys skip
const UNMARKED = ["best", "good", "unknown"];

export class Graph {
  #moves;
  #on;
  #current = 0;
  #scale;
  #cursor = svg("rect.review-cursor", { y: TOP - 5, height: HEIGHT - FOOT - TOP + 10, rx: 4 });
  #picture = svg("svg.review-picture", { "aria-hidden": "true", focusable: "false" });
  #watcher = new ResizeObserver(() => this.#draw());
  element;

  /**
   * *describe* says in words what a move is, 0 being the start.
   * @param {MoveReviewView[]} moves
   * @param {{ describe: (number: number) => string, onJump: (number: number) => void }} listeners
   */
  constructor(moves, listeners) {
    this.#moves = moves;
    this.#on = listeners;
    this.#scale = this.#scaleFor(0);
    this.element = html(
      "div.review-graph",
      {
        role: "slider",
        tabindex: "0",
        "aria-label": t("review.slider"),
        "aria-valuemin": 0,
        "aria-valuemax": moves.length,
        on: {
          keydown: (event) => this.#key(event),
          pointerdown: (event) => this.#grab(event),
          pointermove: (event) => event.buttons && this.#point(event),
        },
      },
      this.#picture,
    );
    this.#watcher.observe(this.element);
    this.setCurrent(0);
  }

  destroy() {
    this.#watcher.disconnect();
  }

  /** @param {number} number */
  setCurrent(number) {
    this.#current = number;
    this.element.setAttribute("aria-valuenow", String(number));
    this.element.setAttribute("aria-valuetext", this.#on.describe(number));
    this.#drawCursor();
  }

  // ---- Drawing: move n is the strip between n - 1 and n ------------------------------------------

  /** @param {number} width */
  #scaleFor(width) {
    return new Scale(
      this.#moves.map((move) => move.score_first),
      width,
    );
  }

  #draw() {
    const width = this.element.clientWidth;
    if (!width) return;
    this.#scale = this.#scaleFor(width);
    const middle = this.#scale.y(0);
    this.#picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#picture.replaceChildren(
      svg("line.review-zero", { x1: LEFT, x2: width - RIGHT, y1: middle, y2: middle }),
      ...this.#moves.map((move) => this.#strip(move)),
      this.#cursor,
      ...this.#moves
        .filter((move) => !UNMARKED.includes(labelOf(move)))
        .map((move) => this.#marker(move)),
      svg("text.review-axis", { x: LEFT, y: 16 }, t("review.up", { player: playerName(1) })),
      svg("text.review-axis", { x: LEFT, y: HEIGHT - 8 }, t("review.down", { player: playerName(2) })),
      ...this.#ticks(),
    );
    this.#drawCursor();
  }

  /** @param {MoveReviewView} move */
  #strip({ number, score_first: score }) {
    const { step } = this.#scale;
    const place = { x: this.#scale.x(number) + 1, width: Math.max(step - 2, 1) };
    if (score === null) {
      return svg("rect.review-unknown", { ...place, y: TOP, height: HEIGHT - TOP - FOOT });
    }
    const [top, bottom] = [this.#scale.y(score), this.#scale.y(0)].sort((one, other) => one - other);
    const thin = score ? 0 : 2;
    const span = { y: top - thin, height: bottom - top + 2 * thin };
    return svg("rect", { ...place, ...span, class: `review-strip is-${leadOf(score)}`, rx: 2 });
  }

  /** @param {MoveReviewView} move */
  #marker(move) {
    const { number, score_first: score } = move;
    const label = labelOf(move);
    const x = this.#scale.x(number) + this.#scale.step / 2;
    const y = Math.min(Math.max(this.#scale.y(score ?? 0), TOP + 4), HEIGHT - FOOT - 4);
    return svg(
      "g",
      { class: `review-marker is-${label}`, transform: `translate(${x} ${y})` },
      svg("circle", { r: 10 }),
      svg("text", { y: 4 }, lookOf(label).symbol),
    );
  }

  #ticks() {
    const { tick, step } = this.#scale;
    const y = HEIGHT - FOOT + 22;
    return this.#moves
      .filter(({ number }) => number % tick === 0)
      .map(({ number }) =>
        svg("text.review-tick", { x: this.#scale.x(number) + step / 2, y }, String(number)),
      );
  }

  #drawCursor() {
    // Before the first move it stands at the edge.
    const isBefore = this.#current === 0;
    const { step } = this.#scale;
    this.#cursor.setAttribute("x", String(isBefore ? LEFT - 6 : this.#scale.x(this.#current) - 1));
    this.#cursor.setAttribute("width", String(isBefore ? 5 : Math.max(step + 2, 4)));
  }

  // ---- What people do ----------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = this.#current;
    const pages = { PageDown: at - PAGE, PageUp: at + PAGE };
    const target = stepByKey(event, at, this.#moves.length, {
      ArrowDown: at - 1,
      ArrowUp: at + 1,
      ...pages,
    });
    if (target === null) return;
    event.stopPropagation();
    this.#jump(target);
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.#point(event);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const { left } = this.element.getBoundingClientRect();
    this.#jump(this.#scale.numberAt(event.clientX - left));
  }

  /** @param {number} number */
  #jump(number) {
    const bounded = Math.min(Math.max(number, 0), this.#moves.length);
    if (bounded !== this.#current) this.#on.onJump(bounded);
  }
}
