// What the browser keeps: name, switches, and the games that it may play in. Nothing breaks where the
// browser keeps nothing (private windows, storage switched off): then it is forgotten with the page.

/**
 * @typedef {object} KeptGame A game that this browser may play in.
 * @property {string} id
 * @property {string} token
 * @property {Side[]} [sides]
 * @property {string[]} [names] of both sides; empty for one that nobody has yet
 * @property {number} [moves] how many were played
 * @property {boolean} [over]
 * @property {number} [when]
 * @property {import("../words/sizes.js").Size} [size] of its board
 */

/** The choices for `theme`. */
export const THEMES = /** @type {const} */ (["system", "light", "dark"]);
const PREFIX = "fourcast.";
const KEPT_GAMES = 40;
const memory = new Map();

/** The value kept under *name*, or *fallback*. It may be anything: people edit what browsers keep.
 * @param {string} name @param {any} [fallback] @returns {any} */
export function getPref(name, fallback = null) {
  try {
    const text = window.localStorage.getItem(PREFIX + name);
    if (text !== null) return JSON.parse(text);
  } catch {
    // Blocked, or not JSON: what this page remembers counts.
  }
  return memory.has(name) ? memory.get(name) : fallback;
}

/** Keep *value* under *name*; null forgets it. @param {string} name @param {unknown} value */
export function setPref(name, value) {
  if (value === null) memory.delete(name);
  else memory.set(name, value);
  try {
    if (value === null) window.localStorage.removeItem(PREFIX + name);
    else window.localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full or blocked: it is kept as long as the page.
  }
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
