// A claim, played out against any replies, as `fourcast.study.follow` does it.

import { refused } from "../backend/api-error.js";
import { countBits } from "./grid.js";
import { same } from "./played-out.js";

/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("../core/types.js").ClaimView} ClaimView */
/** @typedef {import("./played-out.js").Plan} Plan */
/** @typedef {import("./played-out.js").LocalGames} LocalGames */
/** @typedef {import("./played-out.js").Cases} Cases */
/** @typedef {import("./played-out.js").Group} Group */
/** @typedef {NonNullable<FollowedView["why"]>} Why */

/** The game in which the opponent plays *replies* and the claim's player follows *claim* from *place* on.
 * @param {Place} place @param {ClaimView} claim @param {number[]} replies */
export function follow(place, claim, replies) {
  const game = new Followed(place, claim);
  for (const reply of replies) game.reply(reply);
  return game;
}

class Followed {
  #claim;
  #script;
  #begin;
  /** @type {ClaimView["proof"]} That of the claim, or of the case that it has come to. */
  #proof;
  place;
  /** All discs since the position that the claim is about. @type {number[]} */
  columns = [];
  /** @type {Why | null} */
  why = null;

  /** @param {Place} place @param {ClaimView} claim */
  constructor(place, claim) {
    this.place = place;
    this.#claim = claim;
    this.#script = [...claim.start, ...(claim.proof.kind === "force" ? claim.proof.line : [])];
    this.#begin = place.play(...claim.start);
    this.#proof = claim.proof;
    if (place.turn === claim.player) this.#play("line", this.#script[0]);
    else if (!claim.start.length) this.#lookForEnd();
  }

  get #opponent() {
    return /** @type {Side} */ (3 - this.#claim.player);
  }

