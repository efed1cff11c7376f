// A puzzle on the board: what is asked, hints, right and wrong answers, the opponent's replies, and the
// explanation after it. Puzzles, cards and mistakes of one's own games are all asked by it.

import { makeBoard, reserveBoard, setEnabled, showPosition } from "../board/board.js";
import { announce } from "../shell/announce.js";
import { isAbort } from "../backend/api.js";
import { askWhole } from "../backend/backend.js";
import { discIcon } from "../board/disc.js";
import { button, hasModifier, html, isWithin, refill, setDisabled } from "../elements/dom.js";
import { colorName, columnName, otherSide } from "../words/names.js";
import { fetchPosition } from "../backend/positions.js";
import { afterDrop } from "../elements/setup.js";
import { play } from "../shell/sound.js";
import { LinePlayer } from "../study/line.js";
import { Why } from "../study/why.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { Explanation } from "./explanation.js";
import { Feedback } from "./feedback.js";
import { judged, solve } from "./judge.js";
import { queryAfter } from "./puzzle.js";
import { spoken, themeName, themeSentence } from "./said.js";

/** @typedef {import("./puzzle.js").Attempt} Attempt */
/** @typedef {"open" | "failed" | "solved" | "shown"} Phase failed: it can be tried again; shown: given up */
/** @typedef {{ puzzle: Puzzle, solved: boolean, hints: number, card: string | null }} Answer */
/**
 * @typedef {object} ExerciseListeners
 * @property {(answer: Answer) => void} onAnswered once for each puzzle, after its first wrong move or its last
 * @property {() => void} onNext
 * @property {(solved: boolean) => void} [onQuick] in place of both, for a puzzle of a storm
 * @property {(solved: boolean, columns: number[]) => void} [onTried] after each wrong move and the last right one,
 *   with the moves of both sides
 */
/**
 * @typedef {object} Asked How a puzzle is asked.
 * @property {string | null} card the id of the puzzle that it stands for
 * @property {string} next what the button after it says
 * @property {boolean} isOnly only the recorded move is the answer; another one that keeps the result is no mistake
 * @property {boolean} isQuick a puzzle of a storm: no help, and nothing to read after it
 */
/**
 * @typedef {object} Exercise
 * @property {ExerciseListeners} on
 * @property {AbortController} life of the puzzle that is shown: what comes late for another one is dropped
 * @property {Attempt | null} attempt null while there is no puzzle
 * @property {Asked} asked
 * @property {Side} player whom the puzzle is for
 * @property {string} end what there is to say where the solution ends
 * @property {number[] | null} wrong the moves that end with the first wrong one
 * @property {Phase} phase
 * @property {number} hints how many were given
 * @property {boolean} isAnswered
 * @property {boolean} isBusy with a move, or with taking it back: what would come between waits
 * @property {Board} board
 * @property {LinePlayer} line
 * @property {Explanation} explanation
 * @property {Why} hintWhy
 * @property {Feedback} feedback
 * @property {HTMLElement} question
 * @property {HTMLElement} hint
 * @property {HTMLElement} actions
 * @property {HTMLElement} main the board with what is asked
 */

const EASY = 26; // empty squares that a position may have to be solved in a moment
const USUAL = { card: null, isOnly: false, isQuick: false };

/** @param {ExerciseListeners} on @returns {Exercise} */
export function makeExercise(on) {
  const host = html("div.study-board");
  const board = makeBoard(host, (column) => choose(exercise, column));
  board.onLand = () => play("land");
  const question = html("h2.puzzle-question", { tabindex: "-1" });
  const hint = html("div.puzzle-hint", { hidden: true });
  const actions = html("div.actions.puzzle-actions");
  const feedback = new Feedback();
  const main = html("div.study-main.puzzle-main", question, host, feedback.element, actions, hint);
  /** @type {Exercise} */
  const exercise = {
    ...{ on, life: new AbortController(), attempt: null, asked: { ...USUAL, next: "" } },
    ...{ player: 1, end: "", wrong: null, phase: "open", hints: 0, isAnswered: false, isBusy: false },
    ...{ board, line: new LinePlayer(board), explanation: new Explanation(board) },
    ...{ hintWhy: new Why(board), feedback, question, hint, actions, main },
  };
  document.addEventListener("keydown", (event) => key(exercise, event));
  return exercise;
}

/** Keep the room that a board of that size needs. @param {Exercise} exercise @param {Size} size */
export function reserveExercise({ board, question }, size) {
  reserveBoard(board, size);
  question.textContent = "\u00a0";
}

