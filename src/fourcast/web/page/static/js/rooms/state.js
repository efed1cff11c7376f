// A room as this browser sees it: the server's view, with what follows from it for the person here.

import { describeClock } from "../game/clock-choice.js";
import { namedRules } from "../game/rules-form.js";
import { t } from "../words/text.js";

/** @typedef {RoomView["games"][number]} Played */
/** @typedef {RoomView["members"][number]} Member */

export class RoomState {
  #names;

  /**
   * @param {RoomView} room
   * @param {string | null} member whom this browser is, if anybody
   * @param {boolean} isHost
   */
  constructor(room, member, isHost) {
    this.room = room;
    this.member = member;
    this.isHost = isHost;
    this.#names = new Map(room.members.map(({ id, name }) => [id, name]));
  }

  get title() {
    const rules = this.room.rules && namedRules(`:${this.room.rules}`);
    return [this.room.name || t("room.title"), rules].filter(Boolean).join(" · ");
  }

  /** The member that this browser is; null for those who watch, or have left. */
  get me() {
    const me = this.room.members.find(({ id }) => id === this.member);
    return me && !me.is_gone ? me : null;
  }

  /** Who is in the room, those who are connected first. */
  get present() {
    const there = this.room.members.filter(({ is_gone: isGone }) => !isGone);
    return there.sort((one, other) => Number(other.is_here) - Number(one.is_here));
  }

  /** What a member is called; the computer has no id. @param {string | null} id */
  nameOf(id) {
    return id === null ? t("room.computer") : (this.#names.get(id) ?? "?");
  }

  /** The last game of a member, if it is not over. @param {string} id @returns {Played | null} */
  gameOf(id) {
    const last = this.room.games.findLast(({ first, second }) => first === id || second === id);
    return last && last.winner === null ? last : null;
  }

  /** The game that this browser's member plays. */
  get myGame() {
    return this.me && this.gameOf(this.me.id);
  }

  /** The round that is being played, or was last; null before the first. */
  get round() {
    return this.room.event?.drawn?.at(-1) ?? null;
  }

  /** The games of a round of this event. @param {number} number @returns {Played[]} */
  gamesOfRound(number) {
    const pairs = this.room.event?.drawn?.find((each) => each.number === number)?.pairs ?? [];
    return pairs.flatMap(([first, second]) => {
      const found = this.room.games.findLast(
        (game) => game.round === number && game.first === first && game.second === second,
      );
      return found ? [found] : [];
    });
  }
}

/** A clock in words, within a sentence. @param {ClockRequest | null | undefined} clock */
export function clockText(clock) {
  return clock ? describeClock(clock) : t("room.no_clock");
}

/** How a game ended: "1 – 0"; nothing while it is played. @param {Pick<Played, "winner">} game */
export function resultOf({ winner }) {
  return winner === null ? "" : ["½ – ½", "1 – 0", "0 – 1"][winner ?? 0];
}

/** What came of a task, as a sign and in words. @param {{ is_right: boolean } | undefined} solved */
export function signOf(solved) {
  if (!solved) return { kind: "", sign: "", label: t("room.not_tried") };
  const kind = solved.is_right ? "right" : "wrong";
  return { kind, sign: solved.is_right ? "✓" : "✗", label: t(`room.${kind}`) };
}
