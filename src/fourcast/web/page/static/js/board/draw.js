// Drawing a board: the picture, its discs, the disc that hovers, figures, and the words on its buttons.

import { html, setDisabled, svg } from "../elements/dom.js";
import { columnName } from "../words/names.js";
import { say, t } from "../words/text.js";
import { disc } from "./disc.js";
import { CELL, FRAME, HOLE, LANE, makePicture, setProportions } from "./plate.js";
import { copiesOf } from "./edge.js";
import { buildPops, labelPops } from "./pops.js";
import { centerOf, isOpen, keyOf, moved, spokenFigure } from "./state.js";

/** @typedef {Place & { element: SVGGElement }} Arrival A disc that was not there before. */

const MANY_COLUMNS = 10; // more of them scroll on a small screen

/** What stands above a figure where there is no room for its detail. @type {Record<string, TextKey>} */
const SHORT = { win: "board.win_letter", loss: "board.loss_letter" };

/** Draw an empty board of that size. @param {Board} board @param {Size} size @param {Board["rules"]} rules */
export function build(board, { width, height }, rules) {
  const { columns, id, layers, root, stage } = board;
  const { lane, edges, discs, ...before } = layers;
  Object.assign(board, { size: { width, height }, rules });
  const plate = { width, height, hasEdges: rules.wrap, hasPops: rules.pop };
  board.discs.clear();
  for (const layer of Object.values(layers)) layer.replaceChildren();
  board.picture.remove();
  const behind = [lane, edges, discs];
  board.picture = makePicture(plate, id, { behind, before: Object.values(before) });
  stage.prepend(board.picture);
  root.classList.toggle("is-wide", width > MANY_COLUMNS);
  setProportions(root.style, plate);
  board.buttons = Array.from({ length: width }, (_, column) =>
    html("button.board-column", {
      "data-column": column,
      "aria-disabled": "true", // until there is a position
      "aria-label": t("board.column", { column: columnName(column) }),
    }),
  );
  columns.replaceChildren(...board.buttons);
  buildPops(board);
  makeCurrent(board, Math.floor((width - 1) / 2));
}

/** Let the tab key reach *column*. @param {Board} board @param {number} column */
export function makeCurrent(board, column) {
  board.current = column;
  board.buttons.forEach((button, index) => (button.tabIndex = index === column ? 0 : -1));
  labelPops(board);
}

/** Lay the discs of *position*: those that were not there before, and the number of those that went.
 * @param {Board} board @param {Shown} position */
export function updateDiscs(board, position) {
  const { discs, layers } = board;
  /** @type {Arrival[]} */
  const arrived = [];
  const wanted = new Set();
  position.cells.forEach((cells, row) =>
    cells.forEach((player, column) => {
      if (player !== 1 && player !== 2) return;
      const key = keyOf({ column, row });
      wanted.add(key);
      if (discs.get(key)?.player === player) return;
      discs.get(key)?.element.remove();
      const element = svg("g", { transform: moved(board, { column, row }) }, svg("g", disc(player)));
      layers.discs.append(element);
      discs.set(key, { element, player });
      arrived.push({ element, column, row });
    }),
  );
  const left = [...discs].filter(([key]) => !wanted.has(key));
  for (const [key, { element }] of left) {
    element.remove();
    discs.delete(key);
  }
  return { arrived, left: left.length };
}

/** Ring the disc played last, or the four. @param {Board} board @param {Shown} position */
export function markEnd(board, { last_move: last, winning_squares }) {
  const fours = winning_squares.map(([column, row]) => ({ column, row }));
  const keys = new Set(fours.map(keyOf));
  board.picture.classList.toggle("has-four", fours.length > 0);
  for (const [key, { element }] of board.discs) element.classList.toggle("of-four", keys.has(key));
  const ring = (/** @type {string} */ name, /** @type {Place} */ place, r = HOLE) =>
    svg("circle", { class: name, transform: moved(board, place), r });
  const rings = fours.flatMap((place) => copiesOf(board, place)).map((place) => ring("four", place));
  if (last && !fours.length) rings.push(ring("last", { column: last[0], row: last[1] }, HOLE - 1));
  board.layers.end.replaceChildren(...rings);
}

/** Draw the next disc over the column that is pointed at, and that column. @param {Board} board */
export function drawHover(board) {
  if (!board.position) return;
  const { buttons, layers, picture, size } = board;
  const focused = buttons.findIndex((button) => button.matches(":focus-visible"));
  const chosen = board.pointed ?? (focused >= 0 ? focused : null);
  const column = chosen ?? board.current; // there the next disc waits until somebody points
  const isShown = board.isEnabled && isOpen(board, column);
  const { x } = centerOf(board, { column, row: 0 });
  const hover = svg("g.hover", { transform: `translate(${x} ${LANE / 2})` }, disc(board.turn, 41));
  layers.lane.replaceChildren(...(isShown ? [hover] : []));
  const strip = svg("rect.pointed-column", {
    x: x - CELL / 2 + 3,
    y: LANE + FRAME / 2,
    width: CELL - 6,
    height: size.height * CELL + FRAME,
    rx: 30,
  });
  layers.column.replaceChildren(...(isShown && chosen !== null ? [strip] : []));
  for (const name of picture.querySelectorAll(".names text")) {
    name.classList.toggle("pointed", isShown && Number(name.getAttribute("data-column")) === chosen);
  }
}

/** @param {Board} board @param {import("./state.js").Figure} figure */
export function figureButton(board, figure) {
  const { column, text, detail, label, tone, best } = figure;
  const name = { column: columnName(column), text: spokenFigure(figure) };
  const element = html(
    "button",
    {
      class: `figure ${tone}${best ? " best" : ""}`,
      "data-column": column,
      "aria-label": t(best ? "board.figure_best" : "board.figure", name),
      "aria-pressed": String(column === board.pressed),
      title: label || detail,
      on: {
        // A finger does not point: what it taps is chosen, and stays.
        pointerenter: (event) => event.pointerType !== "touch" && board.onFigure(column),
        pointerleave: (event) => event.pointerType !== "touch" && board.onFigure(null),
        focus: () => board.onFigure(column),
        blur: () => board.onFigure(null),
        click: () => board.onFigureChosen(column),
      },
    },
    html("span.figure-text", { "data-short": tone in SHORT ? say(SHORT[tone]) : undefined }, text),
    detail && html("span.figure-detail", detail),
  );
  element.style.gridColumn = String(column + 1);
  return element;
}

/** Say in words what the buttons are. @param {Board} board */
export function labelColumns(board) {
  const { figures, isEnabled, position } = board;
  if (!position) return;
  const { cells, height } = position;
  board.buttons.forEach((button, column) => {
    const count = cells.filter((row) => row[column]).length;
    const filled = count ? t("board.filled", { count, height }) : t("board.empty");
    const figure = figures.find((each) => each.column === column);
    const parts = [
      t("board.column", { column: columnName(column) }),
      count === height ? t("board.full") : filled,
      ...(figure ? [spokenFigure(figure)] : []),
    ];
    button.setAttribute("aria-label", parts.join(", "));
    setDisabled(button, !isEnabled || !isOpen(board, column));
  });
  labelPops(board);
}
