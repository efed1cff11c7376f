// A puzzle on the board: what is asked, hints, right and wrong answers, the opponent's replies, and the
// explanation after it. Puzzles, cards and mistakes of one's own games are all asked by it.

import { announce } from "../shell/announce.js";
import { isAbort } from "../backend/api.js";
import { askWhole } from "../backend/backend.js";
import { Board } from "../board/board.js";
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
import { goalText, spoken, themeName, themeSentence } from "./said.js";

/** @typedef {import("./puzzle.js").Attempt} Attempt */
/** @typedef {"open" | "failed" | "solved" | "shown"} Phase failed: it can be tried again; shown: given up */
/**
 * @typedef {object} Answer
 * @property {Puzzle} puzzle
 * @property {boolean} solved
 * @property {number} hints
 * @property {string | null} card
 */
/**
 * @typedef {object} ExerciseListeners
 * @property {(answer: Answer) => void} onAnswered once for each puzzle, after its first wrong move or its last
 * @property {() => void} onNext
 * @property {(solved: boolean) => void} [onQuick] in place of both, for a puzzle of a storm
 */

const EASY = 26; // empty squares that a position may have to be solved in a moment

export class Exercise {
  #on;
  #host = html("div.study-board");
  #board;
  #line;
  #explanation;
  #hintWhy;
  /** @type {Attempt | null} */
  #attempt = null;
  /** @type {Side} Whom the puzzle is for. */
  #player = 1;
  #end = ""; // what there is to say where the solution ends
  /** The moves after which the first wrong one was made. @type {number[] | null} */
  #wrong = null;
  /** @type {Phase} */
  #phase = "open";
  #hints = 0;
  #isAnswered = false;
  #isBusy = false; // with a move, or with taking it back: what would come between waits
  /** @type {string | null} */
  #card = null;
  #isQuick = false; // a puzzle of a storm: no help, and nothing to read after it
  #isOnly = false; // only the recorded move is the answer; another one that keeps the result is no mistake
  #nextLabel = "";
  #number = 0; // of the puzzle that is shown: what comes late for another one is dropped
  #question = html("h2.puzzle-question", { tabindex: "-1" });
  #feedback = new Feedback();
  #hint = html("div.puzzle-hint", { hidden: true });
  #actions = html("div.actions.puzzle-actions");
  /** The board with what is asked, and what is explained. */
  main = html("div.study-main.puzzle-main");
  explanation;

