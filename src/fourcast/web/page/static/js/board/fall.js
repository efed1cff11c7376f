// Discs fall.

import { reducedMotion } from "../elements/dom.js";
import { LANE } from "./plate.js";
import { centerOf } from "./state.js";

/** @typedef {import("./draw.js").Arrival} Arrival */

/** Whether a disc is still falling. @param {Board} board */
export function isFalling({ landing }) {
  return performance.now() < landing;
}

/** Call *action* when all discs lie: at once if none is falling. @param {Board} board @param {() => void} action */
export function whenLanded(board, action) {
  if (!isFalling(board)) action();
  else setTimeout(() => whenLanded(board, action), board.landing - performance.now());
}

/** Let all discs lie at once: somebody who chooses a column has seen enough of the one before. @param {Board} board */
export function land(board) {
  const { layers } = board;
  board.landing = 0;
  const moving = [...layers.discs.getAnimations({ subtree: true }), ...layers.end.getAnimations()];
  for (const animation of moving) animation.finish();
}

/** Let discs fall, the one played last after the other. @param {Board} board @param {Arrival[]} arrived */
export function drop(board, arrived) {
  const [lastColumn, lastRow] = board.position?.last_move ?? [];
  const isLast = (/** @type {Arrival} */ { column, row }) => column === lastColumn && row === lastRow;
  arrived.sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
  if (reducedMotion()) {
    board.onLand();
    return;
  }
  // A disc waits until the one before it lies: the computer may answer sooner than that.
  const now = performance.now();
  let start = Math.max(0, board.landing - now);
  for (const arrival of arrived) {
    const landed = start + fall(board, arrival, start);
    setTimeout(() => arrival.element.isConnected && board.onLand(), landed);
    // What the end of the game looks like is not told before the disc lies.
    if (isLast(arrival)) {
      const frames = [{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }];
      board.layers.end.animate(frames, { duration: landed + 60, fill: "backwards" });
    }
    start = landed + 120;
  }
  board.landing = Math.max(board.landing, now + start);
}

/** Let a disc fall after *delay*; returns how long it takes until it touches.
 * @param {Board} board @param {Arrival} arrival @param {number} delay */
function fall(board, { element, ...place }, delay) {
  const distance = centerOf(board, place).y - LANE / 2;
  const duration = 16 * Math.sqrt(distance);
  const bounce = -Math.min(26, distance * 0.05);
  const at = (/** @type {number} */ y) => `translateY(${y}px)`;
  const faster = "cubic-bezier(0.33, 0, 0.67, 0.33)";
  const slower = "cubic-bezier(0.33, 0.67, 0.67, 1)";
  const frames = [
    { transform: at(-distance), easing: faster },
    { transform: at(0), offset: 0.68, easing: slower },
    { transform: at(bounce), offset: 0.84, easing: faster },
    { transform: at(0) },
  ];
  const timing = { duration: duration / 0.68, delay, fill: /** @type {const} */ ("backwards") };
  element.firstElementChild?.animate(frames, timing).finished.catch(() => {}); // ends early if taken back
  return duration;
}
