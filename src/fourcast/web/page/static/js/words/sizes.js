// Sizes of boards.

import { about } from "../shell/about.js";
import { optionsOf } from "../elements/fields.js";
import { t } from "./text.js";

/** @typedef {{ width: number, height: number }} Size */

/** The usual board. @type {Size} */
export const STANDARD = { width: 7, height: 6 };

/** "7x6" as numbers. @param {string} text @returns {Size} */
export function parseSize(text) {
  const [width, height] = text.split("x").map(Number);
  return { width, height };
}

/** @param {Size} size */
export function formatSize({ width, height }) {
  return `${width}x${height}`;
}

/** @param {Size} one @param {Size} other */
export function isSameSize(one, other) {
  return one.width === other.width && one.height === other.height;
}

/** Why there is no board of that size, or nothing. @param {Size} size */
export function sizeProblem({ width, height }) {
  const { min_width, max_width, min_height, max_height, max_bits } = about;
  if (!(width >= min_width && height >= min_height)) {
    return t("start.too_small", { columns: min_width, rows: min_height });
  }
  const isTooLarge = width > max_width || height > max_height || width * (height + 1) > max_bits;
  return isTooLarge ? t("start.too_large", { columns: max_width }) : "";
}

/** The sizes to choose from, with *chosen* in front if it is none of them. @param {string} chosen */
export function sizeOptions(chosen) {
  const sizes = about.sizes.includes(chosen) ? about.sizes : [chosen, ...about.sizes];
  const words = (/** @type {string} */ size) => {
    const plain = size.replace("x", " × ");
    return size === formatSize(STANDARD) ? t("start.standard", { size: plain }) : plain;
  };
  return optionsOf(
    sizes.map((size) => [size, words(size)]),
    chosen,
  );
}
