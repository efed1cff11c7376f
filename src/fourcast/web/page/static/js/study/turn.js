// Whose turn it is on the free board, or how the game has ended, and how many discs there are.

import { discIcon } from "../board/disc.js";
import { html } from "../elements/dom.js";
import { colorName } from "../words/names.js";
import { countsOf } from "../elements/setup.js";
import { t } from "../words/text.js";

/** @param {Shown} position */
export function turnText(position) {
  const counts = html("span.study-counts", countsOf(position.cells));
  const words = (/** @type {string} */ text) => html("strong", text);
  if (position.isDraft) return [words(t("free.not_a_position")), counts];
  if (position.winner) {
    return [
      discIcon(position.winner),
      words(t("free.has_won", { player: colorName(position.winner) })),
      counts,
    ];
  }
  if (position.is_over) return [words(t("free.draw")), counts];
  return [
    discIcon(position.turn),
    words(t("analysis.to_move", { player: colorName(position.turn) })),
    counts,
  ];
}
