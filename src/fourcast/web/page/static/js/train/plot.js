// The course of the rating, as a picture.

import { html, svg } from "../elements/dom.js";
import { t } from "../words/text.js";

const WIDTH = 320;
const HEIGHT = 110;
const LEFT = 38;
const RIGHT = 8;
const EDGE = 12; // above and below
const LEAST_RANGE = 100; // of ratings: small changes are not made to look large

/** @param {number[]} ratings at the start, and after each attempt that counts */
export function ratingPlot(ratings) {
  const [first, last] = [ratings[0], ratings[ratings.length - 1]];
  const words = t("train.plot", {
    from: Math.round(first),
    to: Math.round(last),
    count: ratings.length - 1,
  });
  if (ratings.length < 3) return html("p.study-hint", t("train.no_plot"));
  const middle = (Math.min(...ratings) + Math.max(...ratings)) / 2;
  const half = Math.max(LEAST_RANGE, Math.max(...ratings) - Math.min(...ratings)) / 2;
  const x = (/** @type {number} */ index) =>
    LEFT + (index / (ratings.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ rating) =>
    EDGE + ((middle + half - rating) / (2 * half)) * (HEIGHT - 2 * EDGE);
  const points = ratings.map((rating, index) => `${x(index).toFixed(1)},${y(rating).toFixed(1)}`);
  const ticks = [middle - half, middle, middle + half].map((rating) =>
    svg(
      "g",
      svg("line.plot-grid", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(rating), y2: y(rating) }),
      svg("text.plot-tick", { x: LEFT - 6, y: y(rating) + 4 }, String(Math.round(rating))),
    ),
  );
  return svg(
    "svg.plot",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
    ...ticks,
    svg("polyline.plot-line", { points: points.join(" ") }),
    svg("circle.plot-end", { cx: x(ratings.length - 1), cy: y(last), r: 4 }),
  );
}
