// The part of the new-game form that is about other rules, folded away: how many in a row, a cylinder, misere,
// PopOut.

import { html } from "../elements/dom.js";
import { checkbox, field, optionsOf } from "../elements/fields.js";
import { rulesOf, rulesText } from "../core/rules.js";
import { t } from "../words/text.js";

const IN_A_ROW = [3, 4, 5, 6];

/** Rules that are on or off; the last two exclude each other. */
const SWITCHES = /** @type {const} */ (["wrap", "misere", "pop"]);
/** @typedef {typeof SWITCHES[number]} Switch */

/**
 * @typedef {object} RulesForm
 * @property {HTMLDetailsElement} element
 * @property {() => string} text what is chosen, as in `connect=5,wrap`; empty for the standard rules
 */

/** *kept* are the rules that were chosen last. @param {unknown} kept @returns {RulesForm} */
export function rulesForm(kept) {
  const chosen = rulesOf(typeof kept === "string" ? `:${kept}` : "");
  const words = html("p.rules-text", { "aria-live": "polite" });
  const counts = IN_A_ROW.map((count) => [String(count), String(count)]);
  const connect = html("select", { id: "connect" }, ...optionsOf(counts, String(chosen.connect)));
  const boxes = SWITCHES.map((name) => checkbox(t(`variant.${name}`), chosen[name], () => {}));
  const inputOf = (/** @type {Switch} */ name) =>
    /** @type {HTMLInputElement} */ (boxes[SWITCHES.indexOf(name)].querySelector("input"));
  const isOn = (/** @type {Switch} */ name) => inputOf(name).checked;
  /** Before the form around it hears of the choice. @param {Event} event */
  const adapt = ({ target }) => {
    if (target === inputOf("pop") && isOn("pop")) inputOf("misere").checked = false;
    if (target === inputOf("misere") && isOn("misere")) inputOf("pop").checked = false;
    draw();
  };
  const draw = () => {
    const count = Number(connect.value);
    const parts = SWITCHES.filter(isOn).map((name) => t(`variant.${name}_text`));
    if (count !== 4) parts.unshift(t("variant.connect_text", { count }));
    words.textContent = parts.join(" ");
    words.hidden = !parts.length;
  };
  const text = () => {
    const lines = connect.value === "4" ? [] : [`connect=${connect.value}`];
    return [...lines, ...SWITCHES.filter(isOn)].join(",");
  };
  const element = html(
    "details.other-rules",
    { open: text() !== "", on: { input: adapt } },
    html("summary", t("variant.title")),
    field(t("variant.connect"), connect),
    ...boxes,
    words,
  );
  draw();
  return { element, text };
}

/** The rules of a start in a few words: "PopOut, cylinder"; empty for the standard ones. @param {string} start */
export function namedRules(start) {
  if (!rulesText(start)) return "";
  const { connect, wrap, misere, pop } = rulesOf(start);
  const parts = [
    connect !== 4 && t("variant.in_a_row", { count: connect }),
    wrap && t("variant.wrap_name"),
    misere && t("variant.misere_name"),
    pop && t("variant.pop_name"),
  ];
  return parts.filter(Boolean).join(", ");
}
