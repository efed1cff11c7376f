// A room for everybody to see: boards, table, QR code; made for 1920 x 1080, and nothing to press.

import { LiveGame } from "../backend/live-game.js";
import { makeBoard, reserveBoard, showPosition } from "../board/board.js";
import { html } from "../elements/dom.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { heading, roundOf, standings } from "./event.js";
import { linkOf, qrCode } from "./invitation.js";
import { LiveRoom } from "./live-room.js";
import { bannerOf, redraw } from "./parts.js";
import { resultOf } from "./state.js";
import { pupilsOf, raceClock, resultsTable, heading as tasksHeading } from "./tasks.js";

/** @typedef {import("./state.js").Played} Played */

const MOST_BOARDS = 4;
const COLUMN = 22; // pupils, one below the other
const MOST_SIGNS = 10; // columns for tasks beside those for names, where there are two tables

/** @param {HTMLElement} root @param {string} id */
export function projectorPage(root, id) {
  document.documentElement.classList.add("is-projector");
  const live = new LiveRoom(id);
  const title = html("h1");
  const stage = html("div.projector-stage");
  const boards = html("div.projector-boards");
  const results = html("div.projector-results");
  const clock = raceClock(live);
  const table = html("div.projector-table");
  const address = html("p.projector-link", linkOf(id));
  stage.append(clock.element, boards, results);
  root.replaceChildren(
    bannerOf(live),
    html("div.projector", stage, html("div.projector-side", title, table, qrCode(id), address)),
  );
  /** @type {Map<string, ReturnType<typeof showGame>>} */
  const shown = new Map();
  live.onGone = (error) => root.replaceChildren(html("p.card.message", describeError(error)));
  live.onState = (state) => {
    title.textContent = state.title;
    document.title = t("room.tab", { name: state.title });
    const { event, tasks } = state.room;
    const isClass = tasks !== null && (!event || event.is_over);
    redraw(table, [state.room.standings, event, tasks, state.room.games, state.present], () => {
      if (isClass) return [tasksHeading(tasks)];
      if (event) return [...heading(state), ...roundOf(null, state), standings(state)];
      return [html("ul.room-list", ...state.present.map(({ name }) => html("li", name)))];
    });
    // What somebody has done at home is shown when the homework is closed.
    const hasResults = isClass && (tasks.kind === "race" || tasks.is_over);
    redraw(results, [hasResults, tasks, state.room.members], () =>
      hasResults ? resultsOf(state, tasks) : [],
    );
    showGames(boards, shown, state, isClass ? [] : gamesOf(state));
    clock.tick();
    stage.hidden = clock.element.hidden && !boards.hasChildNodes() && !results.hasChildNodes();
  };
  live.open();
}

/** The results of a class, in two tables if it is a large one; of a very large one only the best.
 * @param {RoomState} state @param {import("./tasks.js").Tasks} tasks */
function resultsOf(state, tasks) {
  const pupils = pupilsOf(state).slice(0, 2 * COLUMN);
  const half = pupils.length > COLUMN ? Math.ceil(pupils.length / 2) : pupils.length;
  const hasSigns = tasks.items.length <= (half < pupils.length ? MOST_SIGNS : 2 * MOST_SIGNS);
  return [pupils.slice(0, half), pupils.slice(half)]
    .filter(({ length }) => length)
    .map((part) => resultsTable(tasks, part, { hasSigns }));
}

/** The games to look at: those that are played, then those that were last. @param {RoomState} state */
function gamesOf(state) {
  const games = state.round
    ? state.gamesOfRound(state.round.number)
    : state.room.games.slice(-20).reverse();
  const isOn = (/** @type {Played} */ { winner }) => winner === null;
  return [...games.filter(isOn), ...games.filter((game) => !isOn(game))].slice(0, MOST_BOARDS);
}

/** @param {HTMLElement} root @param {Map<string, ReturnType<typeof showGame>>} shown
 * @param {RoomState} state @param {Played[]} games */
function showGames(root, shown, state, games) {
  const wanted = new Set(games.map(({ id }) => id));
  for (const [id, { element, live }] of shown) {
    if (wanted.has(id)) continue;
    live.close();
    element.remove();
    shown.delete(id);
  }
  for (const game of games) {
    const there = shown.get(game.id) ?? showGame(state, game);
    if (!shown.has(game.id)) root.append(there.element);
    shown.set(game.id, there);
    there.result.textContent = resultOf(game);
  }
  root.dataset.count = String(games.length);
}

/** @param {RoomState} state @param {Played} game */
function showGame(state, { id, first, second }) {
  const host = html("div");
  const board = makeBoard(host, undefined, host);
  const result = html("b");
  const names = [first, second].map((each) => state.nameOf(each ?? null));
  const caption = html("figcaption", t("room.pair", { first: names[0], second: names[1] }), " ", result);
  const element = html("figure.projector-game", caption, host);
  const live = new LiveGame(id, null, []);
  live.onState = ({ position }) => showPosition(board, position);
  reserveBoard(board, state.room);
  live.open();
  return { element, live, result };
}
