// Spaced repetition: what was not solved comes back, later and later, by the boxes and rules of
// `fourcast train`. Everything follows from the history of attempts and a time.

import { SIZES, choice, collectionOf } from "./collection.js";
import { idOf, mirrored } from "./puzzle.js";
import { isSameSize } from "../words/sizes.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/** @typedef {import("./history.js").Answered} Answered */
/** @typedef {{ puzzle: Puzzle, due: number, box: number }} Card */
/** @typedef {{ theme: string, tried: number, solved: number }} ThemeRecord */

const DAY_MS = 86_400_000;
/** How long a card rests in each box. After the last one it is known. */
export const INTERVALS_MS = [1, 3, 7, 16, 35, 90].map((days) => days * DAY_MS);
const SAME_POSITION = 2; // passes until a card asks another puzzle of its theme
const ALIKE = 20; // puzzles that it may ask then
const FEWEST_OF_A_THEME = 3; // attempts that it takes to say something about a theme

/** @param {Card} card */
export function isKnown({ box }) {
  return box >= INTERVALS_MS.length;
}

/** Whether it was solved without help. @param {Answered} answered */
export function isPassed({ solved, hints }) {
  return solved && hints === 0;
}

/** The cards that a history has made, by the ids of their puzzles. @param {Answered[]} answered */
export function cardsOf(answered) {
  /** @type {Map<string, Card>} */
  const found = new Map();
  for (const each of answered) {
    const name = each.card ?? idOf(each.puzzle);
    const card = found.get(name);
    if (!isPassed(each)) {
      const puzzle = card?.puzzle ?? each.puzzle;
      found.set(name, { puzzle, box: 0, due: each.when + INTERVALS_MS[0] });
    } else if (card && each.when >= card.due && !isKnown(card)) {
      const box = card.box + 1;
      const rest = INTERVALS_MS[Math.min(box, INTERVALS_MS.length - 1)];
      found.set(name, { ...card, box, due: each.when + rest });
    }
  }
  return found;
}

/** The cards that are due, those that have waited longest first. @param {Answered[]} answered @param {number} now */
export function dueCards(answered, now) {
  const waiting = [...cardsOf(answered).values()].filter((card) => card.due <= now && !isKnown(card));
  const name = (/** @type {Card} */ card) => idOf(card.puzzle);
  return waiting.sort((a, b) => a.due - b.due || (name(a) < name(b) ? -1 : 1));
}

/** What a card asks: its puzzle or the mirror image, later another one of the same theme.
 * @param {Card} card @param {() => number} [chance] @returns {Promise<Puzzle>} */
export async function questionOf({ puzzle, box }, chance = Math.random) {
  const hasOthers = puzzle.themes.length > 0 && SIZES.some((size) => isSameSize(size, puzzle));
  let asked = puzzle;
  if (box >= SAME_POSITION && hasOthers) {
    const collection = await collectionOf(puzzle);
    asked = choice(collection.alike(puzzle, puzzle.themes[0], ALIKE), chance) ?? puzzle;
  }
  return chance() < 0.5 ? mirrored(asked) : asked;
}

/** How somebody does with the themes tried often enough to tell, the weakest first. @param {Answered[]} answered */
export function themeRecords(answered) {
  /** @type {Map<string, ThemeRecord>} */
  const records = new Map();
  for (const each of answered) {
    for (const theme of each.puzzle.themes) {
      const record = records.get(theme) ?? { theme, tried: 0, solved: 0 };
      record.tried += 1;
      record.solved += isPassed(each) ? 1 : 0;
      records.set(theme, record);
    }
  }
  const share = (/** @type {ThemeRecord} */ record) => record.solved / record.tried;
  return [...records.values()]
    .filter(({ tried }) => tried >= FEWEST_OF_A_THEME)
    .sort((a, b) => share(a) - share(b) || b.tried - a.tried || (a.theme < b.theme ? -1 : 1));
}

/** The themes to practise: those that were not always solved, the weakest first. @param {Answered[]} answered */
export function weakThemes(answered) {
  return themeRecords(answered).filter(({ solved, tried }) => solved < tried);
}
