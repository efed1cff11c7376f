// A position in words, which the server adds to the core's answers, in the language of the catalogue.

import { rulesOf, rulesText } from "../core/rules.js";
import { columnName } from "../words/columns.js";

/** What people call the sides within a sentence, unless they have names. @param {Say} say */
export function sideNames(say) {
  return [say("side.first"), say("side.second")];
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
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
