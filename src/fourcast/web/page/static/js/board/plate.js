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
const POPS = 90; // the part below, for the buttons of PopOut

/** A board: of a cylinder, each edge has the column beyond it. @typedef {Size & { hasEdges?: boolean, hasPops?: boolean }} Plate */

/** Where the whole picture ends. @param {Plate} plate */
function pictureSize({ width, height, hasEdges = false, hasPops = false }) {
  const edge = hasEdges ? CELL : 0;
  const foot = LANE + 2 * FRAME + height * CELL + FOOT;
  const right = 2 * FRAME + width * CELL + edge;
  return { left: -edge, right, wide: right + edge, foot, bottom: foot + (hasPops ? POPS : 0) };
}

/** The middle of a square of a board of that height. @param {number} column @param {number} row @param {number} height */
export function center(column, row, height) {
  return { x: FRAME + (column + 0.5) * CELL, y: LANE + FRAME + (height - row - 0.5) * CELL };
}

/** Tell the style sheet how large the parts of the picture are. @param {CSSStyleDeclaration} style @param {Plate} plate */
export function setProportions(style, plate) {
  const { left, wide, foot, bottom } = pictureSize(plate);
  style.setProperty("--columns", String(plate.width));
  style.setProperty("--picture-width", String(wide));
  style.setProperty("--picture-height", String(bottom));
  style.setProperty("--frame-part", String((FRAME - left) / wide));
  style.setProperty("--holes-top", `${(100 * (LANE + FRAME)) / bottom}%`);
  style.setProperty("--lane", `${(100 * LANE) / bottom}%`);
  style.setProperty("--foot", `${(100 * (FOOT + FRAME + bottom - foot)) / bottom}%`);
  style.setProperty("--pops", `${(100 * (bottom - foot)) / bottom}%`);
}

/**
 * The picture of an empty board. *behind* are the layers behind the plate, *before* those in front of it;
 * *id* begins the ids in the picture.
 * @param {Plate} size
 * @param {string} id
 * @param {{ behind: Node[], before: Node[] }} layers
 */
export function makePicture(size, id, { behind, before }) {
  const { left, wide, bottom } = pictureSize(size);
  const look = { class: "board-picture", viewBox: `${left} 0 ${wide} ${bottom}` };
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
      d: roundedRect(left, LANE, wide, bottom - LANE, 34) + holes(size),
      "fill-rule": "evenodd",
      fill: `url(#${id}-plate)`,
    }),
    svg("path.plate-edge", {
      d: roundedRect(left + 1.5, LANE + 1.5, wide - 3, bottom - LANE - 3, 33),
    }),
    rims(size, `url(#${id}-rim)`),
    names(size),
    rowNumbers(size),
    ...(size.hasEdges ? edges(size) : []),
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

/** @param {Plate} plate */
function back(plate) {
  const { left, wide } = pictureSize(plate);
  return svg("rect.back", {
    x: left + FRAME / 2,
    y: LANE + FRAME / 2,
    width: wide - FRAME,
    height: plate.height * CELL + FRAME,
    rx: 26,
  });
}

/** The columns of the picture: on a cylinder also those beyond the edges. @param {Plate} plate */
function columnsOf({ width, hasEdges = false }) {
  const columns = Array.from({ length: width }, (_, column) => column);
  return hasEdges ? [-1, ...columns, width] : columns;
}

/** What pales the columns beyond the edges, and the edges themselves. @param {Plate} plate */
function edges(plate) {
  const { left, right, wide, bottom } = pictureSize(plate);
  const [first, last] = [FRAME / 2, right - CELL - FRAME / 2];
  const middle = `M${first} ${LANE}H${last}V${bottom}H${first}z`;
  const pale = roundedRect(left, LANE, wide, bottom - LANE, 34) + middle;
  const seam = (/** @type {number} */ x) =>
    svg("path.seam", { d: `M${x} ${LANE}V${bottom}`, "stroke-width": 5, "stroke-dasharray": "14 12" });
  return [svg("path.beyond", { d: pale, "fill-rule": "evenodd" }), seam(first), seam(last)];
}

/** The middle of every square. @param {Plate} plate */
function squares(plate) {
  const { height } = plate;
  return columnsOf(plate).flatMap((column) =>
    Array.from({ length: height }, (_, row) => center(column, row, height)),
  );
}

/** @param {Plate} size */
function holes(size) {
  const arc = `a${HOLE} ${HOLE} 0 1 0`;
  return squares(size)
    .map(({ x, y }) => `M${x - HOLE} ${y}${arc} ${2 * HOLE} 0${arc} ${-2 * HOLE} 0z`)
    .join("");
}

/** @param {Plate} size @param {string} stroke */
function rims(size, stroke) {
  const rings = squares(size).map(({ x, y }) => svg("circle", { cx: x, cy: y, r: HOLE + 1 }));
  return svg("g.rims", { "stroke-width": 6, stroke }, ...rings);
}

/** @param {Plate} size */
function names(size) {
  const y = pictureSize(size).foot - 24;
  const { width } = size;
  const texts = columnsOf(size).map((column) =>
    svg(
      "text",
      { x: center(column, 0, 1).x, y, "data-column": column },
      columnName((column + width) % width),
    ),
  );
  return svg("g.names", ...texts);
}

/** The numbers of the rows, on the frame. @param {Plate} size */
function rowNumbers(size) {
  const { height } = size;
  const x = pictureSize(size).left + FRAME / 2;
  const texts = Array.from({ length: height }, (_, row) =>
    svg("text", { x, y: center(0, row, height).y + 9 }, String(row + 1)),
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
