// Fields to type, paste or open a position.

import { about } from "../shell/about.js";
import { html } from "../elements/dom.js";
import { fileButton, form, movesField, submitButton } from "../elements/fields.js";
import { parseSize, sizeOptions } from "../words/sizes.js";
import { t } from "../words/text.js";

/**
 * @typedef {object} EntryListeners
 * @property {(moves: string) => void} onMoves moves were typed
 * @property {(text: string) => void} onText a diagram or a game was pasted or opened
 * @property {(size: Size) => void} onSize another size was chosen
 */

export class Entry {
  #on;
  #label = html("label", { for: "study-moves" }, t("entry.moves"));
  #moves = movesField("study-moves");
  #size = html("select", {
    id: "study-size",
    on: { change: () => this.#on.onSize(parseSize(this.#size.value)) },
  });
  #text = html("textarea", {
    id: "study-text",
    rows: 7,
    spellcheck: "false",
    autocomplete: "off",
    maxlength: about.max_text,
    placeholder: ". . . . . . .\n. . . O . . .\n. . X X O . .",
  });
  #problem = html("p.study-problem", { role: "alert" });
  #paste;
  element;

  /** @param {EntryListeners} listeners */
  constructor(listeners) {
    this.#on = listeners;
    this.#paste = this.#pasteFields();
    this.element = html(
      "section.card.study-entry",
      { "aria-labelledby": "study-entry-title" },
      html("h2", { id: "study-entry-title" }, t("entry.title")),
      form(
        "study-form",
        () => this.#on.onMoves(this.#moves.typed()),
        this.#label,
        html("div.study-row", this.#moves.input, submitButton(t("entry.show"))),
      ),
      html("div.study-form", html("label", { for: "study-size" }, t("start.size")), this.#size),
      this.#paste,
      this.#problem,
      html("p.study-hint.keys", t("entry.hint")),
    );
  }

  #pasteFields() {
    const kinds = ".txt,.json,text/plain,application/json";
    const open = fileButton("study-file", t("entry.open"), kinds, (file) => this.#openFile(file));
    return html(
      "details.study-paste",
      html("summary", t("entry.paste")),
      form(
        "study-form",
        () => this.#on.onText(this.#text.value),
        html("label", { for: "study-text" }, t("entry.text")),
        this.#text,
        html("div.study-row", submitButton(t("entry.read")), open),
      ),
    );
  }

  /** Show what is on the board; moves that somebody is typing are left alone.
   * @param {{ start: string, moves: string }} position @param {string} size */
  update({ start, moves }, size) {
    this.#label.textContent = t(start ? "entry.moves_from" : "entry.moves");
    if (document.activeElement !== this.#moves.input) this.showMoves(moves);
    this.#size.replaceChildren(...sizeOptions(size));
  }

  /** Write the moves as they were understood. @param {string} moves */
  showMoves(moves) {
    this.#moves.input.value = moves;
  }

  /** Say why what was typed or pasted was not understood, or nothing. @param {string} text */
  complain(text) {
    this.#problem.textContent = text;
    if (text) this.#problem.scrollIntoView({ block: "nearest" });
  }

  /** Read what was pasted somewhere else on the page. @param {string} text */
  paste(text) {
    this.#text.value = text;
    this.#paste.open = true;
    this.#on.onText(text);
  }

  /** @param {File} file */
  async #openFile(file) {
    if (file.size > about.max_text) {
      this.complain(t("entry.too_large"));
      return;
    }
    this.#text.value = await file.text();
    this.#on.onText(this.#text.value);
  }
}
