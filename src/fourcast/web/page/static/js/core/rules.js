// The rules that a game is played by, as its start names them: `......./....:connect=5,wrap`. Without a colon
// they are the standard ones. What they mean, the core knows; here is what drawing and counting moves take.

/** @typedef {{ connect: number, wrap: boolean, misere: boolean, pop: boolean }} Rules */

/** What is not standard, as in `connect=5,wrap`. @param {string} [start] */
export function rulesText(start = "") {
  const said = start.split(":")[1] ?? "";
  // In PopOut a start also says who is to move.
  const parts = said.split(",").filter((part) => part && part !== "second" && part !== "claimed");
  return parts.join(",");
}

/** @param {string} [start] @returns {Rules} */
export function rulesOf(start = "") {
  const parts = rulesText(start).split(",");
  const connect = parts.find((part) => part.startsWith("connect="))?.slice("connect=".length);
  return {
    connect: Number(connect ?? 4),
    wrap: parts.includes("wrap"),
    misere: parts.includes("misere"),
    pop: parts.includes("pop"),
  };
}

/** The empty board of that size by the rules of that text: nothing by the standard ones.
 * @param {{ width: number, height: number }} size @param {string} rules */
export function emptyStart({ width, height }, rules) {
  return rules && `${Array(height).fill(".".repeat(width)).join("/")}:${rules}`;
}

/** The moves of a move string, one after the other. @param {{ start?: string, moves?: string }} game */
export function movesIn({ start = "", moves = "" }) {
  return rulesOf(start).pop ? (moves.match(/p?./gi) ?? []) : [...moves];
}
