// The evaluation bar: how much of it is the first player's color says how well that player stands.

import { html, svg } from "../elements/dom.js";
import { t } from "../words/text.js";

export class Bar {
  #first = svg("rect.study-bar-first", { x: 0, y: 0, width: 50, height: 10 });
  element = html(
    "div.study-bar",
    { role: "img", "aria-label": t("bar.unknown") },
    svg(
      "svg",
      { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect.study-bar-second", { x: 0, y: 0, width: 100, height: 10 }),
      this.#first,
      svg("rect.study-bar-middle", { x: 49.5, y: 0, width: 1, height: 10 }),
    ),
  );

  /** @param {number} share the first player's, 0 to 1 @param {string} text what it means */
  show(share, text, isExact = true) {
    this.#draw(share, t("bar.label", { text }), isExact);
  }

  /** An estimate, which is drawn as what it is. @param {number} share the first player's @param {string} label */
  showEstimate(share, label) {
    this.#draw(share, label, false);
  }

  showUnknown() {
    this.#draw(0.5, t("bar.unknown"), false);
  }

  /** @param {number} share @param {string} label @param {boolean} isExact */
  #draw(share, label, isExact) {
    this.element.hidden = false;
    this.#first.setAttribute("width", String(100 * share));
    this.element.classList.toggle("is-unknown", !isExact);
    this.element.setAttribute("aria-label", label);
  }
}
