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

  /** @param {number} share the first player's, 0 to 1 @param {string} label */
  show(share, label, isExact = true) {
    this.element.hidden = false;
    this.#first.setAttribute("width", String(100 * share));
    this.element.classList.toggle("is-unknown", !isExact);
    this.element.setAttribute("aria-label", label);
  }
}
