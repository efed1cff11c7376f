// Making a game and going to it.

import { getJson, postJson } from "./api.js";
import { keepGame } from "./prefs.js";

/** @typedef {"computer" | "here" | "link"} Mode */

/** Make a game, keep what lets this browser play in it, and go there.
 * @param {NewGame} request */
export async function newGame(request) {
  /** @type {Ticket} */
  const ticket = await postJson("/api/games", request);
  const { id, position } = ticket.game;
  const size = { width: position.width, height: position.height };
  keepGame(id, { token: ticket.token, sides: ticket.sides, size, when: Date.now() });
  window.location.assign(`/game/${id}`);
}

/** Who sits on the other side.
 * @param {Mode} mode @param {{ player?: string, name?: string }} who @returns {Seat} */
export function opponent(mode, { player = "", name = "" }) {
  if (mode === "computer") return { kind: "computer", player };
  return mode === "here" ? { kind: "me", name } : { kind: "friend" };
}

/** @type {Promise<PlayerView[]> | null} */
let players = null;

/** The computer's players; asked for once, and again after a failure. */
export function loadPlayers() {
  players ??= getJson("/api/players").catch((error) => {
    players = null;
    throw error;
  });
  return players;
}

/** How strong a player is, in words; empty if that is not known. @param {PlayerView} player */
export function strengthOf({ rating }) {
  return rating ? `Elo ${rating} above random` : "";
}
