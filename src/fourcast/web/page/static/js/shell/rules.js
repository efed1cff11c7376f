// The rules in one sentence and three pictures, for those who play for the first time.

import { disc } from "../board/disc.js";
import { html, svg } from "../elements/dom.js";
import { CELL, HOLE } from "../board/plate.js";
import { t } from "../words/text.js";

const HEIGHT = 4;
const PICTURES = /** @type {const} */ ([
  ["across", ["", "", "O.O", "XXXX"]],
  ["up", ["X", "X", "X.O", "XOO"]],
  ["diagonal", ["...X", "..XO", ".XOO", "XOXO"]],
]);

export function rules() {
  const pictures = PICTURES.map(([name, rows]) =>
    html("figure.rule", picture([...rows]), html("figcaption", t(`rules.${name}`))),
  );
  return html(
    "section.card.rules",
    { "aria-labelledby": "rules-title" },
    html("h2", { id: "rules-title" }, t("rules.title")),
    html("p", t("rules.text")),
    html("div.rule-pictures", ...pictures),
  );
}

/** A small board; the first player's discs are the four. @param {string[]} rows from the top */
function picture(rows) {
  const holes = rows.flatMap((row, index) =>
    Array.from({ length: HEIGHT }, (_, column) => {
      const place = { transform: `translate(${(column + 0.5) * CELL} ${(index + 0.5) * CELL})` };
      const side = row[column] === "X" ? 1 : row[column] === "O" ? 2 : null;
      return svg("g", place, svg("circle.back", { r: HOLE }), ...(side ? [disc(side)] : []));
    }),
  );
  const side = HEIGHT * CELL;
  return svg(
    "svg.rule-picture",
    { viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" },
    svg("rect.rule-plate", { width: side, height: side, rx: 40 }),
    ...holes,
  );
}
