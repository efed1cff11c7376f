// Why a position is won, lost or drawn, and why a move is good or bad: the core finds reasons and decides
// what is said and marked; here its sentences get their words, and what was found is kept.

import { refused } from "../backend/api-error.js";
import { Recent } from "../backend/recent.js";
import { placeRequest } from "../core/place.js";
import { moveString } from "../words/columns.js";
import { paragraphsText, saidText } from "../words/said.js";
import { capital } from "./words.js";

/** @typedef {import("../core/types.js").Core} Core */
/** @typedef {import("../core/types.js").ExplanationView} Found */
/** @typedef {import("../core/types.js").PositionQuery} PositionQuery */
/** @typedef {{ kind: string, said: Said }} Meaning of one kind of marks */
/** @typedef {{ said: Said[][], proof: Said[][], marks: (Record<string, any> & { legend: Meaning[] })[] }} Told */
/** @typedef {{ signal?: AbortSignal, time_s: number }} Limits */

const KEPT = 50;
const NO_TIME_S = 0.001;

export class Explainer {
  #core;
  #say;
  #names;
  /** The last explanations, by position: a claim that is played against stays the same. @type {Recent<Found>} */
  #known = new Recent(KEPT);

  /** @param {Core} core @param {Say} say @param {() => string[]} names of both sides */
  constructor(core, say, names) {
    this.#core = core;
    this.#say = say;
    this.#names = names;
  }

  /** @param {PositionQuery} query @param {Limits} limits @returns {Promise<ExplanationView>} */
  async explain(query, limits) {
    const explanation = await this.#find(query, limits);
    const request = { ...placeRequest(query), explanation };
    return this.#view(explanation, await this.#core.ask("explanation.describe", request));
  }

  /** @param {PositionQuery} query @param {number} column @param {Limits} limits
   * @returns {Promise<MoveExplanationView>} */
  async explainMove(query, column, limits) {
    await this.#keyOf(query);
    await this.#core.position(afterColumns(query, [column])); // complains if it cannot be played
    // The one part that may take long, and can be stopped; what it finds is in the table for the other.
    const { complete } = await this.#core.analyze(query, limits);
    const move = await this.#core.ask("move.explain", {
      ...placeRequest(query),
      column,
      limit: { time_s: complete ? limits.time_s : NO_TIME_S },
      reason_limit: { time_s: limits.time_s / 2 }, // there are two of them
    });
    const { said, proof, instead, ...told } = await this.#core.ask("move.describe", {
      ...placeRequest(query),
      move,
    });
    const part = async (/** @type {"reason" | "better"} */ name, /** @type {number} */ first) => {
      if (!move[name]) return null;
      this.#keep((await this.#core.position(afterColumns(query, [first]))).diagram, move[name]);
      return this.#view(move[name], told[name]);
    };
    return {
      ...move,
      before: move.before,
      after: move.after,
      reason: await part("reason", column),
      better: await part("better", instead),
      instead,
      text: this.#text(said),
      proof: this.#text(proof),
    };
  }

  /** How the player of a claim answers *replies*.
   * @param {PositionQuery} query @param {Side | null} player @param {number[]} replies @param {Limits} limits */
  async follow(query, player, replies, limits) {
    const { line, claims } = await this.#find(query, limits);
    const start = afterColumns(query, line);
    const request = { ...placeRequest(start), claims, player, replies };
    const { said, ...game } = await this.#core.ask("claim.follow", request);
    return {
      moves: afterColumns(start, game.columns),
      view: { ...game, text: this.#text([said]) },
    };
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
    const found = await this.#core.explain(query, limits);
    this.#keep(key, found);
    return found;
  }

  /** @param {string} key @param {Found} found */
  #keep(key, found) {
    if (found.complete || found.claims.length) this.#known.set(key, found);
  }

  /** @param {Said[][]} paragraphs */
  #text(paragraphs) {
    return paragraphsText(this.#say, paragraphs, this.#names());
  }

  /** @param {Found} found @param {Told} told @returns {ExplanationView} */
  #view(found, { said, proof, marks }) {
    const legendOf = (/** @type {Meaning[]} */ legend) =>
      legend.map((each) => {
        return { kind: each.kind, text: capital(saidText(this.#say, each.said, this.#names())) };
      });
    const drawn = marks.map((each) => ({ ...each, legend: legendOf(each.legend) }));
    return {
      ...found,
      text: this.#text(said),
      proof: this.#text(proof),
      marks: /** @type {ExplanationView["marks"]} */ (/** @type {unknown} */ (drawn)),
    };
  }
}

/** @param {PositionQuery} query @param {number[]} columns @returns {PositionQuery} */
export function afterColumns(query, columns) {
  return { ...query, moves: (query.moves ?? "") + moveString(columns) };
}
