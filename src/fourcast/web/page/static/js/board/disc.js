// Discs: a ring lies in the first player's, a diamond in the second's, so that no color is needed.

import { svg } from "../elements/dom.js";
import { sideKey } from "../words/names.js";

const RADIUS = 43.5;

/** A disc around (0, 0). @param {Side} side */
export function disc(side, radius = RADIUS) {
  const mark =
    side === 1
      ? svg("circle.mark", { r: 16, "stroke-width": 7.5 })
      : svg("path.mark", { d: "M0-20 20 0 0 20-20 0z" });
  return svg(
    "g",
    { class: `disc ${sideKey(side)}`, transform: `scale(${radius / RADIUS})` },
    svg("circle.body", { r: RADIUS }),
    svg("circle.edge", { r: 36.5, "stroke-width": 14 }),
    mark,
  );
}

/** A small picture of a player's disc, to stand beside a name. @param {Side} side */
export function discIcon(side) {
  return svg("svg.disc-icon", { viewBox: "-45 -45 90 90", "aria-hidden": "true" }, disc(side));
}
