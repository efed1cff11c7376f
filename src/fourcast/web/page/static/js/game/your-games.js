// The games of this browser, on the start page.

import { announce } from "../shell/announce.js";
import { gamePage, isSite } from "../backend/addresses.js";
import { ApiError } from "../backend/api-error.js";
import { getJson } from "../backend/api.js";
import { discIcon } from "../board/disc.js";
import { button, html, iconButton } from "../elements/dom.js";
import { loadGame, viewOf } from "../local/games.js";
import { dropGame, keepGame, myGames } from "../shell/prefs.js";
import { language, t } from "../words/text.js";

/** @typedef {import("../shell/prefs.js").KeptGame} KeptGame */

const SHOWN = 6;

/** The games of this browser that are not over, the newest first; hidden while there are none. */
export function yourGames() {
  const games = myGames().filter(({ over }) => !over);
  const list = html("ul.your-games");
  const section = html(
    "section.card",
    { "aria-labelledby": "your-games", hidden: games.length === 0 },
    html("h2", { id: "your-games" }, t("games.title")),
    list,
  );
  const add = (/** @type {KeptGame[]} */ some) =>
    list.append(...some.map((game) => gameRow(game, section)));
  add(games.slice(0, SHOWN));
  const rest = games.slice(SHOWN);
  if (rest.length) {
    const more = button(t("games.all", { count: games.length }), () => {
      add(rest);
      more.remove();
    });
    section.append(more);
  }
  return section;
}

/** @param {KeptGame} entry @param {HTMLElement} section */
function gameRow(entry, section) {
  const status = html("span.your-game-status");
  const title = titleOf(entry);
  const details = detailsOf(entry);
  const leave = () => {
    row.remove();
    section.hidden = !section.querySelector("li");
  };
  const remove = () => {
    dropGame(entry.id);
    leave();
    announce(t("games.removed"));
  };
  const link = html(
    "a",
    { href: gamePage(entry.id) },
    entry.sides?.length === 1 && discIcon(entry.sides[0]),
    html(
      "span.your-game-words",
      html("span.your-game-title", title),
      html("span.your-game-details", details),
    ),
    status,
  );
  const label = t("games.remove", { title, details });
  const row = html("li", link, iconButton("close", label, remove, "quiet"));
  refresh(entry, status, leave);
  return row;
}

/** @param {KeptGame} entry */
function titleOf({ names, sides }) {
  if (!Array.isArray(names) || names.length !== 2) return t("games.game");
  const [first, second] = names.map((name) => name || t("games.a_friend"));
  if (sides?.length !== 1) return t("games.two", { first, second });
  return t("games.against", { name: sides[0] === 1 ? second : first });
}

/** What tells a game from others against the same opponent: "3 moves, yesterday 14:05".
 * @param {KeptGame} entry */
function detailsOf({ moves, when }) {
  const count = typeof moves === "number" && t("games.moves", { count: moves });
  return [count, when && dateOf(new Date(when))].filter(Boolean).join(", ");
}

/** @param {Date} date */
function dateOf(date) {
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false });
  const day = date.toLocaleDateString(language, { day: "numeric", month: "short" });
  return isToday ? t("games.today", { time }) : t("games.day", { day, time });
}

/** Say how a game stands now; one that is over goes.
 * @param {KeptGame} entry @param {HTMLElement} status @param {() => void} leave */
async function refresh(entry, status, leave) {
  try {
    /** @type {GameView} */
    const game = await (isSite ? viewOf(loadGame(entry.id)) : getJson(`/api/games/${entry.id}`));
    if (game.result) {
      keepGame(entry.id, { over: true });
      leave();
    } else if (entry.sides?.length === 1) {
      const isDue = entry.sides[0] === game.position.turn;
      status.textContent = t(isDue ? "games.your_turn" : "games.waiting");
      status.classList.toggle("is-due", isDue);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) return;
    keepGame(entry.id, { over: true });
    leave();
  }
}
