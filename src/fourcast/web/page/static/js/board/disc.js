// Discs: a ring lies in the first player's, a diamond in the second's, so that no color is needed.

import { svg } from "../elements/dom.js";
import { sideKey } from "../words/names.js";

const RADIUS = 43.5;

/** A disc around (0, 0). @param {Side} side */
export function disc(side, radius = RADIUS) {
  const mark =
    side === 1
      ? svg("circle", { class: "mark", r: 16, "stroke-width": 7.5 })
      : svg("path", { class: "mark", d: "M0-20 20 0 0 20-20 0z" });
  return svg(
    "g",
    { class: `disc ${sideKey(side)}`, transform: `scale(${radius / RADIUS})` },
    svg("circle", { class: "body", r: RADIUS }),
    svg("circle", { class: "edge", r: 36.5, "stroke-width": 14 }),
    mark,
  );
}

/** A small picture of a player's disc, to stand beside a name. @param {Side} side */
export function discIcon(side) {
  return svg("svg", { class: "disc-icon", viewBox: "-45 -45 90 90", "aria-hidden": "true" }, disc(side));
}
