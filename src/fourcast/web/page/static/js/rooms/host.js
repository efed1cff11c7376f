// What the host can begin: a tournament, or tasks for a class.

import { card, html } from "../elements/dom.js";
import { t } from "../words/text.js";
import { makeOpening } from "./event.js";
import { makeSetting } from "./setting.js";

/** @param {RoomPage} page @returns {import("./room-page.js").Part} */
export function makeHost(page) {
  const event = html("details", html("summary", t("room.new_event")), makeOpening(page));
  const tasks = html("details", html("summary", t("room.new_tasks")), makeSetting(page));
  const element = card("host-title", t("room.host"), event, tasks);
  return {
    element,
    draw: ({ isHost, room }) => {
      event.hidden = room.event !== null && !room.event.is_over;
      tasks.hidden = room.tasks !== null && !room.tasks.is_over;
      element.hidden = !isHost || (event.hidden && tasks.hidden);
    },
  };
}