/** @param {Exercise} exercise @param {Puzzle} puzzle @param {Partial<Asked>} [options] */
export async function askPuzzle(exercise, puzzle, options = {}) {
  clearExercise(exercise);
  const { life, main, question } = exercise;
  exercise.asked = { ...USUAL, next: t("puzzle.next"), ...options };
  const { player, task, end } = await askWhole("puzzle", puzzle);
  if (life.signal.aborted) return;
  Object.assign(exercise, { player, end: spoken(end), attempt: { puzzle, columns: [], state: "open" } });
  const text = spoken(task);
  question.replaceChildren(discIcon(player), text);
  main.dataset.puzzle = puzzle.id;
  if (!(await showAttempt(exercise, { animate: false }))) return;
  setPhase(exercise, "open");
  announce(text);
  // What the first answer needs is there before it, unless it takes long to find.
  const isLate = puzzle.width * puzzle.height - puzzle.moves.length <= EASY;
  if (isLate && !puzzle.goal.startsWith("keep")) solve(queryAfter(puzzle, [])).catch(() => {});
}

/** Take the puzzle away. @param {Exercise} exercise */
export function clearExercise(exercise) {
  exercise.life.abort();
  const life = new AbortController();
  Object.assign(exercise, { life, attempt: null, wrong: null, hints: 0, isAnswered: false });
  setBusy(exercise, false);
  exercise.explanation.hide();
  exercise.line.stop();
  hideHint(exercise);
  exercise.hint.replaceChildren();
  exercise.feedback.show("", "none");
  setEnabled(exercise.board, false, 1, t("train.loading"));
  exercise.main.dataset.phase = "none";
  exercise.actions.replaceChildren();
}

/** Say that there is nothing to ask, or why. @param {Exercise} exercise @param {string} text */
export function complain(exercise, text) {
  clearExercise(exercise);
  exercise.feedback.tell(text, "problem");
}

/** Do something about the puzzle that is shown. What comes of it is dropped when there is another one, and what
 * goes wrong is said. @param {Exercise} exercise @param {(signal: AbortSignal) => Promise<void>} action
 * @param {() => void} [onError] */
async function during({ life: { signal }, feedback }, action, onError = () => {}) {
  try {
    await action(signal);
  } catch (error) {
    if (signal.aborted || isAbort(error)) return;
    onError();
    feedback.tell(describeError(error), "problem");
  }
}

// ---- Trying ------------------------------------------------------------------------------------------

/** @param {Exercise} exercise @param {number} column */
async function choose(exercise, column) {
  const { attempt: before, board, feedback, player } = exercise;
  const { position } = board;
  if (!before || !position || exercise.isBusy || exercise.phase !== "open") return;
  const takeBack = () => {
    showPosition(board, position, { animate: false });
    enable(exercise);
  };
  exercise.hintWhy.clearBoard();
  showPosition(board, afterDrop(position, column));
  setEnabled(board, false, player, t("puzzle.checking"));
  const tried = during(
    exercise,
    async (signal) => {
      const { puzzle } = before;
      const attempt = { puzzle, ...(await judgedAttempt("puzzle.try", before, { column })) };
      const isOther =
        exercise.asked.isOnly && attempt.state === "solved" && column !== puzzle.solution[0];
      const text = isOther ? await otherMoveText(puzzle, column) : spoken(attempt.said);
      signal.throwIfAborted();
      if (text) {
        takeBack();
        feedback.tell(text, "none");
        return;
      }
      exercise.attempt = attempt;
      if (await showAttempt(exercise)) tell(exercise, attempt, column);
    },
    takeBack,
  );
  await busyWith(exercise, tried);
}

/** Nothing else is done with the puzzle meanwhile. @param {Exercise} exercise @param {Promise<void>} work */
async function busyWith(exercise, work) {
  const { signal } = exercise.life;
  setBusy(exercise, true);
  await work;
  if (!signal.aborted) setBusy(exercise, false);
}

/** Take the buttons that are about the puzzle out of use, or into it. @param {Exercise} exercise @param {boolean} isBusy */
function setBusy(exercise, isBusy) {
  exercise.isBusy = isBusy;
  for (const each of exercise.actions.querySelectorAll("[data-waits]")) setDisabled(each, isBusy);
}

