// The board: draws what it is shown and tells where somebody clicked. It knows no rule of the game.
//
// Discs fall behind the plate, whose holes are holes: the back, the discs, the plate and what is drawn
// on top are layers of one SVG picture. Over it lies a row of real buttons, one for each column, which
// is what the mouse, the keyboard and a screen reader use.

import { announce } from "./announce.js";
import { html } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 100; // units of the picture; all else follows from it
const FRAME = 22;
const LANE = 96; // the room above the plate, where the next disc hovers
const FOOT = 52; // the part of the plate that bears the columns' names
const HOLE = 40;
const DISC = 43.5; // larger than the hole it lies behind

const NAMES = "123456789abcdefghijklmnopqrstuvwxyz";
const SIDES = ["", "first", "second"];
let boards = 0;

/** What people call a column: 1 to 9, then letters. */
export function columnName(column) {
  return NAMES[column] ?? String(column + 1);
}

/** Whether the person asked for less motion. */
export function reducedMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A disc around (0, 0): a ring lies in the first player's, a diamond in the second's. */
function disc(player, radius = DISC) {
  const scale = radius / DISC;
  const mark =
    player === 1
      ? svg("circle", { class: "mark", r: 16, "stroke-width": 7.5 })
      : svg("path", { class: "mark", d: "M0-20 20 0 0 20-20 0z" });
  return svg(
    "g",
    { class: `disc ${SIDES[player]}`, transform: `scale(${scale})` },
    svg("circle", { class: "body", r: DISC }),
    svg("circle", { class: "edge", r: 36.5, "stroke-width": 14 }),
    mark,
  );
}

/** A small picture of a player's disc, to stand beside a name. */
export function discIcon(player) {
  return svg("svg", { class: "disc-icon", viewBox: "-45 -45 90 90", "aria-hidden": "true" }, disc(player));
}

export class Board {
  #root;
  #id = `board${++boards}`;
  #position = null;
  #enabled = false;
  #turn = 1;
  #pointed = null; // the column under the mouse
  #current = 0; // the column that the tab key reaches
  #figures = null;
  #stage;
  #columns;
  #figureRow;
  #description;
  #picture = null;
  #layers = new Map();
  #discs = new Map(); // "column,row" -> { element, player }
  #buttons = [];
  #hover = null;
  #landing = 0; // when the last disc will lie

  /** Called with the column of each click, key or touch; may be set anew at any time. */
  onColumn;
  /** If set, called with (column, row) of each click; keys still go to `onColumn`. */
  onSquare;
  /** Called with the column whose figure is pointed at or focused, and with null after that. */
  onFigure = null;
  /** Called when a disc that fell has landed. */
  onLand = null;