  /** @param {ExerciseListeners} listeners */
  constructor(listeners) {
    this.#on = listeners;
    this.#board = new Board(this.#host, { onColumn: (column) => this.#choose(column) });
    this.#board.onLand = () => play("land");
    this.#line = new LinePlayer(this.#board);
    this.#explanation = new Explanation(this.#board);
    this.#hintWhy = new Why(this.#board);
    this.explanation = this.#explanation.element;
    this.main.append(this.#question, this.#host, this.#feedback.element, this.#actions, this.#hint);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Keep the room that a board of that size needs. @param {Size} size */
  reserve(size) {
    this.#board.reserve(size);
    this.#question.textContent = "\u00a0";
  }

  /** Ask *puzzle*. *card* is the id of the one that it stands for, *next* what the button after it says.
   * *isOnly*: another move than the recorded one is not the answer, though it keeps the result.
   * @param {Puzzle} puzzle
   * @param {{ card?: string | null, next?: string, isOnly?: boolean, isQuick?: boolean }} [options] */
  async ask(puzzle, { card = null, next = t("puzzle.next"), isOnly = false, isQuick = false } = {}) {
    this.clear();
    const number = this.#number;
    this.#card = card;
    this.#isOnly = isOnly;
    this.#isQuick = isQuick;
    this.#nextLabel = next;
    const { player, task, end } = await askWhole("puzzle", puzzle);
    if (number !== this.#number) return;
    this.#player = player;
    this.#end = spoken(end);
    this.#attempt = { puzzle, columns: [], state: "open" };
    const text = spoken(task);
    this.#question.replaceChildren(discIcon(player), text);
    this.main.dataset.puzzle = puzzle.id;
    await this.#showAttempt({ animate: false });
    if (number !== this.#number) return;
    this.#setPhase("open");
    announce(text);
    // What the first answer needs is there before it, unless it takes long to find.
    const isLate = puzzle.width * puzzle.height - puzzle.moves.length <= EASY;
    if (isLate && !puzzle.goal.startsWith("keep")) solve(queryAfter(puzzle, [])).catch(() => {});
  }

  /** Take the puzzle away. */
  clear() {
    this.#number += 1;
    this.#attempt = null;
    this.#wrong = null;
    this.#hints = 0;
    this.#isAnswered = false;
    this.#setBusy(false);
    this.#explanation.hide();
    this.#hintWhy.close();
    this.#line.stop();
    this.#hint.hidden = true;
    this.#hint.replaceChildren();
    this.#feedback.show("", "none");
    this.#board.setEnabled(false, 1, t("train.loading"));
    this.main.dataset.phase = "none";
    this.#actions.replaceChildren();
  }

  /** Say that there is nothing to ask, or why. @param {string} text */
  complain(text) {
    this.clear();
    this.#feedback.tell(text, "problem");
  }

  /** Let somebody who uses the keyboard begin at what is asked. */
  focus() {
    this.#question.focus({ preventScroll: true });
  }

  // ---- Trying ------------------------------------------------------------------------------------

  /** @param {number} column */
  async #choose(column) {
    const before = this.#attempt;
    const number = this.#number;
    const position = this.#board.position;
    if (!before || !position || this.#isBusy || this.#phase !== "open") return;
    this.#setBusy(true);
    this.#hintWhy.clearBoard();
    this.#board.show(afterDrop(position, column));
    this.#board.setEnabled(false, this.#player, t("puzzle.checking"));
    try {
      const attempt = {
        puzzle: before.puzzle,
        ...(await judgedAttempt("puzzle.try", before, { column })),
      };
      const isOther = this.#isOnly && attempt.state === "solved" && column !== before.puzzle.solution[0];
      const text = isOther ? await otherMoveText(before.puzzle, column) : spoken(attempt.said);
      if (number !== this.#number) return;
      if (text) {
        this.#board.show(position, { animate: false });
        this.#feedback.tell(text, "none");
        this.#enable();
        return;
      }
      this.#attempt = attempt;
      await this.#showAttempt();
      if (number === this.#number) this.#judged(attempt, column);
    } catch (error) {
      if (number !== this.#number || isAbort(error)) return;
      this.#board.show(position, { animate: false });
      this.#feedback.tell(describeError(error), "problem");
      this.#enable();
    } finally {
      if (number === this.#number) this.#setBusy(false);
    }
  }

  /** Take the buttons that are about the puzzle out of use, or into it. @param {boolean} isBusy */
  #setBusy(isBusy) {
    this.#isBusy = isBusy;
    for (const each of this.#actions.querySelectorAll("[data-waits]")) setDisabled(each, isBusy);
  }

  /** @param {Attempt} attempt @param {number} column */
  #judged(attempt, column) {
    const { columns } = attempt;
    if (attempt.state === "open") {
      this.#hint.hidden = true;
      this.#hintWhy.close();
      const who = colorName(otherSide(this.#player));
      const reply = columnName(columns[columns.length - 1]);
      this.#feedback.tell(t("puzzle.right", { who, column: reply }), "right");
      this.#enable();
    } else if (attempt.state === "solved") {
      this.#feedback.tell(`${t("puzzle.solved")} ${this.#end}`.trim(), "right");
      this.#answered(true);
      this.#setPhase("solved");
      this.#explain();
    } else {
      this.#wrong ??= columns;
      this.#feedback.tell(t("puzzle.wrong", { column: columnName(column) }), "wrong");
      this.#answered(false);
      this.#setPhase(this.#isQuick ? "shown" : "failed");
    }
  }

  /** @param {boolean} solved */
  #answered(solved) {
    if (this.#isAnswered || !this.#attempt) return;
    this.#isAnswered = true;
    const { puzzle } = this.#attempt;
    if (this.#isQuick) this.#on.onQuick?.(solved);
    else this.#on.onAnswered({ puzzle, solved, hints: this.#hints, card: this.#card });
  }

  /** Take the wrong move back. */
  async #again() {
    if (!this.#attempt || this.#phase !== "failed" || this.#isBusy) return;
    const { puzzle, columns } = this.#attempt;
    const number = this.#number;
    this.#attempt = { puzzle, columns: columns.slice(0, -1), state: "open" };
    this.#setBusy(true);
    try {
      await this.#showAttempt({ animate: false });
      if (number !== this.#number) return;
      this.#feedback.tell(t("puzzle.try_another"), "none");
      this.#setPhase("open");
    } catch (error) {
      if (number === this.#number) this.#feedback.tell(describeError(error), "problem");
    } finally {
      if (number === this.#number) this.#setBusy(false);
    }
  }

  // ---- Help --------------------------------------------------------------------------------------

  /** First the idea, then the column with its reason. */
  async #giveHint() {
    const attempt = this.#attempt;
    const number = this.#number;
    if (!attempt || this.#phase !== "open" || this.#isBusy || this.#isQuick) return;
    const { puzzle, columns } = attempt;
    this.#hints += 1;
    const hint = this.#hints;
    const isIdea = hint === 1;
    const [theme] = puzzle.themes;
    try {
      const text = isIdea && (await this.#idea(puzzle, theme));
      const column = isIdea ? 0 : await this.#rightColumn(attempt);
      const isLate = number !== this.#number || this.#attempt !== attempt || hint !== this.#hints;
      if (isLate || this.#phase !== "open") return;
      this.#hint.hidden = false;
      if (text) {
        this.#hint.replaceChildren(html("p", text));
        announce(text);
        return;
      }
      const words = t("puzzle.hint_column", { column: columnName(column) });
      this.#hint.replaceChildren(html("p", html("strong", words)), this.#hintWhy.element);
      announce(words);
      this.#hintWhy.explainMove(queryAfter(puzzle, columns), column, {
        isQuiet: true,
        hasInstead: false,
      });
    } catch (error) {
      if (number === this.#number) this.#feedback.tell(describeError(error), "problem");
    }
  }

  /** A column that is right: the recorded one, or where somebody left its path another one.
   * @param {Attempt} attempt */
  async #rightColumn(attempt) {
    const { puzzle, columns } = attempt;
    const follows = columns.every((column, index) => column === puzzle.solution[index]);
    if (follows) return puzzle.solution[columns.length];
    return (await judgedAttempt("puzzle.accepted", attempt)).accepted[0];
  }

  /** @param {Puzzle} puzzle @param {string | undefined} theme */
  async #idea(puzzle, theme) {
    if (puzzle.goal === "break") return t("puzzle.hint_break");
    if (theme) return t("puzzle.hint_idea", { theme: themeName(theme), sentence: themeSentence(theme) });
    if (!this.#isOnly) return goalText((await solve(queryAfter(puzzle, []))).outcome);
    const start = { puzzle, columns: [], state: /** @type {const} */ ("open") };
    const { accepted } = await judgedAttempt("puzzle.accepted", start);
    return t("train.hint_keep", { count: accepted.length });
  }

  /** Show the solution to somebody who gives up, or has failed. */
  async #giveUp() {
    if (!this.#attempt || this.#phase === "solved" || this.#isBusy || this.#isQuick) return;
    this.#answered(false);
    this.#setPhase("shown");
    this.#feedback.tell(t("puzzle.here_it_is"), "none");
    this.#explain();
    await this.#playSolution();
  }

  /** Explain where it went wrong; of a puzzle that was solved at once, the beginning; of a plan, its hole. */
  async #explain() {
    const attempt = this.#attempt;
    const number = this.#number;
    if (!attempt || this.#isQuick) return;
    const { puzzle } = attempt;
    if (puzzle.goal === "break") {
      const { columns, answer, better } = await judgedAttempt("puzzle.hole", attempt);
      if (number !== this.#number) return;
      const hole = { puzzle, played: columns, right: null, wrong: answer, better };
      this.#explanation.show(hole, () => this.#playSolution());
      return;
    }
    const played = this.#wrong?.slice(0, -1) ?? (this.#phase === "shown" ? attempt.columns : []);
    const isFirst = played.length === 0;
    const wrong = this.#wrong?.at(-1) ?? (isFirst ? puzzle.tempting : null);
    const took = attempt.state === "solved" ? attempt.columns[played.length] : undefined;
    const there = { puzzle, columns: played, state: /** @type {const} */ ("open") };
    const right = took ?? (await this.#rightColumn(there));
    if (number !== this.#number) return;
    this.#explanation.show({ puzzle, played, right, wrong }, () => this.#playSolution());
  }

  /** Put the solution on the board, disc by disc. */
  async #playSolution() {
    const attempt = this.#attempt;
    const number = this.#number;
    if (!attempt) return;
    const { puzzle } = attempt;
    this.#explanation.clearBoard();
    const start = await fetchPosition(queryAfter(puzzle, []));
    if (number !== this.#number) return;
    this.#board.show(start, { animate: false });
    /** @type {number[][]} */
    const squares = [];
    puzzle.solution.reduce((position, column) => {
      const next = afterDrop(position, column);
      squares.push(next.last_move ?? []);
      return next;
    }, /** @type {Shown} */ (start));
    this.#line.stop();
    this.#line.play(start.turn, squares);
  }

  // ---- Showing -----------------------------------------------------------------------------------

  async #showAttempt({ animate = true } = {}) {
    const attempt = this.#attempt;
    if (!attempt) return;
    const position = await fetchPosition(queryAfter(attempt.puzzle, attempt.columns));
    if (this.#attempt !== attempt) return;
    this.#line.stop();
    this.#board.show(position, { animate });
  }

  #enable() {
    const isOpen = this.#phase === "open" && this.#attempt !== null;
    const whyNot = t(this.#phase === "failed" ? "puzzle.closed_failed" : "puzzle.closed");
    this.#board.setEnabled(isOpen, this.#player, whyNot);
  }

  /** @param {Phase} phase */
  #setPhase(phase) {
    this.#phase = phase;
    this.main.dataset.phase = phase;
    const isOver = phase === "solved" || phase === "shown";
    if (phase !== "open") {
      this.#hint.hidden = true;
      this.#hintWhy.close();
    }
    const waits = { "data-waits": true, "aria-disabled": String(this.#isBusy) };
    const hint = button(t("puzzle.hint"), () => this.#giveHint(), waits);
    const look = /** @type {const} */ ({ kind: "primary", picture: "again" });
    const again = button(t("puzzle.again"), () => this.#again(), { ...look, ...waits });
    const next = button(
      isOver || phase === "failed" ? this.#nextLabel : t("puzzle.skip"),
      () => this.#on.onNext(),
      {
        kind: isOver ? "primary" : "",
        picture: "forward",
      },
    );
    const show = button(t("puzzle.show_solution"), () => this.#giveUp(), waits);
    const shown = { open: [hint, show, next], failed: [again, show, next] };
    const all = isOver ? [next] : shown[phase === "failed" ? "failed" : "open"];
    refill(this.#actions, this.#isQuick ? [next] : all);
    this.#enable();
  }

  /** The letters that the terminal takes. @param {KeyboardEvent} event */
  #key(event) {
    if (!this.main.isConnected || !this.#attempt || event.repeat || event.defaultPrevented) return;
    if (hasModifier(event) || isWithin(event, "input, textarea, select, dialog")) return;
    const act = new Map([
      ["h", () => this.#giveHint()],
      ["s", () => this.#giveUp()],
      ["n", () => this.#on.onNext()],
    ]).get(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
  }
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