/** Say what has come of a move. @param {Exercise} exercise @param {Attempt} attempt @param {number} column */
function tell(exercise, { columns, state }, column) {
  const { asked, feedback, on, player } = exercise;
  if (state !== "open") on.onTried?.(state === "solved", columns);
  if (state === "open") {
    hideHint(exercise);
    const facts = { who: colorName(otherSide(player)), column: columnName(columns[columns.length - 1]) };
    feedback.tell(t("puzzle.right", facts), "right");
    enable(exercise);
  } else if (state === "solved") {
    feedback.tell(`${t("puzzle.solved")} ${exercise.end}`.trim(), "right");
    answered(exercise, true);
    setPhase(exercise, "solved");
    explain(exercise);
  } else {
    exercise.wrong ??= columns;
    feedback.tell(t("puzzle.wrong", { column: columnName(column) }), "wrong");
    answered(exercise, false);
    setPhase(exercise, asked.isQuick ? "shown" : "failed");
  }
}

/** @param {Exercise} exercise @param {boolean} solved */
function answered(exercise, solved) {
  const { asked, attempt, hints, on } = exercise;
  if (exercise.isAnswered || !attempt) return;
  exercise.isAnswered = true;
  if (asked.isQuick) on.onQuick?.(solved);
  else on.onAnswered({ puzzle: attempt.puzzle, solved, hints, card: asked.card });
}

/** Take the wrong move back. @param {Exercise} exercise */
async function again(exercise) {
  if (!exercise.attempt || exercise.phase !== "failed" || exercise.isBusy) return;
  const { puzzle, columns } = exercise.attempt;
  exercise.attempt = { puzzle, columns: columns.slice(0, -1), state: "open" };
  const shown = during(exercise, async () => {
    if (!(await showAttempt(exercise, { animate: false }))) return;
    exercise.feedback.tell(t("puzzle.try_another"), "none");
    setPhase(exercise, "open");
  });
  await busyWith(exercise, shown);
}

// ---- Help --------------------------------------------------------------------------------------------

/** First the idea, then the column with its reason. @param {Exercise} exercise */
function giveHint(exercise) {
  const { asked, attempt, hint, hintWhy } = exercise;
  if (!attempt || exercise.phase !== "open" || exercise.isBusy || asked.isQuick) return;
  exercise.hints += 1;
  const number = exercise.hints;
  const isIdea = number === 1;
  during(exercise, async () => {
    const column = isIdea ? 0 : await rightColumn(attempt);
    const text = isIdea
      ? await ideaOf(exercise, attempt.puzzle)
      : t("puzzle.hint_column", { column: columnName(column) });
    const isLate = exercise.attempt !== attempt || number !== exercise.hints;
    if (isLate || exercise.phase !== "open") return;
    hint.hidden = false;
    hint.replaceChildren(html("p", isIdea ? text : html("strong", text)));
    announce(text);
    if (isIdea) return;
    hint.append(hintWhy.element);
    const query = queryAfter(attempt.puzzle, attempt.columns);
    hintWhy.explainMove(query, column, { isQuiet: true, hasInstead: false });
  });
}

/** @param {Exercise} exercise */
function hideHint({ hint, hintWhy }) {
  hint.hidden = true;
  hintWhy.close();
}

/** A column that is right: the recorded one, or where somebody left its path another one. @param {Attempt} attempt */
async function rightColumn(attempt) {
  const { puzzle, columns } = attempt;
  const follows = columns.every((column, index) => column === puzzle.solution[index]);
  if (follows) return puzzle.solution[columns.length];
  return (await judgedAttempt("puzzle.accepted", attempt)).accepted[0];
}

/** @param {Exercise} exercise @param {Puzzle} puzzle */
async function ideaOf({ asked }, puzzle) {
  const [theme] = puzzle.themes;
  if (puzzle.goal === "break") return t("puzzle.hint_break");
  if (theme) return t("puzzle.hint_idea", { theme: themeName(theme), sentence: themeSentence(theme) });
  if (!asked.isOnly) {
    const { outcome } = await solve(queryAfter(puzzle, []));
    return t(outcome === "win" ? "puzzle.hint_win" : "puzzle.hint_draw");
  }
  const { accepted } = await judgedAttempt("puzzle.accepted", { puzzle, columns: [], state: "open" });
  return t("train.hint_keep", { count: accepted.length });
}

/** Show the solution to somebody who gives up, or has failed. @param {Exercise} exercise */
async function giveUp(exercise) {
  const { asked, attempt, feedback, isBusy, phase } = exercise;
  if (!attempt || phase === "solved" || isBusy || asked.isQuick) return;
  answered(exercise, false);
  setPhase(exercise, "shown");
  feedback.tell(t("puzzle.here_it_is"), "none");
  explain(exercise);
  await playSolution(exercise);
}

/** Explain where it went wrong; of a puzzle that was solved at once, the beginning; of a plan, its hole.
 * @param {Exercise} exercise */