  constructor(root, { onColumn, onSquare } = {}) {
    this.#root = root;
    this.onColumn = onColumn;
    this.onSquare = onSquare;
    root.classList.add("board");
    this.#description = html("p", { class: "visually-hidden", id: `${this.#id}-text` });
    this.#figureRow = html("div", { class: "board-figures", hidden: true });
    this.#columns = html("div", {
      class: "board-columns",
      role: "group",
      "aria-label": "Board",
      "aria-describedby": `${this.#id}-text`,
    });
    this.#stage = html("div", { class: "board-stage" }, this.#columns);
    root.replaceChildren(this.#description, this.#figureRow, this.#stage);
    this.#columns.addEventListener("click", (event) => this.#clicked(event));
    this.#columns.addEventListener("keydown", (event) => this.#arrow(event));
    this.#columns.addEventListener("focusin", () => this.#drawHover());
    this.#columns.addEventListener("focusout", () => this.#drawHover());
    this.#columns.addEventListener("pointerover", (event) => this.#point(event));
    this.#columns.addEventListener("pointerleave", () => this.#point(null));
    const key = (event) => {
      if (!root.isConnected) document.removeEventListener("keydown", key);
      else this.#key(event);
    };
    document.addEventListener("keydown", key);
  }

  /** The PositionView that is shown. */
  get position() {
    return this.#position;
  }

  /** Show a PositionView; new discs fall from above. */
  show(position, { animate = true } = {}) {
    const before = this.#position;
    const sameSize = before && before.width === position.width && before.height === position.height;
    if (!sameSize) this.#build(position);
    this.#position = position;
    const arrived = [];
    const wanted = new Set();
    position.cells.forEach((cells, row) =>
      cells.forEach((player, column) => {
        if (!player) return;
        const key = `${column},${row}`;
        wanted.add(key);
        if (this.#discs.get(key)?.player === player) return;
        this.#discs.get(key)?.element.remove();
        const { x, y } = this.centre(column, row);
        const element = svg("g", { transform: `translate(${x} ${y})` }, svg("g", {}, disc(player)));
        this.layer("discs").append(element);
        this.#discs.set(key, { element, player });
        arrived.push({ element, column, row });
      }),
    );
    let left = 0;
    for (const [key, { element }] of this.#discs) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#discs.delete(key);
      left += 1;
    }
    this.#markEnd(position);
    // A move, or a move and the answer to it, is watched falling; anything else is another position.
    if (animate && sameSize && !left && arrived.length && arrived.length <= 2) this.#drop(arrived);
    this.#description.textContent = position.text;
    this.#label();
    this.#drawHover();
  }

  /** Say whether columns can be chosen, and whose disc hovers over the one pointed at. */
  setEnabled(enabled, turn = this.#turn) {
    this.#enabled = Boolean(enabled);
    this.#turn = turn;
    this.#stage.classList.toggle("is-enabled", this.#enabled);
    this.#label();
    this.#drawHover();
  }

  /** Show [{column, text, detail, label, tone, best}] above the columns; null takes the row away.
   * *label* is what a screen reader says in place of the text. */
  setFigures(figures) {
    this.#figures = figures;
    this.#figureRow.hidden = figures === null;
    const focused = this.#figureRow.contains(document.activeElement)
      ? document.activeElement.dataset.column
      : null;
    this.#figureRow.replaceChildren(
      ...(figures ?? []).map(({ column, text, detail, label, tone, best }) => {
        const figure = html(
          "button",
          {
            type: "button",
            class: `figure ${tone}${best ? " best" : ""}`,
            "data-column": column,
            "aria-label": `Column ${columnName(column)}: ${label || detail || text}${best ? ", best" : ""}`,
            title: label || detail || "",
          },
          html("span", { class: "figure-text" }, text),
        );
        figure.style.gridColumn = String(column + 1);
        if (detail) figure.append(html("span", { class: "figure-detail" }, detail));
        figure.addEventListener("pointerenter", () => this.onFigure?.(column));
        figure.addEventListener("pointerleave", () => this.onFigure?.(null));
        figure.addEventListener("focus", () => this.onFigure?.(column));
        figure.addEventListener("blur", () => this.onFigure?.(null));
        return figure;
      }),
    );
    if (focused !== null) this.#figureRow.querySelector(`[data-column="${focused}"]`)?.focus();
    this.#label();
  }

  /** Show [{column, row, player, number}] as translucent numbered discs; null takes them away. */
  setPreview(squares) {
    this.layer("preview").replaceChildren(
      ...(squares ?? []).map(({ column, row, player, number }) => {
        const { x, y } = this.centre(column, row);
        return svg(
          "g",
          { class: `preview ${SIDES[player]}`, transform: `translate(${x} ${y})` },
          svg("circle", { class: "body", r: HOLE - 3 }),
          svg("text", { class: "number", y: 13 }, String(number)),
        );
      }),
    );
  }

  /** Show [{column, row, player, label}] as marks on empty squares; null takes them away. */
  setMarks(marks) {
    const at = ({ column, row }) => `${column},${row}`;
    const places = (marks ?? []).map(at);
    this.layer("marks").replaceChildren(
      ...(marks ?? []).map((mark) => {
        const { x, y } = this.centre(mark.column, mark.row);
        const isFirst = mark.player === 1;
        // Where both have one, the second's diamond lies in the first's circle and bears the label.
        const isShared = places.indexOf(at(mark)) !== places.lastIndexOf(at(mark));
        const half = isShared ? 34 : 38;
        const shape = isFirst
          ? svg("circle", { class: "shape", r: isShared ? 37 : 34 })
          : svg("path", { class: "shape", d: `M0-${half} ${half} 0 0 ${half}-${half} 0z` });
        return svg(
          "g",
          { class: `threat ${SIDES[mark.player]}`, transform: `translate(${x} ${y})` },
          shape,
          svg("text", { class: "label", y: 8 }, isShared && isFirst ? "" : mark.label ?? ""),
        );
      }),
    );
  }

  /** The middle of a square, in units of the picture. */
  centre(column, row) {
    return {
      x: FRAME + (column + 0.5) * CELL,
      y: LANE + FRAME + (this.#position.height - row - 0.5) * CELL,
    };
  }

  /** A group of the picture for drawings of one's own, above the discs; made when first asked for. */
  layer(name) {
    if (!this.#layers.has(name)) {
      const group = svg("g", { class: `layer-${name}` });
      this.#layers.set(name, group);
      this.#picture.append(group);
    }
    return this.#layers.get(name);
  }

  /** Lay an element over the room above the plate, where otherwise the next disc hovers. */
  overlay(element) {
    this.#stage.append(element);
  }

  focusColumn(column) {
    this.#makeCurrent(column);
    this.#buttons[column]?.focus();
  }

  // ---- Drawing -----------------------------------------------------------------------------------

  #build({ width, height }) {
    const right = 2 * FRAME + width * CELL;
    const bottom = LANE + 2 * FRAME + height * CELL + FOOT;
    this.#picture?.remove();
    this.#discs.clear();
    this.#layers.clear();
    this.#picture = svg("svg", {
      class: "board-picture",
      viewBox: `0 0 ${right} ${bottom}`,
      "aria-hidden": "true",
      focusable: "false",
    });
    this.#root.classList.toggle("is-wide", width > 10);
    const style = this.#root.style;
    style.setProperty("--columns", width);
    style.setProperty("--picture-width", right);
    style.setProperty("--picture-height", bottom);
    style.setProperty("--frame-part", FRAME / right);
    style.setProperty("--lane", `${(100 * LANE) / bottom}%`);
    style.setProperty("--foot", `${(100 * (FOOT + FRAME)) / bottom}%`);

    const gradient = (name, top, below) =>
      svg(
        "linearGradient",
        { id: `${this.#id}-${name}`, x1: 0, y1: 0, x2: 0, y2: 1 },
        svg("stop", { class: top, offset: 0.05 }),
        svg("stop", { class: below, offset: 0.95 }),
      );
    const outline = roundedRect(0, LANE, right, bottom - LANE, 34);
    let holes = "";
    const rims = svg("g", { class: "rims", "stroke-width": 6, stroke: `url(#${this.#id}-rim)` });
    this.#position = { width, height };
    for (let column = 0; column < width; column += 1) {
      for (let row = 0; row < height; row += 1) {
        const { x, y } = this.centre(column, row);
        holes += `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`;
        rims.append(svg("circle", { cx: x, cy: y, r: HOLE + 1 }));
      }
    }
    const names = svg("g", { class: "names" });
    for (let column = 0; column < width; column += 1) {
      names.append(
        svg("text", { x: this.centre(column, 0).x, y: bottom - 24, "data-column": column }, columnName(column)),
      );
    }
    const back = svg("rect", {
      class: "back",
      x: FRAME / 2,
      y: LANE + FRAME / 2,
      width: right - FRAME,
      height: height * CELL + FRAME,
      rx: 26,
    });
    const group = (name, ...children) => {
      const layer = svg("g", { class: `layer-${name}` }, ...children);
      this.#layers.set(name, layer);
      return layer;
    };
    this.#hover = svg("g", { class: "hover" });
    this.#picture.append(
      svg(
        "defs",
        {},
        gradient("plate", "plate-top", "plate-bottom"),
        // The upper edge of a hole throws a shadow, the lower one catches the light.
        gradient("rim", "rim-shade", "rim-light"),
      ),
      back,
      group("lane", this.#hover),
      group("discs"),
      svg("path", {
        class: "plate",
        d: outline + holes,
        "fill-rule": "evenodd",
        fill: `url(#${this.#id}-plate)`,
      }),
      svg("path", { class: "plate-edge", d: roundedRect(1.5, LANE + 1.5, right - 3, bottom - LANE - 3, 33) }),
      rims,
      names,
      group("column"),
      group("end"),
      group("marks"),
      group("preview"),
    );
    this.#stage.prepend(this.#picture);

    this.#buttons = Array.from({ length: width }, (_, column) =>
      html("button", { type: "button", class: "board-column", "data-column": column, tabindex: -1 }),
    );
    this.#columns.replaceChildren(...this.#buttons);
    this.#makeCurrent(Math.floor((width - 1) / 2));
  }

  #markEnd(position) {
    const four = new Set(position.winning_squares.map(([column, row]) => `${column},${row}`));
    this.#picture.classList.toggle("has-four", four.size > 0);
    for (const [key, { element }] of this.#discs) element.classList.toggle("of-four", four.has(key));
    const rings = position.winning_squares.map(([column, row]) => {
      const { x, y } = this.centre(column, row);
      return svg("circle", { class: "four", cx: x, cy: y, r: HOLE });
    });
    if (position.last_move) {
      const { x, y } = this.centre(...position.last_move);
      if (!four.size) rings.push(svg("circle", { class: "last", cx: x, cy: y, r: HOLE - 1 }));
    }
    this.layer("end").replaceChildren(...rings);
  }

  #drop(arrived) {
    const last = this.#position.last_move;
    const isLast = ({ column, row }) => last && column === last[0] && row === last[1];
    arrived.sort((one, other) => isLast(one) - isLast(other));
    if (reducedMotion()) {
      this.onLand?.();
      return;
    }
    const end = this.layer("end");
    // A disc waits until the one before it lies: the computer may answer sooner than that.
    const now = performance.now();
    let start = Math.max(0, this.#landing - now);
    for (const { element, column, row } of arrived) {
      const distance = this.centre(column, row).y - LANE / 2;
      const duration = 16 * Math.sqrt(distance); // to the first touch
      const bounce = -Math.min(26, distance * 0.05);
      const at = (y) => `translateY(${y}px)`;
      const fall = element.firstChild.animate(
        [
          { transform: at(-distance), easing: "cubic-bezier(0.33, 0, 0.67, 0.33)" },
          { transform: at(0), offset: 0.68, easing: "cubic-bezier(0.33, 0.67, 0.67, 1)" },
          { transform: at(bounce), offset: 0.84, easing: "cubic-bezier(0.33, 0, 0.67, 0.33)" },
          { transform: at(0) },
        ],
        { duration: duration / 0.68, delay: start, fill: "backwards" },
      );
      const landed = start + duration;
      setTimeout(() => element.isConnected && this.onLand?.(), landed);
      if (isLast({ column, row })) {
        // What the end of the game looks like is not told before the disc lies.
        end.animate([{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }], {
          duration: landed + 60,
          fill: "backwards",
        });
      }
      start = landed + 120;
      this.#landing = now + start;
      fall.finished.catch(() => {});
    }
  }

  #drawHover() {
    if (!this.#picture || !this.#position?.cells) return;
    const focused = this.#buttons.findIndex((button) => button.matches(":focus-visible"));
    const chosen = this.#pointed ?? (focused >= 0 ? focused : null);
    const column = chosen ?? this.#current; // there the next disc waits until somebody points
    const shown = this.#enabled && this.#isOpen(column);
    this.#hover.replaceChildren();
    this.layer("column").replaceChildren();
    for (const name of this.#picture.querySelectorAll(".names text")) {
      name.classList.toggle("pointed", shown && Number(name.dataset.column) === chosen);
    }
    if (!shown) return;
    const { x } = this.centre(column, 0);
    this.#hover.append(svg("g", { transform: `translate(${x} ${LANE / 2})` }, disc(this.#turn, 41)));
    if (chosen === null) return;
    this.layer("column").append(
      svg("rect", {
        class: "pointed-column",
        x: x - CELL / 2 + 3,
        y: LANE + FRAME / 2,
        width: CELL - 6,
        height: this.#position.height * CELL + FRAME,
        rx: 30,
      }),
    );
  }

  #label() {
    if (!this.#position?.cells) return;
    const details = new Map();
    for (const { column, label, detail, text } of this.#figures ?? []) details.set(column, label || detail || text);
    this.#buttons.forEach((button, column) => {
      const stones = this.#position.cells.filter((row) => row[column]).length;
      const isFull = stones === this.#position.height;
      const parts = [`Column ${columnName(column)}`];
      parts.push(isFull ? "full" : stones ? `${stones} of ${this.#position.height}` : "empty");
      if (details.has(column)) parts.push(details.get(column));
      button.setAttribute("aria-label", parts.join(", "));
      button.setAttribute("aria-disabled", String(!this.#enabled || !this.#isOpen(column)));
    });
  }

  // ---- What people do ----------------------------------------------------------------------------

  #isOpen(column) {
    // Where any square may be clicked, as in the editor, the rules do not matter.
    return Boolean(this.onSquare) || this.#position.legal_columns.includes(column);
  }

  #choose(column) {
    if (!this.#enabled) return;
    if (!this.#isOpen(column)) {
      announce(`Column ${columnName(column)} is full.`);
      return;
    }
    this.#makeCurrent(column);
    this.onColumn?.(column);
  }

  #clicked(event) {
    const button = event.target.closest(".board-column");
    if (!button) return;
    const column = Number(button.dataset.column);
    if (!this.onSquare || event.detail === 0) {
      this.#choose(column); // a key, or a screen reader
      return;
    }
    if (!this.#enabled) return;
    const { bottom, height } = button.getBoundingClientRect();
    const scale = height / (LANE + FRAME + this.#position.height * CELL);
    const row = Math.floor((bottom - event.clientY) / (CELL * scale));
    this.onSquare(column, Math.max(0, Math.min(this.#position.height - 1, row)));
  }

  #arrow(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#enabled) return;
    const last = this.#buttons.length - 1;
    const target = {
      ArrowLeft: Math.max(0, this.#current - 1),
      ArrowRight: Math.min(last, this.#current + 1),
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.focusColumn(target);
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest?.("input, textarea, select, dialog, [contenteditable]")) return;
    if (!this.#enabled || event.key.length !== 1) return;
    const column = NAMES.indexOf(event.key.toLowerCase());
    if (column < 0 || column >= this.#buttons.length) return;
    event.preventDefault();
    this.#choose(column);
  }

  #point(event) {
    const button = event?.target.closest(".board-column");
    // A finger does not point before it touches.
    this.#pointed = button && event.pointerType !== "touch" ? Number(button.dataset.column) : null;
    this.#drawHover();
  }

  #makeCurrent(column) {
    this.#current = column;
    this.#buttons.forEach((button, index) => button.setAttribute("tabindex", index === column ? 0 : -1));
  }
}

function roundedRect(x, y, width, height, radius) {
  const r = radius;
  return (
    `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}` +
    `h${-(width - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-(height - 2 * r)}a${r} ${r} 0 0 1 ${r} ${-r}z`
  );
}
