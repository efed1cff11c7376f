// The board: draws what it is shown and tells which column somebody chose. It knows no rule of the game.
//
// Over the picture (see plate.js) lies a row of real buttons, one for each column, which is what the mouse,
// the keyboard and a screen reader use.

import { announce } from "../shell/announce.js";
import { disc } from "./disc.js";
import {
  focusInPlace,
  hasModifier,
  html,
  isWithin,
  reducedMotion,
  setDisabled,
  svg,
} from "../elements/dom.js";
import { capital, describePosition } from "../local/words.js";
import { SIDES, colorInside, columnName, columnOf, sideKey } from "../words/names.js";
import { drawMarks } from "./marks.js";
import { CELL, FRAME, HOLE, LANE, center, makePicture, setProportions } from "./plate.js";
import { isSameSize } from "../words/sizes.js";
import { say, t } from "../words/text.js";

/** @typedef {PositionView & { isDraft?: boolean, problem?: string }} Shown A position, or one being set up. */
/** @typedef {{ column: number, row: number }} Place */
/** @typedef {Place & { element: SVGGElement }} Arrival */
/** @typedef {Place & { player: Side, number: number }} PreviewDisc */
/** @typedef {Place & { player: Side, label: string }} Mark */
/**
 * @typedef {object} Figure What stands above a column.
 * @property {number} column
 * @property {string} text large
 * @property {string} detail small, above the text
 * @property {string} label what a screen reader says in place of both
 * @property {"win" | "draw" | "loss" | "unknown"} tone
 * @property {boolean} best
 */

const LAYERS = ["column", "end", "marks", "reason", "preview", "pointer"]; // in front of the plate, from back to front
const MANY_COLUMNS = 10; // more of them scroll on a small screen
const NOTE_MS = 3000; // how long a refusal is shown
const MOST_WAIT_MS = 700; // about as long as the deepest fall takes

/** What stands above a figure where there is no room for its detail. @type {Record<string, TextKey>} */
const SHORT = { win: "board.win_letter", loss: "board.loss_letter" };

let boards = 0;

/** @param {Place} place */
const keyOf = ({ column, row }) => `${column},${row}`;

/** A position in words, in the chosen colors. @param {Shown} position */
function describe(position) {
  return capital(describePosition(say, position, SIDES.map(colorInside)));
}

export class Board {
  #root;
  #id = `board${++boards}`;
  /** @type {Shown | null} */
  #position = null;
  /** @type {Size | null} Of the picture. */
  #size = null;
  #enabled = false;
  /** @type {Side} */
  #turn = 1;
  /** @type {number | null} The column under the mouse. */
  #pointed = null;
  #current = 0; // the column that the tab key reaches
  /** @type {Figure[]} */
  #figures = [];
  #stage;
  #columns;
  #figureRow;
  #description;
  /** @type {SVGSVGElement | null} */
  #picture = null;
  /** @type {Map<string, SVGGElement>} */
  #layers = new Map();
  /** @type {Map<string, { element: SVGGElement, player: number }>} */
  #discs = new Map();
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  #landing = 0; // when the last disc will lie
  /** @type {number | null} The column whose figure is pressed. */
  #pressed = null;
  #whyNot = "";
  #note = html("p.board-note", { hidden: true });
  #noteTimer = 0;

  /** Called with the column of each click, key or touch. @type {(column: number) => void} */
  onColumn;
  /** Called with the column whose figure is pointed at or focused, and with null after that.
   * @type {(column: number | null) => void} */
  onFigure = () => {};
  /** Called with the column whose figure is clicked, touched or chosen by key. @type {(column: number) => void} */
  onFigureChosen = () => {};
  /** Called when a disc that fell has landed. */
  onLand = () => {};
  /** Whether any column may be chosen, as while a position is set up, whatever the rules say. */
  takesAnyColumn = false;

