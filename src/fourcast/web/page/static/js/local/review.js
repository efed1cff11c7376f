// A review in words; what every move cost is the core's.

import {
  capital,
  columnName,
  describePosition,
  describeScore,
  nameColumns,
  sideNames,
  winnerMoves,
} from "./words.js";

/** @typedef {import("../words/patterns.js").Say} Say */
/** @typedef {import("./words.js").Stage} Stage */
/** @typedef {import("../core/types.js").ReviewView} Found */
/** @typedef {import("../core/types.js").MoveReviewView} FoundMove */

/** @param {FoundMove} move */
function isError({ verdict }) {
  return verdict === "mistake" || verdict === "blunder";
}

/** @param {Say} say @param {FoundMove} move @param {Stage} stage */
function moveText(say, move, stage) {
  const { verdict: name, score_before: before, score_after: after, best_columns: best } = move;
  if (!name || before === null || after === null) return say("review_open");
  const isAtOnce = after > 0 && winnerMoves(after, stage) === 1;
  const verdict = say(`verdict_${name}`);
  const now = isAtOnce ? say("review_at_once") : describeScore(say, after, stage);
  let text = say("review_move", { verdict, now });
  const count = before ? winnerMoves(before, stage) : 0;
  if (isError(move)) {
    const lost = before > 0 ? "review_lost_win" : "review_lost_draw";
    text = say(lost, { verdict, now, count });
  }
  if (name === "best" || !best.length) return text;
  const better = say("review_better", { text, columns: nameColumns(say, best), count: best.length });
  return isError(move) ? better : say("review_better_in", { text: better, count });
}

/** The review of a game, in words. @param {Say} say @param {Found} found @returns {ReviewView} */
export function describeReview(say, found) {
  const { position, decisive } = found;
  const { width, height } = position;
  const start = { width, height, ply: position.ply - found.moves.length };
  const moves = found.moves.map((move, index) => {
    const stage = { ...start, ply: start.ply + index };
    return { ...move, text: moveText(say, move, stage) };
  });
  const names = sideNames(say).map(capital);
  const known = [found.accuracy_first, found.accuracy_second].flatMap((share, index) => {
    const isWhole = moves.every(({ player, verdict }) => player !== index + 1 || verdict);
    return share !== null && isWhole ? [{ player: names[index], share: tenths(share) }] : [];
  });
  const decided = decisiveText(say, moves, decisive === null ? null : moves[decisive - 1], start);
  const percent = (/** @type {number | null} */ share) =>
    share === null ? null : Number(tenths(share));
  return {
    ...found,
    position: { ...position, text: capital(describePosition(say, position)) },
    moves,
    accuracy_first: percent(found.accuracy_first),
    accuracy_second: percent(found.accuracy_second),
    text: known.length ? `${accuracyText(say, known)} ${decided}` : decided,
  };
}

/** With one digit, a tie to the even one as in Python: 86.25 is 86.2. @param {number} share */
function tenths(share) {
  return share % 1 === 0.25 ? (share - 0.05).toFixed(1) : share.toFixed(1);
}

/** @param {Say} say @param {{ player: string, share: string }[]} known */
function accuracyText(say, [one, two]) {
  if (!two) return say("review_accuracy", one);
  return say("review_accuracies", { ...one, opponent: two.player, other: two.share });
}

/** @param {Say} say @param {MoveReviewView[]} moves @param {MoveReviewView | null} move @param {Stage} start */
function decisiveText(say, moves, move, start) {
  if (move && move.score_before !== null) {
    const { number, score_before: before, best_columns: best } = move;
    const player = capital(sideNames(say)[move.player - 1]);
    const stage = { ...start, ply: start.ply + number - 1 };
    const count = before ? winnerMoves(before, stage) : 0;
    const pattern = before > 0 ? "review_decided_win" : "review_decided_draw";
    const text = say(pattern, { number, player, column: columnName(move.column), count });
    if (!best.length) return text;
    return `${text} ${say("review_best", { columns: nameColumns(say, best), count: best.length })}`;
  }
  if (!moves.length) return say("review_nothing");
  if (moves.every(({ verdict }) => verdict)) {
    const count = moves.filter(({ verdict }) => verdict === "inaccuracy").length;
    return count ? say("review_inaccuracies", { count }) : say("review_no_error");
  }
  return say("review_too_late");
}
