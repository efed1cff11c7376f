// The score of a game over its moves as a drawing that is also a slider: for mouse, finger and keys.

import { svg } from "../board.js";
import { html } from "../dom.js";
import { nameOf } from "./words.js";

const HEIGHT = 216;
const LEFT = 12;
const RIGHT = 12;
const TOP = 30; // room above for who wins there
const FOOT = 48; // and below, with the numbers of the moves
const LEAST = 6; // the scale of a game in which all was close
const FLOOR = 0.22; // the least win is drawn so much above a draw: who wins matters more than how fast

export class Graph {
  /** *moves* are MoveReviewViews; *describe* says in words what one of them is, 0 being the start. */
  constructor({ moves, symbolOf, describe, onJump }) {
    Object.assign(this, { moves, symbolOf, describe, onJump });
    this.highest = Math.max(LEAST, ...moves.map(({ score_first: score }) => Math.abs(score ?? 0)));
    this.current = 0;
    this.picture = svg("svg", { class: "review-picture", "aria-hidden": "true", focusable: "false" });
    this.element = html("div", {
      class: "review-graph", role: "slider", tabindex: "0", "aria-label": "Move of the game",
      "aria-valuemin": 0, "aria-valuemax": moves.length,
      on: {
        keydown: (event) => this.key(event),
        pointerdown: (event) => this.grab(event),
        pointermove: (event) => event.buttons && this.point(event),
      },
    }, this.picture);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.element);
    this.setCurrent(0);
  }

  destroy() {
    this.watcher.disconnect();
  }

  setCurrent(number) {
    this.current = number;
    this.element.setAttribute("aria-valuenow", number);
    this.element.setAttribute("aria-valuetext", this.describe(number));
    this.drawCursor();
  }

  // ---- Drawing: move n is the strip between n - 1 and n --------------------------------------------

  draw() {
    const width = this.element.clientWidth;
    if (!width) return;
    this.step = (width - LEFT - RIGHT) / Math.max(this.moves.length, 1);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const line = (y, name) => svg("line", { class: name, x1: LEFT, x2: width - RIGHT, y1: y, y2: y });
    this.cursor = svg("rect", { class: "review-cursor", y: TOP - 5, height: HEIGHT - FOOT - TOP + 10, rx: 4 });
    this.picture.replaceChildren(
      line(this.y(0), "review-zero"),
      ...this.moves.map((move) => this.strip(move)),
      this.cursor,
      ...this.moves.map((move) => this.marker(move)),
      svg("text", { class: "review-axis", x: LEFT, y: 16 }, `▲ ${nameOf(1)} wins`),
      svg("text", { class: "review-axis", x: LEFT, y: HEIGHT - 8 }, `▼ ${nameOf(2)} wins`),
      ...this.ticks(),
    );
    this.drawCursor();
  }

  x(number) {
    return LEFT + (number - 1) * this.step;
  }

  y(score) {
    const middle = TOP + (HEIGHT - TOP - FOOT) / 2;
    if (!score) return middle;
    const share = FLOOR + (1 - FLOOR) * Math.min(Math.abs(score) / this.highest, 1);
    return middle - Math.sign(score) * share * (HEIGHT - TOP - FOOT) / 2;
  }

  strip({ number, score_first: score }) {
    const place = { x: this.x(number) + 0.5, width: Math.max(this.step - 1, 1) };
    if (score === null) {
      return svg("rect", { ...place, class: "review-unknown", y: TOP, height: HEIGHT - TOP - FOOT });
    }
    const [top, bottom] = [this.y(score), this.y(0)].sort((one, other) => one - other);
    const side = score > 0 ? "first" : score < 0 ? "second" : "even";
    const thin = score ? 0 : 2;
    const span = { y: top - thin, height: bottom - top + 2 * thin };
    return svg("rect", { ...place, ...span, class: `review-strip is-${side}`, rx: 2 });
  }

  marker({ number, score_first: score, verdict }) {
    if (!["inaccuracy", "mistake", "blunder"].includes(verdict)) return "";
    const x = this.x(number) + this.step / 2;
    const y = Math.min(Math.max(this.y(score ?? 0), TOP + 4), HEIGHT - FOOT - 4);
    return svg("g", { class: `review-marker is-${verdict}`, transform: `translate(${x} ${y})` },
      svg("circle", { r: 10 }), svg("text", { y: 4 }, this.symbolOf(verdict)));
  }

  ticks() {
    const every = [1, 2, 5, 10, 20].find((count) => count * this.step >= 26) ?? 25;
    return this.moves.filter(({ number }) => number % every === 0).map(({ number }) =>
      svg("text", { class: "review-tick", x: this.x(number) + this.step / 2, y: HEIGHT - FOOT + 22 }, String(number)));
  }

  drawCursor() {
    if (!this.cursor) return;
    // Before the first move it stands at the edge.
    const isBefore = this.current === 0;
    this.cursor.setAttribute("x", isBefore ? LEFT - 6 : this.x(this.current) - 1);
    this.cursor.setAttribute("width", isBefore ? 5 : Math.max(this.step + 2, 4));
  }

  // ---- What people do ------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.moves.length;
    const target = {
      ArrowLeft: this.current - 1, ArrowDown: this.current - 1,
      ArrowRight: this.current + 1, ArrowUp: this.current + 1,
      PageDown: this.current - 5, PageUp: this.current + 5, Home: 0, End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.jump(target);
  }

  grab(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.point(event);
  }

  point(event) {
    const { left } = this.element.getBoundingClientRect();
    this.jump(Math.floor((event.clientX - left - LEFT) / this.step) + 1);
  }

  jump(number) {
    const bounded = Math.min(Math.max(number, 0), this.moves.length);
    if (bounded !== this.current) this.onJump(bounded);
  }
}
