// Sizes of boards.

import { about } from "./about.js";
import { html } from "./dom.js";

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

/** Whether a board of that size can be drawn; whether it can be played on is up to the server.
 * @param {Size} size */
export function isDrawable({ width, height }) {
  const isWithinLimits = width >= about.min_width && width <= about.max_width;
  return isWithinLimits && height >= about.min_height && height <= about.max_height;
}

/** The sizes to choose from, with *chosen* in front if it is none of them. @param {string} chosen */
export function sizeOptions(chosen) {
  const sizes = about.sizes.includes(chosen) ? about.sizes : [chosen, ...about.sizes];
  return sizes.map((size) => {
    const words = `${size.replace("x", " × ")}${size === formatSize(STANDARD) ? " (standard)" : ""}`;
    return html("option", { value: size, selected: size === chosen }, words);
  });
}
