// The board: draws what it is shown and tells which column somebody chose.
//
// Over the picture (see plate.js) lies a row of real buttons, one for each column, which is what the mouse,
// the keyboard and a screen reader use.

import { focusInPlace, html, svg } from "../elements/dom.js";
import { capital, describePosition } from "../local/words.js";
import { rulesOf } from "../core/rules.js";
import { SIDES, colorInside } from "../words/names.js";
import { isSameSize } from "../words/sizes.js";
import { say, t } from "../words/text.js";
import { build, drawHover, figureButton, labelColumns, markEnd, updateDiscs } from "./draw.js";
import { drawEdges } from "./edge.js";
import { drop, whenLanded } from "./fall.js";
import { hideNote, listen } from "./input.js";

/** @typedef {import("./state.js").Figure} Figure */

let boards = 0;

/** A board in *root*. Keys count wherever they are typed on the page, unless *keysFrom* is an element that has to
 * have the focus.
 * @param {HTMLElement} root @param {Board["onColumn"]} onColumn @param {Document | HTMLElement} keysFrom
 * @returns {Board} */
export function makeBoard(root, onColumn = () => {}, keysFrom = document) {
  const id = `board${++boards}`;
  const description = html("p.visually-hidden", { id: `${id}-text` });
  const figureRow = html("div.board-figures", { hidden: true });
  const group = { role: "group", "aria-label": t("board.label"), "aria-describedby": description.id };
  const columns = html("div.board-columns", group);
  const pops = html("div.board-pops", { role: "group", "aria-label": t("board.pops"), hidden: true });
  const note = html("p.board-note", { hidden: true });
  const stage = html("div.board-stage", columns, pops, note);
  const layer = (/** @type {string} */ name) => svg("g", { class: `layer-${name}` });
  /** @type {Board} */
  const board = {
    ...{ id, position: null, size: { width: 0, height: 0 }, rules: rulesOf() },
    ...{ isEnabled: false, turn: 1, whyNot: "", takesAnyColumn: false },
    ...{ pointed: null, current: 0, pressed: null, figures: [], landing: 0, noteTimer: 0, hasP: false },
    layers: {
      ...{ lane: layer("lane"), edges: layer("edges"), discs: layer("discs") },
      ...{ column: layer("column"), end: layer("end") },
      ...{ marks: layer("marks"), reason: layer("reason") },
      ...{ preview: layer("preview"), pointer: layer("pointer") },
    },
    ...{ discs: new Map(), picture: svg("svg"), buttons: [] },
    ...{ root, stage, columns, pops, figureRow, description, note },
    ...{ onColumn, onFigure: () => {}, onFigureChosen: () => {}, onLand: () => {} },
  };
  root.classList.add("board");
  root.replaceChildren(description, figureRow, stage);
  listen(board, keysFrom);
  return board;
}

/** Show an empty board of that size until the position is known, so that nothing moves when it is. A *start* says by
 * which rules. @param {Board} board @param {Size & { start?: string }} size */
export function reserveBoard(board, size) {
  if (!board.position) build(board, size, rulesOf(size.start));
}

/** Show a position; new discs fall from above. @param {Board} board @param {Shown} position */
export function showPosition(board, position, { animate = true } = {}) {
  const isSame = board.position !== null && isSameSize(board.position, position);
  if (!board.position) hideNote(board);
  board.position = position;
  const rules = rulesOf(position.start);
  const isBuilt = rules.wrap === board.rules.wrap && rules.pop === board.rules.pop;
  if (!isBuilt || !isSameSize(board.size, position)) build(board, position, rules);
  const { arrived, left } = updateDiscs(board, position);
  markEnd(board, position);
  // A move, or a move and the answer to it, is watched falling; anything else is another position.
  if (animate && isSame && !left && arrived.length && arrived.length <= 2) drop(board, arrived);
  whenLanded(board, () => board.position && drawEdges(board, board.position));
  const words = () => capital(describePosition(say, position, SIDES.map(colorInside)));
  board.description.textContent = position.isDraft ? position.text : words();
  labelColumns(board);
  drawHover(board);
}

/** Say whether columns can be chosen, and whose disc hovers over the one pointed at. *whyNot* answers
 * somebody who tries while none can be.
 * @param {Board} board @param {boolean} isEnabled @param {Side} turn @param {string} whyNot */
export function setEnabled(board, isEnabled, turn = board.turn, whyNot = "") {
  if (isEnabled !== board.isEnabled || turn !== board.turn) hideNote(board);
  Object.assign(board, { isEnabled, turn, whyNot });
  board.stage.classList.toggle("is-enabled", isEnabled);
  labelColumns(board);
  drawHover(board);
}

/** Show figures above the columns; null takes the row away. @param {Board} board @param {Figure[] | null} figures */
export function setFigures(board, figures) {
  const { figureRow } = board;
  board.figures = figures ?? [];
  figureRow.hidden = figures === null;
  const active = document.activeElement;
  const focused = figureRow.contains(active) && active instanceof HTMLElement && active.dataset.column;
  // What stands below the board belongs to the buttons there.
  const above = board.figures.filter(({ column }) => column < board.size.width);
  figureRow.replaceChildren(...above.map((figure) => figureButton(board, figure)));
  if (focused) focusInPlace(figureRow.querySelector(`[data-column="${focused}"]`));
  labelColumns(board);
}

/** Show the figure of *column* as pressed, and no other. @param {Board} board @param {number | null} column */
export function pressFigure(board, column) {
  board.pressed = column;
  for (const figure of board.figureRow.querySelectorAll("button")) {
    figure.setAttribute("aria-pressed", String(Number(figure.dataset.column) === column));
  }
}
