// What a pupil does: one task after the other, on a board in the room.

import { html } from "../elements/dom.js";
import { closeLesson, loadLessons, makeLessonView, teach, titleOf } from "../learn/lesson-view.js";
import { askPuzzle, clearExercise, complain, makeExercise, reserveExercise } from "../train/exercise.js";
import { loadTraining } from "../train/pages.js";
import { findPuzzle } from "../train/practice.js";
import { columnName } from "../words/names.js";
import { STANDARD } from "../words/sizes.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { redraw } from "./parts.js";
import { LESSON } from "./setting.js";
import { signOf } from "./state.js";

/** @typedef {import("./tasks.js").Tasks} Tasks */

const PAUSE_MS = 1200; // to see how a puzzle ended

export class Work {
  #page;
  #list = html("ol.room-items");
  #desk = html("div.room-desk");
  element = html("div.room-work", { hidden: true }, this.#list, this.#desk);
  /** The tasks that are shown, by what they begin with. */
  #shown = "";
  /** The number of the task on the desk; -1 if none is. */
  #at = -1;
  #item = "";
  #isRace = false;
  /** @type {Exercise | null} */
  #exercise = null;
  /** @type {import("../learn/lesson-view.js").LessonView | null} */
  #lesson = null;
  /** @type {import("../learn/lesson-view.js").Lesson[]} */
  #lessons = [];

  /** Those to the steps of the lesson on the desk. @type {string[][]} */
  #answers = [];

  /** @param {RoomPage} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {RoomState} state */
  draw(state) {
    const { tasks } = state.room;
    const isOn = tasks && state.me && tasks.started_ms !== null && !tasks.is_over;
    this.element.hidden = !isOn;
    if (!isOn) {
      if (this.#shown) this.#clear();
      this.#shown = "";
      this.#at = -1;
      return;
    }
    const key = JSON.stringify([tasks.items, tasks.started_ms]);
    const isNew = this.#shown !== key;
    this.#shown = key;
    this.#isRace = tasks.kind === "race";
    if (isNew) this.#open(tasks, this.#next(tasks, state.me?.id ?? "", -1));
    this.#drawList(tasks, state.me?.id ?? "");
  }

  /** Put the board away. @param {Node[]} instead */
  #clear(...instead) {
    if (this.#exercise) clearExercise(this.#exercise);
    if (this.#lesson) closeLesson(this.#lesson);
    this.#desk.replaceChildren(...instead);
  }

  /** The number of the first task behind *at* that is not solved, or before it; -1 if all are.
   * @param {Tasks} tasks @param {string} me @param {number} at */
  #next({ items, results }, me, at) {
    const isOpen = (/** @type {string} */ item) => !results?.[me]?.[item]?.is_right;
    const later = items.findIndex((item, index) => index > at && isOpen(item));
    return later < 0 ? items.findIndex(isOpen) : later;
  }

  /** @param {Tasks} tasks @param {string} me */
  #drawList(tasks, me) {
    const mine = tasks.results?.[me] ?? {};
    redraw(this.#list, [tasks.items, mine, this.#at], () =>
      tasks.items.map((item, index) => {
        const { sign, label } = signOf(mine[item]);
        const look = {
          "data-key": item,
          "aria-current": index === this.#at ? "step" : null,
          "aria-label": `${t("room.task", { number: index + 1 })}: ${label}`,
          on: { click: () => this.#open(tasks, index) },
        };
        return html("li", html("button.button.small", look, `${index + 1} ${sign}`.trim()));
      }),
    );
  }

  /** Put a task on the desk. @param {Tasks} tasks @param {number} index */
  async #open(tasks, index) {
    this.#at = index;
    this.#item = tasks.items[index] ?? "";
    const me = this.#page.live.state?.me?.id ?? "";
    this.#drawList(this.#page.live.state?.room.tasks ?? tasks, me);
    if (index < 0) {
      this.#clear(html("p.room-done", { role: "status" }, t("room.all_done")));
      return;
    }
    const item = this.#item;
    try {
      await (item.startsWith(LESSON) ? this.#teach(item.slice(LESSON.length)) : this.#ask(item));
    } catch (error) {
      this.#desk.replaceChildren(html("p.error", { role: "alert" }, describeError(error)));
      throw error;
    }
  }

  // ---- Puzzles -----------------------------------------------------------------------------------

  /** @param {string} id */
  async #ask(id) {
    await loadTraining();
    this.#exercise ??= makeExercise({
      onAnswered: () => {},
      onNext: () => this.#goOn(),
      onTried: (isRight, columns) => this.#tried(isRight, columns),
    });
    const exercise = this.#exercise;
    if (this.#lesson) closeLesson(this.#lesson);
    if (exercise.main.parentElement !== this.#desk) {
      this.#desk.replaceChildren(exercise.main, exercise.explanation.element);
      reserveExercise(exercise, STANDARD);
    }
    const puzzle = await findPuzzle({ id, size: STANDARD });
    if (id !== this.#item) return;
    if (puzzle) await askPuzzle(exercise, puzzle, { isQuick: this.#isRace });
    else complain(exercise, t("puzzle.no_such", { id }));
  }

  /** @param {boolean} isRight @param {number[]} columns of both sides */
  async #tried(isRight, columns) {
    const item = this.#item;
    const answers = columns.filter((_, ply) => ply % 2 === 0).map(columnName);
    await this.#page.act({ kind: "solve", item, answers });
    if (!this.#isRace) return;
    window.setTimeout(() => {
      const tasks = this.#page.live.state?.room.tasks;
      if (item !== this.#item || !tasks || tasks.is_over) return;
      if (isRight) this.#goOn();
      else this.#open(tasks, this.#at);
    }, PAUSE_MS);
  }

  #goOn() {
    const { room, me } = this.#page.live.state ?? {};
    if (room?.tasks && me) this.#open(room.tasks, this.#next(room.tasks, me.id, this.#at));
  }

  // ---- Lessons -----------------------------------------------------------------------------------

  /** @param {string} id */
  async #teach(id) {
    [this.#lessons] = await Promise.all([loadLessons(), loadTraining()]);
    const lesson = this.#lessons.find((each) => each.id === id);
    if (!lesson) throw new Error(titleOf(id));
    this.#lesson ??= makeLessonView({
      onDone: (done, step, answers) => this.#learned(done, step, answers),
      onEnd: () => this.#goOn(),
      onLeave: () => this.#goOn(),
    });
    if (this.#exercise) clearExercise(this.#exercise);
    this.#answers = [];
    this.#desk.replaceChildren(this.#lesson.element);
    await teach(this.#lesson, lesson, 1, true);
  }

  /** @param {string} id @param {number} step @param {string[]} answers */
  #learned(id, step, answers) {
    const { length } = this.#lessons.find((each) => each.id === id)?.steps ?? [];
    this.#answers[step - 1] = answers;
    if (step === length) {
      this.#page.act({ kind: "solve", item: LESSON + id, answers: this.#answers.flat() });
    }
  }
}
