// The two sides as people are told of them: the same names as in the server's texts.

const NAMES = ["", "Red", "Blue"];

export function nameOf(player) {
  return NAMES[player];
}
