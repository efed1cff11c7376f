// The picture of an empty board: the back, the plate with its holes, and the names of columns and rows.
//
// Discs fall behind the plate, whose holes are holes: the back, the discs, the plate and what is drawn on
// top are layers of one SVG picture.

import { svg } from "../elements/dom.js";
import { columnName } from "../words/names.js";

export const CELL = 100; // units of the picture; all else follows from it
export const FRAME = 22;
export const LANE = 96; // the room above the plate, where the next disc hovers
export const HOLE = 40;
const FOOT = 52; // the part of the plate that bears the columns' names

/** The size of the whole picture. @param {Size} size */
function pictureSize({ width, height }) {
  return { right: 2 * FRAME + width * CELL, bottom: LANE + 2 * FRAME + height * CELL + FOOT };
}

/** The middle of a square of a board of that height. @param {number} column @param {number} row @param {number} height */
export function center(column, row, height) {
  return { x: FRAME + (column + 0.5) * CELL, y: LANE + FRAME + (height - row - 0.5) * CELL };
}

/** Tell the style sheet how large the parts of the picture are. @param {CSSStyleDeclaration} style @param {Size} size */
export function setProportions(style, size) {
  const { right, bottom } = pictureSize(size);
  style.setProperty("--columns", String(size.width));
  style.setProperty("--picture-width", String(right));
  style.setProperty("--picture-height", String(bottom));
  style.setProperty("--frame-part", String(FRAME / right));
  style.setProperty("--holes-top", `${(100 * (LANE + FRAME)) / bottom}%`);
  style.setProperty("--lane", `${(100 * LANE) / bottom}%`);
  style.setProperty("--foot", `${(100 * (FOOT + FRAME)) / bottom}%`);
}

/**
 * The picture of an empty board. *behind* are the layers behind the plate, *before* those in front of it;
 * *id* begins the ids in the picture.
 * @param {Size} size
 * @param {string} id
 * @param {{ behind: Node[], before: Node[] }} layers
 */
export function makePicture(size, id, { behind, before }) {
  const { right, bottom } = pictureSize(size);
  const look = { class: "board-picture", viewBox: `0 0 ${right} ${bottom}` };
  return svg(
    "svg",
    { ...look, "aria-hidden": "true", focusable: "false" },
    svg(
      "defs",
      gradient(`${id}-plate`, "plate-top", "plate-bottom"),
      // The upper edge of a hole throws a shadow, the lower one catches the light.
      gradient(`${id}-rim`, "rim-shade", "rim-light"),
    ),
    back(size),
    ...behind,
    svg("path.plate", {
      d: roundedRect(0, LANE, right, bottom - LANE, 34) + holes(size),
      "fill-rule": "evenodd",
      fill: `url(#${id}-plate)`,
    }),
    svg("path.plate-edge", {
      d: roundedRect(1.5, LANE + 1.5, right - 3, bottom - LANE - 3, 33),
    }),
    rims(size, `url(#${id}-rim)`),
    names(size),
    rowNumbers(size),
    ...before,
  );
}

/** @param {string} id @param {string} top @param {string} below */
function gradient(id, top, below) {
  return svg(
    "linearGradient",
    { id, x1: 0, y1: 0, x2: 0, y2: 1 },
    svg("stop", { class: top, offset: 0.05 }),
    svg("stop", { class: below, offset: 0.95 }),
  );
}

/** @param {Size} size */
function back({ width, height }) {
  return svg("rect.back", {
    x: FRAME / 2,
    y: LANE + FRAME / 2,
    width: width * CELL + FRAME,
    height: height * CELL + FRAME,
    rx: 26,
  });
}

/** The middle of every square. @param {Size} size */
function squares({ width, height }) {
  return Array.from({ length: width * height }, (_, index) =>
    center(index % width, Math.floor(index / width), height),
  );
}

/** @param {Size} size */
function holes(size) {
  const arc = `a${HOLE} ${HOLE} 0 1 0`;
  return squares(size)
    .map(({ x, y }) => `M${x - HOLE} ${y}${arc} ${2 * HOLE} 0${arc} ${-2 * HOLE} 0z`)
    .join("");
}

/** @param {Size} size @param {string} stroke */
function rims(size, stroke) {
  const rings = squares(size).map(({ x, y }) => svg("circle", { cx: x, cy: y, r: HOLE + 1 }));
  return svg("g.rims", { "stroke-width": 6, stroke }, ...rings);
}

/** @param {Size} size */
function names(size) {
  const y = pictureSize(size).bottom - 24;
  const texts = Array.from({ length: size.width }, (_, column) =>
    svg("text", { x: center(column, 0, 1).x, y, "data-column": column }, columnName(column)),
  );
  return svg("g.names", ...texts);
}

/** The numbers of the rows, on the frame. @param {Size} size */
function rowNumbers({ height }) {
  const texts = Array.from({ length: height }, (_, row) =>
    svg("text", { x: FRAME / 2, y: center(0, row, height).y + 9 }, String(row + 1)),
  );
  return svg("g.rows", ...texts);
}

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} r */
function roundedRect(x, y, width, height, r) {
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  const [across, down] = [width - 2 * r, height - 2 * r];
  const there = `M${x + r} ${y}h${across}${corner(r, r)}v${down}${corner(-r, r)}`;
  return `${there}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`;
}
