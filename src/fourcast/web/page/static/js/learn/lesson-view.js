// One lesson on the board: its steps, what comes of an answer, and what to do next.

import { makeBoard, reserveBoard, setEnabled, showPosition } from "../board/board.js";
import { whenLanded } from "../board/fall.js";
import { setMarks, setPreview } from "../board/overlays.js";
import { isAbort } from "../backend/api.js";
import { askWhole } from "../backend/backend.js";
import { fetchPosition } from "../backend/positions.js";
import { discIcon } from "../board/disc.js";
import { pointing } from "../board/pointing.js";
import { button, focusInPlace, html, iconButton, refill } from "../elements/dom.js";
import { afterDrop } from "../elements/setup.js";
import { announce } from "../shell/announce.js";
import { celebrate } from "../shell/celebrate.js";
import { play } from "../shell/sound.js";
import { Why } from "../study/why.js";
import { Feedback } from "../train/feedback.js";
import { judged } from "../train/judge.js";
import { spoken } from "../train/said.js";
import { columnName, columnOf, moveString, otherSide, squareOf } from "../words/names.js";
import { STANDARD } from "../words/sizes.js";
import { say, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { Squares } from "./squares.js";

/**
 * @typedef {object} Step docs/learn.md describes it
 * @property {string} moves
 * @property {string} task
 * @property {string[]} [marks]
 */
/** @typedef {{ id: string, steps: Step[] }} Lesson */
/** @typedef {"open" | "wrong" | "slower" | "done"} State slower: it wins, but not as asked */
/** @typedef {{ state: State, columns: number[], said: Said[] }} Tried */
/**
 * @typedef {object} LessonListeners
 * @property {(lesson: string, step: number) => void} onDone a step is done
 * @property {() => void} onEnd the person goes on after the last step
 * @property {() => void} onLeave
 */

/** What a lesson is called. @param {string} id */
export function titleOf(id) {
  return say(`lesson.${id}.title`);
}

export class LessonView {
  #on;
  #host = html("div.study-board");
  #board;
  #squares;
  #why;
  /** @type {Lesson} */
  #lesson = { id: "", steps: [] };
  #number = 1; // of the step
  /** The moves of both sides. @type {number[]} */
  #columns = [];
  /** @type {State} */
  #state = "open";
  /** @type {Side} */
  #player = 1;
  #isPointing = false;
  #isBusy = false;
  #asked = 0; // what comes late for another step is dropped
  #hasNext = false; // whether there is a lesson after this one
  #title = html("h1.learn-title", { tabindex: "-1" });
  #dots = html("ol.learn-dots");
  #text = html("p.learn-text");
  #task = html("h2.learn-task");
  #feedback = new Feedback();
  #actions = html("div.actions.puzzle-actions");
  element;

  /** @param {LessonListeners} listeners */
  constructor(listeners) {
    this.#on = listeners;
    this.#board = makeBoard(this.#host, (column) => this.#try(columnName(column)));
    this.#board.onLand = () => play("land");
    this.#squares = new Squares((square) => this.#try(square));
    this.#board.stage.append(this.#squares.element);
    this.#why = new Why(this.#board);
    const back = iconButton("back", t("learn.all"), () => this.#on.onLeave());
    this.element = html(
      "section.learn-lesson",
      { hidden: true },
      html("div.learn-head", back, this.#title, this.#dots),
      this.#text,
      html("div.learn-main", this.#task, this.#host, this.#feedback.element, this.#actions),
      this.#why.element,
    );
    reserveBoard(this.#board, STANDARD);
  }

  /** Teach *lesson* from a step on. @param {Lesson} lesson @param {number} number @param {boolean} hasNext whether one comes after it */
  async teach(lesson, number, hasNext) {
    this.#lesson = lesson;
    this.#hasNext = hasNext;
    this.#title.textContent = titleOf(lesson.id);
    this.element.hidden = false;
    await this.#ask(number);
    this.#title.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  close() {
    this.#asked += 1;
    this.#why.close();
    this.element.hidden = true;
  }

  get #step() {
    return this.#lesson.steps[this.#number - 1];
  }

  /** The position after *columns*. @param {number[]} columns */
  #query(columns) {
    const moves = this.#step.moves + moveString(columns);
    return { start: "", moves, ...STANDARD };
  }

  get #request() {
    const { id } = this.#lesson;
    return { lesson: id, number: this.#number, step: this.#step, columns: this.#columns };
  }

  // ---- A step ------------------------------------------------------------------------------------

  /** @param {number} number */
  async #ask(number) {
    this.#asked += 1;
    const asked = this.#asked;
    this.#number = number;
    this.#columns = [];
    this.#why.close();
    setEnabled(this.#board, false, 1, t("train.loading"));
    this.#squares.hide();
    const { length: count } = this.#lesson.steps;
    this.#dots.setAttribute("aria-label", t("learn.step", { number, count }));
    this.#dots.replaceChildren(
      ...this.#lesson.steps.map((_, index) =>
        html("li", { class: index + 1 < number ? "is-done" : index + 1 === number ? "is-now" : "" }),
      ),
    );
    const [{ player, points, text, task }, position] = await Promise.all([
      askWhole("lesson.task", this.#request),
      fetchPosition(this.#query([])),
    ]);
    if (asked !== this.#asked) return;
    this.#player = player;
    this.#isPointing = points;
    this.element.dataset.step = String(number);
    this.#text.replaceChildren(...pointing(spoken(text), () => this.#board));
    this.#task.replaceChildren(discIcon(player), spoken(task));
    showPosition(this.#board, position, { animate: false });
    setPreview(this.#board, null);
    this.#drawMarks(position, this.#step.marks ?? []);
    if (points) this.#squares.show(position);
    this.#feedback.show("", "none");
    this.#setState("open");
    announce(`${t("learn.step", { number, count })}. ${spoken(text)} ${spoken(task)}`);
  }

  /** Mark squares in the color of the side that threatens them. @param {PositionView} position @param {string[]} names */
  #drawMarks(position, names) {
    const places = names.map(squareOf).filter(({ column, row }) => !position.cells[row][column]);
    const { threats_first: first, threats_second: second } = position;
    const [mine, theirs] = this.#player === 1 ? [first, second] : [second, first];
    const owner = (/** @type {{ column: number, row: number }} */ place) => {
      const has = (/** @type {number[][]} */ threats) =>
        threats.some(([column, row]) => column === place.column && row === place.row);
      return has(theirs) && !has(mine) ? otherSide(this.#player) : this.#player;
    };
    setMarks(
      this.#board,
      places.map((place) => ({ ...place, player: owner(place), label: "!" })),
    );
  }

  /** @param {string} answer the name of a column or of a square */
  async #try(answer) {
    const position = this.#board.position;
    const asked = this.#asked;
    if (this.#isBusy || this.#state !== "open" || !position) return;
    this.#isBusy = true;
    setPreview(this.#board, null);
    if (!this.#isPointing) {
      showPosition(this.#board, afterDrop(position, columnOf(answer)));
      setEnabled(this.#board, false, this.#player, t("puzzle.checking"));
    }
    try {
      const request = { ...this.#request, answer };
      /** @type {Tried} */
      const tried = await judged("lesson.try", request, this.#query([]));
      const after = await fetchPosition(this.#query(tried.columns));
      if (asked === this.#asked) this.#tried(tried, after, answer);
    } catch (error) {
      if (asked !== this.#asked || isAbort(error)) return;
      showPosition(this.#board, position, { animate: false });
      this.#feedback.tell(describeError(error), "problem");
      this.#setState("open");
    } finally {
      if (asked === this.#asked) this.#isBusy = false;
    }
  }

  /** @param {Tried} tried @param {PositionView} after @param {string} answer */
  #tried({ state, columns, said }, after, answer) {
    const text = said.map(spoken).join(" ");
    if (!this.#isPointing) {
      showPosition(this.#board, after);
      this.#drawMarks(after, this.#step.marks ?? []);
    }
    if (state === "wrong" && this.#isPointing) {
      this.#feedback.tell(text, "wrong");
      this.#setState("open");
      return;
    }
    if (state === "done" && this.#isPointing) this.#drawMarks(after, [answer]);
    if (state === "open" || state === "done") this.#columns = columns;
    const tones = /** @type {const} */ ({
      open: "right",
      done: "right",
      wrong: "wrong",
      slower: "none",
    });
    this.#feedback.tell(text, tones[state]);
    this.#setState(state);
    if (state === "done") this.#finish();
  }

  #finish() {
    this.#on.onDone(this.#lesson.id, this.#number);
    if (this.#number < this.#lesson.steps.length) return;
    announce(t("learn.lesson_done"));
    whenLanded(this.#board, () => {
      play("win");
      celebrate(this.#board);
    });
  }

  /** Take the wrong move back. */
  async #again() {
    const asked = this.#asked;
    const position = await fetchPosition(this.#query(this.#columns));
    if (asked !== this.#asked) return;
    showPosition(this.#board, position, { animate: false });
    this.#drawMarks(position, this.#step.marks ?? []);
    this.#feedback.show("", "none");
    this.#setState("open");
    this.#host.scrollIntoView({ block: "nearest" });
  }

  /** Show the answer, which is then to be played. */
  async #show() {
    const asked = this.#asked;
    if (this.#state !== "open") await this.#again();
    const { answers } = await judged("lesson.answers", this.#request, this.#query([]));
    const position = this.#board.position;
    if (asked !== this.#asked || this.#state !== "open" || !position) return;
    const places = this.#isPointing
      ? answers.map(squareOf)
      : answers.map(columnOf).map((/** @type {number} */ column) => {
          return { column, row: position.cells.findIndex((row) => !row[column]) };
        });
    const disc = (/** @type {{ column: number, row: number }} */ place) => {
      return { ...place, player: this.#player, number: 1 };
    };
    setPreview(this.#board, places.map(disc));
    this.#feedback.tell(t("learn.answer_is", { answers: answers.join(", ") }), "none");
  }

  // ---- Showing -----------------------------------------------------------------------------------

  /** @param {State} state */
  #setState(state) {
    this.#state = state;
    this.element.dataset.state = state;
    const isOpen = state === "open";
    const closed = t(state === "done" ? "learn.closed" : "learn.closed_wrong");
    const whyNot = this.#isPointing && isOpen ? t("learn.point_instead") : closed;
    setEnabled(this.#board, isOpen && !this.#isPointing, this.#player, whyNot);
    this.#squares.setEnabled(isOpen);
    this.#host.classList.toggle("is-pointing", this.#isPointing);
    const show = button(t("learn.show"), () => this.#show(), { picture: "bulb" });
    const again = button(t("learn.again"), () => this.#again(), { kind: "primary", picture: "again" });
    const isLast = this.#number === this.#lesson.steps.length;
    const after = this.#hasNext ? t("learn.go_on_lesson") : t("learn.all");
    const label = isLast ? after : t("learn.next");
    const next = button(label, () => (isLast ? this.#on.onEnd() : this.#goOn()), {
      kind: "primary",
      picture: "forward",
    });
    const hasWhy = !this.#isPointing && this.#step.task !== "four";
    const explain = () =>
      this.#why.explainMove(this.#query([]), this.#columns[0], { hasInstead: false });
    const why = button(t("learn.why"), explain);
    const afterIt = state === "done" ? (hasWhy ? [next, why] : [next]) : [again, show];
    refill(this.#actions, isOpen ? [show] : afterIt);
    // A step ends where the keyboard is: on the button for what comes next.
    if (isOpen) return;
    focusInPlace(this.#actions.firstElementChild);
    this.#actions.scrollIntoView({ block: "nearest" });
  }

  async #goOn() {
    await this.#ask(this.#number + 1);
    this.#title.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}
