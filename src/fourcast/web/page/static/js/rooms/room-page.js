// The page of a room: who is here, games, an event, a class.
//
// The server's view of the room is the truth; each part draws itself from it again when it has changed.

import { roomAddress } from "../backend/addresses.js";
import { postJson } from "../backend/api.js";
import { button, html } from "../elements/dom.js";
import { field, form, nameField, submitButton } from "../elements/fields.js";
import { getPref, newToken, setPref } from "../shell/prefs.js";
import { t } from "../words/text.js";
import { describeError, tried } from "../words/words.js";
import { makeEvent } from "./event.js";
import { makeGames } from "./games.js";
import { goTo } from "./go.js";
import { makeHost } from "./host.js";
import { makeInvitation } from "./invitation.js";
import { dropRoom, keepRoom, myRoom, takeKey } from "./kept.js";
import { LiveRoom } from "./live-room.js";
import { makeLobby } from "./lobby.js";
import { bannerOf, redraw } from "./parts.js";
import { makeTasks } from "./tasks.js";

/**
 * @typedef {object} RoomPage What the parts of the page share.
 * @property {string} id
 * @property {LiveRoom} live
 * @property {(action: object) => Promise<boolean>} act do something as a member, and say what went wrong
 * @property {(action: object) => Promise<boolean>} host the same as the host
 * @property {(table: "tasks") => Promise<boolean>} save save a table, and say what went wrong
 */
/** @typedef {{ element: HTMLElement, draw: (state: RoomState) => void }} Part */

/** Show the room *id* in *root*. @param {HTMLElement} root @param {string} id */
export function roomPage(root, id) {
  takeKey(id);
  const live = new LiveRoom(id);
  const title = html("h1");
  const error = html("p.error", { role: "alert" });
  /** @type {RoomPage} */
  const page = {
    ...{ id, live },
    act: (action) => tried(error, () => live.act(action)),
    host: (action) => tried(error, () => live.host(action)),
    save: (table) => tried(error, () => live.save(table)),
  };
  const main = [
    makeJoin(page),
    makeRunning(page),
    makeTasks(page),
    makeEvent(page),
    makeHost(page),
    makeLobby(page),
  ];
  const side = [makeInvitation(page), makeGames(page)];
  const parts = [...main, ...side];
  root.replaceChildren(
    html(
      "div.room-page",
      bannerOf(live),
      html("div.room-head", title, error),
      html("div.room-main", ...main.map(({ element }) => element)),
      html("div.room-side", ...side.map(({ element }) => element)),
    ),
  );
  /** The games that were there before. @type {Set<string> | null} */
  let known = null;
  live.onState = (state) => {
    title.textContent = state.title;
    document.title = t("room.tab", { name: state.title });
    for (const part of parts) part.draw(state);
    if (!known) keepRoom(id, { name: state.room.name, when: Date.now() });
    const { myGame } = state;
    if (known && myGame && !known.has(myGame.id)) goTo(id, myGame, state);
    known = new Set(state.room.games.map((game) => game.id));
  };
  live.onGone = (problem) => {
    dropRoom(id);
    const again = html("a.button.primary", { href: roomAddress() }, t("room.new"));
    const text = html("p", describeError(problem));
    root.replaceChildren(
      html("section.card.message", html("h1", t("room.gone")), text, html("p", again)),
    );
  };
  live.open();
}

/** The form of somebody who has not come in. @param {RoomPage} page @returns {Part} */
function makeJoin({ id, live }) {
  const name = nameField({
    id: "join-name",
    autocomplete: "nickname",
    value: getPref("name", ""),
    placeholder: "",
    required: true,
  });
  const error = html("p.error", { role: "alert" });
  const join = () => {
    const mine = name.value.trim();
    setPref("name", mine);
    const token = myRoom(id).token ?? newToken();
    keepRoom(id, { token });
    tried(error, async () => {
      /** @type {{ room: RoomView, member: string }} */
      const { room, member } = await postJson(`${live.path}/join`, { name: mine, token });
      keepRoom(id, { member });
      live.onAnswer(room);
      live.reopen();
    });
  };
  const element = form(
    "card.room-join",
    join,
    { "aria-label": t("room.come_in"), hidden: true },
    html("h2", t("room.who")),
    html(
      "div.row",
      field(t("start.your_name"), name, "grow"),
      submitButton(t("room.come_in"), { kind: "primary" }),
    ),
    error,
    html("p.aside", t("room.watch_aside")),
  );
  return { element, draw: ({ me }) => (element.hidden = me !== null) };
}

/** The way back to a game that is not over. @param {RoomPage} page @returns {Part} */
function makeRunning({ id }) {
  const element = html("div.room-running");
  /** @param {RoomState} state */
  const draw = (state) => {
    const game = state.myGame;
    redraw(element, game, () => {
      if (!game) return [];
      const other = state.nameOf((game.first === state.member ? game.second : game.first) ?? null);
      const go = button(t("room.to_game"), () => goTo(id, game, state), { kind: "primary" });
      return [html("div.offer", html("p", t("room.your_game", { name: other })), go)];
    });
  };
  return { element, draw };
}
