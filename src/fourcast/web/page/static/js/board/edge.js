// The edges of a cylinder, whose last column is next to the first: both are drawn once more, paler, beyond the
// other edge, so that lines across it can be seen.

import { svg } from "../elements/dom.js";
import { disc } from "./disc.js";
import { moved } from "./state.js";

/** Where a square is drawn: once, at the edges of a cylinder twice.
 * @template {Place} Something @param {Board} board @param {Something} place @returns {Something[]} */
export function copiesOf({ rules, size }, place) {
  const { column } = place;
  if (!rules.wrap) return [place];
  return [
    place,
    ...(column === 0 ? [{ ...place, column: size.width }] : []),
    ...(column === size.width - 1 ? [{ ...place, column: -1 }] : []),
  ];
}

/** Lay the discs of the columns beyond the edges. @param {Board} board @param {Shown} position */
export function drawEdges(board, { cells }) {
  const discs = cells.flatMap((players, row) =>
    players.flatMap((player, column) => {
      if (player !== 1 && player !== 2) return [];
      const [, ...copies] = copiesOf(board, { column, row });
      return copies.map((place) => svg("g", { transform: moved(board, place) }, disc(player)));
    }),
  );
  board.layers.edges.replaceChildren(...discs);
}
