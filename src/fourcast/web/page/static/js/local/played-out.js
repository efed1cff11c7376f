// All games that a plan, or a group of local games, leads to: which squares each side gets. It is what
// `fourcast.study.played_out` does in Python, for marks and words.

import { countBits, union } from "./grid.js";

/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("../core/types.js").ClaimView} ClaimView */
/** @typedef {Extract<ClaimView["proof"], { kind: "plan" }>} Plan */
/** @typedef {Extract<ClaimView["proof"], { kind: "local" }>} LocalGames */
/** @typedef {Extract<ClaimView["proof"], { kind: "cases" }>} Cases */
/** @typedef {LocalGames["groups"][number]} Group */
/** @typedef {ReturnType<typeof noGames>} Games */

/** What happens in the games: sets of squares, and what they have in common. */
function noGames() {
  return {
    /** Squares that the player takes before the four that ends a game. */
    mine: 0n,
    /** Squares that the opponent takes, except for the disc before that four. */
    theirs: 0n,
    /** Squares on which the player completes a four. */
    wins: 0n,
    /** Squares that the opponent takes at any time. */
    everTheirs: 0n,
    /** Discs of the opponent that a plan answers on top, for want of an entry. */
    onTop: 0n,
    /** Every game ends with a disc of the opponent's right below the square that completes the four. */
    alwaysBelow: true,
    /** Some game ends with a forced win that is not played out. */
    forced: false,
    isSafe: false,
    positions: 0,
    /** To each disc of the opponent its answers; null: moves that nothing has asked for. */
    answers: /** @type {Map<bigint | null, bigint>} */ (new Map()),
    /** To each disc its answers in a group that neither complete a four nor block one, each with all
     * squares of the group that could be played instead. */
    chosen: /** @type {Map<bigint, { could: bigint, answer: bigint }[]>} */ (new Map()),
    /** Discs after which a group has done its work. */
    settled: 0n,
  };
}

/** @param {Games} games @param {bigint | null} disc @param {bigint} answer */
function addAnswer(games, disc, answer) {
  games.answers.set(disc, (games.answers.get(disc) ?? 0n) | answer);
}

/** Play every game of *plan* from *place*, with the opponent of *player* to move.
 * @param {Plan} plan @param {Place} place @param {Side} player @returns {Games} */
export function playPlan(plan, place, player) {
  const { grid } = place;
  const games = noGames();
  const table = new Map(
    plan.answers.map(({ stone, squares }) => [grid.bit(stone), squares.map((each) => grid.bit(each))]),
  );
  const first = [place.discs(player), place.mask & ~place.discs(player)];
  const seen = new Set([String(first)]);
  const waiting = [first];
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const [mine, theirs] = state;
    games.mine |= mine;
    games.theirs |= theirs;
    if (plan.latest === null && !grid.hasFour(grid.squares & ~mine)) {
      games.everTheirs |= grid.squares & ~mine; // no line is left: the plan has done its work
      continue;
    }
    games.everTheirs |= theirs;
    for (const disc of grid.playable(mine | theirs)) {
      const answer = answerOf(plan, { grid, games, table }, mine, theirs, disc);
      if (answer === null) continue;
      const next = [mine | answer, theirs | disc];
      if (seen.has(String(next))) continue;
      seen.add(String(next));
      waiting.push(next);
    }
  }
  games.positions = seen.size;
  games.isSafe = !games.forced && !grid.hasFour(games.everTheirs);
  return games;
}

/** The plan's answer to *disc*, or null if the game is over with it; *games* takes note.
 * @param {Plan} plan
 * @param {{ grid: Place["grid"], games: Games, table: Map<bigint, bigint[]> }} context
 * @param {bigint} mine @param {bigint} theirs @param {bigint} disc */
function answerOf(plan, { grid, games, table }, mine, theirs, disc) {
  const now = theirs | disc;
  const above = disc << 1n;
  games.everTheirs |= disc;
  const wins = grid.wins(mine, now);
  if (wins.length) {
    games.wins |= union(wins);
    games.alwaysBelow &&= wins.length === 1 && wins[0] === above;
    return null;
  }
  const block = grid.wins(now, mine);
  if (!block.length && plan.takes > 1 && grid.forces(mine, now, plan.takes)) {
    games.forced = true;
    games.alwaysBelow = false;
    return null;
  }
  const open = grid.playable(mine | now);
  const isBlock = block.length > 0;
  const answer = (isBlock ? block : (table.get(disc) ?? [above])).find(
    (square) => open.includes(square) && (isBlock || !grid.givesFour(square, mine, now)),
  );
  if (answer === undefined) {
    games.theirs |= now; // the board is full
    return null;
  }
  if (!isBlock && !table.has(disc)) games.onTop |= disc;
  if (!isBlock) addAnswer(games, disc, answer);
  return answer;
}

/** Play every game of *group* by its table, with the opponent of *player* to move in *place*.
 * @param {Group} group @param {Place} place @param {Side} player @returns {Games} */
