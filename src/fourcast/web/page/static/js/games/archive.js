// The games of this browser as a file, and a file of another browser's: how games move to another device.
//
// The file has the secrets that let this browser play. What is read may be anybody's: only what has the form of a
// game is taken, and of games without a server only those that the core accepts.

import { GAME_ID, isSite } from "../backend/addresses.js";
import { askCore } from "../backend/backend.js";
import { cellsOf } from "../elements/setup.js";
import { loadGame, saveGame } from "../local/games.js";
import { about } from "../shell/about.js";
import { keepGame, myGame, myGames, parsed } from "../shell/prefs.js";
import { sizeProblem } from "../words/sizes.js";
import { isTermination } from "../words/words.js";

/** @typedef {import("../local/games.js").GameRecord} GameRecord */

const FORMAT = "fourcast-games";
/** The largest file that is read, in bytes. */
export const MAX_BYTES = 4_000_000;
const MAX_RECORD = 40_000; // characters
const ROWS = /^[XO./]{0,160}$/;
const START = /^[XO./]{0,160}(:[a-z0-9=,]{1,60})?$/; // with its rules
const MOVES = /^[0-9a-z]{0,800}$/i;
const TOKEN = /^[A-Za-z0-9_-]{5,128}$/;

/** All games of this browser, as the text of a file. */
export function archiveText() {
  const games = myGames();
  const records = isSite ? games.map(({ id }) => recordOf(id)).filter(Boolean) : [];
  return JSON.stringify({ format: FORMAT, version: 1, games, records });
}

/** @param {string} id */
function recordOf(id) {
  try {
    return loadGame(id);
  } catch {
    return null; // its moves are in the list
  }
}

/** Add the games of a file; those that this browser knows as they are, or better, stay.
 * @param {string} text @returns {Promise<number | null>} how many are new; null if it is no such file */
export async function addArchive(text) {
  const file = parsed(text);
  if (file?.format !== FORMAT || !Array.isArray(file.games)) return null;
  const records = new Map(asArray(file.records).map((each) => [each?.id, each]));
  let added = 0;
  // The newest is the first of the list, and so kept last.
  for (const each of file.games.map(gameOf).reverse()) {
    if (!each || (myGame(each.id)?.when ?? -1) >= (each.when ?? 0)) continue;
    const record = records.get(each.id);
    if (isSite && record && !(await isGood(record))) continue;
    added += myGame(each.id) ? 0 : 1;
    keepGame(each.id, each);
    if (isSite && record) saveGame(record);
  }
  return added;
}

/** Whether a record is one that the core can go on with. @param {GameRecord} record */
async function isGood(record) {
  if (JSON.stringify(record).length > MAX_RECORD || !Array.isArray(record.moves)) return false;
  const names = asArray(record.chairs).map((chair) => chair?.name);
  if (names.length !== 2 || names.some((name) => !isName(name))) return false;
  const standing = await askCore("game.standing", { record }).catch(() => null);
  return standing !== null && !standing.refused;
}

/** A game of a file, with what is known of it and nothing else; null if it is none.
 * @param {any} given @returns {KeptGame | null} */
function gameOf(given) {
  const { id, token, sides, names, players, place, board, result, when } = given ?? {};
  const isKnown = GAME_ID.test(String(id)) && TOKEN.test(String(token)) && Number.isFinite(when);
  const hasSides = asArray(sides).length > 0 && asArray(sides).every((side) => side === 1 || side === 2);
  const isPlace = place && START.test(place.start) && MOVES.test(place.moves) && !sizeProblem(place);
  if (!isKnown || !hasSides || !isPlace || !isPair(names, isName)) return null;
  const isBoard = board === "" || (ROWS.test(String(board)) && cellsOf(board));
  const isPlayer = (/** @type {unknown} */ each) => each === null || isName(each);
  const isEnd = result && isTermination(result.termination) && [null, 1, 2].includes(result.winner);
  const { start, moves, width, height } = place;
  return {
    ...{ id, token, sides, names, when: Math.min(when, Date.now()) },
    ...{ players: isPair(players, isPlayer) ? players : [null, null] },
    ...{ place: { start, moves, width, height }, size: { width, height }, board: isBoard ? board : "" },
    ...{ over: Boolean(isEnd) },
    result: isEnd ? { winner: result.winner, termination: result.termination } : null,
  };
}

/** @param {unknown} value @returns {any[]} */
function asArray(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} value */
function isName(value) {
  return typeof value === "string" && value.length <= about.max_name;
}

/** @param {unknown} value @param {(each: unknown) => boolean} isOne */
function isPair(value, isOne) {
  return asArray(value).length === 2 && asArray(value).every(isOne);
}
