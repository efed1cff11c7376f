// The way from a room to a game, and from one game of a room to the next.

import { gamePage } from "../backend/addresses.js";
import { emptyStart } from "../core/rules.js";
import { button, html } from "../elements/dom.js";
import { announce } from "../shell/announce.js";
import { keepGame } from "../shell/prefs.js";
import { t } from "../words/text.js";
import { myRoom } from "./kept.js";
import { LiveRoom } from "./live-room.js";

/** Go to a game of this browser's member, which is played with the secret of the room.
 * @param {string} id of the room @param {import("./state.js").Played} game @param {RoomState | null} state */
export function goTo(id, { id: game, first }, state) {
  const { token } = myRoom(id);
  if (!token || !state) return;
  const { width, height, rules } = state.room;
  keepGame(game, {
    token,
    sides: [first === state.member ? 1 : 2],
    size: { width, height, start: emptyStart({ width, height }, rules) },
    when: Date.now(),
  });
  announce(t("room.going"));
  window.location.assign(gamePage(game));
}

/** Tell somebody whose game is over, and who still looks at it, when their next one in the room begins.
 * @param {string} id of the room @param {string} game the one that is over @param {HTMLElement} place above the game */
export function tellNextGame(id, game, place) {
  const live = new LiveRoom(id);
  live.onState = (state) => {
    const next = state.myGame;
    if (!next || next.id === game) return;
    live.close();
    const go = button(t("act.go_next"), () => goTo(id, next, state), { kind: "primary" });
    place.prepend(html("p.offer.next-game", { role: "alert" }, t("act.next_game"), go));
  };
  live.open();
}
