// What the browser keeps: name, switches, and the games that it may play in. Nothing breaks where the
// browser keeps nothing (private windows, storage switched off): then it is forgotten with the page.

/**
 * @typedef {object} KeptGame A game that this browser may play in.
 * @property {string} id
 * @property {string} token
 * @property {Side[]} [sides]
 * @property {string[]} [names] of both sides; empty for one that nobody has yet
 * @property {(string | null)[]} [players] of the computer, by side
 * @property {PositionQuery} [place] where it stands
 * @property {string} [board] the discs there, as the rows of `start`
 * @property {boolean} [over]
 * @property {{ winner: Side | null, termination: ResultView["termination"] } | null} [result]
 * @property {number} [when] its last change
 * @property {Size & { start?: string }} [size] of its board, with an empty start that says the rules
 */

/** The choices for `theme`. */
export const THEMES = /** @type {const} */ (["system", "light", "dark"]);
const PREFIX = "fourcast.";
const KEPT_GAMES = 400;
const memory = new Map();

/** @typedef {"localStorage" | "sessionStorage"} Storing */

/** The text that the browser keeps under *name*, or null. @param {string} name @param {Storing} [where] */
export function keptText(name, where = "localStorage") {
  try {
    return window[where].getItem(PREFIX + name);
  } catch {
    return null; // it keeps nothing
  }
}

/** Keep a text; null forgets it. Returns whether it is kept: storage may be full or blocked.
 * @param {string} name @param {string | null} text @param {Storing} [where] */
export function keepText(name, text, where = "localStorage") {
  try {
    if (text === null) window[where].removeItem(PREFIX + name);
    else window[where].setItem(PREFIX + name, text);
    return true;
  } catch {
    return false;
  }
}

/** What a kept text stands for; null if it is no JSON: people edit what browsers keep.
 * @param {string | null} text @returns {any} */
export function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The value kept under *name*, which may be anything, or *fallback*. @param {string} name @param {any} [fallback] @returns {any} */
export function getPref(name, fallback = null) {
  return parsed(keptText(name)) ?? memory.get(name) ?? fallback;
}

/** Keep *value* under *name*, if only as long as the page; null forgets it. @param {string} name @param {unknown} value */
export function setPref(name, value) {
  if (value === null) memory.delete(name);
  else memory.set(name, value);
  keepText(name, value === null ? null : JSON.stringify(value));
}

/** Whether the computer is to pause before its moves. */
export function wantsPause() {
  return getPref("pause", true) !== false;
}

/** A secret of this browser's own making: if the answer to a request with it is lost, it can be made again. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

// ---- Games, the newest first -------------------------------------------------------------------------

/** The games of this browser, the newest first. @returns {KeptGame[]} */
export function myGames() {
  const games = getPref("games", []);
  if (!Array.isArray(games)) return [];
  return games.filter((game) => game && typeof game.id === "string" && typeof game.token === "string");
}

/** The entry of a game, or null if this browser has no part in it. @param {string} id */
export function myGame(id) {
  return myGames().find((game) => game.id === id) ?? null;
}

/** Keep what is known of a game, with what was kept before. @param {string} id @param {Partial<KeptGame>} known */
export function keepGame(id, known) {
  const games = myGames();
  const before = games.find((game) => game.id === id);
  const entry = { ...before, ...known, id };
  if (!entry.token) return;
  setPref("games", [entry, ...games.filter((game) => game.id !== id)].slice(0, KEPT_GAMES));
}

/** Forget a game. @param {string} id */
export function dropGame(id) {
  setPref(
    "games",
    myGames().filter((game) => game.id !== id),
  );
}