async function explain(exercise) {
  const { asked, attempt, explanation, life, wrong, phase } = exercise;
  if (!attempt || asked.isQuick) return;
  const lesson = await lessonOf(attempt, wrong, phase);
  if (!life.signal.aborted) explanation.show(lesson, () => playSolution(exercise));
}

/** @param {Attempt} attempt @param {number[] | null} failed @param {Phase} phase
 * @returns {Promise<import("./explanation.js").Lesson>} */
async function lessonOf(attempt, failed, phase) {
  const { puzzle, columns, state } = attempt;
  if (puzzle.goal === "break") {
    const { columns: played, answer, better } = await judgedAttempt("puzzle.hole", attempt);
    return { puzzle, played, right: null, wrong: answer, better };
  }
  const played = failed?.slice(0, -1) ?? (phase === "shown" ? columns : []);
  const wrong = failed?.at(-1) ?? (played.length ? null : puzzle.tempting);
  const took = state === "solved" ? columns[played.length] : undefined;
  const right = took ?? (await rightColumn({ puzzle, columns: played, state: "open" }));
  return { puzzle, played, right, wrong };
}

/** Put the solution on the board, disc by disc. @param {Exercise} exercise */
async function playSolution({ attempt, board, explanation, life, line }) {
  if (!attempt) return;
  const { puzzle } = attempt;
  explanation.clearBoard();
  const start = await fetchPosition(queryAfter(puzzle, []));
  if (life.signal.aborted) return;
  showPosition(board, start, { animate: false });
  /** @type {Shown} */
  let position = start;
  const squares = puzzle.solution.map((column) => {
    position = afterDrop(position, column);
    return position.last_move ?? [];
  });
  line.stop();
  line.play(start.turn, squares);
}

// ---- Showing -----------------------------------------------------------------------------------------

/** Show how far it is; returns whether it is still about that. @param {Exercise} exercise */
async function showAttempt(exercise, { animate = true } = {}) {
  const { attempt, board, line } = exercise;
  if (!attempt) return false;
  const position = await fetchPosition(queryAfter(attempt.puzzle, attempt.columns));
  if (exercise.attempt !== attempt) return false;
  line.stop();
  showPosition(board, position, { animate });
  return true;
}

/** @param {Exercise} exercise */
function enable({ attempt, board, phase, player }) {
  const whyNot = t(phase === "failed" ? "puzzle.closed_failed" : "puzzle.closed");
  setEnabled(board, phase === "open" && attempt !== null, player, whyNot);
}

/** @param {Exercise} exercise @param {Phase} phase */
function setPhase(exercise, phase) {
  const { actions, asked, main, on } = exercise;
  exercise.phase = phase;
  main.dataset.phase = phase;
  const isOver = phase === "solved" || phase === "shown";
  if (phase !== "open") hideHint(exercise);
  const waits = { "data-waits": true, "aria-disabled": String(exercise.isBusy) };
  const label = phase === "open" ? t("puzzle.skip") : asked.next;
  const look = /** @type {const} */ ({ kind: isOver ? "primary" : "", picture: "forward" });
  const next = button(label, () => on.onNext(), look);
  const show = button(t("puzzle.show_solution"), () => giveUp(exercise), waits);
  const help =
    phase === "failed"
      ? button(t("puzzle.again"), () => again(exercise), { kind: "primary", picture: "again", ...waits })
      : button(t("puzzle.hint"), () => giveHint(exercise), waits);
  refill(actions, isOver || asked.isQuick ? [next] : [help, show, next]);
  enable(exercise);
}

/** The letters that the terminal takes. @param {Exercise} exercise @param {KeyboardEvent} event */
function key(exercise, event) {
  if (!exercise.main.isConnected || !exercise.attempt || event.repeat || event.defaultPrevented) return;
  if (hasModifier(event) || isWithin(event, "input, textarea, select, dialog")) return;
  const act = new Map([
    ["h", () => giveHint(exercise)],
    ["s", () => giveUp(exercise)],
    ["n", () => exercise.on.onNext()],
  ]).get(event.key.toLowerCase());
  if (!act) return;
  event.preventDefault();
  act();
}

/** What to say of a move that keeps the result and is not in the repertoire.
 * @param {Puzzle} puzzle @param {number} column */
async function otherMoveText(puzzle, column) {
  const { outcome } = await solve(queryAfter(puzzle, []));
  const name = { column: columnName(column) };
  return outcome === "loss" ? t("train.less_testing", name) : t("train.not_in_repertoire", name);
}

/** A question about an attempt. @param {string} question @param {Attempt} attempt @param {object} [more] */
function judgedAttempt(question, { puzzle, columns }, more = {}) {
  return judged(question, { puzzle, columns, ...more }, queryAfter(puzzle, []));
}
