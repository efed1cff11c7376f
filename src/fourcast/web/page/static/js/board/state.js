// What a board knows. board.js makes it and changes what is shown; draw.js, overlays.js and fall.js draw it, and
// input.js listens to people. None of them knows a rule of the game.

import { center } from "./plate.js";

/** @typedef {PositionView & { isDraft?: boolean, problem?: string }} Shown A position, or one being set up. */
/** @typedef {{ column: number, row: number }} Place */
/** @typedef {"lane" | "edges" | "discs" | "column" | "end" | "marks" | "reason" | "preview" | "pointer"} Layer */
/**
 * @typedef {object} Figure What stands above a column.
 * @property {number} column
 * @property {string} text large
 * @property {string} detail small, above the text
 * @property {string} label what a screen reader says in place of both
 * @property {"win" | "draw" | "loss" | "unknown"} tone
 * @property {boolean} best
 */
/**
 * @typedef {object} Board
 * @property {string} id begins the ids of its elements
 * @property {Shown | null} position what is shown; null before the first one
 * @property {Size} size of the picture
 * @property {import("../core/rules.js").Rules} rules which say how it is drawn
 * @property {boolean} isEnabled whether columns can be chosen
 * @property {Side} turn whose disc hovers
 * @property {string} whyNot what is said to somebody who chooses a column while none can be chosen
 * @property {boolean} takesAnyColumn whatever the rules say, as while a position is set up
 * @property {number | null} pointed the column under the mouse
 * @property {number} current the column that the tab key reaches
 * @property {number | null} pressed the column whose figure is pressed
 * @property {Figure[]} figures above the columns
 * @property {number} landing the time at which the last disc has landed
 * @property {number} noteTimer takes the note away
 * @property {Map<string, { element: SVGGElement, player: number }>} discs by `keyOf`
 * @property {Record<Layer, SVGGElement>} layers of the picture
 * @property {SVGSVGElement} picture
 * @property {HTMLElement} root the element that it fills
 * @property {HTMLElement} stage the picture and what lies over it
 * @property {HTMLElement} columns the row of buttons
 * @property {HTMLButtonElement[]} buttons one for each column
 * @property {HTMLElement} pops the buttons below, in PopOut
 * @property {boolean} hasP whether the key p came last: the next one names the column to take a disc out of
 * @property {HTMLElement} figureRow
 * @property {HTMLElement} description the position in words
 * @property {HTMLElement} note why nothing happens
 * @property {(column: number) => void} onColumn called with the column, or the move, of each click, key or touch
 * @property {(column: number | null) => void} onFigure called with the column whose figure is pointed at or
 *   focused, and with null after that
 * @property {(column: number) => void} onFigureChosen called with the column whose figure is chosen
 * @property {() => void} onLand called when a disc that fell has landed
 */

/** @param {Place} place */
export const keyOf = ({ column, row }) => `${column},${row}`;

/** What a screen reader says of a figure. @param {Figure} figure */
export const spokenFigure = ({ label, detail, text }) => label || detail || text;

/** Whether a disc may be put into *column*. @param {Board} board @param {number} column */
export function isOpen({ position, takesAnyColumn }, column) {
  return takesAnyColumn || (position?.legal_columns.includes(column) ?? false);
}

/** Where a square is in the picture. @param {Board} board @param {Place} place */
export function centerOf({ size }, { column, row }) {
  return center(column, row, size.height);
}

/** Moves what is drawn around (0, 0) to a square. @param {Board} board @param {Place} place */
export function moved(board, place) {
  const { x, y } = centerOf(board, place);
  return `translate(${x} ${y})`;
}
