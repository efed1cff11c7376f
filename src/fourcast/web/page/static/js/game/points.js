// The score of several games.

/** The points of both sides after a game, of which a win is one; null is one that is not over.
 * @param {[number, number]} points before it @param {{ winner: Side | null } | null} result @returns {[number, number]} */
export function pointsAfter([first, second], result) {
  if (!result) return [first, second];
  const gained = result.winner ? Number(result.winner === 1) : 0.5;
  return [first + gained, second + 1 - gained];
}
