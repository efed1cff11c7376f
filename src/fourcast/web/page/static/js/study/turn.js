// Whose turn it is on the free board, or how the game has ended, and how many discs there are.

import { discIcon } from "../board/disc.js";
import { html } from "../elements/dom.js";
import { colorName } from "../words/names.js";
import { countsOf } from "../elements/setup.js";
import { t } from "../words/text.js";

/** @param {Shown} position */
export function turnText(position) {
  const { winner, turn } = position;
  const counts = html("span.study-counts", countsOf(position.cells));
  const say = (/** @type {string} */ text, /** @type {Side | null} */ side = null) =>
    side ? [discIcon(side), html("strong", text), counts] : [html("strong", text), counts];
  if (position.isDraft) return say(t("free.not_a_position"));
  if (winner) return say(t("free.has_won", { player: colorName(winner) }), winner);
  if (position.is_over) return say(t("free.draw"));
  return say(t("analysis.to_move", { player: colorName(turn) }), turn);
}
