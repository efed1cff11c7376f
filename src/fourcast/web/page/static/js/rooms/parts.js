// What several parts of a room's page need.

import { html, refill } from "../elements/dom.js";
import { field } from "../elements/fields.js";
import { clockChoice, clockOf } from "../game/clock-choice.js";
import { t } from "../words/text.js";

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/** Draw what is in *element* again if *facts* have changed since.
 * @param {HTMLElement} element @param {unknown} facts @param {() => Child[]} make */
export function redraw(element, facts, make) {
  const key = JSON.stringify(facts);
  if (drawn.get(element) !== key) refill(element, make());
  drawn.set(element, key);
}

/** What says that the line to a room is lost. @param {import("./live-room.js").LiveRoom} live */
export function bannerOf(live) {
  const banner = html("p.banner", { role: "alert", hidden: true });
  live.onConnection = (isConnected) => {
    banner.textContent = isConnected ? "" : t("room.lost");
    banner.hidden = isConnected;
  };
  return banner;
}

/** A choice of clocks. @param {string} id */
export function clockField(id) {
  const choice = clockChoice(id);
  return { element: field(t("start.clock"), choice), value: () => clockOf(choice) };
}

/** The address of a file of the room, as a link. @param {string} path @param {string} label */
export function fileLink(path, label) {
  return html("a.button.small", { href: path, download: "" }, label);
}
