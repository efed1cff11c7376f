// The rooms that this browser is a member of, or the host of.

import { keptList } from "../shell/prefs.js";

/**
 * @typedef {object} KeptRoom
 * @property {string} id
 * @property {string} [name] what the room is called
 * @property {string} [token] the member's secret
 * @property {string} [member] the member's name in the room's messages
 * @property {string} [key] the host's
 * @property {number} [when] it was last looked at
 */

const KEPT = 20;

/** @type {ReturnType<typeof keptList<KeptRoom>>} */
const rooms = keptList("rooms", KEPT, (room) => typeof room?.id === "string");
export const { all: myRooms, keep: keepRoom, drop: dropRoom } = rooms;

/** What is kept of a room. @param {string} id @returns {KeptRoom} */
export function myRoom(id) {
  return rooms.find(id) ?? { id };
}

/** Become the host by a link that has the key behind its #, where no server sees it. @param {string} id */
export function takeKey(id) {
  const key = new URLSearchParams(window.location.hash.slice(1)).get("key");
  if (!key) return;
  keepRoom(id, { key });
  const { pathname, search } = window.location;
  window.history.replaceState(null, "", pathname + search);
}
