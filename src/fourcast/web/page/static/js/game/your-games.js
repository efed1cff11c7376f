// The games of this browser, on the start page.

import { announce } from "../shell/announce.js";
import { gamePage, isSite, pageAddress } from "../backend/addresses.js";
import { ApiError } from "../backend/api-error.js";
import { getJson } from "../backend/api.js";
import { discIcon } from "../board/disc.js";
import { button, card, html, iconButton } from "../elements/dom.js";
import { loadGame, viewOf } from "../local/games.js";
import { movesIn } from "../core/rules.js";
import { keepView } from "./keep.js";
import { titleOfLevel } from "./new-game.js";
import { namedRules } from "./rules-form.js";
import { dropGame, keepGame, myGames } from "../shell/prefs.js";
import { language, t } from "../words/text.js";

const SHOWN = 6;

/** The games of this browser that are not over, the newest first, and the way to all of them; hidden while there
 * are none. */
export function yourGames() {
  const all = myGames();
  const games = all.filter(({ over }) => !over);
  const lists = inPart(html("ul.your-games"), games, gameRow, SHOWN);
  const others = html("p", html("a", { href: pageAddress("games") }, t("games.mine")));
  const section = card("your-games", t("games.title"), ...lists, others);
  section.hidden = all.length === 0;
  return section;
}

/** *list* with the first games, and a button that adds the others, if there are any.
 * @param {HTMLElement} list @param {KeptGame[]} games @param {(game: KeptGame) => HTMLElement} row @param {number} shown */
export function inPart(list, games, row, shown) {
  list.append(...games.slice(0, shown).map(row));
  const more = button(t("games.all", { count: games.length }), () => {
    list.append(...games.slice(shown).map(row));
    more.remove();
  });
  return games.length > shown ? [list, more] : [list];
}

/** @param {KeptGame} entry */
function gameRow(entry) {
  const status = html("span.your-game-status");
  const title = titleOf(entry);
  const details = detailsOf(entry);
  const leave = () => row.remove();
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
  const row = html("li", link, removeButton(entry, leave));
  refresh(entry, status, leave);
  return row;
}

/** A button that takes a game off the list; *leave* takes away its row.
 * @param {KeptGame} entry @param {() => void} leave */
export function removeButton(entry, leave) {
  const remove = () => {
    dropGame(entry.id);
    leave();
    announce(t("games.removed"));
  };
  const label = t("games.remove", { title: titleOf(entry), details: detailsOf(entry) });
  return iconButton("close", label, remove, "quiet");
}

/** @param {KeptGame} entry */
export function titleOf({ names, players, sides }) {
  if (!Array.isArray(names) || names.length !== 2) return t("games.game");
  const [first, second] = names.map(
    (name, index) => titleOfLevel(players?.[index]) || name || t("games.a_friend"),
  );
  if (sides?.length !== 1) return t("games.two", { first, second });
  return t("games.against", { name: sides[0] === 1 ? second : first });
}

/** What tells a game from others against the same opponent: "3 moves, yesterday 14:05".
 * @param {KeptGame} entry */
export function detailsOf({ place, when }) {
  const count = place && t("games.moves", { count: movesIn(place).length });
  const rules = namedRules(place?.start ?? "");
  return [rules, count, when && dateOf(new Date(when))].filter(Boolean).join(", ");
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
      keepView(game);
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
