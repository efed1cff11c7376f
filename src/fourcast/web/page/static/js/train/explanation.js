// What is shown after a puzzle: the solution, why it is right, what is wrong with the tempting move, and
// the themes.

import { button, html } from "../elements/dom.js";
import { columnName } from "../words/names.js";
import { Why } from "../study/why.js";
import { t } from "../words/text.js";
import { queryAfter } from "./puzzle.js";
import { themeName, themeSentence } from "./said.js";

/**
 * @typedef {object} Lesson What there is to explain.
 * @property {Puzzle} puzzle
 * @property {number[]} played the moves after which the reasons begin
 * @property {number | null} right
 * @property {number | null} wrong
 * @property {number} [better] what would have been right in place of a plan's wrong answer
 */

export class Explanation {
  #title = html("h2", { id: "lesson-title", tabindex: "-1" });
  #right;
  #wrong;
  #content = html("div.lesson-content");
  element = html("section.card.lesson", { "aria-labelledby": "lesson-title", hidden: true });

  /** @param {Board} board */
  constructor(board) {
    this.#right = new Why(board);
    this.#wrong = new Why(board);
    this.element.append(this.#title, this.#content);
  }

  /** @param {Lesson} lesson @param {() => void} onPlay somebody wants to see the solution on the board */
  show({ puzzle, played, right, wrong, better }, onPlay) {
    const query = queryAfter(puzzle, played);
    const names = (/** @type {number[]} */ columns) => columns.map(columnName).join(" ");
    this.#title.textContent =
      puzzle.goal === "better" && right !== null
        ? t("puzzle.a_solution", { column: columnName(right) })
        : t("puzzle.solution", { columns: names(puzzle.solution) });
    const play = button(t("puzzle.play_solution"), onPlay, { kind: "small" });
    // A reason about a later move says which moves are before it.
    const where = played.length ? `${t("puzzle.after", { columns: names(played) })} ` : "";
    const reason = (
      /** @type {Why} */ why,
      /** @type {string} */ title,
      /** @type {number} */ column,
    ) => {
      why.explainMove(query, column, { isQuiet: true, hasInstead: false });
      return part(where + title, why.element);
    };
    const parts = [];
    if (right !== null) {
      parts.push(reason(this.#right, t("puzzle.why_right", { column: columnName(right) }), right));
    }
    if (wrong !== null) {
      const column = columnName(wrong);
      const title =
        better === undefined
          ? t("puzzle.why_wrong", { column })
          : t("puzzle.hole", { column, better: columnName(better) });
      parts.push(reason(this.#wrong, title, wrong));
    }
    this.#content.replaceChildren(html("div.why-actions", play), ...parts, ...themes(puzzle));
    this.element.dataset.puzzle = puzzle.id;
    this.element.hidden = false;
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
  return html("section.lesson-part", html("h3", title), content);
}

/** @param {Puzzle} puzzle */
function themes({ themes: names }) {
  if (!names.length) return [];
  const items = names.map((name) =>
    html("div", html("dt", themeName(name)), html("dd", themeSentence(name))),
  );
  return [html("h3", t("puzzle.themes")), html("dl.lesson-themes", ...items)];
}
