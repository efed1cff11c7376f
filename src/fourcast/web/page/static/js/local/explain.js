// Why a position is won, lost or drawn, and why a move is good or bad: the core's reasons, with words and
// marks, as `fourcast.study.explain` and the server's views have them.

import { refused } from "../backend/api-error.js";
import { follow } from "./follow.js";
import { Place } from "./grid.js";
import { legendOf, marksOf } from "./marks.js";
import { explanationSentences, moveSentences, say } from "./sentences.js";
import { moveString } from "./words.js";

/** @typedef {import("../core/types.js").Core} Core */
/** @typedef {import("../core/types.js").ExplanationView} Found */
/** @typedef {import("../core/types.js").PositionQuery} PositionQuery */
/** @typedef {import("../core/types.js").ColumnView} CoreColumn */
/** @typedef {import("./sentences.js").Speaker} Speaker */
/** @typedef {{ signal?: AbortSignal, time_s: number }} Limits */

// How the time for a reason of a move is spent; the numbers are those of the server.
const FIRST_TRY = 0.3;
const LATE = [20, 26, 32];
const EARLIER = [16, 14, 12];
const LATE_S = 0.5;
const KEPT = 50;

export class Explainer {
  #core;
  #speaker;
  /** The last explanations, by position: a claim that is played against stays the same. @type {Map<string, Found>} */
  #known = new Map();

  /** @param {Core} core @param {Speaker} speaker */
  constructor(core, speaker) {
    this.#core = core;
    this.#speaker = speaker;
  }

  /** @param {PositionQuery} query @param {Limits} limits @returns {Promise<ExplanationView>} */
  async explain(query, limits) {
    const place = await this.#placeOf(query);
    return this.#view(await this.#find(query, place, limits), place);
  }

  /** @param {PositionQuery} query @param {number} column @param {Limits} limits
   * @returns {Promise<MoveExplanationView>} */
  async explainMove(query, column, limits) {
    const place = await this.#placeOf(query);
    const next = afterColumns(query, [column]);
    await this.#core.position(next); // complains if it cannot be played
    const analysis = await this.#core.analyze(query, limits);
    const after = analysis.columns.find((each) => each.column === column);
    if (!analysis.complete || !after) throw refused("error.moves_worth");
    const keeping = columnsWith(analysis.columns, analysis.outcome);
    const isMistake = !keeping.includes(column);
    const replies = isMistake ? await this.#replies(next, limits) : [];
    const half = { ...limits, time_s: limits.time_s / 2 };
    const instead = isMistake ? analysis.best_columns[0] : null;
    const reason = await this.#along(query, place, after, half);
    const best = analysis.columns.find((each) => each.column === instead);
    const better = best ? await this.#along(query, place, best, half) : null;
    const words = { column, keeping, replies, reason, better, instead };
    const outcomes = { before: analysis.outcome, after: after.outcome };
    const { complete, nodes, time_s: time } = analysis;
    return {
      version: 1,
      column,
      before: {
        ...boardOf(place),
        ...meaningOf(analysis),
        best_columns: analysis.best_columns,
        ...{ complete, nodes, time_s: time },
      },
      after: {
        ...boardOf(place),
        ...{ column, name: after.name },
        ...meaningOf(after),
        variation: after.variation,
      },
      keeping,
      replies,
      reason: reason && this.#view(reason, place.play(column)),
      better: better && instead !== null ? this.#view(better, place.play(instead)) : null,
      instead,
      text: this.#speaker.text(moveSentences(place, { ...words, ...outcomes })),
    };
  }

  /** How the player of a claim answers *replies*.
   * @param {PositionQuery} query @param {Side | null} player @param {number[]} replies @param {Limits} limits */
  async follow(query, player, replies, limits) {
    const place = await this.#placeOf(query);
    const found = await this.#find(query, place, limits);
    const claim = found.claims.find((each) => player === null || each.player === player);
    if (!claim) throw refused(player ? "error.no_claim_of" : "error.no_claim", { number: player });
    const game = follow(place.play(...found.line), claim, replies);
    const { columns, why, state } = game;
    const last = columns.at(-1);
    /** @type {Square | null} */
    const answer = why && last !== undefined ? [last, game.place.heightOf(last) - 1] : null;
    const facts = { player: claim.player, opponent: 3 - claim.player, square: answer };
    const patterns = new Map([
      ["line", "plays"],
      ["four", "four"],
    ]);
    const said = why ? [say(patterns.get(why) ?? `follow_${why}`, facts)] : [];
    const held = say("follow_held", { player: facts.player, opponent: facts.opponent });
    const text = this.#speaker.text([state === "held" ? [...said, held] : said]);
    const moves = afterColumns(query, [...found.line, ...columns]);
    return {
      moves,
      view: { player: claim.player, goal: claim.goal, columns, answer, why, state, text },
    };
  }

