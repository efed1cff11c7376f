// Positions to take away without a server: pictures as `fourcast.render.svg` draws them.

import { say } from "../words/text.js";
import { columnName } from "../words/columns.js";
import { describePosition } from "./words.js";

const SQUARE = 64;
const FRAME = 10;
const FOOT = 34;
const HOLE = 27;
const DISC = 25;
const COLORS = ["#cf222e", "#f2b705"];
const MARKS = ["#ffffff", "#1f2328"]; // what shows best on them
const BOARD = "#57606a";
const EMPTY = "#f6f8fa";
const FOUR = "#a5ffdd";
const [LIGHT, DARK] = ["#ffffff", "#1f2328"];

/** The size of the picture of a board. @param {{ width: number, height: number }} size */
export function pictureSize({ width, height }) {
  return { width: width * SQUARE + 2 * FRAME, height: height * SQUARE + 2 * FRAME + FOOT };
}

/** A position as an SVG document. @param {PositionView} position */
export function picture(position) {
  const { width, height } = pictureSize(position);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"` +
      ` width="${width}" height="${height}" role="img"` +
      ` aria-labelledby="fourcast-title fourcast-desc">`,
    `<title id="fourcast-title">${say("page.game")}</title>`,
    `<desc id="fourcast-desc">${describePosition(say, position)}</desc>`,
    `<rect class="board" width="${width}" height="${height}" rx="18" fill="${BOARD}"/>`,
  ];
  for (let column = 0; column < position.width; column += 1) {
    const x = FRAME + column * SQUARE + SQUARE / 2;
    for (let row = 0; row < position.height; row += 1) lines.push(...square(position, column, row, x));
    lines.push(
      `<text class="name" x="${x}" y="${height - 14}" fill="${LIGHT}" font-size="24"` +
        ` font-weight="bold" font-family="system-ui, Helvetica, Arial, sans-serif"` +
        ` text-anchor="middle">${columnName(column)}</text>`,
    );
  }
  return [...lines, "</svg>", ""].join("\n");
}

/** @param {PositionView} position @param {number} column @param {number} row @param {number} x */
function square({ cells, height, winning_squares: fours, last_move: last }, column, row, x) {
  const y = FRAME + (height - 1 - row) * SQUARE + SQUARE / 2;
  const isHere = (/** @type {number[]} */ [a, b]) => a === column && b === row;
  const isFour = fours.some(isHere);
  const player = cells[row][column];
  const lines = [
    `<circle class="hole" cx="${x}" cy="${y}" r="${HOLE}" fill="${isFour ? FOUR : EMPTY}"/>`,
  ];
  if (player) lines.push(...disc(x, y, player));
  const ring = (/** @type {string} */ kind, /** @type {string} */ stroke) =>
    `<circle class="${kind}" cx="${x}" cy="${y}" r="${HOLE}" fill="none" ${stroke}/>`;
  if (isFour) lines.push(ring("four", `stroke="${FOUR}" stroke-width="6"`));
  if (last && isHere(last)) {
    const stroke = `stroke="${isFour ? DARK : LIGHT}" stroke-width="5"`;
    lines.push(ring("last", `${stroke} stroke-dasharray="8 6"`));
  }
  return lines;
}

/** @param {number} x @param {number} y @param {number} player */
function disc(x, y, player) {
  const circle =
    `<circle class="disc ${player === 1 ? "first" : "second"}" cx="${x}" cy="${y}" r="${DISC}"` +
    ` fill="${COLORS[player - 1]}" stroke="${DARK}" stroke-width="2.5"/>`;
  const mark = MARKS[player - 1];
  return player === 1
    ? [
        circle,
        `<circle class="mark" cx="${x}" cy="${y}" r="13" fill="none" stroke="${mark}" stroke-width="4"/>`,
      ]
    : [circle, `<path class="mark" d="M${x} ${y - 14}l14 14-14 14-14-14z" fill="${mark}"/>`];
}
