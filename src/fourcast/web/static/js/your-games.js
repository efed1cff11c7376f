// The games of this browser, on the start page.

import { announce } from "./announce.js";
import { ApiError, getJson } from "./api.js";
import { discIcon } from "./disc.js";
import { button, html, iconButton } from "./dom.js";
import { inColors } from "./names.js";
import { dropGame, keepGame, myGames } from "./prefs.js";

/** @typedef {import("./prefs.js").KeptGame} KeptGame */

const SHOWN = 6;

/** The list of this browser's games; hidden while there are none. */
export function yourGames() {
  const games = myGames();
  const list = html("ul", { class: "your-games" });
  const section = html(
    "section",
    { class: "card", "aria-labelledby": "your-games", hidden: games.length === 0 },
    html("h2", { id: "your-games" }, "Your games"),
    list,
  );
  const add = (/** @type {KeptGame[]} */ some) =>
    list.append(...some.map((game) => gameRow(game, section)));
  add(games.slice(0, SHOWN));
  const rest = games.slice(SHOWN);
  if (rest.length) {
    const more = button(`Show all ${games.length}`, () => {
      add(rest);
      more.remove();
    });
    section.append(more);
  }
  return section;
}

/** @param {KeptGame} entry @param {HTMLElement} section */
function gameRow(entry, section) {
  const status = html("span", { class: "your-game-status" }, inColors(entry.status ?? ""));
  const title = entry.title ?? "Game";
  const remove = () => {
    dropGame(entry.id);
    row.remove();
    announce("Removed.");
    section.hidden = myGames().length === 0;
  };
  const link = html(
    "a",
    { href: `/game/${entry.id}` },
    entry.sides?.length === 1 && discIcon(entry.sides[0]),
    html("span", { class: "your-game-title" }, title),
    status,
  );
  const row = html("li", {}, link, iconButton("close", `Remove from list: ${title}`, remove, "quiet"));
  if (!entry.over) refresh(entry, status);
  return row;
}

/** Say how a game stands now. @param {KeptGame} entry @param {HTMLElement} status */
async function refresh(entry, status) {
  try {
    /** @type {GameView} */
    const game = await getJson(`/api/games/${entry.id}`);
    if (game.result) status.textContent = inColors(game.result.text);
    else if (entry.sides?.length === 1) {
      const isDue = entry.sides[0] === game.position.turn;
      status.textContent = isDue ? "Your turn" : "Waiting";
      status.classList.toggle("is-due", isDue);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) return;
    status.textContent = "No longer there";
    keepGame(entry.id, { over: true, status: "No longer there" });
  }
}
