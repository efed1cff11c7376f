// What is shown after a puzzle: the solution, why it is right, what is wrong with the tempting move, and
// the themes.

import { button, html } from "../elements/dom.js";
import { columnName } from "../words/names.js";
import { Why } from "../study/why.js";
import { t } from "../words/text.js";
import { queryAfter } from "./puzzle.js";
import { themeName, themeSentence } from "./said.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/**
 * @typedef {object} Lesson What there is to explain.
 * @property {Puzzle} puzzle
 * @property {number[]} played the moves after which the reasons begin
 * @property {number} right
 * @property {number | null} wrong
 */

export class Explanation {
  #title = html("h2", { id: "lesson-title", tabindex: "-1" });
  #right;
  #wrong;
  #content = html("div", { class: "lesson-content" });
  element = html("section", { class: "card lesson", "aria-labelledby": "lesson-title", hidden: true });

  /** @param {Board} board */
  constructor(board) {
    this.#right = new Why(board);
    this.#wrong = new Why(board);
    this.element.append(this.#title, this.#content);
  }

  /** @param {Lesson} lesson @param {() => void} onPlay somebody wants to see the solution on the board */
  show({ puzzle, played, right, wrong }, onPlay) {
    const query = queryAfter(puzzle, played);
    const columns = puzzle.solution.map(columnName).join(" ");
    this.#title.textContent =
      puzzle.goal === "better"
        ? t("puzzle.a_solution", { column: columnName(right) })
        : t("puzzle.solution", { columns });
    this.#content.replaceChildren(
      html(
        "div",
        { class: "why-actions" },
        button(t("puzzle.play_solution"), onPlay, { kind: "small" }),
      ),
      part(t("puzzle.why_right", { column: columnName(right) }), this.#right.element),
      ...(wrong === null
        ? []
        : [part(t("puzzle.why_wrong", { column: columnName(wrong) }), this.#wrong.element)]),
      ...themes(puzzle),
    );
    this.element.dataset.puzzle = puzzle.id;
    this.element.hidden = false;
    const quiet = { isQuiet: true, hasInstead: false };
    this.#right.explainMove(query, right, quiet);
    if (wrong !== null) this.#wrong.explainMove(query, wrong, quiet);
  }

  /** Give the board back; the words stay. */
  clearBoard() {
    this.#right.clearBoard();
    this.#wrong.clearBoard();
  }

  hide() {
    this.#right.close();
    this.#wrong.close();
    this.element.hidden = true;
    this.#content.replaceChildren();
  }
}

/** @param {string} title @param {HTMLElement} content */
function part(title, content) {
  return html("section", { class: "lesson-part" }, html("h3", {}, title), content);
}

/** @param {Puzzle} puzzle */
function themes({ themes: names }) {
  if (!names.length) return [];
  const items = names.map((name) =>
    html("div", {}, html("dt", {}, themeName(name)), html("dd", {}, themeSentence(name))),
  );
  return [html("h3", {}, t("puzzle.themes")), html("dl", { class: "lesson-themes" }, ...items)];
}
