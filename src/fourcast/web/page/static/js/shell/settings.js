// The dialog behind the switch "Settings": what is chosen seldom.

import { closers, openDialog } from "../elements/dialog.js";
import { button, html } from "../elements/dom.js";
import { checkbox, field, optionsOf, radio, submitButton } from "../elements/fields.js";
import { openKeys } from "./keys.js";
import { COLORS, PAIRS, chosenColors, setColors } from "../words/names.js";
import { THEMES, getPref, setPref, wantsPause } from "./prefs.js";
import { setSound, soundIsOn } from "./sound.js";
import { language, say, t } from "../words/text.js";

const TITLE = "settings-title";

/** Let somebody change settings; where they are open already they stay. Texts are all over the page, so that *onChange* loads it again.
 * @param {{ onChange: () => void }} listeners */
export async function openSettings({ onChange }) {
  let isChanged = false;
  const change = (/** @type {() => void} */ action) => {
    action();
    isChanged = true;
  };
  const ownLanguage = choiceField("language", "language", languages(), language, change);
  for (const option of ownLanguage.options) option.lang = option.value;
  const themes = THEMES.map((name) => [name, t(`theme.${name}`)]);
  const content = [
    html("h2", { id: TITLE }, t("settings.title")),
    field(t("settings.language"), ownLanguage),
    // What the switch in the header chooses, too, where there is room for it.
    field(t("page.theme"), choiceField("theme-choice", "theme", themes, getPref("theme"), change)),
    checkbox(t("page.sound"), soundIsOn(), (isOn) => change(() => setSound(isOn))),
    colorFields(change),
    html(
      "div",
      checkbox(t("settings.warn"), getPref("warn") === true, (isOn) => setPref("warn", isOn)),
      html("p.choice-text", t("settings.warn_text")),
    ),
    checkbox(t("settings.pause"), wantsPause(), (isOn) => setPref("pause", isOn)),
    closers(button(t("settings.keys"), openKeys), submitButton(t("settings.done"), { kind: "primary" })),
  ];
  await openDialog(TITLE, content, { kind: "card settings" });
  if (isChanged) onChange();
}

/** @typedef {(action: () => void) => void} Change */

/** Every language under its own name. */
function languages() {
  const codes = (document.documentElement.dataset.languages ?? language).split(" ");
  const nameOf = (/** @type {string} */ code) =>
    new Intl.DisplayNames([code], { type: "language" }).of(code);
  return codes.map((code) => [code, nameOf(code) ?? code]);
}

/** A choice that is kept under a name. @param {string} id @param {string} name @param {string[][]} choices
 * @param {unknown} chosen @param {Change} change */
function choiceField(id, name, choices, chosen, change) {
  const select = html("select", { id }, ...optionsOf(choices, chosen));
  select.addEventListener("change", () => change(() => setPref(name, select.value)));
  return select;
}

/** @typedef {import("../words/names.js").Color} Color */

/** @param {Change} change */
function colorFields(change) {
  const chosen = chosenColors();
  const nameOf = (/** @type {[Color, Color]} */ [first, second]) =>
    t("settings.two_colors", { first: t(`color.${first}`), second: t(`color.${second}_inside`) });
  const isPair = (/** @type {[Color, Color]} */ pair) => String(pair) === String(chosen);
  const isOwn = !Object.values(PAIRS).some(isPair);
  const own = ownColors(chosen, change);
  own.hidden = !isOwn;
  const choice = (/** @type {HTMLElement} */ input, /** @type {string} */ text) =>
    html("label.choice-line", input, text);
  const pairs = Object.entries(PAIRS).map(([name, pair]) => {
    const pick = () => {
      own.hidden = true;
      change(() => setColors(name));
    };
    return choice(radio("colors", name, isPair(pair), { on: { change: pick } }), nameOf(pair));
  });
  const show = () => (own.hidden = false);
  const other = radio("colors", "own", isOwn, { on: { change: show } });
  return html(
    "fieldset.plain",
    html("legend", t("settings.colors")),
    ...pairs,
    choice(other, t("settings.own_colors")),
    own,
  );
}

/** A choice for each side; both never have the same color. @param {[Color, Color]} chosen @param {Change} change */
function ownColors(chosen, change) {
  const labels = [t("settings.first_color"), t("settings.second_color")];
  const fields = chosen.map((color, index) => {
    const choices = COLORS.map((each) => [each, say(`color.${each}`)]);
    return html("select", { id: `color-${index + 1}` }, ...optionsOf(choices, color));
  });
  const apart = () => {
    fields.forEach((select, index) => {
      for (const option of select.options) option.disabled = option.value === fields[1 - index].value;
    });
  };
  const keep = () => {
    apart();
    const [first, second] = fields.map(({ value }) => /** @type {Color} */ (value));
    change(() => setColors([first, second]));
  };
  apart();
  for (const select of fields) select.addEventListener("change", keep);
  return html("div.row", ...fields.map((select, index) => field(labels[index], select)));
}
