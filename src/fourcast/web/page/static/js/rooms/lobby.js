// Who is here, and how two of them come to play: by a challenge, or because both look for a game.

import { loadPlayers } from "../game/new-game.js";
import { button, card, html, offer } from "../elements/dom.js";
import { field, optionsOf } from "../elements/fields.js";
import { announce } from "../shell/announce.js";
import { t } from "../words/text.js";
import { clockField, redraw } from "./parts.js";
import { clockText } from "./state.js";

/** @typedef {RoomView["seeks"][number]} Seek */

const PATIENCE_MS = 8000; // of somebody who looks for an opponent, before the computer is offered
const USUAL = "level-3";

/**
 * @typedef {object} Lobby
 * @property {RoomPage} page
 * @property {number} since when the person here began to look for an opponent; 0 while they do not
 * @property {number} challenged how many challenges waited for the person here
 * @property {ReturnType<typeof makeElements>} parts
 */

/** @param {RoomPage} page @returns {import("./room-page.js").Part} */
export function makeLobby(page) {
  /** @type {Lobby} */
  const lobby = { page, since: 0, challenged: 0, parts: makeElements(page) };
  return { element: lobby.parts.element, draw: (state) => draw(lobby, state) };
}

/** @param {RoomPage} page */
function makeElements(page) {
  const clock = clockField("lobby-clock");
  const seeks = html("div.room-seeks");
  const challenges = html("div.room-challenges");
  const members = html("ul.room-list.room-members");
  const count = html("h2", { id: "members-title" });
  const { level, computer } = makeComputer(page);
  const seek = () => page.act({ kind: "seek", clock: clock.value() });
  const find = html(
    "div.row.room-find",
    clock.element,
    button(t("room.find"), seek, { kind: "primary" }),
  );
  const play = card("lobby-title", t("room.play"), challenges, seeks, find, computer);
  const people = html("section.card", { "aria-labelledby": "members-title" }, count, members);
  const element = html("div.room-lobby", play, people);
  return { element, clock, seeks, challenges, members, count, level, computer, find, play };
}

/** @param {Lobby} lobby @param {RoomState} state */
function draw(lobby, state) {
  const { parts, page } = lobby;
  const { room, me, present } = state;
  parts.play.hidden = me === null;
  const mine = room.seeks.find(({ member }) => member === me?.id) ?? null;
  const isAlone = present.filter(({ is_here: isHere }) => isHere).length < 2;
  if (mine && !lobby.since) {
    lobby.since = Date.now();
    window.setTimeout(() => page.live.state && draw(lobby, page.live.state), PATIENCE_MS);
  } else if (!mine) lobby.since = 0;
  const isLong = lobby.since > 0 && Date.now() - lobby.since >= PATIENCE_MS;
  parts.find.hidden = mine !== null;
  if (!parts.level.length) offerPlayers(parts.level, room.rules).catch(() => {});
  parts.computer.hidden = !(isAlone || isLong);
  drawSeeks(lobby, state, mine);
  drawChallenges(lobby, state);
  parts.count.textContent = t("room.members", { count: present.length });
  const facts = [present, room.games, room.challenges, me?.id, state.isHost];
  redraw(parts.members, facts, () => present.map((member) => memberRow(lobby, state, member)));
}

/** @param {Lobby} lobby @param {RoomState} state @param {Seek | null} mine */
function drawSeeks({ page, parts }, state, mine) {
  redraw(parts.seeks, [state.room.seeks, state.me?.id, state.room.members.length], () => {
    const stop = button(t("room.stop"), () => page.act({ kind: "unseek" }), { "data-key": "stop" });
    const text = html("p", { role: "status" }, t("room.looking", { clock: clockText(mine?.clock) }));
    const open = state.room.seeks.filter((seek) => seek !== mine);
    return [
      mine && html("div.offer", text, html("div.actions", stop)),
      ...open.map((seek) => openSeek(page, state, seek)),
    ];
  });
}

