// How somebody stands: rating and streak, and what to do if the browser cannot keep them.

import { saveBlob } from "../backend/downloads.js";
import { button, html } from "../elements/dom.js";
import { t } from "../words/text.js";
import { HistoryError } from "./history.js";

/** @typedef {import("./history.js").History} History */

const KNOWN = 220; // a rating that is off by more, perhaps, has a question mark

/** A rating as people read it: "600?" until it is known. @param {number} rating @param {number} error */
export function ratingText(rating, error) {
  return `${Math.round(rating)}${error > KNOWN ? "?" : ""}`;
}

export class Standing {
  #history;
  #asked = 0;
  #rating = html("b");
  #change = html("span.standing-change");
  #streak = html("b");
  #problem = html("div.standing-problem", { role: "alert" });
  element;

  /** @param {History} history */
  constructor(history) {
    this.#history = history;
    this.element = html(
      "div.standing",
      html(
        "dl.standing-figures",
        html("div", html("dt", t("train.rating")), html("dd", this.#rating, this.#change)),
        html("div", html("dt", t("train.streak")), html("dd", this.#streak)),
      ),
      this.#problem,
    );
  }

  /** Show what the history says now; *before* is the rating that has changed. @param {number | null} [before] */
  async update(before = null) {
    this.#asked += 1;
    const number = this.#asked;
    try {
      const { strengths, streak, error } = await this.#history.training();
      if (number !== this.#asked) return;
      const [rating] = strengths[strengths.length - 1];
      this.#rating.textContent = ratingText(rating, error);
      this.#rating.title = `± ${Math.round(error)}`;
      const change = before === null ? 0 : Math.round(rating) - Math.round(before);
      this.#change.textContent = change ? ` ${change > 0 ? "+" : "−"}${Math.abs(change)}` : "";
      this.#change.dataset.tone = change > 0 ? "right" : "wrong";
      this.#streak.textContent = String(streak);
      const isKept = this.#history.isKept;
      this.#problem.replaceChildren(...(isKept ? [] : [html("p", t("train.not_kept"))]));
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      this.#cannotRead(error);
    }
  }

  /** What is kept is no history: nothing of it is touched before somebody says so. @param {HistoryError} error */
  #cannotRead({ line }) {
    const restart = () => {
      this.#history.clear();
      window.location.reload();
    };
    this.#problem.replaceChildren(
      html("p", t("train.cannot_read", { line })),
      html(
        "div.why-actions",
        button(t("train.save_as_is"), () => saveHistory(this.#history), { kind: "small" }),
        button(t("train.start_again"), restart, { kind: "small" }),
      ),
    );
  }
}

/** Let the browser save the file that `fourcast train --import` takes. @param {History} history */
export function saveHistory(history) {
  saveBlob(new Blob([history.text], { type: "application/jsonl" }), "training.jsonl");
}
