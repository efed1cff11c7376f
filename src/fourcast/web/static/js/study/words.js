// How people are told of things: the same words as in the server's texts.

const NAMES = ["", "Red", "Blue"];

/** What the first and the second player are called. */
export function nameOf(player) {
  return NAMES[player];
}

/** *text* with a capital letter and a full stop. */
export function sentence(text) {
  if (!text) return "";
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}
