// Making a game and going to it.

import { gamePage, isSite } from "../backend/addresses.js";
import { postJson } from "../backend/api.js";
import { ask } from "../backend/backend.js";
import { once } from "../backend/once.js";
import { makeGame, sidesOf } from "../local/games.js";
import { LOCAL_TOKEN } from "../local/local-game.js";
import { emptyStart, rulesText } from "../core/rules.js";
import { keepGame } from "../shell/prefs.js";
import { levelOf } from "../words/names.js";
import { hasText, say, t } from "../words/text.js";
import { describeError } from "../words/words.js";

/** @typedef {"computer" | "here" | "link"} Mode */

/** @typedef {(id: string, game: GameView | null) => void} Go To a game; null if it is not known how it stands. */

/** @type {Go} */
const load = (id) => window.location.assign(gamePage(id));

/** Make a game, keep what lets this browser play in it, and go there, once for each press of *control*. Returns what
 * went wrong, in words.
 * @param {HTMLButtonElement} control @param {NewGame | Promise<NewGame>} request @param {Go} [go] */
export async function startBy(control, request, go = load) {
  const release = () => (control.disabled = false);
  control.disabled = true;
  // Somebody who comes back to this page finds it as it was left.
  window.addEventListener("pageshow", ({ persisted }) => persisted && release());
  try {
    const { id, game } = await (isSite ? makeHere : makeOnServer)(await request);
    go(id, game);
    return "";
  } catch (error) {
    release();
    return describeError(error);
  }
}

/** @param {NewGame} request */
async function makeOnServer(request) {
  /** @type {Ticket} */
  const ticket = await postJson("/api/games", request);
  const { id, position } = ticket.game;
  const size = reservedFor(position);
  keepGame(id, { token: ticket.token, sides: ticket.sides, size, when: Date.now() });
  return { id, game: ticket.game };
}

/** @param {NewGame} request */
async function makeHere(request) {
  const record = await makeGame(request);
  const size = reservedFor(record);
  keepGame(record.id, { token: LOCAL_TOKEN, sides: sidesOf(record), size, when: Date.now() });
  return { id: record.id, game: null };
}

/** What the board looks like before the game is known. @param {{ width: number, height: number, start: string }} game */
function reservedFor({ width, height, start }) {
  return { width, height, start: emptyStart({ width, height }, rulesText(start)) };
}

/** Who sits on the other side.
 * @param {Mode} mode @param {{ player?: string, name?: string }} who @returns {Seat} */
export function opponent(mode, { player = "", name = "" }) {
  if (mode === "computer") return { kind: "computer", player };
  return mode === "here" ? { kind: "me", name } : { kind: "friend" };
}

/** The computer's players. */
export const loadPlayers = once(async () => (await ask("/api/players")).map(inLanguage));

/** A level of the computer in the language of the page; empty for other players. @param {string | null | undefined} player */
export function titleOfLevel(player) {
  const number = levelOf(player);
  return number ? t("player.level", { number }) : "";
}

/** A player with its title and its sentence in the language of the page. @param {PlayerView} player */
function inLanguage(player) {
  const { name } = player;
  const title = hasText(`player.${name}`) ? say(`player.${name}`) : player.title;
  const text = hasText(`player.${name}_text`) ? say(`player.${name}_text`) : player.text;
  return { ...player, title: titleOfLevel(name) || title, text };
}

/** How strong a player is: like which of the levels. Empty if that is not known, and for the levels themselves.
 * @param {PlayerView} player @param {PlayerView[]} all */
export function strengthOf({ name, rating }, all) {
  if (!rating || levelOf(name)) return "";
  const off = (/** @type {PlayerView} */ each) => Math.abs((each.rating ?? Infinity) - rating);
  const [level] = all.filter((each) => levelOf(each.name)).sort((one, two) => off(one) - off(two));
  const number = levelOf(level?.name);
  return number ? t("start.like_level", { number }) : "";
}