  /** Keys count wherever they are typed on the page, unless *keysFrom* is an element that has to have the focus.
   * @param {HTMLElement} root
   * @param {{ onColumn: (column: number) => void, keysFrom?: Document | HTMLElement }} options */
  constructor(root, { onColumn, keysFrom = document }) {
    this.#root = root;
    this.onColumn = onColumn;
    const textId = `${this.#id}-text`;
    root.classList.add("board");
    this.#description = html("p.visually-hidden", { id: textId });
    this.#figureRow = html("div.board-figures", { hidden: true });
    const group = { role: "group", "aria-label": t("board.label"), "aria-describedby": textId };
    this.#columns = html("div.board-columns", {
      ...group,
      on: {
        click: (event) => this.#clicked(event),
        keydown: (event) => this.#arrow(event),
        focusin: () => this.#drawHover(),
        focusout: () => this.#drawHover(),
        pointerover: (event) => this.#point(event),
        pointerleave: () => this.#point(null),
      },
    });
    this.#stage = html("div.board-stage", this.#columns, this.#note);
    root.replaceChildren(this.#description, this.#figureRow, this.#stage);
    keysFrom.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /** The element that it fills. */
  get root() {
    return this.#root;
  }

  /** What is shown. */
  get position() {
    return this.#position;
  }

  /** Show an empty board of that size until the position is known, so that nothing moves when it is.
   * @param {Size} size */
  reserve({ width, height }) {
    if (!this.#position) this.#build({ width, height });
  }

  /** Show a position; new discs fall from above. @param {Shown} position */
  show(position, { animate = true } = {}) {
    const isSame = this.#position !== null && isSameSize(this.#position, position);
    if (!this.#position) this.#hideNote();
    this.#position = position;
    if (!isSame && !(this.#size && isSameSize(this.#size, position))) this.#build(position);
    const { arrived, left } = this.#updateDiscs(position);
    this.#markEnd(position);
    // A move, or a move and the answer to it, is watched falling; anything else is another position.
    if (animate && isSame && !left && arrived.length && arrived.length <= 2) this.#drop(arrived);
    this.#description.textContent = position.isDraft ? position.text : describe(position);
    this.#label();
    this.#drawHover();
  }

  /** Say whether columns can be chosen, and whose disc hovers over the one pointed at. *whyNot* answers
   * somebody who tries while none can be.
   * @param {boolean} enabled @param {Side} turn @param {string} whyNot */
  setEnabled(enabled, turn = this.#turn, whyNot = "") {
    if (enabled !== this.#enabled || turn !== this.#turn) this.#hideNote();
    this.#enabled = enabled;
    this.#turn = turn;
    this.#whyNot = whyNot;
    this.#stage.classList.toggle("is-enabled", enabled);
    this.#label();
    this.#drawHover();
  }

  /** Show figures above the columns; null takes the row away. @param {Figure[] | null} figures */
  setFigures(figures) {
    this.#figures = figures ?? [];
    this.#figureRow.hidden = figures === null;
    const active = document.activeElement;
    const focused =
      this.#figureRow.contains(active) && active instanceof HTMLElement && active.dataset.column;
    this.#figureRow.replaceChildren(...this.#figures.map((figure) => this.#figure(figure)));
    if (focused) {
      focusInPlace(this.#figureRow.querySelector(`[data-column="${focused}"]`));
    }
    this.#label();
  }

  /** Show the figure of *column* as pressed, and no other. @param {number | null} column */
  pressFigure(column) {
    this.#pressed = column;
    for (const figure of this.#figureRow.querySelectorAll("button")) {
      figure.setAttribute("aria-pressed", String(Number(figure.dataset.column) === column));
    }
  }

  /** Whether a disc is still falling. */
  get isFalling() {
    return performance.now() < this.#landing;
  }

  /** Call *action* when all discs lie: at once if none is falling. @param {() => void} action */
  whenLanded(action) {
    if (!this.isFalling) action();
    else setTimeout(() => this.whenLanded(action), this.#landing - performance.now());
  }

  /** Show translucent numbered discs; null takes them away. @param {PreviewDisc[] | null} discs */
  setPreview(discs) {
    this.#layer("preview").replaceChildren(
      ...(discs ?? []).map(({ player, number, ...place }) =>
        svg(
          "g",
          { class: `preview ${sideKey(player)}`, transform: this.#moved(place) },
          svg("circle.body", { r: HOLE - 3 }),
          svg("text.number", { y: 13 }, String(number)),
        ),
      ),
    );
  }

  /** Show marks on empty squares; null takes them away. @param {Mark[] | null} marks */
  setMarks(marks) {
    const places = (marks ?? []).map(keyOf);
    this.#layer("marks").replaceChildren(
      ...(marks ?? []).map((mark) => {
        const isFirst = mark.player === 1;
        // Where both have one, the second's diamond lies in the first's circle and bears the label.
        const isShared = places.indexOf(keyOf(mark)) !== places.lastIndexOf(keyOf(mark));
        const half = isShared ? 34 : 38;
        const shape = isFirst
          ? svg("circle.shape", { r: isShared ? 37 : 34 })
          : svg("path.shape", { d: `M0-${half} ${half} 0 0 ${half}-${half} 0z` });
        const label = svg("text.label", { y: 8 }, isShared && isFirst ? "" : mark.label);
        const look = { class: `threat ${sideKey(mark.player)}`, transform: this.#moved(mark) };
        return svg("g", look, shape, label);
      }),
    );
  }

  /** Show the marks of a reason; null takes them away. @param {MarksView | null} marks */
  setReason(marks) {
    this.#layer("reason").replaceChildren(...(marks ? drawMarks(marks) : []));
  }

  /** Ring a square that somebody points at in a text; null takes the ring away. @param {Place | null} place */
  pointAt(place) {
    const ring = place && svg("circle.pointer", { transform: this.#moved(place), r: HOLE + 4 });
    this.#layer("pointer").replaceChildren(...(ring ? [ring] : []));
  }

  /** Lay an element over the room above the plate, where otherwise the next disc hovers.
   * @param {HTMLElement} element */
  overlay(element) {
    this.#stage.append(element);
  }

  /** @param {number} column */
  focusColumn(column) {
    this.#makeCurrent(column);
    this.#buttons[column]?.focus();
  }

  // ---- Drawing -----------------------------------------------------------------------------------

  /** Draw an empty board of that size. @param {Size} size */
  #build({ width, height }) {
    const size = { width, height };
    this.#size = size;
    const layer = (/** @type {string} */ name) => {
      const group = svg("g", { class: `layer-${name}` });
      this.#layers.set(name, group);
      return group;
    };
    this.#discs.clear();
    const behind = ["lane", "discs"].map(layer);
    const picture = makePicture(size, this.#id, { behind, before: LAYERS.map(layer) });
    this.#picture?.remove();
    this.#picture = picture;
    this.#stage.prepend(picture);
    this.#root.classList.toggle("is-wide", width > MANY_COLUMNS);
    setProportions(this.#root.style, size);
    this.#buttons = Array.from({ length: width }, (_, column) =>
      html("button.board-column", {
        type: "button",
        "data-column": column,
        tabindex: -1,
        "aria-disabled": "true", // until there is a position
        "aria-label": t("board.column", { column: columnName(column) }),
      }),
    );
    this.#columns.replaceChildren(...this.#buttons);
    this.#makeCurrent(Math.floor((width - 1) / 2));
  }

  /** @param {string} name @returns {Element} */
  #layer(name) {
    return this.#layers.get(name) ?? svg("g"); // nothing is shown before the first position
  }

  /** @param {Place} place */
  #center({ column, row }) {
    return center(column, row, this.#position?.height ?? 0);
  }

  /** @param {Place} place */
  #moved(place) {
    const { x, y } = this.#center(place);
    return `translate(${x} ${y})`;
  }

  /** Lay the discs of *position*: those that were not there before, and the number of those that went.
   * @param {Shown} position */
  #updateDiscs(position) {
    /** @type {Arrival[]} */
    const arrived = [];
    const wanted = new Set();
    position.cells.forEach((cells, row) =>
      cells.forEach((player, column) => {
        if (player !== 1 && player !== 2) return;
        const key = keyOf({ column, row });
        wanted.add(key);
        if (this.#discs.get(key)?.player === player) return;
        this.#discs.get(key)?.element.remove();
        const element = svg("g", { transform: this.#moved({ column, row }) }, svg("g", disc(player)));
        this.#layer("discs").append(element);
        this.#discs.set(key, { element, player });
        arrived.push({ element, column, row });
      }),
    );
    const left = [...this.#discs].filter(([key]) => !wanted.has(key));
    for (const [key, { element }] of left) {
      element.remove();
      this.#discs.delete(key);
    }
    return { arrived, left: left.length };
  }

  /** Ring the disc played last, or the four. @param {Shown} position */
  #markEnd(position) {
    const fours = position.winning_squares.map(([column, row]) => ({ column, row }));
    const keys = new Set(fours.map(keyOf));
    this.#picture?.classList.toggle("has-four", fours.length > 0);
    for (const [key, { element }] of this.#discs) element.classList.toggle("of-four", keys.has(key));
    const ring = (/** @type {string} */ name, /** @type {Place} */ place, r = HOLE) =>
      svg("circle", { class: name, transform: this.#moved(place), r });
    const rings = fours.map((place) => ring("four", place));
    if (position.last_move && !fours.length) {
      const [column, row] = position.last_move;
      rings.push(ring("last", { column, row }, HOLE - 1));
    }
    this.#layer("end").replaceChildren(...rings);
  }

  /** @param {Arrival[]} arrived */
  #drop(arrived) {
    const last = this.#position?.last_move;
    const isLast = (/** @type {Place} */ { column, row }) => column === last?.[0] && row === last[1];
    arrived.sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
    if (reducedMotion()) {
      this.onLand();
      return;
    }
    // A disc waits until the one before it lies: the computer may answer sooner than that. Those of somebody
    // who clicks quicker than discs fall do not wait for all of them.
    const now = performance.now();
    let start = Math.min(Math.max(0, this.#landing - now), MOST_WAIT_MS);
    for (const arrival of arrived) {
      const landed = start + this.#fall(arrival, start);
      setTimeout(() => arrival.element.isConnected && this.onLand(), landed);
      // What the end of the game looks like is not told before the disc lies.
      if (isLast(arrival)) {
        const frames = [{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }];
        this.#layer("end").animate(frames, { duration: landed + 60, fill: "backwards" });
      }
      start = landed + 120;
    }
    this.#landing = Math.max(this.#landing, now + start);
  }

  /** Let a disc fall after *delay*; returns how long it takes until it touches. @param {Arrival} arrival @param {number} delay */
  #fall({ element, ...place }, delay) {
    const distance = this.#center(place).y - LANE / 2;
    const duration = 16 * Math.sqrt(distance);
    const bounce = -Math.min(26, distance * 0.05);
    const at = (/** @type {number} */ y) => `translateY(${y}px)`;
    const faster = "cubic-bezier(0.33, 0, 0.67, 0.33)";
    const slower = "cubic-bezier(0.33, 0.67, 0.67, 1)";
    const fall = element.firstElementChild?.animate(
      [
        { transform: at(-distance), easing: faster },
        { transform: at(0), offset: 0.68, easing: slower },
        { transform: at(bounce), offset: 0.84, easing: faster },
        { transform: at(0) },
      ],
      { duration: duration / 0.68, delay, fill: "backwards" },
    );
    fall?.finished.catch(() => {}); // it ends early if the disc is taken back
    return duration;
  }

  #drawHover() {
    if (!this.#picture || !this.#position) return;
    const focused = this.#buttons.findIndex((button) => button.matches(":focus-visible"));
    const chosen = this.#pointed ?? (focused >= 0 ? focused : null);
    const column = chosen ?? this.#current; // there the next disc waits until somebody points
    const isShown = this.#enabled && this.#isOpen(column);
    const { x } = this.#center({ column, row: 0 });
    const hover = svg("g.hover", { transform: `translate(${x} ${LANE / 2})` }, disc(this.#turn, 41));
    this.#layer("lane").replaceChildren(...(isShown ? [hover] : []));
    const strip = svg("rect.pointed-column", {
      x: x - CELL / 2 + 3,
      y: LANE + FRAME / 2,
      width: CELL - 6,
      height: this.#position.height * CELL + FRAME,
      rx: 30,
    });
    this.#layer("column").replaceChildren(...(isShown && chosen !== null ? [strip] : []));
    for (const name of this.#picture.querySelectorAll(".names text")) {
      name.classList.toggle("pointed", isShown && Number(name.getAttribute("data-column")) === chosen);
    }
  }

  /** @param {Figure} figure */
  #figure({ column, text, detail, label, tone, best }) {
    const element = html(
      "button",
      {
        type: "button",
        class: `figure ${tone}${best ? " best" : ""}`,
        "data-column": column,
        "aria-label": t(best ? "board.figure_best" : "board.figure", {
          column: columnName(column),
          text: label || detail || text,
        }),
        "aria-pressed": String(column === this.#pressed),
        title: label || detail,
        on: {
          // A finger does not point: what it taps is chosen, and stays.
          pointerenter: (event) => event.pointerType !== "touch" && this.onFigure(column),
          pointerleave: (event) => event.pointerType !== "touch" && this.onFigure(null),
          focus: () => this.onFigure(column),
          blur: () => this.onFigure(null),
          click: () => this.onFigureChosen(column),
        },
      },
      html("span.figure-text", { "data-short": tone in SHORT ? say(SHORT[tone]) : undefined }, text),
      detail && html("span.figure-detail", detail),
    );
    element.style.gridColumn = String(column + 1);
    return element;
  }

  /** Say in words what the buttons are. */
  #label() {
    const position = this.#position;
    if (!position) return;
    this.#buttons.forEach((button, column) => {
      const count = position.cells.filter((row) => row[column]).length;
      const isFull = count === position.height;
      const parts = [t("board.column", { column: columnName(column) })];
      if (isFull) parts.push(t("board.full"));
      else parts.push(count ? t("board.filled", { count, height: position.height }) : t("board.empty"));
      const figure = this.#figures.find((each) => each.column === column);
      if (figure) parts.push(figure.label || figure.detail || figure.text);
      button.setAttribute("aria-label", parts.join(", "));
      setDisabled(button, !this.#enabled || !this.#isOpen(column));
    });
  }

  // ---- What people do ----------------------------------------------------------------------------

  /** @param {number} column */
  #isOpen(column) {
    return this.takesAnyColumn || (this.#position?.legal_columns.includes(column) ?? false);
  }

  /** @param {number} column */
  #choose(column) {
    if (!this.#position) {
      this.#refuse(t("board.loading"));
      return;
    }
    if (!this.#enabled || !this.#isOpen(column)) {
      this.#refuse(
        this.#enabled ? t("board.column_full", { column: columnName(column) }) : this.#whyNot,
      );
      return;
    }
    this.#hideNote();
    this.#makeCurrent(column);
    this.onColumn(column);
  }

  /** Say on the board, and to a screen reader, why nothing happens. @param {string} why */
  #refuse(why) {
    if (!why) return;
    announce(why);
    this.#note.textContent = why;
    this.#note.hidden = false;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = window.setTimeout(() => this.#hideNote(), NOTE_MS);
  }

  #hideNote() {
    clearTimeout(this.#noteTimer);
    this.#note.hidden = true;
  }

  /** The column of the button that an event is about, or null. @param {Event} event */
  #columnAt({ target }) {
    const button = target instanceof Element ? target.closest(".board-column") : null;
    return button instanceof HTMLElement ? Number(button.dataset.column) : null;
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const column = this.#columnAt(event);
    if (column !== null) this.#choose(column);
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    if (hasModifier(event) || !this.#enabled) return;
    const last = this.#buttons.length - 1;
    const target = new Map([
      ["ArrowLeft", Math.max(0, this.#current - 1)],
      ["ArrowRight", Math.min(last, this.#current + 1)],
      ["Home", 0],
      ["End", last],
    ]).get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    this.focusColumn(target);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#root.isConnected || this.#root.hidden) return;
    if (event.defaultPrevented || hasModifier(event) || event.repeat) return;
    if (isWithin(event, "input, textarea, select, dialog, [contenteditable]")) return;
    const column = columnOf(event.key);
    if (column < 0 || column >= this.#buttons.length) return;
    event.preventDefault();
    this.#choose(column);
  }

  /** @param {PointerEvent | null} event */
  #point(event) {
    // A finger does not point before it touches.
    this.#pointed = event && event.pointerType !== "touch" ? this.#columnAt(event) : null;
    this.#drawHover();
  }

  /** @param {number} column */
  #makeCurrent(column) {
    this.#current = column;
    this.#buttons.forEach((button, index) =>
      button.setAttribute("tabindex", index === column ? "0" : "-1"),
    );
  }
}
