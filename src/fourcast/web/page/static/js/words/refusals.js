// Refusals of the server and of the core, which know players by number, in the words of the page: its
// language, its colors, its discs. What is not known here is shown as it is.

import { colorName } from "./names.js";
import { hasText, say } from "./text.js";

/** @type {[key: string, sentence: RegExp][]} */
const REFUSALS = [
  ["refusal.in_diagram", /^read as (?:a diagram|moves|JSON): (?<why>.*)$/s],
  ["refusal.move", /^move (?<number>\d+) of '(?<moves>.*)': (?<why>.*)$/s],
  ["refusal.column_full", /^column (?<column>\w) is full$/s],
  ["refusal.over", /^the game is over\b.*$/s],
  [
    "refusal.no_column",
    /^'(?<name>.*)' at place (?<number>\d+) of '(?<moves>.*)' is not a column: they are 1 to (?<last>\w)$/s,
  ],
  ["refusal.counts_none", /^the first player has (?<first>\d+) discs? and the second 0; .*$/s],
  ["refusal.counts", /^the first player has (?<first>\d+) discs? and the second (?<second>\d+); .*$/s],
  [
    "refusal.floating",
    /^a disc floats above an empty square: column (?<column>\w+), row (?<row>\d+).*$/s,
  ],
  ["refusal.both_four", /^both players have four in a row$/s],
  ["refusal.second_moved_on", /^the second player moved on after the first had won$/s],
  ["refusal.first_moved_on", /^the first player moved on after the second had won$/s],
  ["refusal.no_bottom", /^the first player has no disc in the bottom row.*$/s],
  ["refusal.size", /^a board of width (?<width>\d+) and height (?<height>\d+) is not supported.*$/s],
  [
    "refusal.square",
    /^line (?<line>\d+) of the diagram, '(?<text>.*)': '(?<name>.*)' is not a square; .*$/s,
  ],
  [
    "refusal.ragged",
    /^line (?<line>\d+) of the diagram, '(?<text>.*)': (?<count>\d+) squares, but (?<wanted>\d+) above$/s,
  ],
  ["refusal.lands", /^'(?<name>.*)' cannot be played: the disc would land on (?<square>\w+)$/s],
  ["refusal.off_board", /^'(?<name>.*)' is not on this board, whose columns are a to (?<last>\w)$/s],
  ["refusal.not_a_game", /^'(?<text>.*)' is neither a game nor a position; .*$/s],
  ["refusal.nothing", /^there is nothing to read; .*$/s],
  ["refusal.no_time", /^the limit is too small to find what the (?:moves|replies) are worth; .*$/s],
  ["refusal.unknown_game", /^there is no such game, or it is kept no longer$/s],
  ["refusal.played_elsewhere", /^this move was already played, perhaps in another tab$/s],
  ["refusal.other_turn", /^it is the other side's turn$/s],
  [
    "refusal.changed",
    /^(?:the game has changed since|moves have been taken back since this one was chosen)$/s,
  ],
  ["refusal.seats_taken", /^both seats are taken; you may watch$/s],
  ["refusal.no_takeback", /^there is no move to take back$/s],
  ["refusal.too_many", /^(?:the server has too much|too many) .*$/s],
];

/** @param {string} detail @returns {string} */
export function refusalText(detail) {
  for (const [key, sentence] of REFUSALS) {
    const match = sentence.exec(detail);
    if (!match || !hasText(key)) continue; // the start page has no words for them
    const values = { one: colorName(1), two: colorName(2), ...match.groups };
    return say(key, "why" in values ? { ...values, why: refusalText(String(values.why)) } : values);
  }
  return detail;
}
