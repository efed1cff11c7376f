// What this browser keeps of a game that it has a part in, for the lists of its games.

import { boardAddress } from "../backend/positions.js";
import { startOf } from "../elements/setup.js";
import { keepGame, myGame } from "../shell/prefs.js";

/** Keep how a game stands. Looking at it does not make it a newer one.
 * @param {GameView} game @param {{ sides?: Side[], names?: string[] }} [players] those that this browser plays, and
 *   what both sides are called */
export function keepView({ id, first, position, result, second }, players = {}) {
  const { start, moves, width, height } = position;
  const before = myGame(id);
  const isSame = before?.place?.moves === moves && Boolean(before.over) === (result !== null);
  keepGame(id, {
    ...players,
    players: [first.player, second.player],
    place: { start, moves, width, height },
    board: startOf(position.cells),
    over: result !== null,
    result: result && { winner: result.winner, termination: result.termination },
    when: isSame ? before.when : Date.now(),
  });
}

/** The address of a review of the moves that are kept of a game; null if there are none. @param {string} id */
export function keptReview(id) {
  const place = myGame(id)?.place;
  return place?.moves ? boardAddress(place, Infinity, { review: true }) : null;
}
