// The dialog behind the switch "Settings": what is chosen seldom.

import { closers, openDialog } from "../elements/dialog.js";
import { button, html } from "../elements/dom.js";
import { field, radio } from "../elements/fields.js";
import { openKeys } from "./keys.js";
import { COLORS, PAIRS, chosenColors, setColors } from "../words/names.js";
import { THEMES, getPref, setPref } from "./prefs.js";
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
  const content = [
    html("h2", { id: TITLE }, t("settings.title")),
    field(t("settings.language"), languageField(change)),
    field(t("page.theme"), themeField(change)),
    soundField(change),
    colorFields(change),
    warnField(),
    closers(button(t("settings.keys"), openKeys), html("button.button.primary", t("settings.done"))),
  ];
  await openDialog(TITLE, content, { kind: "card settings" });
  if (isChanged) onChange();
}

/** @typedef {(action: () => void) => void} Change */

/** Every language under its own name. @param {Change} change */
function languageField(change) {
  const codes = (document.documentElement.dataset.languages ?? language).split(" ");
  const options = codes.map((code) => {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    return html("option", { value: code, lang: code, selected: code === language }, name);
  });
  const select = html("select", { id: "language" }, ...options);
  select.addEventListener("change", () => change(() => setPref("language", select.value)));
  return select;
}

/** What the switch in the header chooses, too, where there is room for it. @param {Change} change */
function themeField(change) {
  const kept = getPref("theme");
  const options = THEMES.map((name) =>
    html("option", { value: name, selected: name === kept }, t(`theme.${name}`)),
  );
  const select = html("select", { id: "theme-choice" }, ...options);
  select.addEventListener("change", () => change(() => setPref("theme", select.value)));
  return select;
}

/** @param {Change} change */
function soundField(change) {
  const keep = () => change(() => setSound(input.checked));
  const input = html("input", { type: "checkbox", checked: soundIsOn(), on: { change: keep } });
  return html("label.choice-line", input, t("page.sound"));
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
    const options = COLORS.map((each) =>
      html("option", { value: each, selected: each === color }, say(`color.${each}`)),
    );
    return html("select", { id: `color-${index + 1}` }, ...options);
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

function warnField() {
  const keep = () => setPref("warn", input.checked);
  const isOn = getPref("warn") === true;
  const input = html("input", { type: "checkbox", checked: isOn, on: { change: keep } });
  return html(
    "div",
    html("label.choice-line", input, t("settings.warn")),
    html("p.choice-text", t("settings.warn_text")),
  );
}
