// What things are called: columns, sides and colors. Everything else about the game the server says.

import { getPref, setPref } from "../shell/prefs.js";
import { t } from "./text.js";

export {
  columnName,
  columnOf,
  moveName,
  moveString,
  squareName,
  squareOf,
  withMoves,
} from "./columns.js";

/** Both sides, the one that starts first. @type {[Side, Side]} */
export const SIDES = [1, 2];

/** The other side. @param {Side} side @returns {Side} */
export function otherSide(side) {
  return side === 1 ? 2 : 1;
}

/** "first" or "second": the key of a side in the API, and its class in style sheets. @param {Side} side */
export function sideKey(side) {
  return side === 1 ? "first" : "second";
}

/** Which side plays move number *index* (from 0) if *turn* is to move after *count* moves.
 * @param {number} index @param {number} count @param {Side} turn */
export function moverOf(index, count, turn) {
  return (count - index) % 2 === 0 ? turn : otherSide(turn);
}

/** The level of the computer that is the player of that name, or null. @param {string | null | undefined} player */
export function levelOf(player) {
  const [, level] = /^level-(\d+)$/.exec(player ?? "") ?? [];
  return level ? Number(level) : null;
}

// ---- Colors ------------------------------------------------------------------------------------------

/** @typedef {typeof COLORS[number]} Color */

/** What there is to choose from; `colors.css` says how they look. */
export const COLORS = /** @type {const} */ ([
  ...["red", "orange", "yellow", "green", "blue", "purple", "pink", "white", "black"],
]);

/** Pairs of colors, by the name of the choice. @type {Record<string, [Color, Color]>} */
export const PAIRS = { yellow: ["red", "yellow"], blue: ["red", "blue"] };

/** The colors of both sides. @returns {[Color, Color]} */
export function chosenColors() {
  const kept = getPref("colors");
  const isPair = Array.isArray(kept) && kept.length === 2 && kept[0] !== kept[1];
  if (isPair && kept.every((each) => COLORS.includes(each))) return [kept[0], kept[1]];
  return PAIRS[kept === "blue" ? "blue" : "yellow"];
}

/** Keep a pair by its name, or two colors. @param {string | [Color, Color]} colors */
export function setColors(colors) {
  setPref("colors", colors);
}

/** @param {Side} side */
function colorOf(side) {
  return chosenColors()[side - 1];
}

/** The color of a side: "Red". @param {Side} side */
export function colorName(side) {
  return t(`color.${colorOf(side)}`);
}

/** @type {[string | null, string | null]} */
let players = [null, null];

/** Call the sides by the names of those who play on this page; null goes by its color.
 * @param {[string | null, string | null]} names */
export function namePlayers(names) {
  players = names[0] === names[1] ? [null, null] : names;
}

/** What a side is called: by its player, or else by its color. @param {Side} side */
export function playerName(side) {
  return players[side - 1] ?? colorName(side);
}

/** The same within a sentence: "Ada", "red". @param {Side} side */
export function playerInside(side) {
  return players[side - 1] ?? colorInside(side);
}

/** A color within a sentence: "red". @param {Side} side */
export function colorInside(side) {
  return t(`color.${colorOf(side)}_inside`);
}
