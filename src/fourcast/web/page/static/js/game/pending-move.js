// The move on its way to the server, kept for the case that the page is loaded again meanwhile.

/** @typedef {import("../backend/live-game.js").Move} Move */

/** @param {string} id */
const slot = (id) => `fourcast.move.${id}`;

/** @param {string} id @param {Move} move */
export function rememberMove(id, move) {
  try {
    window.sessionStorage.setItem(slot(id), JSON.stringify(move));
  } catch {
    // Then it is lost with the page; the person makes it again.
  }
}

/** @param {string} id @returns {Move | null} */
export function recallMove(id) {
  try {
    return JSON.parse(window.sessionStorage.getItem(slot(id)) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} id */
export function forgetMove(id) {
  try {
    window.sessionStorage.removeItem(slot(id));
  } catch {
    // Nothing was kept.
  }
}
