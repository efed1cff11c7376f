// The rules in one sentence and three pictures, for those who play for the first time.

import { miniature } from "../board/miniature.js";
import { card, html } from "../elements/dom.js";
import { t } from "../words/text.js";

const SIZE = { width: 4, height: 4 };
const PICTURES = /** @type {const} */ ([
  ["across", ["", "", "O.O", "XXXX"]],
  ["up", ["X", "X", "X.O", "XOO"]],
  ["diagonal", ["...X", "..XO", ".XOO", "XOXO"]],
]);

export function rules() {
  const pictures = PICTURES.map(([name, rows]) =>
    html("figure.rule", miniature([...rows], SIZE), html("figcaption", t(`rules.${name}`))),
  );
  const words = html("p", t("rules.text"));
  const element = card("rules-title", t("rules.title"), words, html("div.rule-pictures", ...pictures));
  element.classList.add("rules");
  return element;
}
