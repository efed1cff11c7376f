// What a reason draws on the board: who gets which squares, pairs, frozen squares, fours, moves to come.
//
// Colors are never needed: a ring stands for the first player and a diamond for the second, as on discs.

import { disc } from "./disc.js";
import { html, svg } from "../elements/dom.js";
import { moverOf, otherSide, sideKey } from "../words/names.js";
import { CELL, FRAME, HOLE, LANE, center } from "./plate.js";
import { t } from "../words/text.js";

const TOKEN = 44; // the side of the small square that says who gets a square
const GAP = 5; // between the outlines of two groups

/** @typedef {MarksView["legend"][number]["kind"]} MarkKind */

/** @param {Square} square */
const keyOf = ([column, row]) => `${column},${row}`;

/** Whose turn it is on the board that is drawn. @param {MarksView} marks @returns {Side} */
export function turnOf({ rows }) {
  const count = (/** @type {string} */ symbol) => rows.split(symbol).length - 1;
  return count("X") === count("O") ? 1 : 2;
}

/** The marks whose squares are still empty. @param {MarksView} marks @param {number[][]} cells rows from the bottom @returns {MarksView} */
export function remaining(marks, cells) {
  const isEmpty = (/** @type {Square} */ [column, row]) => !cells[row][column];
  return {
    ...marks,
    played: [],
    gets: marks.gets.filter(isEmpty),
    leaves: marks.leaves.filter(isEmpty),
    pairs: marks.pairs.filter((pair) => pair.every(isEmpty)),
    frozen: marks.frozen.filter(isEmpty),
    wins: marks.wins.filter(isEmpty),
    line: [],
  };
}

/** The name of a pair, in the order of the marks: "a". @param {number} index */
const pairName = (index) => String.fromCharCode(97 + (index % 26));

/** The name of a group: "A". @param {number} index */
const groupName = (index) => String.fromCharCode(65 + (index % 26));

/** The groups of several columns: in one column alone there is nothing to see. @param {MarksView} marks */
const sharedGroups = ({ groups }) => groups.filter((columns) => columns.length > 1);

// ---- On the board ------------------------------------------------------------------------------------

/** All marks as parts of the board's picture. @param {MarksView} marks @returns {SVGElement[]} */
export function drawMarks(marks) {
  const { player, height } = marks;
  const at = (/** @type {Square} */ [column, row]) => center(column, row, height);
  const put = (/** @type {Square} */ square, /** @type {SVGElement} */ element) => {
    const { x, y } = at(square);
    element.setAttribute("transform", `translate(${x} ${y})`);
    return element;
  };
  const wins = new Set(marks.wins.map(keyOf));
  const sign = (/** @type {Square} */ square) => (wins.has(keyOf(square)) ? "!" : "");
  const shown = new Set();
  const tokens = (/** @type {Square[]} */ squares, /** @type {Side | null} */ side) =>
    squares.map((square) => {
      shown.add(keyOf(square));
      return put(square, token(side, sign(square)));
    });
  const elements = [
    ...sharedGroups(marks).flatMap((columns, index) => outlines(columns, groupName(index), height)),
    ...marks.frozen.map((square) => put(square, hatch())),
    ...marks.pairs.flatMap(([one, other]) => link(at(one), at(other))),
    ...tokens(marks.gets, player),
    ...tokens(marks.leaves, player && otherSide(player)),
    ...marks.pairs.flatMap((pair, index) =>
      pair.map((square) => {
        shown.add(keyOf(square));
        return put(square, token(null, pairName(index) + sign(square)));
      }),
    ),
    ...marks.played.map((square, index) => put(square, badge(index + 1))),
    ...marks.line.map((square, index) => {
      shown.add(keyOf(square));
      return put(square, numbered(moverOf(index, 0, turnOf(marks)), marks.played.length + index + 1));
    }),
  ];
  const others = marks.wins.filter((square) => !shown.has(keyOf(square)));
  return [...elements, ...others.map((square) => put(square, token(player, "!")))];
}

/** A small square in a player's color, with a sign or the player's own on it; without a player it is white.
 * @param {Side | null} side @param {string} sign */
