// The pages of rooms. What only they need, their texts and their style sheet, comes with them.

import { ROOM_STYLES } from "../assets.js";
import { addStyles } from "../elements/styles.js";
import { loadRoomTexts } from "../words/text.js";
import { cupPage } from "./cup-page.js";
import { newRoomPage } from "./new-room.js";
import { projectorPage } from "./projector.js";
import { roomPage } from "./room-page.js";

/** The function that draws the tournament of programs that a server shows. */
export async function drawingOfCup() {
  await loadAll();
  return cupPage;
}

async function loadAll() {
  await Promise.all([loadRoomTexts(), addStyles(ROOM_STYLES.href)]);
}

/** The function that draws a room, or without an *id* the page that opens one.
 * @param {string | null} id @returns {Promise<(root: HTMLElement) => void>} */
export async function drawingOfRoom(id) {
  await loadAll();
  if (id === null) return newRoomPage;
  const isProjector = new URLSearchParams(window.location.search).has("projector");
  return (root) => (isProjector ? projectorPage(root, id) : roomPage(root, id));
}