  /** @returns {FollowedView["state"]} */
  get state() {
    if (this.place.winner === this.#claim.player) return "won";
    if (this.#claim.goal === "win" || hasLineLeft(this.place, this.#opponent)) return "open";
    return "held";
  }

  /** Play the opponent's disc in *column*, and answer it. @param {number} column */
  reply(column) {
    if (this.state !== "open") throw refused("error.claim_reached");
    const isInScript = this.#script[this.columns.length] === column;
    this.#play(null, column);
    if (this.state === "open") this.#play(...this.#answer(isInScript));
  }

  /** @param {Why | null} why @param {number} column */
  #play(why, column) {
    this.place = this.place.play(column);
    this.columns.push(column);
    this.why = this.place.winner === this.#claim.player ? "four" : why;
    if (why && this.columns.length >= this.#claim.start.length) this.#lookForEnd();
  }

  /** What both sides have taken of *squares* since the proof began. @param {bigint} squares */
  #taken(squares) {
    const since = this.place.mask & ~this.#begin.mask & squares;
    const mine = since & this.place.discs(this.#claim.player);
    return { mine, theirs: since & ~mine };
  }

  /** Go on with the proof of the position, if it has one of its own. */
  #lookForEnd() {
    if (this.#proof.kind !== "cases") return;
    const { grid } = this.place;
    const { mine, theirs } = this.#taken(grid.squares);
    const end = this.#proof.ends.find(
      (each) => grid.bits(each.theirs) === theirs && grid.bits(each.mine) === mine,
    );
    if (!end) return;
    this.#proof = end.proof;
    this.#begin = this.place;
  }

  /** @param {boolean} isInScript @returns {[Why, number]} */
  #answer(isInScript) {
    const { player, start } = this.#claim;
    const proof = this.#proof;
    if (isInScript && this.columns.length < this.#script.length) {
      return ["line", this.#script[this.columns.length]];
    }
    const [four] = this.place.winningColumns(player);
    if (four !== undefined) return ["four", four];
    const column = this.columns[this.columns.length - 1];
    /** @type {Square} */
    const disc = [column, this.place.heightOf(column) - 1];
    if (this.columns.length > start.length) {
      if (proof.kind === "plan") return this.#planned(proof, disc);
      if (proof.kind === "local") return this.#grouped(proof, disc);
      if (proof.kind === "cases") return this.#byCase(proof, disc);
    }
    throw new Error("the opponent was not forced to reply");
  }

  /** @param {Cases} proof @param {Square} disc @returns {[Why, number]} */
  #byCase({ answers }, disc) {
    const { place } = this;
    const { grid } = place;
    const [block] = place.winningColumns(this.#opponent);
    if (block !== undefined) return ["block", block];
    const { mine, theirs } = this.#taken(grid.squares);
    const entry = answers.findLast(
      (each) => grid.bits(each.theirs) === theirs && grid.bits(each.mine) === mine,
    );
    /** @type {Square} */
    const answer = entry?.answer ?? [disc[0], disc[1] + 1];
    if (!isPlayable(place, answer)) throw new Error("the proof has no answer");
    return [entry ? "table" : "top", answer[0]];
  }

  /** @param {Plan} plan @param {Square} disc @returns {[Why, number]} */
  #planned(plan, disc) {
    const { place } = this;
    const [block] = place.winningColumns(this.#opponent);
    if (block !== undefined) return ["block", block];
    for (let discs = 2; discs <= plan.takes; discs += 1) {
      const column = forcedWin(place, discs);
      if (column !== null) return ["force", column];
    }
    const entry = plan.answers.find(({ stone }) => same(stone, disc));
    /** @type {Square[]} */
    const squares = entry?.squares ?? [[disc[0], disc[1] + 1]];
    const { grid } = place;
    const [mine, theirs] = [place.discs(this.#claim.player), place.discs(this.#opponent)];
    const square = squares.find(
      (each) => isPlayable(place, each) && !grid.givesFour(grid.bit(each), mine, theirs),
    );
    if (!square) throw new Error("the plan has no answer");
    return [entry ? "table" : "top", square[0]];
  }

  /** @param {LocalGames} proof @param {Square} disc @returns {[Why, number]} */
  #grouped({ groups }, disc) {
    const home = groups.find(({ columns }) => columns.includes(disc[0]));
    const others = groups.filter((group) => group !== home && group.free !== "never");
    for (const group of home ? [home, ...others] : others) {
      if (!group.columns.some((column) => this.place.legalColumns.includes(column))) continue;
      const column = this.#inGroup(group, disc);
      if (group !== home) return ["elsewhere", column];
      return [column === disc[0] ? "top" : "group", column];
    }
    throw new Error("no group has room for an answer");
  }

  /** @param {Group} group @param {Square} disc */
  #inGroup(group, disc) {
    const { place } = this;
    const { grid } = place;
    const here = group.columns.reduce((all, column) => all | grid.columns[column], 0n);
    const { mine, theirs } = this.#taken(here);
    if (group.role === "hold" && group.needs.every((need) => grid.bits(need) & mine)) {
      // Nothing is left to be stopped here: any square will do.
      const columns = group.columns.filter((column) => place.legalColumns.includes(column));
      return columns.includes(disc[0]) ? disc[0] : columns[0];
    }
    const entry = group.answers.find(
      (each) => grid.bits(each.theirs) === theirs && grid.bits(each.mine) === mine,
    );
    if (entry && isPlayable(place, entry.answer)) return entry.answer[0];
    throw new Error("a group has no answer, or one that cannot be played");
  }
}

/** The column that begins a forced win of at most *discs* discs of the side to move, or null.
 * @param {Place} place @param {number} discs @returns {number | null} */
function forcedWin(place, discs) {
  const player = place.turn;
  const opponent = /** @type {Side} */ (3 - player);
  const [four] = place.winningColumns(player);
  if (four !== undefined) return four;
  const blocks = place.winningColumns(opponent);
  if (discs < 2 || blocks.length > 1) return null;
  const found = (blocks.length ? blocks : place.legalColumns).find((column) => {
    const after = place.play(column);
    const [threat] = after.winningColumns(player);
    // Of two threats the reply stops one; whichever it is, the other one wins.
    if (threat === undefined || after.winningColumns(opponent).length) return false;
    return forcedWin(after.play(threat), discs - 1) !== null;
  });
  return found ?? null;
}

/** Whether *player* could still complete a four if all empty squares were theirs.
 * @param {Place} place @param {Side} player */
function hasLineLeft(place, player) {
  if (place.isOver) return false;
  const { grid } = place;
  return grid.hasFour(grid.squares & ~place.discs(/** @type {Side} */ (3 - player)));
}

/** @param {Place} place @param {Square} square */
function isPlayable(place, [column, row]) {
  const { grid } = place;
  return countBits(place.mask & grid.columns[column]) === row && row < place.height;
}
