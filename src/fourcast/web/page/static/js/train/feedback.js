// What is said about an answer, below the board and to a screen reader.

import { html } from "../elements/dom.js";
import { announce } from "../shell/announce.js";

/** @typedef {"right" | "wrong" | "problem" | "none"} Tone */

export class Feedback {
  element = html("p.puzzle-feedback");

  /** @param {string} text @param {Tone} tone */
  show(text, tone) {
    this.element.textContent = text;
    this.element.dataset.tone = tone;
  }

  /** Show it, and say it. @param {string} text @param {Tone} tone */
  tell(text, tone) {
    this.show(text, tone);
    announce(text);
  }
}
