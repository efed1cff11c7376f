// What is drawn on a board in front of its discs, and taken away with null.

import { svg } from "../elements/dom.js";
import { sideKey } from "../words/names.js";
import { copiesOf } from "./edge.js";
import { drawMarks, numbered } from "./marks.js";
import { HOLE } from "./plate.js";
import { keyOf, moved } from "./state.js";

/** @typedef {Place & { player: Side, number: number }} PreviewDisc */
/** @typedef {Place & { player: Side, label: string }} Mark */

/** Each where it is drawn. @template {Place} Something @param {Board} board @param {Something[] | null} places */
function copies(board, places) {
  return (places ?? []).flatMap((place) => copiesOf(board, place));
}

/** Show translucent numbered discs. @param {Board} board @param {PreviewDisc[] | null} discs */
export function setPreview(board, discs) {
  board.layers.preview.replaceChildren(
    ...copies(board, discs).map(({ player, number, ...place }) =>
      numbered(player, number, { transform: moved(board, place) }),
    ),
  );
}

/** Show marks on empty squares. @param {Board} board @param {Mark[] | null} marks */
export function setMarks(board, marks) {
  const places = copies(board, marks).map(keyOf);
  board.layers.marks.replaceChildren(
    ...copies(board, marks).map((mark) => {
      const isFirst = mark.player === 1;
      // Where both have one, the second's diamond lies in the first's circle and bears the label.
      const isShared = places.indexOf(keyOf(mark)) !== places.lastIndexOf(keyOf(mark));
      const half = isShared ? 34 : 38;
      const shape = isFirst
        ? svg("circle.shape", { r: isShared ? 37 : 34 })
        : svg("path.shape", { d: `M0-${half} ${half} 0 0 ${half}-${half} 0z` });
      const label = svg("text.label", { y: 8 }, isShared && isFirst ? "" : mark.label);
      const look = { class: `threat ${sideKey(mark.player)}`, transform: moved(board, mark) };
      return svg("g", look, shape, label);
    }),
  );
}

/** Show the marks of a reason. @param {Board} board @param {MarksView | null} marks */
export function setReason(board, marks) {
  board.layers.reason.replaceChildren(...(marks ? drawMarks(marks) : []));
}

/** Ring a square that somebody points at in a text. @param {Board} board @param {Place | null} place */
export function pointAt(board, place) {
  const ring = place && svg("circle.pointer", { transform: moved(board, place), r: HOLE + 4 });
  board.layers.pointer.replaceChildren(...(ring ? [ring] : []));
}
