// What a claim draws on the board, as `fourcast.study.marks` has it.

import { union } from "./grid.js";
import { pairsOf, playGroup, playPlan } from "./played-out.js";
import { capital } from "./words.js";

/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("./played-out.js").Games} Games */
/** @typedef {import("./played-out.js").Pair} Pair */
/** @typedef {import("../core/types.js").ClaimView} ClaimView */
/** @typedef {import("../core/types.js").ExplanationView} Found */
/** @typedef {Omit<MarksView, "legend">} Marks */

/** Where the proof of a claim begins, and the columns from *place* to there: after its first moves, or
 * earlier if two threats leave nothing to prove. @param {ClaimView} claim @param {Place} place */
export function proofPlace({ player, start }, place) {
  let now = place;
  for (const [number, column] of start.entries()) {
    if (now.turn !== player && now.winningColumns(player).length > 1) {
      return { place: now, moves: start.slice(0, number) };
    }
    now = now.play(column);
  }
  return { place: now, moves: start };
}

/** The marks of an explanation: of each claim, or without one those of the best move.
 * @param {Found} found @param {Place} place @returns {Marks[]} */
export function marksOf({ line, claims, verdict }, place) {
  const start = place.play(...line);
  const before = place.squaresPlayed(line);
  if (claims.length) return claims.map((claim) => claimMarks(claim, start, before));
  const best = start.squaresPlayed((verdict.best_columns ?? []).slice(0, 1));
  return [marksAt(start, null, { played: before, line: best })];
}

/** @param {Place} place @param {Side | null} player @param {Partial<Marks>} more @returns {Marks} */
function marksAt(place, player, more) {
  const { width, height, rows } = place;
  const none = {
    played: [],
    gets: [],
    leaves: [],
    pairs: [],
    frozen: [],
    wins: [],
    line: [],
    groups: [],
  };
  return { width, height, rows, player, ...none, ...more };
}

/** @param {Place} place @param {Side} player @returns {Square[]} */
function winningSquares(place, player) {
  return place.winningColumns(player).map((column) => place.landing(column));
}

/** @param {ClaimView} claim @param {Place} from @param {Square[]} before */
function claimMarks(claim, from, before) {
  const { player, proof } = claim;
  const { place, moves } = proofPlace(claim, from);
  const played = [...before, ...from.squaresPlayed(moves)];
  if (moves.length < claim.start.length) {
    return marksAt(place, player, { played, wins: winningSquares(place, player) });
  }
  if (proof.kind === "force") return forceMarks(proof.line, place, player, played);
  if (proof.kind === "cases") return marksAt(place, player, { played }); // who gets what depends on the case
  if (proof.kind === "plan") {
    const games = [playPlan(proof, place, player)];
    return marksAt(place, player, { ...gameMarks(games, pairsOf(proof), place, claim), played });
  }
  const games = proof.groups.map((group) => playGroup(group, place, player));
  const pairs = games.flatMap((each) => pairsIn(each, place));
  const groups = proof.groups.map(({ columns }) => columns);
  return marksAt(place, player, { ...gameMarks(games, pairs, place, claim), played, groups });
}

/** Number the line up to the disc that makes two threats, or to the last block.
 * @param {number[]} columns @param {Place} place @param {Side} player @param {Square[]} played */
function forceMarks(columns, place, player, played) {
  let line = columns.slice(0, -1);
  if (line.length && place.play(...line.slice(0, -1)).winningColumns(player).length > 1) {
    line = line.slice(0, -1);
  }
  const wins = winningSquares(place.play(...line), player);
  return marksAt(place, player, { played, wins, line: place.squaresPlayed(line) });
}

/** Sort the empty squares by who takes them before a four ends the game.
 * @param {Games[]} games @param {Pair[]} allPairs @param {Place} place @param {ClaimView} claim */
function gameMarks(games, allPairs, place, claim) {
  const { grid, mask } = place;
  const mine = union(games.map((each) => each.mine));
  const theirs = union(games.map((each) => each.theirs));
  const ends = union(games.map((each) => each.wins));
  const empty = grid.squares & ~mask;
  const pairs = allPairs.filter((pair) => !(grid.bits(pair) & ~empty));
  const paired = grid.bits(pairs.flat());
  // A square that the opponent can block decides nothing, unless there are no others.
  const wins = claim.goal === "hold" ? 0n : ends & ~theirs || ends;
  const untaken = empty & ~(mine | theirs | paired);
  const frozen = grid.columns.filter((column) => wins & column & untaken & (untaken << 1n));
  const list = (/** @type {bigint} */ bits) => grid.list(bits & empty);
  return {
    gets: list(mine & ~theirs & ~paired),
    leaves: list(theirs & ~mine & ~paired),
    pairs,
    frozen: list(union(frozen) & untaken),
    wins: list(wins),
  };
}

/** Squares in different columns of which each is the only answer to the other.
 * @param {Games} games @param {Place} place @returns {Pair[]} */
function pairsIn({ answers }, { grid }) {
  return [...answers].flatMap(([disc, answer]) => {
    if (disc === null || disc >= answer || answers.get(answer) !== disc) return [];
    const [one, other] = grid.list(disc | answer);
    return one[0] === other[0] ? [] : [/** @type {Pair} */ ([one, other])];
  });
}

const KINDS = /** @type {const} */ ([
  ...["played", "line", "gets", "leaves"],
  ...["pairs", "frozen", "wins", "groups"],
]);

/** The kinds of marks that are there, in words.
 * @param {Marks} marks @param {import("../words/patterns.js").Catalogue} catalogue @param {string[]} names
 * @returns {MarksView["legend"]} */
export function legendOf(marks, catalogue, names) {
  if (marks.player === null) {
    return marks.line.length ? [{ kind: "line", text: capital(catalogue.say("mark_best")) }] : [];
  }
  const [player, opponent] = [names[marks.player - 1], names[2 - marks.player]];
  return KINDS.flatMap((name) => {
    const kind = /** @type {MarksView["legend"][number]["kind"]} */ (name);
    const count = countOf(marks, kind);
    if (!count) return [];
    const one = `mark_${kind}_one`;
    const key = count === 1 && catalogue.has(one) ? one : `mark_${kind}`;
    return [{ kind, text: capital(catalogue.say(key, { player, opponent })) }];
  });
}

/** @param {Marks} marks @param {MarksView["legend"][number]["kind"]} kind */
function countOf(marks, kind) {
  if (kind === "groups") return marks.groups.filter(({ length }) => length > 1).length;
  if (kind !== "gets" && kind !== "leaves") return marks[kind].length;
  const wins = new Set(marks.wins.map(String));
  return marks[kind].filter((square) => !wins.has(String(square))).length;
}
