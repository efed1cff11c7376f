// A small picture of a board.

import { svg } from "../elements/dom.js";
import { disc } from "./disc.js";
import { CELL, HOLE } from "./plate.js";

const SIDES = { X: /** @type {Side} */ (1), O: /** @type {Side} */ (2) };

/** *rows* are those of `start`, from the top; what they leave out is empty. Whatever uses it says in words what it
 * means. @param {string[]} rows @param {Size} size */
export function miniature(rows, { width, height }) {
  const holes = Array.from({ length: width * height }, (_, index) => {
    const [column, row] = [index % width, Math.floor(index / width)];
    const place = { transform: `translate(${(column + 0.5) * CELL} ${(row + 0.5) * CELL})` };
    const letter = rows[row]?.[column];
    const side = letter === "X" || letter === "O" ? SIDES[letter] : null;
    return svg("g", place, svg("circle.back", { r: HOLE }), ...(side ? [disc(side)] : []));
  });
  const [right, bottom] = [width * CELL, height * CELL];
  return svg(
    "svg.miniature",
    { viewBox: `0 0 ${right} ${bottom}`, "aria-hidden": "true" },
    svg("rect.miniature-plate", { width: right, height: bottom, rx: 40 }),
    ...holes,
  );
}