export function playGroup(group, place, player) {
  const { grid, mask } = place;
  const games = noGames();
  const own = place.discs(player);
  const other = mask & ~own;
  const squares = union(group.columns.map((column) => grid.columns[column])) & ~mask;
  const needs = group.needs.map((need) => grid.bits(need));
  const table = new Map(
    group.answers.map(({ theirs, mine, answer }) => [
      String([grid.bits(theirs), grid.bits(mine)]),
      grid.bit(answer),
    ]),
  );
  const isSettled = (/** @type {bigint} */ mine) =>
    group.role === "hold" && needs.every((need) => need & mine);
  const first = { theirs: 0n, mine: 0n, free: group.free !== "never" };
  const keyOf = (/** @type {typeof first} */ { theirs, mine, free }) => String([theirs, mine, free]);
  const seen = new Set([keyOf(first)]);
  const waiting = [first];
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const { theirs, mine, free } = state;
    games.theirs |= theirs;
    games.mine |= mine;
    if (isSettled(mine)) continue;
    const moves = grid.playable(mask | theirs | mine).filter((move) => move & squares);
    const threats = moves.filter((move) => grid.hasFour(own | mine | move));
    games.wins |= union(threats);
    if (threats.length > 1) continue;
    for (const disc of asked(group, { moves, threats, free, left: squares & ~(theirs | mine) })) {
      const now = theirs | (disc ?? 0n);
      const answer = table.get(String([now, mine]));
      if (answer === undefined) {
        games.theirs |= now;
        games.settled |= disc ?? 0n;
        continue;
      }
      addAnswer(games, disc, answer);
      if (grid.hasFour(own | mine | answer)) {
        games.wins |= answer;
        continue;
      }
      if (disc !== null && !grid.hasFour(other | now | answer)) {
        const could = union(grid.playable(mask | now | mine)) & squares;
        games.chosen.set(disc, [...(games.chosen.get(disc) ?? []), { could, answer }]);
      }
      const isFree = free && (disc !== null || group.free === "any_even");
      const next = { theirs: now, mine: mine | answer, free: isFree };
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      waiting.push(next);
    }
  }
  return games;
}

/** The discs of the opponent that a group has to answer; null is a move that nothing asks for.
 * @param {Group} group
 * @param {{ moves: bigint[], threats: bigint[], free: boolean, left: bigint }} state
 * @returns {(bigint | null)[]} */
function asked(group, { moves, threats, free, left }) {
  const discs = threats.length ? threats : moves;
  const isOdd = countBits(left) % 2 === 1;
  const isTime = group.free === "one" || isOdd === (group.free === "one_odd");
  return moves.length && !threats.length && free && isTime ? [...discs, null] : discs;
}

/** @typedef {[Square, Square]} Pair */

/** Whether one square comes before another, column by column. @param {Square} one @param {Square} other */
function isBefore(one, other) {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}

/** @typedef {{ disc: Square, squares: Square[] }} Entry A disc, and the squares of which the first that can be played
 * is the answer. */

/** Squares of which each is the only answer to the other. @param {Entry[]} table @returns {Pair[]} */
function pairsIn(table) {
  const known = new Map(table.map(({ disc, squares }) => [String(disc), squares]));
  return table.flatMap(({ disc, squares }) => {
    const back = known.get(String(squares[0])) ?? [];
    const isPair =
      squares.length === 1 && isBefore(disc, squares[0]) && back.length === 1 && same(back[0], disc);
    return isPair ? [/** @type {Pair} */ ([disc, squares[0]])] : [];
  });
}

/** The pairs of a plan. @param {Plan} plan */
export function pairsOf(plan) {
  return pairsIn(entriesOf(plan));
}

/** @param {Plan} plan @returns {Entry[]} */
function entriesOf({ answers }) {
  return answers.map(({ stone, squares }) => ({ disc: stone, squares }));
}

/** @param {Square} one @param {Square} other */
export function same(one, other) {
  return one[0] === other[0] && one[1] === other[1];
}

/** @typedef {{ squares: Square[], discs: Square[] }} Rule Answers, squares of one column or a list of which the first
 * that can be played is the answer, and the discs that they are for. */

/** @typedef {{ pairs: Pair[], filled: [number, number][], others: Rule[], foursFirst: boolean }} Rules What a reader has
 * to remember besides "on top": pairs, columns of which one is played when the opponent has filled the other, and other
 * answers. With *foursFirst* the rules hold only where there is no four to complete or to block. */

// Squares of which the first that can be played is one rule, not several.
const LONGEST_CHOICE = 3;

/** @param {Entry[]} table @param {number} top the row below the rim @param {boolean} foursFirst @returns {Rules} */
function rulesOf(table, top, foursFirst) {
  const pairs = pairsIn(table);
  const paired = new Set(pairs.flat().map(String));
  const others = mergedRules(
    table
      .filter(({ disc }) => !paired.has(String(disc)))
      .toSorted((a, b) => (isBefore(a.disc, b.disc) ? -1 : 1)),
  );
  const last = others.filter(
    ({ squares, discs }) => discs.length === 1 && discs[0][1] === top && isOneColumn(squares),
  );
  /** The rule for a full column that is answered in another. @param {number} from @param {number} to */
  const rule = (from, to) =>
    last.find(({ squares, discs }) => discs[0][0] === from && squares[0][0] === to);
  const filled = last
    .map(({ squares, discs }) => /** @type {[number, number]} */ ([discs[0][0], squares[0][0]]))
    .filter(([from, to]) => from < to && rule(to, from));
  const named = new Set(filled.flatMap(([one, other]) => [rule(one, other), rule(other, one)]));
  return { pairs, filled, others: others.filter((each) => !named.has(each)), foursFirst };
}

