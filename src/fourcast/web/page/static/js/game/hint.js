// A hint in a game against the computer: first a column, and then, to those who ask, why.

import { setPreview } from "../board/overlays.js";
import { isAbort } from "../backend/api.js";
import { outcomesOf } from "../backend/backend.js";
import { Latest } from "../backend/latest.js";
import { button, html, iconButton } from "../elements/dom.js";
import { rulesText } from "../core/rules.js";
import { columnName } from "../words/names.js";
import { queryOf } from "../backend/positions.js";
import { Why } from "../study/why.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

const PATIENCE_S = 5;

export class Hint {
  #board;
  #why;
  #request = new Latest();
  #text = html("p.hint-text", { role: "status" });
  #ask = button(t("analysis.why"), () => this.#explain(), { kind: "small", hidden: true });
  /** @type {{ position: PositionView, column: number } | null} */
  #shown = null;
  element = html("section.card.hint", { "aria-label": t("hint.label"), hidden: true });

  /** @param {Board} board */
  constructor(board) {
    this.#board = board;
    this.#why = new Why(board, {
      heading: "h3",
      keepsBoard: true,
      onClose: () => this.#ask.focus(),
    });
    const head = html(
      "div.hint-head",
      this.#text,
      this.#ask,
      iconButton("close", t("hint.close"), () => this.hide()),
    );
    this.element.append(head, this.#why.element);
  }

  /** Show a best column of *position*. @param {PositionView} position */
  async show(position) {
    this.hide();
    this.element.hidden = false;
    this.#text.textContent = t("hint.looking");
    try {
      const query = { ...queryOf(position), time_s: PATIENCE_S };
      this.#show(position, await this.#request.ask((signal) => outcomesOf(query, { signal })));
    } catch (error) {
      if (!isAbort(error)) this.#text.textContent = describeError(error);
    }
  }

  /** Take the hint away. */
  hide() {
    this.#request.stop();
    this.#shown = null;
    this.#why.close();
    setPreview(this.#board, null);
    this.#ask.hidden = true;
    this.element.hidden = true;
  }

  /** @param {PositionView} position @param {AnalysisView} analysis */
  #show(position, { columns, best_columns: best, complete }) {
    const open = best.length ? columns.filter(({ column }) => best.includes(column)) : columns;
    const most = Math.max(...open.map(({ lower }) => lower));
    const middle = (position.width - 1) / 2;
    const [choice] = open
      .filter(({ lower }) => lower === most)
      .sort((one, other) => Math.abs(one.column - middle) - Math.abs(other.column - middle));
    const { column, name } = choice;
    this.#shown = { position, column };
    const isSure = complete || best.length > 0;
    this.#text.textContent = hintText(position, column, name, isSure);
    this.#ask.hidden = rulesText(position.start) !== ""; // only the standard rules have explanations
    const row = position.cells.filter((each) => each[column]).length;
    const disc = { column, row, player: position.turn, number: 1 };
    setPreview(this.#board, column < position.width ? [disc] : null);
  }

  #explain() {
    if (this.#shown) this.#why.explainMove(this.#shown.position, this.#shown.column);
  }
}

/** @param {PositionView} position @param {number} move @param {string} name @param {boolean} isSure */
function hintText({ width }, move, name, isSure) {
  if (move === 2 * width) return t("hint.claim");
  if (move < width) return t(isSure ? "hint.column" : "hint.likely", { column: name });
  return t(isSure ? "hint.pop" : "hint.pop_likely", { column: columnName(move - width) });
}
