// What scores and positions are called: the sentences that the server adds to the core's answers, in the
// language of the catalogue.

import { rulesOf, rulesText } from "../core/rules.js";
import { columnName, moveName } from "../words/columns.js";

/** What people call the sides within a sentence, unless they have names. @param {Say} say */
export function sideNames(say) {
  return [say("side.first"), say("side.second")];
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "column 4", "columns 2, 3 and 4". @param {Say} say @param {number[]} columns
 * @param {{ width: number }} board on which moves beyond the columns take discs out, and then claim the draw */
export function nameColumns(say, columns, board = { width: Infinity }) {
  const names = columns.map((move) => moveName(board, move));
  const last = names.pop() ?? "";
  if (!names.length) return say("columns.one", { column: last });
  return say("columns.some", { list: names.join(", "), last });
}

/** A position in words. @param {Say} say @param {import("../core/types.js").PositionView} view
 * @param {string[]} names of both sides */
export function describePosition(say, view, names = sideNames(say)) {
  const { ply: count, winner, is_over: isOver, turn, last_move: last, cells } = view;
  const rules = rulesText(view.start);
  const toMove = rulesOf(view.start).pop ? "position.to_move" : "position.turn";
  let text = say(toMove, { player: names[turn - 1], count });
  const won = rules ? "position.has_won" : "position.won";
  if (winner) text = say(won, { player: names[winner - 1], count });
  else if (isOver) text = say("position.draw", { count });
  if (last) {
    const [column, row] = last;
    const player = names[cells[row][column] - 1];
    text = say("position.last", { text, player, column: columnName(column) });
  }
  const columns = Array.from({ length: view.width }, (_, column) => {
    const held = cells.flatMap((row) => (row[column] ? [names[row[column] - 1]] : []));
    const facts = { column: columnName(column), discs: held.join(", ") };
    return held.length ? say("position.column", facts) : "";
  }).filter(Boolean);
  if (!columns.length) return say("position.empty", { text });
  const pattern = columns.length === view.width ? "position.full" : "position.some";
  return say(pattern, { text, columns: columns.join("; ") });
}

/** @typedef {import("../core/rules.js").Rules} Rules */

const ENDS = /** @type {const} */ ({
  "four in a row": "result.four",
  "full board": "result.full",
  resignation: "result.resigned",
  agreement: "result.agreed",
  forfeit: "result.forfeited",
  "out of time": "result.time",
  abandoned: "result.left",
  repetition: "result.repeated",
});
/** Whether games can end so. @param {unknown} text @returns {text is ResultView["termination"]} */
export function isTermination(text) {
  return typeof text === "string" && Object.hasOwn(ENDS, text);
}

/** For a draw. @type {Partial<Record<ResultView["termination"], "result.time_draw" | "result.left_draw">>} */
const DRAWN = { "out of time": "result.time_draw", abandoned: "result.left_draw" };

/** Why a game is over: "four in a row". @param {Say} say @param {Omit<ResultView, "text">} result
 * @param {Rules} rules @param {string[]} names of both sides */
export function describeEnd(say, { winner, termination }, rules, names = sideNames(say)) {
  const drawn = winner ? null : DRAWN[termination];
  const facts = { loser: winner ? names[2 - winner] : "", count: rules.connect };
  if (termination === "four in a row" && rules.misere) return say("result.misere", facts);
  if (termination === "four in a row" && rules.connect !== 4) return say("result.line", facts);
  return say(drawn ?? ENDS[termination], facts);
}

/** How a game ended, as a sentence. @param {Say} say @param {Omit<ResultView, "text">} result
 * @param {Rules} rules @param {string[]} names of both sides */
export function describeResult(say, result, rules, names = sideNames(say)) {
  const why = describeEnd(say, result, rules, names);
  const { winner } = result;
  const text = winner
    ? say("result.win", { winner: names[winner - 1], why })
    : say("result.draw", { why });
  return capital(text);
}