/** @param {Square[]} squares */
function isOneColumn(squares) {
  return squares.every(([column]) => column === squares[0][0]);
}

/** @param {Rules} rules */
export function ruleCount({ pairs, filled, others }) {
  return pairs.length + filled.length + others.length;
}

/** The rules of a plan. @param {Plan} plan @param {Place} place */
export function planRules(plan, { height }) {
  return rulesOf(entriesOf(plan), height - 1, true);
}

/**
 * The rules of the answers in a group, as few as possible. Null if the answers depend on other discs.
 * @param {Games} games @param {Place} place
 * @returns {Rules | null}
 */
export function groupRules(games, { grid, height }) {
  /** @param {Map<bigint, bigint[]>} table @param {boolean} foursFirst */
  const read = (table, foursFirst) => {
    const entries = [...table]
      .filter(([disc, order]) => order.length !== 1 || order[0] !== disc << 1n)
      .map(([disc, order]) => ({
        disc: grid.list(disc)[0],
        squares: order.map((bit) => grid.list(bit)[0]),
      }));
    return rulesOf(entries, height - 1, foursFirst);
  };
  const answers = new Map(
    [...games.answers].flatMap(([disc, answer]) => (disc === null ? [] : [[disc, answer]])),
  );
  const isOne = [...answers.values()].every((answer) => countBits(answer) === 1);
  const plain = isOne ? read(new Map([...answers].map(([disc, a]) => [disc, [a]])), false) : null;
  const lists = listsOf(games.chosen, grid);
  const first = lists && read(lists, true);
  if (!plain || !first) return plain ?? first;
  return ruleCount(first) < ruleCount(plain) ? first : plain;
}

/** @typedef {{ could: bigint, answer: bigint }[]} Chosen Answers to a disc, each with the squares that could be played. */

/** For each disc a list of which the first square that can be played is always the answer. Discs share a list where one
 * does for them all. Null if some disc has no such list.
 * @param {Map<bigint, Chosen>} answers @param {Place["grid"]} grid */
function listsOf(answers, grid) {
  /** @type {Map<bigint, bigint[]>} */
  const lists = new Map();
  const size = (/** @type {Chosen} */ chosen) => new Set(chosen.map(({ answer }) => answer)).size;
  const sorted = [...answers].toSorted(([, one], [, other]) => size(other) - size(one));
  for (const [disc, chosen] of sorted) {
    const order = orderOf(chosen, grid);
    if (order === null) return null;
    const isColumn = isOneColumn(order.map((bit) => grid.list(bit)[0]));
    const shared = isColumn ? undefined : [...lists.values()].find((known) => fits(known, chosen));
    lists.set(disc, shared ?? order);
  }
  return lists;
}

/** What a reader has to remember: discs that are answered in the same column are one rule.
 * @param {Entry[]} answers @returns {Rule[]} */
function mergedRules(answers) {
  /** @type {Map<string, Rule>} */
  const rules = new Map();
  for (const { disc, squares } of answers) {
    const isColumn = isOneColumn(squares);
    const key = isColumn ? String(squares[0][0]) : JSON.stringify(squares);
    const known = rules.get(key) ?? { squares: [], discs: [] };
    const all = [...known.squares, ...squares].filter(
      (square, index, list) => index === list.findIndex((each) => same(each, square)),
    );
    const named = isColumn ? all.toSorted((one, other) => one[1] - other[1]) : squares;
    rules.set(key, { squares: named, discs: [...known.discs, disc] });
  }
  return [...rules.values()];
}

/** An order of the answers in which the first that can be played is always the answer, or null.
 * @param {Chosen} chosen @param {Place["grid"]} grid */
function orderOf(chosen, grid) {
  const answers = [...new Set(chosen.map(({ answer }) => answer))].sort((a, b) => (a < b ? -1 : 1));
  // Of one column no two can be played at once.
  if (grid.columns.some((column) => answers.every((answer) => answer & column))) return answers;
  if (answers.length > LONGEST_CHOICE) return null;
  return permutations(answers).find((order) => fits(order, chosen)) ?? null;
}

/** @param {bigint[]} order @param {Chosen} chosen */
function fits(order, chosen) {
  return chosen.every(({ could, answer }) => order.find((square) => square & could) === answer);
}

/** All orders of some values, sorted as the values are. @template T @param {T[]} values @returns {T[][]} */
function permutations(values) {
  if (values.length < 2) return [values];
  return values.flatMap((first, index) =>
    permutations(values.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  );
}
