// The games of a room, the last one first, to be watched.

import { gamePage } from "../backend/addresses.js";
import { card, html } from "../elements/dom.js";
import { t } from "../words/text.js";
import { fileLink, redraw } from "./parts.js";
import { resultOf } from "./state.js";

const SHOWN = 12;

/** @param {RoomPage} page @returns {import("./room-page.js").Part} */
export function makeGames({ id }) {
  const list = html("ul.room-list");
  const csv = fileLink(`/api/rooms/${id}/games.csv`, t("room.csv"));
  const element = card("room-games", t("room.games"), list, html("div.actions", csv));
  return {
    element,
    draw: (state) => {
      const games = state.room.games.slice(-SHOWN).reverse();
      element.hidden = !games.length;
      redraw(list, [games, state.room.members.length], () =>
        games.map((game) => {
          const [first, second] = [game.first, game.second].map((each) => state.nameOf(each ?? null));
          const words = html("span", t("room.pair", { first, second }));
          const result = html("span.room-result", resultOf(game) || t("room.running"));
          return html("li", html("a", { href: gamePage(game.id), "data-key": game.id }, words, result));
        }),
      );
    },
  };
}
