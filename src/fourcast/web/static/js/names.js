// What things are called: columns, sides and colors. Everything else about the game the server says.

import { about } from "./about.js";
import { getPref } from "./prefs.js";

/** What people call a column: 1 to 9, then letters. @param {number} column */
export function columnName(column) {
  return about.columns[column] ?? String(column + 1);
}

/** The column of that name, or -1. @param {string} name */
export function columnOf(name) {
  return name.length === 1 ? about.columns.indexOf(name.toLowerCase()) : -1;
}

/** The columns of a move string. @param {string} moves */
export function columnsOf(moves) {
  return [...moves].map(columnOf);
}

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

// ---- Colors ------------------------------------------------------------------------------------------

/** The theme in which the second player has another color than in the box. */
const THEMES = { blue: "Blue" };

/** The color of the second player: "yellow", or that of another theme. */
export function chosenColors() {
  return getPref("colors") === "blue" ? "blue" : "yellow";
}

/** What a side is called, unless it has a name: "Red". @param {Side} side */
export function colorName(side) {
  const chosen = chosenColors();
  return side === 2 && chosen !== "yellow" ? THEMES[chosen] : about.sides[side - 1].name;
}

/** A sentence of the server's, which names the colors of the box, in the chosen ones. @param {string} text */
export function inColors(text) {
  const [was, is] = [about.sides[1].name, colorName(2)];
  return was === is ? text : text.replaceAll(was, is).replaceAll(was.toLowerCase(), is.toLowerCase());
}

/** A refusal of the core's, which knows players and stones, in the words of the page. @param {string} text */
export function inDiscs(text) {
  return text
    .replace(/\bthe first( player)?\b/gi, colorName(1))
    .replace(/\bthe second( player)?\b/gi, colorName(2))
    .replace(/\bstone(s?)\b/g, "disc$1")
    .replace(/ 0\b/g, " none");
}
