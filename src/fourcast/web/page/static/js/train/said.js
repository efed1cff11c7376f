// What is said about puzzles: the themes, and what can still be had.

import { askWhole } from "../backend/backend.js";
import { SIDES, colorName } from "../words/names.js";
import { saidText } from "../words/said.js";
import { hasText, say, t } from "../words/text.js";

/** A sentence of the core's, in the chosen colors; nothing for null. @param {Said | null} said */
export function spoken(said) {
  return said ? saidText(say, said, SIDES.map(colorName)) : "";
}

/** What a theme is called. A history may name one that this page does not know. @param {string} theme */
export function themeName(theme) {
  return isTheme(theme) ? say(keyOf(theme)) : theme;
}

/** The themes to choose from, or any. @returns {Promise<string[][]>} */
export async function themeChoices() {
  /** @type {{ name: string }[]} */
  const themes = await askWhole("themes", null);
  return [["", t("puzzle.any_theme")], ...themes.map(({ name }) => [name, themeName(name)])];
}

/** What a theme is, in a sentence. @param {string} theme */
export function themeSentence(theme) {
  return isTheme(theme) ? say(`${keyOf(theme)}_is`) : "";
}

/** @param {string} theme */
export function isTheme(theme) {
  return hasText(`${keyOf(theme)}_is`);
}

/** @param {string} theme */
function keyOf(theme) {
  const key = theme.replaceAll(/[ -]/g, "_");
  return `idea.${key}`;
}
