// Refusals of the server and of the core in the words of the page: its language, its colors.

import { SIDES, colorName } from "./names.js";
import { saidText } from "./said.js";
import { hasText, say } from "./text.js";

/** The sentence of an error's code; without one, what the error says itself.
 * @param {import("../backend/api-error.js").ApiError} error @returns {string} */
export function refusalText({ detail, code, facts }) {
  if (!code || !hasText(code)) return detail;
  return saidText(sayHere, { pattern: code, facts }, SIDES.map(colorName));
}

/** Some sentences are others on the page, which calls the players by their colors.
 * @type {Say} */
const sayHere = (key, values) => say(hasText(`${key}.page`) ? `${key}.page` : key, values);
