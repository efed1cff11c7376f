// Words that name squares point at them: "3/2" rings its square on the board while it is under the mouse,
// has the focus or was touched; chosen, it says what is there.

import { pointAt } from "./overlays.js";
import { html, stepByKey } from "../elements/dom.js";
import { announce } from "../shell/announce.js";
import { SIDES, colorInside, squareOf } from "../words/names.js";
import { t } from "../words/text.js";

const SQUARE = /(?<![\w/])([1-9a-z]\/[1-9]\d?)(?![\w/])/;

/** A text whose squares can be pointed at. The tab key reaches the first one, arrows the others. *shown* is the
 * board that is to be seen at that moment.
 * @param {string} text @param {() => Board} shown @returns {(string | HTMLElement)[]} */
export function pointing(text, shown) {
  const parts = text.split(SQUARE).map((part, index) => (index % 2 ? square(part, shown) : part));
  const squares = parts.filter((part) => typeof part !== "string");
  for (const [at, each] of squares.entries()) {
    each.tabIndex = at ? -1 : 0;
    each.addEventListener("keydown", (event) => {
      const target = stepByKey(event, at, squares.length - 1);
      if (target === null) return;
      event.stopPropagation(); // and does not step through the game
      squares[target]?.focus();
    });
  }
  return parts;
}

/** @param {string} name @param {() => Board} shown */
function square(name, shown) {
  const { column, row } = squareOf(name);
  const point = () => pointAt(shown(), { column, row });
  const leave = () => document.activeElement !== element && pointAt(shown(), null);
  const say = () => {
    const board = shown();
    const player = board.position?.cells[row]?.[column];
    const state = player ? colorInside(SIDES[player - 1]) : t("board.empty");
    element.focus(); // which a touch gives in some browsers only
    point();
    board.root.scrollIntoView({ block: "nearest" });
    announce(t("board.square", { square: name, state }));
  };
  const on = { pointerenter: point, pointerleave: leave, focus: point, blur: leave, click: say };
  const element = html("button.square-name", { on }, name);
  return element;
}
