// The way from a review to its mistakes as exercises.

import { pageAddress } from "../backend/addresses.js";
import { html } from "../elements/dom.js";
import { queryOf } from "../backend/positions.js";
import { t } from "../words/text.js";
import { isError } from "./review-parts.js";

/** A link to the exercises; nothing if there are none. *side* is the one whose mistakes are meant, null for
 * both. The Train page asks for games from an empty board.
 * @param {ReviewView} view @param {PositionQuery} query @param {Side | null} side */
export function trainLink(view, query, side) {
  const mistakes = view.moves.filter((move) => isError(move) && (side === null || move.player === side));
  if (!mistakes.length || query.start) return [];
  const asked = new URLSearchParams(queryOf(query));
  asked.set("mistakes", mistakes.map(({ number }) => number).join("."));
  const address = pageAddress("train", asked);
  return [html("a.button.review-train", { href: address }, t("review.train"))];
}
