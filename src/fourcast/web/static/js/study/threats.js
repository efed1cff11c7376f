// Threats: empty squares that complete a four, on the board and in words.

import { discIcon } from "../disc.js";
import { html } from "../dom.js";
import { SIDES, colorName, columnName } from "../names.js";

/** @typedef {import("../board.js").Board} Board */

/** @param {PositionView} position @param {Side} side */
function threatsOf(position, side) {
  return side === 1 ? position.threats_first : position.threats_second;
}

/** @param {number} row */
function parityOf(row) {
  return row % 2 ? "even" : "odd"; // counted from 1
}

/** Mark the threats of *position* on *board*. @param {Board} board @param {PositionView} position */
export function markThreats(board, position) {
  board.setMarks(
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
      .map(([column, row]) => `column ${columnName(column)} row ${row + 1} (${parityOf(row)})`)
      .join(", ");
  const sides = SIDES.map((side) =>
    html(
      "p",
      { class: "study-threat-side" },
      discIcon(side),
      html("strong", {}, `${colorName(side)}: `),
      describe(threatsOf(position, side)) || "none",
    ),
  );
  const hint =
    "A threat is an empty square that completes a four. Rows count from 1 at the bottom: a lasting threat " +
    "on an odd row tends to help the player who began, one on an even row the other.";
  return [html("h3", {}, "Threats"), ...sides, html("p", { class: "study-hint" }, hint)];
}
