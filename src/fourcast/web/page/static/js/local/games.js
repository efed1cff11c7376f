// Games without a server: they are kept in the browser. A record is what is kept; a view is what the page
// draws. What may happen in a game, the core decides: native/study/web_game.hpp describes its rules and records.

import { ApiError } from "../backend/api-error.js";
import { ask, askCore } from "../backend/backend.js";
import { getPref, myGames, setPref } from "../shell/prefs.js";
import { say, t } from "../words/text.js";
import { resultText } from "../words/words.js";
import { sideNames } from "./words.js";

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
 * @property {string} start with the rules, if they are not the standard ones
 * @property {number} width
 * @property {number} height
 * @property {string} opening
 * @property {Move[]} moves
 * @property {Move[]} undone the last that was taken back is at the end
 * @property {[Chair, Chair]} chairs
 * @property {{ winner: Side | null, termination: "resignation" | "agreement" } | null} end
 * @property {string | null} rematch
 * @property {number} created when it began, in milliseconds
 * @property {[number, number]} [points] of the games that this one is the rematch of
 * @property {number} [rewound] which records of earlier versions have not
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

/** What a rule of the core answers. @param {string} rule @param {object} request @returns {Promise<any>} */
async function ruled(rule, request) {
  const answer = await askCore(rule, request);
  if (answer?.refused) {
    const { status, code, facts } = answer.refused;
    throw new ApiError(status, code, { code, facts });
  }
  return answer;
}

/** Make a game. @param {NewGame} request @returns {Promise<GameRecord>} */
export async function makeGame({
  first,
  second,
  width = 7,
  height = 6,
  start = "",
  rules = "",
  moves = "",
}) {
  /** @type {[Chair, Chair]} */
  const chairs = [chairOf(first), chairOf(second)];
  const members = await ruled("game.new", { width, height, start, rules, moves });
  /** @type {GameRecord} */
  const record = { ...members, id: newId(), chairs, created: Date.now() };
  saveGame(record);
  return record;
}

/** The sides that this browser plays. @param {GameRecord} record @returns {Side[]} */
export function sidesOf({ chairs }) {
  return /** @type {Side[]} */ ([1, 2]).filter((side) => chairs[side - 1].kind === "person");
}

/** @param {GameRecord} record */
function queryOf({ start, width, height, moves }) {
  return { start, width, height, moves: namesOf(moves).join("") };
}

/** @param {Move[]} moves */
function namesOf(moves) {
  return moves.map(({ name }) => name);
}

/** @param {GameRecord} record @returns {Promise<GameView>} */
export async function viewOf(record) {
  /** @typedef {Pick<GameView, "result" | "is_local" | "points"> & { computer: string | null }} Standing */
  /** @type {[PositionView, Standing]} */
  const [position, { result, computer, is_local: isLocal, points }] = await Promise.all([
    ask("/api/position", queryOf(record)),
    ruled("game.standing", { record }),
  ]);
  const [first, second] = record.chairs.map((chair) => ({ ...chair, is_connected: true }));
  return {
    id: record.id,
    seq: record.seq,
    position,
    undone: namesOf(record.undone).reverse().join(""),
    first,
    second,
    is_local: isLocal,
    result: result && { ...result, text: resultText(result, record.start, sideNames(say)) },
    offers: { draw: null, takeback: null, rematch: null },
    is_thinking: computer !== null,
    spectators: 0,
    clock: null,
    points,
    rematch_id: record.rematch,
    room_id: null,
    created: new Date(record.created).toISOString(),
    notice: null,
  };
}

/** The record after one more disc.
 * @param {GameRecord} record @param {{ column: number, ply: number, seq: number, sides: Side[] }} move
 * @returns {Promise<GameRecord>} */
export async function withMove(record, move) {
  const stamp = Math.max(0, Date.now() - record.created) / 1000;
  return { ...record, ...(await ruled("game.play", { record, ...move, stamp_s: stamp })) };
}

/** The record after anything but a disc; its rematch is true if there is to be one.
 * @param {GameRecord} record @param {ActionKind} kind @param {Side | null} side */
export async function withAction(record, kind, side) {
  const members = await ruled("game.act", { record, kind, side, sides: sidesOf(record) });
  return { ...record, ...members };
}

/** The same game again, with the sides exchanged. @param {GameRecord} record @returns {Promise<GameRecord>} */
export async function rematchOf(record) {
  const members = await ruled("game.rematch", { record });
  return { ...record, ...members, id: newId(), created: Date.now() };
}

/** A game as the core writes it to a file. @param {GameRecord} record */
export async function savedGame(record) {
  const { start, width, height, chairs, moves, undone } = record;
  const again = undone.toReversed();
  const { result } = await ruled("game.standing", { record });
  return {
    ...{ start, width, height, result },
    first: chairs[0].name,
    second: chairs[1].name,
    started: new Date(record.created).toISOString(),
    moves: namesOf(moves).join(""),
    stamps_s: moves.map(({ stamp_s: stamp }) => stamp),
    undone: namesOf(again).join(""),
    undone_stamps_s: again.map(({ stamp_s: stamp }) => stamp),
  };
}
