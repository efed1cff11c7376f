// The rooms that this browser is a member of, or the host of.

import { getPref, setPref } from "../shell/prefs.js";

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

/** The newest first. @returns {KeptRoom[]} */
export function myRooms() {
  const rooms = getPref("rooms", []);
  return Array.isArray(rooms) ? rooms.filter((room) => typeof room?.id === "string") : [];
}

/** What is kept of a room. @param {string} id @returns {KeptRoom} */
export function myRoom(id) {
  return myRooms().find((room) => room.id === id) ?? { id };
}

/** Keep what is known of a room, with what was kept before. @param {string} id @param {Partial<KeptRoom>} known */
export function keepRoom(id, known) {
  const entry = { ...myRoom(id), ...known, id };
  setPref("rooms", [entry, ...myRooms().filter((room) => room.id !== id)].slice(0, KEPT));
}

/** Forget a room. @param {string} id */
export function dropRoom(id) {
  setPref(
    "rooms",
    myRooms().filter((room) => room.id !== id),
  );
}

/** Become the host by a link that has the key behind its #, where no server sees it. @param {string} id */
export function takeKey(id) {
  const key = new URLSearchParams(window.location.hash.slice(1)).get("key");
  if (!key) return;
  keepRoom(id, { key });
  const { pathname, search } = window.location;
  window.history.replaceState(null, "", pathname + search);
}
