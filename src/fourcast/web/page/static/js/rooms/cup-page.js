// A tournament of programs: its table and its last games, asked for again and again.

import { getJson } from "../backend/api.js";
import { boardAddress } from "../backend/positions.js";
import { card, html, tableOf } from "../elements/dom.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { redraw } from "./parts.js";
import { resultOf } from "./state.js";

const PAUSE_MS = 4000;

/** @param {HTMLElement} root */
export function cupPage(root) {
  const title = html("h1");
  const state = html("p.lead", { role: "status" });
  const error = html("p.error", { role: "alert" });
  const table = html("div.room-scroll", {
    role: "group", // the card is a region of that name
    "aria-label": t("room.standings"),
    tabindex: "0",
  });
  const games = html("ul.room-list");
  root.replaceChildren(
    html(
      "div.room-page.cup-page",
      html("div.room-head", title, state, error),
      html("div.room-main", card("cup-table", t("room.standings"), table)),
      html("div.room-side", card("cup-games", t("room.games"), games)),
    ),
  );
  const look = async () => {
    try {
      /** @type {CupView} */
      const cup = await getJson("/api/cup");
      error.textContent = "";
      title.textContent = cup.title;
      document.title = t("room.tab", { name: cup.title });
      const words = t(cup.is_over ? "cup.over" : "cup.running", { count: cup.played });
      if (state.textContent !== words) state.textContent = words;
      redraw(table, cup.standings, () => [standings(cup)]);
      redraw(games, cup.games, () => cup.games.map(gameRow));
      if (cup.is_over) return;
    } catch (problem) {
      error.textContent = describeError(problem);
    }
    window.setTimeout(look, PAUSE_MS);
  };
  look();
}

/** @param {CupView} cup */
function standings(cup) {
  const rows = cup.standings.map(({ name, elo, error, points, games, wins, draws, losses }, index) => [
    String(index + 1),
    name,
    elo === null ? t("cup.out") : `${Math.round(elo)} ± ${Math.round(error ?? 0)}`.replace("-", "−"),
    ...[points, games, wins, draws, losses].map(String),
  ]);
  const head = [t("room.place"), t("room.player"), t("cup.elo"), t("room.points"), t("room.games")];
  const table = tableOf([...head, t("room.wins"), t("room.draws"), t("room.losses")], rows);
  table.classList.add("room-table");
  return table;
}

/** @param {CupView["games"][number]} game */
function gameRow({ number, first, second, moves, width, height, winner, detail }) {
  const href = boardAddress({ start: "", moves, width, height });
  const words = html("span", `${number}. ${t("room.pair", { first, second })}`);
  const result = html("span.room-result", { title: detail }, resultOf({ winner: winner ?? 0 }));
  return html("li", html("a", { href, "data-key": String(number) }, words, result));
}
