// Games without a server: they are kept in the browser, with the rules of `fourcast.web.games.rules` for games on
// one screen. A record is what is kept; a view is what the page draws.

import { ApiError } from "../backend/api-error.js";
import { ask } from "../backend/backend.js";
import { getPref, myGames, setPref } from "../shell/prefs.js";
import { say, t } from "../words/text.js";
import { columnName, describeResult } from "./words.js";

/**
 * @typedef {object} Chair
 * @property {"person" | "computer"} kind
 * @property {string} name
 * @property {string | null} player
 *
 * @typedef {object} Move
 * @property {string} name the column, as people call it
 * @property {number | null} stamp_s seconds since the beginning
 *
 * @typedef {object} GameRecord
 * @property {string} id
 * @property {number} seq
 * @property {string} start
 * @property {number} width
 * @property {number} height
 * @property {string} opening
 * @property {Move[]} moves
 * @property {Move[]} undone the last that was taken back is at the end
 * @property {[Chair, Chair]} chairs
 * @property {{ winner: Side | null, termination: "resignation" | "agreement" } | null} end
 * @property {string | null} rematch
 * @property {number} created when it began, in milliseconds
 */

/** @param {string} id */
const slot = (id) => `game.${id}`;

/** @param {string} id @returns {GameRecord | null} */
function load(id) {
  const kept = getPref(slot(id));
  return kept && Array.isArray(kept.moves) && Array.isArray(kept.chairs) ? kept : null;
}

/** Keep a record; games that are no longer in the list of this browser's go. @param {GameRecord} record */
export function saveGame(record) {
  setPref(slot(record.id), record);
  try {
    const known = new Set([record.id, record.rematch, ...myGames().map(({ id }) => id)]);
    for (const key of Object.keys(window.localStorage)) {
      const id = key.startsWith("fourcast.game.") ? key.slice("fourcast.game.".length) : null;
      if (id !== null && !known.has(id)) setPref(slot(id), null);
    }
  } catch {
    // Nothing is kept here but in memory.
  }
}

/** @param {string} id @returns {GameRecord} */
export function loadGame(id) {
  const record = load(id);
  if (!record) throw new ApiError(404, t("game.not_here"));
  return record;
}

function newId() {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => letters[byte % 36]).join("");
}

/** @param {Seat} seat @returns {Chair} */
function chairOf({ kind, name = "", player = null }) {
  if (kind === "friend") throw new ApiError(400, t("game.no_server"));
  if (kind === "computer") return { kind, name: name.trim() || (player ?? ""), player };
  return { kind: "person", name: name.trim(), player: null };
}

/** @param {string} names @returns {Move[]} */
function movesOf(names) {
  return [...names].map((name) => ({ name, stamp_s: 0 }));
}

/** Make a game. @param {NewGame} request @returns {Promise<GameRecord>} */
export async function makeGame({ first, second, width = 7, height = 6, start = "", moves = "" }) {
  /** @type {PositionView} */
  const position = await ask("/api/position", { width, height, start, moves });
  if (position.is_over) throw new ApiError(400, t("game.over_before"));
  /** @type {GameRecord} */
  const record = {
    id: newId(),
    seq: 1,
    start: position.start,
    width: position.width,
    height: position.height,
    opening: position.moves,
    moves: movesOf(position.moves),
    undone: [],
    chairs: [chairOf(first), chairOf(second)],
    end: null,
    rematch: null,
    created: Date.now(),
  };
  saveGame(record);
  return record;
}

/** The sides that this browser plays. @param {GameRecord} record @returns {Side[]} */
export function sidesOf({ chairs }) {
  return /** @type {Side[]} */ ([1, 2]).filter((side) => chairs[side - 1].kind === "person");
}

/** @param {GameRecord} record */
function queryOf({ start, width, height, moves }) {
  return { start, width, height, moves: moves.map(({ name }) => name).join("") };
}

/** How a game ended, or null. @param {GameRecord} record @param {PositionView} position
 * @returns {ResultView | null} */
function resultOf({ end }, position) {
  if (!end && !position.is_over) return null;
  const winner = end ? end.winner : position.winner;
  /** @type {ResultView["termination"]} */
  const termination = end?.termination ?? (winner ? "four in a row" : "full board");
  const result = { winner, termination };
  return { ...result, text: describeResult(say, result) };
}

/** @param {GameRecord} record @returns {Promise<GameView>} */
export async function viewOf(record) {
  /** @type {PositionView} */
  const position = await ask("/api/position", queryOf(record));
  const [first, second] = record.chairs.map((chair) => ({ ...chair, is_connected: true }));
  const result = resultOf(record, position);
  return {
    id: record.id,
    seq: record.seq,
    position,
    undone: record.undone.map(({ name }) => name).join(""),
    first,
    second,
    is_local: true,
    result,
    offers: { draw: null, takeback: null, rematch: null },
    is_thinking: !result && record.chairs[position.turn - 1].kind === "computer",
    spectators: 0,
    rematch_id: record.rematch,
    created: new Date(record.created).toISOString(),
    notice: null,
  };
}

/** Whose the move number *index* is, from 0. @param {GameRecord} record @param {number} index @returns {Chair} */
function moverOf({ start, chairs }, index) {
  const stones = start.replaceAll(/[^XO]/g, "").length;
  return chairs[(stones + index) % 2];
}

/** The record after one more disc. @param {GameRecord} record @param {number} column @returns {GameRecord} */
export function withMove(record, column) {
  const name = columnName(column);
  const stamp = Math.max(0, Date.now() - record.created) / 1000;
  const isAgain = record.undone.at(-1)?.name === name;
  const undone = isAgain ? record.undone.slice(0, -1) : [];
  return {
    ...record,
    seq: record.seq + 1,
    moves: [...record.moves, { name, stamp_s: stamp }],
    undone,
  };
}

/** Take back up to the last move of a person: the computer's go with it. @param {GameRecord} record @returns {GameRecord} */
export function undo(record) {
  const last = record.moves.findLastIndex((_, index) => moverOf(record, index).kind === "person");
  if (last < 0) throw new ApiError(409, t("game.nothing_to_undo"));
  const moves = record.moves.slice(0, last);
  const undone = [...record.undone, ...record.moves.slice(last).reverse()];
  return { ...record, seq: record.seq + 1, moves, undone, end: null };
}

/** Play again what was taken back last, with the computer's answer to it. @param {GameRecord} record @returns {GameRecord} */
export function redo(record) {
  const move = record.undone.at(-1);
  if (!move) throw new ApiError(409, t("game.nothing_to_redo"));
  let next = { ...record, seq: record.seq + 1, moves: [...record.moves, move] };
  next.undone = record.undone.slice(0, -1);
  while (next.undone.length && moverOf(next, next.moves.length).kind === "computer") {
    const again = next.undone[next.undone.length - 1];
    next = { ...next, moves: [...next.moves, again], undone: next.undone.slice(0, -1) };
  }
  return next;
}

/** @param {GameRecord} record @param {Side} side @returns {GameRecord} */
export function resign(record, side) {
  /** @type {Side} */
  const winner = side === 1 ? 2 : 1;
  return { ...record, seq: record.seq + 1, end: { winner, termination: "resignation" } };
}

/** The same game again, with the sides exchanged. @param {GameRecord} record @returns {GameRecord} */
export function rematchOf(record) {
  const [first, second] = record.chairs;
  return {
    ...record,
    id: newId(),
    seq: 1,
    moves: movesOf(record.opening),
    undone: [],
    chairs: [second, first],
    end: null,
    rematch: null,
    created: Date.now(),
  };
}
