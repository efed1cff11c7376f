// The Learn page: all lessons with what is done, and one of them at a time.

import { pageAddress } from "../backend/addresses.js";
import { askWhole } from "../backend/backend.js";
import { button, html } from "../elements/dom.js";
import { announce } from "../shell/announce.js";
import { History, HistoryError } from "../train/history.js";
import { say, t } from "../words/text.js";
import { closeLesson, loadLessons, makeLessonView, teach, titleOf } from "./lesson-view.js";

/** @typedef {import("./lesson-view.js").Lesson} Lesson */
/** @typedef {{ id: string, steps: number, done: number[], is_done: boolean, step: number }} Progress */

/** The function that draws the page, when its texts and the lessons are there.
 * @returns {Promise<(root: HTMLElement) => void>} */
export async function drawingOfLearn() {
  const lessons = await loadLessons();
  return (root) => {
    document.title = t("learn.page_title");
    const page = new LearnPage(root, lessons);
    window.addEventListener("popstate", () => page.show());
    page.show();
  };
}

class LearnPage {
  #history = new History();
  #lessons;
  #home = html("div.learn-home");
  #view = makeLessonView({
    onDone: (lesson, step) => this.#done(lesson, step),
    onEnd: () => this.#end(),
    onLeave: () => this.#go(null),
  });
  #problem = html("p.standing-problem", { role: "alert" });
  #open = ""; // the id of the lesson that is shown

  /** @param {HTMLElement} root @param {Lesson[]} lessons */
  constructor(root, lessons) {
    this.#lessons = lessons;
    root.replaceChildren(this.#problem, this.#home, this.#view.element);
  }

  /** Show what the address names: a lesson, the one that fits a lost game, or all of them. */
  async show() {
    const query = new URLSearchParams(window.location.search);
    const named = query.get("lost") ? await this.#fitting(query) : query.get("lesson");
    const { lessons, next } = await this.#progress();
    const index = this.#lessons.findIndex(({ id }) => id === named);
    if (index < 0) {
      this.#open = "";
      closeLesson(this.#view);
      this.#drawHome(lessons, next);
      return;
    }
    this.#open = this.#lessons[index].id;
    this.#home.hidden = true;
    const hasNext = index + 1 < this.#lessons.length;
    await teach(this.#view, this.#lessons[index], lessons[index].step, hasNext);
  }

  /** @param {URLSearchParams} query */
  async #fitting(query) {
    const request = { moves: query.get("lost"), player: Number(query.get("as")) };
    return (await askWhole("lesson.fitting", request).catch(() => ({ lesson: null }))).lesson;
  }

  /** @returns {Promise<{ lessons: Progress[], next: string | null }>} */
  async #progress() {
    const { learned } = await this.#history.readable();
    return askWhole("lessons", { lessons: this.#lessons, learned });
  }

  /** @param {string} lesson @param {number} step */
  async #done(lesson, step) {
    try {
      await this.#history.learn(lesson, step);
      this.#problem.textContent = this.#history.isKept ? "" : t("learn.not_kept");
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      this.#problem.textContent = t("train.cannot_read", { line: error.line });
    }
  }

  #end() {
    const index = this.#lessons.findIndex(({ id }) => id === this.#open);
    this.#go(this.#lessons.at(index + 1)?.id ?? null);
  }

  /** Go to a lesson, or to all of them. @param {string | null} lesson */
  #go(lesson) {
    window.history.pushState(null, "", addressOf(lesson));
    this.show();
  }

  /** @param {Progress[]} lessons @param {string | null} next */
  #drawHome(lessons, next) {
    const hasBegun = lessons.some(({ done }) => done.length);
    const begin =
      next &&
      button(t(hasBegun ? "learn.continue" : "learn.start"), () => this.#go(next), {
        kind: "primary large",
      });
    const restart = button(t("learn.reset"), () => this.#restart(), { kind: "small" });
    this.#home.hidden = false;
    this.#home.replaceChildren(
      html("h1", { tabindex: "-1" }, t("learn.title")),
      html("p.lead", next ? t("learn.lead") : t("learn.finished")),
      begin ? html("p", begin) : "",
      html(
        "ol.learn-list",
        { "aria-label": t("learn.lessons") },
        ...lessons.map((each, index) => this.#row(each, index + 1, each.id === next)),
      ),
      hasBegun ? html("p", restart) : "",
    );
  }

  /** @param {Progress} progress @param {number} number @param {boolean} isNext */
  #row({ id, steps, done, is_done: isDone }, number, isNext) {
    const title = titleOf(id);
    const open = (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab or window
      event.preventDefault();
      this.#go(id);
    };
    const label = t("learn.open", { number, title, done: done.length, count: steps });
    const state = isDone ? "is-done" : isNext ? "is-next" : "";
    return html(
      "li",
      html(
        "a",
        {
          class: `card learn-card ${state}`,
          href: addressOf(id),
          "aria-label": label,
          on: { click: open },
        },
        html("span.learn-number", isDone ? "✓" : number),
        html("span.learn-words", html("b", title), html("span", say(`lesson.${id}.about`))),
        html("span.learn-count", `${done.length}/${steps}`),
      ),
    );
  }

  async #restart() {
    await this.#history.forgetLessons();
    announce(t("learn.reset_done"));
    await this.show();
    this.#home.querySelector("h1")?.focus();
  }
}

/** @param {string | null} lesson */
function addressOf(lesson) {
  return pageAddress("learn", new URLSearchParams(lesson ? { lesson } : {}));
}
