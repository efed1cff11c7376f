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
import { textOf } from "../train/collection.js";
import { Feedback } from "../train/feedback.js";
import { judged } from "../train/judge.js";
import { spoken } from "../train/said.js";
import { columnName, columnOf, moveString, otherSide, squareOf } from "../words/names.js";
import { STANDARD } from "../words/sizes.js";
import { loadLessonTexts, say, t } from "../words/text.js";
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
 * @property {(lesson: string, step: number, answers: string[]) => void} onDone a step is done, with these columns
 *   and squares
 * @property {() => void} onEnd the person goes on after the last step
 * @property {() => void} onLeave
 */

/**
 * @typedef {object} LessonView
 * @property {LessonListeners} on
 * @property {Lesson} lesson
 * @property {boolean} hasNext whether there is a lesson after this one
 * @property {number} number of the step
 * @property {number[]} columns the moves of both sides since the step began
 * @property {string[]} answers the person's own, without those that were taken back
 * @property {State} state
 * @property {Side} player
 * @property {boolean} isPointing whether the answer is a square
 * @property {boolean} isBusy with an answer
 * @property {number} asked counts the steps: what comes late for another one is dropped
 * @property {Board} board
 * @property {Squares} squares
 * @property {Why} why
 * @property {Feedback} feedback
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 * @property {HTMLElement} element all of it
 */

const TONES = /** @type {const} */ ({ open: "right", done: "right", wrong: "wrong", slower: "none" });

/** What a lesson is called. @param {string} id */
export function titleOf(id) {
  return say(`lesson.${id}.title`);
}

/** All lessons, with their texts. @returns {Promise<Lesson[]>} */
export async function loadLessons() {
  const [text] = await Promise.all([textOf("lessons.json"), loadLessonTexts()]);
  return JSON.parse(text);
}

/** @param {LessonListeners} on @returns {LessonView} */
export function makeLessonView(on) {
  const parts = makeParts();
  const board = makeBoard(parts.host, (column) => answer(view, columnName(column)));
  board.onLand = () => play("land");
  const squares = new Squares((square) => answer(view, square));
  board.stage.append(squares.element);
  const [why, feedback] = [new Why(board), new Feedback()];
  const back = iconButton("back", t("learn.all"), () => on.onLeave());
  const { title, dots, text, task, host, actions } = parts;
  const element = html(
    "section.learn-lesson",
    { hidden: true },
    html("div.learn-head", back, title, dots),
    text,
    html("div.learn-main", task, host, feedback.element, actions),
    why.element,
  );
  reserveBoard(board, STANDARD);
  /** @type {LessonView} */
  const view = {
    ...{
      on,
      lesson: { id: "", steps: [] },
      hasNext: false,
      number: 1,
      columns: [],
      answers: [],
      state: "open",
    },
    ...{ player: 1, isPointing: false, isBusy: false, asked: 0 },
    ...{ board, squares, why, feedback, parts, element },
  };
  return view;
}

function makeParts() {
  return {
    title: html("h1.learn-title", { tabindex: "-1" }),
    dots: html("ol.learn-dots"),
    text: html("p.learn-text"),
    task: html("h2.learn-task"),
    host: html("div.study-board"),
    actions: html("div.actions.puzzle-actions"),
  };
}

/** Teach *lesson* from a step on.
 * @param {LessonView} view @param {Lesson} lesson @param {number} number @param {boolean} hasNext whether one comes after it */
