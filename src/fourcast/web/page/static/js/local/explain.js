// Why a position is won, lost or drawn, and why a move is good or bad: the core finds reasons and decides
// what is said and marked; here what was found is kept.

import { refused } from "../backend/api-error.js";
import { Recent } from "../backend/recent.js";
import { placeRequest } from "../core/place.js";
import { withMoves } from "../words/columns.js";

/** @typedef {import("../core/types.js").Core} Core */
/** @typedef {import("../core/types.js").ExplanationView & { marks: { player: Side | null }[] }} Found */
/** @typedef {import("../core/types.js").PositionQuery} PositionQuery */
/** @typedef {{ signal?: AbortSignal, time_s: number }} Limits */

const KEPT = 50;
const NO_TIME_S = 0.001;

export class Explainer {
  #core;
  /** The last explanations, by position: a claim that is played against stays the same. @type {Recent<Found>} */
  #known = new Recent(KEPT);

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** @param {PositionQuery} query @param {Limits} limits */
  async explain(query, limits) {
    return this.#find(query, limits);
  }

  /** @param {PositionQuery} query @param {number} column @param {Limits} limits */
  async explainMove(query, column, limits) {
    await this.#keyOf(query);
    await this.#core.position(withMoves(query, [column])); // complains if it cannot be played
    // The one part that may take long, and can be stopped; what it finds is in the table for the other.
    const { complete } = await this.#core.analyze(query, limits);
    const move = await this.#core.ask("move.explain", {
      ...placeRequest(query),
      column,
      limit: { time_s: complete ? limits.time_s : NO_TIME_S },
      reason_limit: { time_s: limits.time_s / 2 }, // there are two of them
    });
    const request = { ...placeRequest(query), move };
    const { said, proof, instead, ...told } = await this.#core.ask("move.describe", request);
    const part = async (/** @type {"reason" | "better"} */ name, /** @type {number} */ first) => {
      if (!move[name]) return null;
      const found = { ...move[name], ...told[name] };
      this.#keep((await this.#core.position(withMoves(query, [first]))).diagram, found);
      return found;
    };
    const [reason, better] = [await part("reason", column), await part("better", instead)];
    return { ...move, said, proof, instead, reason, better };
  }

  /** How the player of a claim answers *replies*.
   * @param {PositionQuery} query @param {Side | null} player @param {number[]} replies @param {Limits} limits */
  async follow(query, player, replies, limits) {
    const { line, claims, marks } = await this.#find(query, limits);
    const start = withMoves(query, line);
    const request = { ...placeRequest(start), claims, player, replies };
    const game = await this.#core.ask("claim.follow", request);
    const now = withMoves(start, game.columns);
    const legend = await this.#core.ask("marks.legend", {
      marks: marks.find((each) => each.player === game.player),
      now: placeRequest(now),
    });
    return { ...game, position: await this.#core.position(now), legend };
  }

  /** What an unfinished position is kept by. @param {PositionQuery} query */
  async #keyOf(query) {
    const { is_over: isOver, diagram } = await this.#core.position(query);
    if (isOver) throw refused("error.explain_over");
    return diagram;
  }

  /** @param {PositionQuery} query @param {Limits} limits @returns {Promise<Found>} */
  async #find(query, limits) {
    const key = await this.#keyOf(query);
    const known = this.#known.get(key);
    if (known) return known;
    const explanation = await this.#core.explain(query, limits);
    const request = { ...placeRequest(query), explanation };
    const found = { ...explanation, ...(await this.#core.ask("explanation.describe", request)) };
    this.#keep(key, found);
    return found;
  }

  /** @param {string} key @param {Found} found */
  #keep(key, found) {
    if (found.complete || found.claims.length) this.#known.set(key, found);
  }
}
