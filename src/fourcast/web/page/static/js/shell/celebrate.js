// A small celebration: discs of both colors fall over a board. Nothing moves for people who want no motion.

import { disc } from "../board/disc.js";
import { html, reducedMotion, svg } from "../elements/dom.js";
import { SIDES } from "../words/names.js";

const COUNT = 28;
const FALL_MS = 1600;
const SPREAD_MS = 700;

/** @param {Board} board */
export function celebrate(board) {
  if (reducedMotion()) return;
  const layer = html("div.celebration", { "aria-hidden": "true" });
  const falls = Array.from({ length: COUNT }, (_, index) => {
    const look = { viewBox: "-45 -45 90 90" };
    const piece = svg("svg", look, disc(SIDES[index % 2]));
    piece.style.left = `${(100 * (index + Math.random())) / COUNT}%`;
    layer.append(piece);
    const turn = `${Math.round(360 * (Math.random() - 0.5))}deg`;
    return piece.animate(
      [
        { translate: "0 -2rem", rotate: "0deg", opacity: 1 },
        { opacity: 1, offset: 0.7 },
        { translate: `0 ${board.root.offsetHeight}px`, rotate: turn, opacity: 0 },
      ],
      { duration: FALL_MS, delay: SPREAD_MS * Math.random(), easing: "ease-in", fill: "both" },
    ).finished;
  });
  board.stage.append(layer);
  Promise.allSettled(falls).then(() => layer.remove());
}