export async function teach(view, lesson, number, hasNext) {
  Object.assign(view, { lesson, hasNext });
  view.parts.title.textContent = titleOf(lesson.id);
  view.element.hidden = false;
  await ask(view, number);
  view.parts.title.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** @param {LessonView} view */
export function closeLesson(view) {
  view.asked += 1;
  view.why.close();
  view.element.hidden = true;
}

/** @param {LessonView} view */
function stepOf({ lesson, number }) {
  return lesson.steps[number - 1];
}

/** The position after *columns*. @param {LessonView} view @param {number[]} columns */
function queryOf(view, columns) {
  return { start: "", moves: stepOf(view).moves + moveString(columns), ...STANDARD };
}

/** What the core is asked about. @param {LessonView} view */
function requestOf(view) {
  const { lesson, number, columns } = view;
  return { lesson: lesson.id, number, step: stepOf(view), columns };
}

// ---- A step ------------------------------------------------------------------------------------------

/** @param {LessonView} view @param {number} number */
async function ask(view, number) {
  const { board, element, feedback, lesson, parts, squares, why } = view;
  view.asked += 1;
  const { asked } = view;
  Object.assign(view, { number, columns: [], answers: [], isBusy: false });
  why.close();
  setEnabled(board, false, 1, t("train.loading"));
  squares.hide();
  const where = t("learn.step", { number, count: lesson.steps.length });
  const dots = lesson.steps.map((_, index) =>
    html("li", { class: index + 1 < number ? "is-done" : index + 1 === number ? "is-now" : "" }),
  );
  parts.dots.setAttribute("aria-label", where);
  parts.dots.replaceChildren(...dots);
  const [{ player, points: isPointing, text, task }, position] = await Promise.all([
    askWhole("lesson.task", requestOf(view)),
    fetchPosition(queryOf(view, [])),
  ]);
  if (asked !== view.asked) return;
  Object.assign(view, { player, isPointing });
  element.dataset.step = String(number);
  parts.text.replaceChildren(...pointing(spoken(text), () => board));
  parts.task.replaceChildren(discIcon(player), spoken(task));
  setPreview(board, null);
  showStep(view, position);
  if (isPointing) squares.show(position);
  feedback.show("", "none");
  setState(view, "open");
  announce(`${where}. ${spoken(text)} ${spoken(task)}`);
}

/** Show a position with the marks of the step. @param {LessonView} view @param {PositionView} position */
function showStep(view, position, { animate = false } = {}) {
  showPosition(view.board, position, { animate });
  drawMarks(view, position, stepOf(view).marks ?? []);
}

/** Mark squares in the color of the side that threatens them.
 * @param {LessonView} view @param {PositionView} position @param {string[]} names */
function drawMarks({ board, player }, position, names) {
  const places = names.map(squareOf).filter(({ column, row }) => !position.cells[row][column]);
  const { threats_first: first, threats_second: second } = position;
  const [mine, theirs] = player === 1 ? [first, second] : [second, first];
  const owner = (/** @type {Place} */ place) => {
    const has = (/** @type {number[][]} */ threats) =>
      threats.some(([column, row]) => column === place.column && row === place.row);
    return has(theirs) && !has(mine) ? otherSide(player) : player;
  };
  setMarks(
    board,
    places.map((place) => ({ ...place, player: owner(place), label: "!" })),
  );
}

/** @param {LessonView} view @param {string} given the name of a column or of a square */
async function answer(view, given) {
  const { asked, board, feedback, isPointing } = view;
  const { position } = board;
  if (view.isBusy || view.state !== "open" || !position) return;
  view.isBusy = true;
  setPreview(board, null);
  if (!isPointing) {
    showPosition(board, afterDrop(position, columnOf(given)));
    setEnabled(board, false, view.player, t("puzzle.checking"));
  }
  try {
    const request = { ...requestOf(view), answer: given };
    /** @type {Tried} */
    const tried = await judged("lesson.try", request, queryOf(view, []));
    const after = await fetchPosition(queryOf(view, tried.columns));
    if (asked === view.asked) tell(view, tried, after, given);
  } catch (error) {
    if (asked !== view.asked || isAbort(error)) return;
    showPosition(board, position, { animate: false });
    feedback.tell(describeError(error), "problem");
    setState(view, "open");
  } finally {
    if (asked === view.asked) view.isBusy = false;
  }
}

/** Say what has come of an answer.
 * @param {LessonView} view @param {Tried} tried @param {PositionView} after @param {string} given */
function tell(view, { state, columns, said }, after, given) {
  const { feedback, isPointing } = view;
  if (!isPointing) showStep(view, after, { animate: true });
  feedback.tell(said.map(spoken).join(" "), TONES[state]);
  if (state === "wrong" && isPointing) {
    setState(view, "open"); // another square can be tried at once
    return;
  }
  if (state === "done" && isPointing) drawMarks(view, after, [given]);
  if (state === "open" || state === "done") {
    view.columns = columns;
    view.answers.push(given);
  }
  setState(view, state);
  if (state === "done") finish(view);
}

/** @param {LessonView} view */
function finish({ answers, board, lesson, number, on }) {
  on.onDone(lesson.id, number, answers);
  if (number < lesson.steps.length) return;
  announce(t("learn.lesson_done"));
  whenLanded(board, () => {
    play("win");
    celebrate(board);
  });
}

/** Take the wrong move back. @param {LessonView} view */
async function again(view) {
  const { asked, feedback, parts } = view;
  const position = await fetchPosition(queryOf(view, view.columns));
  if (asked !== view.asked) return;
  showStep(view, position);
  feedback.show("", "none");
  setState(view, "open");
  parts.host.scrollIntoView({ block: "nearest" });
}

/** Show the answer, which is then to be played. @param {LessonView} view */
async function showAnswer(view) {
  const { asked, board, feedback, isPointing, player } = view;
  if (view.state !== "open") await again(view);
  const { answers } = await judged("lesson.answers", requestOf(view), queryOf(view, []));
  const { position } = board;
  if (asked !== view.asked || view.state !== "open" || !position) return;
  const top = (/** @type {number} */ column) => {
    return { column, row: position.cells.findIndex((row) => !row[column]) };
  };
  /** @type {Place[]} */
  const places = isPointing ? answers.map(squareOf) : answers.map(columnOf).map(top);
  setPreview(
    board,
    places.map((place) => ({ ...place, player, number: 1 })),
  );
  feedback.tell(t("learn.answer_is", { answers: answers.join(", ") }), "none");
}

// ---- Showing -----------------------------------------------------------------------------------------

/** @param {LessonView} view @param {State} state */
function setState(view, state) {
  const { board, element, isPointing, parts, player, squares } = view;
  view.state = state;
  element.dataset.state = state;
  const isOpen = state === "open";
  const closed = t(state === "done" ? "learn.closed" : "learn.closed_wrong");
  const whyNot = isPointing && isOpen ? t("learn.point_instead") : closed;
  setEnabled(board, isOpen && !isPointing, player, whyNot);
  squares.setEnabled(isOpen);
  parts.host.classList.toggle("is-pointing", isPointing);
  refill(parts.actions, buttonsOf(view));
  // A step ends where the keyboard is: on the button for what comes next.
  if (isOpen) return;
  focusInPlace(parts.actions.firstElementChild);
  parts.actions.scrollIntoView({ block: "nearest" });
}

/** What can be done now. @param {LessonView} view */
function buttonsOf(view) {
  const { columns, hasNext, isPointing, lesson, number, on, state, why } = view;
  const primary = /** @type {const} */ ({ kind: "primary" });
  const show = button(t("learn.show"), () => showAnswer(view), { picture: "bulb" });
  if (state === "open") return [show];
  if (state !== "done") {
    return [button(t("learn.again"), () => again(view), { ...primary, picture: "again" }), show];
  }
  const isLast = number === lesson.steps.length;
  const after = hasNext ? t("learn.go_on_lesson") : t("learn.all");
  const goOn = () => (isLast ? on.onEnd() : teach(view, lesson, number + 1, hasNext));
  const next = button(isLast ? after : t("learn.next"), goOn, { ...primary, picture: "forward" });
  if (isPointing || stepOf(view).task === "four") return [next];
  const explain = () => why.explainMove(queryOf(view, []), columns[0], { hasInstead: false });
  return [next, button(t("learn.why"), explain)];
}
