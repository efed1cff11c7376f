// Opening repertoires: what to play as the first or the second player, taught card by card.

import { dueCards } from "./cards.js";
import { loadText } from "./files.js";
import { checked, idOf, mirrored } from "./puzzle.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/** @typedef {import("./history.js").Answered} Answered */
/** @typedef {"first" | "second"} Player */

const FORMAT = "fourcast repertoire 1";

/** @type {Map<Player, Promise<Puzzle[]>>} */
const loaded = new Map();

/** The cards of a repertoire in the order in which they are taught, as exercises.
 * @param {Player} player @returns {Promise<Puzzle[]>} */
export function repertoireOf(player) {
  const promise = loaded.get(player) ?? loadText(`${player}.repertoire`).then(readRepertoire);
  loaded.set(player, promise);
  promise.catch(() => loaded.delete(player)); // the next question tries again
  return promise;
}

/** @param {string} text */
export function readRepertoire(text) {
  const [header, ...lines] = text.trimEnd().split("\n");
  if (JSON.parse(header).format !== FORMAT) throw new Error("this is not a repertoire");
  return lines.map((line) => {
    const { moves, column } = JSON.parse(line);
    return checked({
      moves,
      goal: "better",
      solution: [column],
      ending: "choice",
      tempting: null,
      rating: 0,
      error: 0,
      themes: [],
      width: 7,
      height: 6,
    });
  });
}

/** The cards of a repertoire that are due, some of them mirrored, then new ones in their order.
 * @param {Puzzle[]} repertoire @param {Answered[]} answered @param {number} now
 * @param {{ count: number, chance?: () => number }} options how many new ones */
export function repertoireQuestions(repertoire, answered, now, { count, chance = Math.random }) {
  const ids = new Map(repertoire.map((puzzle) => [idOf(puzzle), puzzle]));
  const due = dueCards(answered, now).flatMap((card) => {
    const puzzle = ids.get(idOf(card.puzzle));
    return puzzle ? [{ puzzle: chance() < 0.5 ? mirrored(puzzle) : puzzle, card: idOf(puzzle) }] : [];
  });
  const unseen = repertoire.filter((puzzle) => !seenOf(answered).has(idOf(puzzle)));
  return { due, fresh: unseen.slice(0, count).map((puzzle) => ({ puzzle, card: null })) };
}

/** The ids of all cards that were asked. @param {Answered[]} answered */
export function seenOf(answered) {
  return new Set(answered.map(({ card, puzzle }) => card ?? idOf(puzzle)));
}
