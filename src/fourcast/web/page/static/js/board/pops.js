// The buttons below the columns in PopOut: each takes a disc of the side to move out of the bottom.

import { html, setDisabled, svg } from "../elements/dom.js";
import { columnName } from "../words/names.js";
import { spokenFigure } from "./state.js";
import { t } from "../words/text.js";

/** @param {Board} board */
export function buildPops(board) {
  const { pops, rules, size } = board;
  pops.hidden = !rules.pop;
  const buttons = Array.from({ length: rules.pop ? size.width : 0 }, (_, column) =>
    html("button.board-pop", { "data-column": column, tabindex: -1 }),
  );
  pops.replaceChildren(...buttons);
}

/** Say what the buttons are, and show those that can be used. @param {Board} board */
export function labelPops(board) {
  const { current, figures, isEnabled, position, size } = board;
  for (const button of popsOf(board)) {
    const column = Number(button.dataset.column);
    const move = size.width + column;
    const figure = figures.find((each) => each.column === move);
    const said = figure ? spokenFigure(figure) : "";
    const name = t("board.pop", { column: columnName(column) });
    const isPossible = position?.legal_columns.includes(move) ?? false;
    const kinds = ["board-pop", isPossible && "is-possible", figure?.tone, figure?.best && "best"];
    button.className = kinds.filter(Boolean).join(" ");
    button.setAttribute("aria-label", said ? `${name}, ${said}` : name);
    button.title = name;
    button.tabIndex = column === current && isPossible ? 0 : -1;
    button.replaceChildren(arrow(), ...(figure ? [html("span", figure.text)] : []));
    setDisabled(button, !isEnabled || !isPossible);
  }
}

/** @param {Board} board @returns {HTMLButtonElement[]} */
export function popsOf({ pops }) {
  return /** @type {HTMLButtonElement[]} */ ([...pops.children]);
}

function arrow() {
  const look = { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" };
  return svg("svg.pop-arrow", look, svg("path", { d: "M12 4v14M5 12l7 7 7-7" }));
}