/** @param {RoomPage} page @param {RoomState} state @param {Seek} seek */
function openSeek(page, state, { member, clock }) {
  const text = t("room.seeks", { name: state.nameOf(member), clock: clockText(clock) });
  const look = { kind: "primary", "data-key": `seek-${member}` };
  const take = button(t("room.take"), () => page.act({ kind: "seek", clock: clock ?? null }), look);
  return offer(text, take);
}

/** @param {Lobby} lobby @param {RoomState} state */
function drawChallenges(lobby, state) {
  const { page, parts } = lobby;
  const mine = state.me?.id;
  const here = state.room.challenges.filter(({ by, to }) => mine && (by === mine || to === mine));
  const forMe = here.filter(({ to }) => to === mine).length;
  if (forMe > lobby.challenged) announce(t("room.challenged"));
  lobby.challenged = forMe;
  redraw(parts.challenges, here, () =>
    here.map(({ by, to, clock }) => {
      const isMine = by === mine;
      const member = isMine ? to : by;
      const words = { name: state.nameOf(member), clock: clockText(clock) };
      const label = t(isMine ? "room.withdraw" : "offer.decline");
      const decline = () => page.act({ kind: "decline", member });
      const no = button(label, decline, { "data-key": `no-${member}` });
      const text = t(isMine ? "room.you_challenge" : "room.challenges_you", words);
      if (isMine) return html("div.offer.mine", html("p", text), html("div.actions", no));
      const look = { kind: "primary", "data-key": `yes-${member}` };
      const yes = button(t("offer.accept"), () => page.act({ kind: "accept", member }), look);
      return offer(text, yes, no);
    }),
  );
}

/** @param {Lobby} lobby @param {RoomState} state @param {import("./state.js").Member} member */
function memberRow({ page, parts }, state, { id, name, is_here: isHere }) {
  const { me, room } = state;
  const isMe = id === me?.id;
  const isAsked = room.challenges.some(({ by, to }) => by === me?.id && to === id);
  const note = state.gameOf(id) ? t("room.playing") : isHere ? t("room.here") : t("room.away");
  const small = (/** @type {string} */ key, /** @type {string} */ label) => {
    return { kind: "small", "data-key": `${key}-${id}`, "aria-label": label };
  };
  const ask = () => page.act({ kind: "challenge", member: id, clock: parts.clock.value() });
  const remove = () => page.host({ kind: "remove", member: id });
  const kind = isHere ? "span.room-note.is-here" : "span.room-note";
  return html(
    "li",
    html("span.room-name", name, isMe && html("span.aside", ` ${t("room.you")}`)),
    html(/** @type {"span"} */ (kind), note),
    me && !isMe && isHere && !isAsked
      ? button(t("room.challenge"), ask, small("ask", t("room.challenge_name", { name })))
      : null,
    state.isHost && !isMe
      ? button(t("room.remove"), remove, small("out", t("room.remove_name", { name })))
      : null,
  );
}

/** The computer, for somebody whom nobody wants to play. @param {RoomPage} page */
function makeComputer(page) {
  const level = html("select", { id: "lobby-level" });
  const play = () => page.act({ kind: "play-computer", player: level.value });
  const row = html(
    "div.row",
    field(t("start.how_strong"), level),
    button(t("room.play_computer"), play),
  );
  const nobody = html("p.aside", t("room.nobody"));
  return { level, computer: html("div.room-computer", { hidden: true }, nobody, row) };
}

/** Offer the levels, or by other rules the players that know them.
 * @param {HTMLSelectElement} level @param {string} rules of the room */
async function offerPlayers(level, rules) {
  const usual = rules ? "mcts" : USUAL;
  level.append(...optionsOf([[usual, usual]], usual)); // should the players not come
  const players = await loadPlayers();
  const offered = players.filter((player) =>
    rules ? player.plays_all_rules : player.name.startsWith("level-"),
  );
  const named = offered.map(({ name, title }) => [name, title]);
  level.replaceChildren(...optionsOf(named, usual));
}