function token(side, sign) {
  const half = TOKEN / 2;
  const box = { class: "body", x: -half, y: -half, width: TOKEN, height: TOKEN, rx: 10 };
  const own =
    side === 1 ? svg("circle.ring", { r: 9 }) : svg("path.diamond", { d: "M0-12 12 0 0 12-12 0z" });
  return svg(
    "g",
    { class: `token ${side ? sideKey(side) : "shared"}` },
    svg("rect", box),
    sign || !side ? svg("text.sign", { y: 12 }, sign) : own,
  );
}

/** Slanted lines across a hole. */
function hatch() {
  const lines = [-44, -22, 0, 22, 44].map((offset) => {
    // Where the line y = x + offset meets a circle a little smaller than the hole.
    const half = Math.sqrt(2 * (HOLE - 4) ** 2 - offset ** 2) / 2;
    const [from, to] = [-offset / 2 - half, -offset / 2 + half];
    return `M${from.toFixed(1)} ${(from + offset).toFixed(1)}L${to.toFixed(1)} ${(to + offset).toFixed(1)}`;
  });
  return svg("path.hatch", { d: lines.join("") });
}

/** A line from one square of a pair to the other, to be seen on light and on dark.
 * @param {{ x: number, y: number }} one @param {{ x: number, y: number }} other */
function link(one, other) {
  const ends = { x1: one.x, y1: one.y, x2: other.x, y2: other.y };
  return [svg("line.link-edge", { ...ends }), svg("line.link", { ...ends })];
}

/** The number of a disc that lies on the board. @param {number} number */
function badge(number) {
  return svg("g.badge", svg("circle.body", { r: 20 }), svg("text.sign", { y: 9 }, String(number)));
}

/** A disc to come. @param {Side} side @param {number} number @param {{ transform?: string }} [look] */
export function numbered(side, number, look = {}) {
  return svg(
    "g",
    { class: `preview ${sideKey(side)}`, ...look },
    svg("circle.body", { r: HOLE - 3 }),
    svg("text.number", { y: 13 }, String(number)),
  );
}

/** Outlines around the columns of a group, those side by side together, and its name above each.
 * @param {number[]} columns @param {string} name @param {number} height */
function outlines(columns, name, height) {
  return runs(columns).flatMap(([from, to]) => [
    svg("rect.group", {
      x: FRAME + from * CELL + GAP,
      y: LANE + GAP,
      width: (to - from + 1) * CELL - 2 * GAP,
      height: height * CELL + 2 * FRAME - 2 * GAP,
      rx: 24,
    }),
    svg("text.group-name", { x: FRAME + ((from + to + 1) / 2) * CELL, y: LANE - 12 }, name),
  ]);
}

/** Numbers in ascending order as stretches without gaps: [first, last] of each. @param {number[]} numbers */
export function runs(numbers) {
  /** @type {[number, number][]} */
  const found = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

// ---- The legend --------------------------------------------------------------------------------------

/** What the marks on the board mean, only those that are there. @param {MarksView} marks */
export function legendOf(marks) {
  const entries = legendEntries(marks).map(([picture, text]) =>
    html(
      "li",
      svg("svg.legend-picture", { viewBox: "-48 -48 96 96", "aria-hidden": "true" }, ...picture),
      html("span", text),
    ),
  );
  return html("ul.legend", { "aria-label": t("board.marks") }, ...entries);
}

/** @param {MarksView} marks @returns {[SVGElement[], string][]} */
function legendEntries(marks) {
  const player = marks.player ?? turnOf(marks);
  const hole = () => svg("circle.hole", { r: 46 });
  /** @type {Record<MarkKind, () => SVGElement[]>} */
  const pictures = {
    played: () => [disc(1), badge(1)],
    line: () => [hole(), numbered(turnOf(marks), marks.played.length + 1)],
    gets: () => [hole(), token(player, "")],
    leaves: () => [hole(), token(otherSide(player), "")],
    pairs: () => [hole(), token(null, "a")],
    frozen: () => [hole(), hatch()],
    wins: () => [hole(), token(player, "!")],
    groups: () => [svg("rect.group", { x: -34, y: -44, width: 68, height: 88, rx: 18 })],
  };
  return marks.legend
    .filter(({ kind }) => marks[kind].length > 0)
    .map(({ kind, text }) => [pictures[kind](), text]);
}