  /** @param {PositionQuery} query */
  async #placeOf(query) {
    const position = await this.#core.position(query);
    if (position.is_over) throw refused("error.explain_over");
    return Place.of(position);
  }

  /** @param {PositionQuery} query @param {Place} place @param {Limits} limits */
  async #find(query, place, limits) {
    const key = place.rows;
    const known = this.#known.get(key);
    if (known) return known;
    const found = await this.#core.explain(query, limits);
    if (found.complete || found.claims.length) {
      const [oldest] = this.#known.keys();
      if (this.#known.size >= KEPT) this.#known.delete(oldest);
      this.#known.set(key, found);
    }
    return found;
  }

  /** @param {Found} found @param {Place} place @returns {ExplanationView} */
  #view(found, place) {
    const { catalogue, names } = this.#speaker;
    return {
      ...found,
      text: this.#speaker.text(explanationSentences(found, place)),
      marks: marksOf(found, place).map((each) => ({
        ...each,
        legend: legendOf(each, catalogue, names),
      })),
    };
  }

  /** The replies that keep what a mistake has given away. @param {PositionQuery} query @param {Limits} limits */
  async #replies(query, limits) {
    const answers = await this.#core.analyze(query, { ...limits, variations: false });
    if (!answers.complete) throw refused("error.replies_worth");
    return columnsWith(answers.columns, answers.outcome);
  }

  /**
   * Explain the position after the first move of a line; null if the game is over there. If there is no
   * time for a reason, one is looked for further along the line: first where there are so many discs that
   * it is found at once, then as early as the time allows.
   * @param {PositionQuery} query @param {Place} place @param {CoreColumn} line @param {Limits} limits
   * @returns {Promise<Found | null>}
   */
  async #along(query, place, { column, variation }, { signal, time_s: time }) {
    const start = place.play(column);
    if (start.isOver) return null;
    const end = performance.now() + 1000 * time;
    const first = time * (start.ply < LATE[0] ? FIRST_TRY : 1);
    const found = await this.#find(afterColumns(query, [column]), start, { signal, time_s: first });
    if (found.claims.length || found.complete || !found.verdict.complete) return found;
    const ahead = variation.slice(1);
    /** @param {number} discs @param {number} share @returns {Promise<Found | null>} */
    const later = async (discs, share) => {
      const count = discs - start.ply;
      if (count <= 0 || count >= ahead.length || share <= 0) return null;
      const moves = ahead.slice(0, count);
      const there = afterColumns(query, [column, ...moves]);
      const reason = await this.#find(there, start.play(...moves), { signal, time_s: share });
      if (!reason.claims.length) return null;
      return { ...found, line: [...moves, ...reason.line], claims: reason.claims };
    };
    /** @type {Found | null} */
    let best = null;
    for (const discs of LATE) best ??= await later(discs, LATE_S);
    for (const discs of EARLIER) {
      /** @type {Found | null} */
      const earlier = best && (await later(discs, (end - performance.now()) / 2000));
      if (!earlier) break;
      best = earlier;
    }
    return best ?? found;
  }
}

/** @param {PositionQuery} query @param {number[]} columns @returns {PositionQuery} */
export function afterColumns(query, columns) {
  return { ...query, moves: (query.moves ?? "") + moveString(columns) };
}

/** @param {CoreColumn[]} columns @param {string | null} outcome */
function columnsWith(columns, outcome) {
  return columns.filter((each) => each.outcome === outcome).map(({ column }) => column);
}

/** @param {Place} place */
function boardOf({ width, height, sides: [first, second] }) {
  return { width, height, first: Number(first), second: Number(second) };
}

/** @param {import("../core/types.js").Meaning} proven */
function meaningOf({ score, lower, upper, outcome, winner, plies_to_end, moves_to_end }) {
  return { score, lower, upper, outcome, winner, plies_to_end, moves_to_end };
}
