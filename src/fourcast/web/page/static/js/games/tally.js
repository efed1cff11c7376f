// How many games against each level of the computer were won, drawn and lost.

import { levelOf } from "../words/names.js";

/** @typedef {"won" | "drawn" | "lost"} Ending */
/** @typedef {Record<Ending, number>} Score */

const HIGHEST = 10;

/** How a game ended for the one who played it here; null if it is not over, or both sides were played here.
 * @param {KeptGame} game @returns {Ending | null} */
export function endingOf({ result, sides }) {
  if (!result || sides?.length !== 1) return null;
  if (!result.winner) return "drawn";
  return result.winner === sides[0] ? "won" : "lost";
}

/** The scores against the levels that were played, the lowest first. @param {KeptGame[]} games
 * @returns {[level: number, Score][]} */
export function tallyOf(games) {
  /** @type {Map<number, Score>} */
  const scores = new Map();
  for (const game of games) {
    const ending = endingOf(game);
    const level = levelOf(game.players?.[2 - (game.sides?.[0] ?? 0)]);
    if (level === null || ending === null) continue;
    const score = scores.get(level) ?? { won: 0, drawn: 0, lost: 0 };
    scores.set(level, { ...score, [ending]: score[ending] + 1 });
  }
  return [...scores].sort(([one], [other]) => one - other);
}

/** The level to try next: the one above the highest that was beaten; null if there is none.
 * @param {[level: number, Score][]} tally */
export function nextLevel(tally) {
  const beaten = tally.filter(([, { won }]) => won).map(([level]) => level);
  const next = Math.max(0, ...beaten) + 1;
  return beaten.length && next <= HIGHEST ? next : null;
}
