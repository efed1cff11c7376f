// Threats: empty squares that complete a four, on the board and in words.

import { setMarks } from "../board/overlays.js";
import { discIcon } from "../board/disc.js";
import { html } from "../elements/dom.js";
import { SIDES, columnName, playerName } from "../words/names.js";
import { rich, t } from "../words/text.js";

/** @param {PositionView} position @param {Side} side */
function threatsOf(position, side) {
  return side === 1 ? position.threats_first : position.threats_second;
}

/** @param {number} row */
function parityOf(row) {
  return t(row % 2 ? "threats.even" : "threats.odd"); // counted from 1
}

/** Mark the threats of *position* on *board*. @param {Board} board @param {PositionView} position */
export function markThreats(board, position) {
  setMarks(
    board,
    SIDES.flatMap((player) =>
      threatsOf(position, player).map(([column, row]) => ({
        column,
        row,
        player,
        label: parityOf(row),
      })),
    ),
  );
}

/** The threats of *position* in words. @param {PositionView} position */
export function listThreats(position) {
  const describe = (/** @type {number[][]} */ squares) =>
    squares
      .map(([column, row]) =>
        t("threats.square", { column: columnName(column), row: row + 1, parity: parityOf(row) }),
      )
      .join(", ");
  const sides = SIDES.map((side) =>
    html(
      "p.study-threat-side",
      discIcon(side),
      ...rich("threats.side", {
        player: html("strong", playerName(side)),
        squares: describe(threatsOf(position, side)) || t("threats.none"),
      }),
    ),
  );
  return [html("h3", t("analysis.threats")), ...sides, html("p.study-hint", t("threats.hint"))];
}
