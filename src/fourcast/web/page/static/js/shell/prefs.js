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

/** Entries with an id that the browser keeps under *name*, the newest first; of more than *most* the oldest goes.
 * What is kept may be anything, so that *isEntry* looks at it.
 * @template {{ id: string }} Entry @param {string} name @param {number} most
 * @param {(entry: any) => boolean} isEntry */
export function keptList(name, most, isEntry) {
  /** @returns {Entry[]} */
  const all = () => {
    const entries = getPref(name, []);
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  };
  const others = (/** @type {string} */ id) => all().filter((entry) => entry.id !== id);
  /** The entry with that id, or null. @param {string} id */
  const find = (id) => all().find((entry) => entry.id === id) ?? null;
  /** Forget an entry. @param {string} id */
  const drop = (id) => setPref(name, others(id));
  /** Keep what is known, with what was kept before. @param {string} id @param {Partial<Entry>} known */
  const keep = (id, known) => {
    const entry = { ...find(id), ...known, id };
    if (isEntry(entry)) setPref(name, [entry, ...others(id)].slice(0, most));
  };
  return { all, find, keep, drop };
}

/** @type {ReturnType<typeof keptList<KeptGame>>} The games of this browser, which no others have the tokens of. */
export const {
  all: myGames,
  find: myGame,
  keep: keepGame,
  drop: dropGame,
} = keptList(
  "games",
  KEPT_GAMES,
  (game) => typeof game?.id === "string" && typeof game.token === "string",
);
