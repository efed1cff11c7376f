// The core in this thread. Long searches run in slices, so that the thread hears its messages in between,
// but a page should have it in a worker (client.js), where nobody waits for a slice to end.

import { CoreError, optionsFrom, wrongType } from "./errors.js";
import { Machine, compile } from "./machine.js";
import { placeRequest } from "./place.js";
import { rulesOf } from "./rules.js";

/** @import * as types from "./types.js" */
/** @typedef {string | types.PositionQuery} Place */

/** Where the compiled core lies beside this module. */
export const WASM = new URL("./fourcast.wasm", import.meta.url);
/** A smaller one for playing, which has all but the explanations. */
export const PLAY_WASM = new URL("./fourcast-play.wasm", import.meta.url);
/** The same with the searches by other rules, which the others do not have, and with reviews. */
export const RULES_WASM = new URL("./fourcast-rules.wasm", import.meta.url);

// A slice should take about this long: what a stop may have to wait for.
const SLICE_MS = 100;
const FIRST_SLICE = 400_000; // nodes
const SMALLEST_SLICE = 100_000; // below that, finding the way back costs too much
// Each slice has to find its way back to where the last one stopped. By this share of all the nodes, slices
// of a long search grow, so that going back always costs little.
const LEAST_SHARE = 1 / 64;

const EVALUATIONS = ["none", "winsets", "streaks"]; // in the order of the core

/**
 * Load the core into this thread.
 *
 * @param {types.Source} [source]
 * @param {types.LoadOptions} [options]
 * @returns {Promise<types.Core>}
 */
export async function load(source = WASM, options = undefined) {
  const { book, table_mb: tableMb } = optionsFrom(options, { book: undefined, table_mb: 8 });
  const machine = new Machine(await compile(source));
  machine.call("set_table", numberFrom(tableMb, "table_mb"));
  const core = new ThreadCore(machine);
  if (book) await core.addBook(book);
  return core;
}

/** @param {unknown} value @param {string} what @returns {number} */
function numberFrom(value, what) {
  if (typeof value !== "number" || Number.isNaN(value)) throw wrongType(what, "a number", value);
  return value;
}

/** @param {unknown} value @param {string} what @returns {string} */
function textFrom(value, what) {
  if (typeof value !== "string") throw wrongType(what, "a string", value);
  return value;
}

/** Let the thread do what has come in meanwhile. @returns {Promise<void>} */
function breathe() {
  return new Promise((resolve) => {
    const { setImmediate } = /** @type {any} */ (globalThis);
    if (setImmediate) return void setImmediate(resolve);
    // A timer would wait for 4 ms.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    return port2.postMessage(null);
  });
}

/** @implements {types.Core} */
class ThreadCore {
  #machine;

  /** @param {Machine} machine */
  constructor(machine) {
    this.#machine = machine;
  }

  /** @param {Place} [place] @returns {Promise<types.PositionView>} */
  async position(place = "") {
    this.#go(place);
    return this.#machine.call("describe");
  }

  /** @param {Place} place @param {number} column @returns {Promise<types.PositionView>} */
  async play(place, column) {
    this.#go(place);
    if (!Number.isInteger(column)) throw wrongType("column", "an integer", column);
    this.#machine.call("play", column);
    return this.#machine.call("describe");
  }

  /** @param {Place} place */
  async threats(place) {
    const { threats_first: first, threats_second: second } = await this.position(place);
    return { first, second };
  }

  /** @param {Place} place @param {types.SolveOptions} [options] @returns {Promise<types.ResultView>} */
  async solve(place, options) {
    const {
      outcome_only: outcomeOnly,
      best_columns: bestColumns,
      ...limits
    } = optionsFrom(options, { ...LIMITS, outcome_only: false, best_columns: false });
    this.#go(place);
    return this.#search(this.#machine.run("start_solve", !!outcomeOnly, !!bestColumns), limits);
  }

  /** @param {Place} place @param {types.AnalyzeOptions} [options] @returns {Promise<types.AnalysisView>} */
  async analyze(place, options) {
    const { variations, ...limits } = optionsFrom(options, { ...LIMITS, variations: true });
    this.#go(place);
    return this.#search(this.#machine.run("start_analysis", !!variations), limits);
  }

  /** One of the questions of native/study/ask.hpp. @param {string} question @param {unknown} request @returns {Promise<any>} */
  async ask(question, request) {
    this.#machine.putText(2, JSON.stringify([textFrom(question, "question"), request ?? null]));
    return this.#machine.call("ask");
  }

  /** @param {Place} place @param {types.ExplainOptions} [options] @returns {Promise<types.ExplanationView>} */
  async explain(place, options) {
    const { signal, time_s: time } = optionsFrom(options, { signal: undefined, time_s: Infinity });
    const end = performance.now() + 1000 * positive(time, "time_s");
    // The one part that may take long, and can be stopped; what it finds is in the table for the other.
    await this.solve(place, { signal: signalFrom(signal), time_s: time });
    const left = Math.max((end - performance.now()) / 1000, 0.001);
    return this.ask("position.explain", { ...placeRequest(place), limit: { time_s: left } });
  }

  /** @param {Place} place @param {types.LookAheadOptions} [options] @returns {Promise<types.LookAheadView>} */
  async lookAhead(place, options) {
    const defaults = {
      depth: 4,
      evaluation: "none",
      time_s: Infinity,
      nodes: Infinity,
      every_column: false,
    };
    const { signal, depth, evaluation, ...rest } = optionsFrom(options, {
      signal: undefined,
      ...defaults,
    });
    signalFrom(signal)?.throwIfAborted();
    if (!EVALUATIONS.includes(evaluation)) {
      const given = JSON.stringify(evaluation);
      throw new CoreError("OptionError", "error.no_evaluation", { given });
    }
    this.#go(place);
    return this.#machine.call(
      "look_ahead",
      numberFrom(depth, "depth"),
      EVALUATIONS.indexOf(evaluation),
      numberFrom(rest.time_s, "time_s"),
      numberFrom(rest.nodes, "nodes"),
      !!rest.every_column,
    );
  }

  /** @param {Place} place @param {types.TreeSearchOptions} [options] @returns {Promise<types.TreeSearchView>} */
  async searchTree(place, options) {
    const defaults = { playouts: 10_000, time_s: Infinity, seed: 0, exploration: 1 };
    const { signal, ...rest } = optionsFrom(options, { signal: undefined, ...defaults });
    signalFrom(signal)?.throwIfAborted();
    this.#go(place);
    return this.#machine.call(
      "search_tree",
      numberFrom(rest.playouts, "playouts"),
      numberFrom(rest.time_s, "time_s"),
      numberFrom(rest.seed, "seed"),
      numberFrom(rest.exploration, "exploration"),
    );
  }

  /** @param {Place} place @param {types.ChooseOptions} [options] @returns {Promise<number>} */
  async choose(place, options) {
    const defaults = { player: "perfect", depth: undefined, playouts: 20_000, time_s: Infinity };
    const { player, seed, ...rest } = optionsFrom(options, {
      signal: undefined,
      seed: undefined,
      ...defaults,
    });
    const chance = seed === undefined ? -1 : numberFrom(seed, "seed");
    // Those that leave much to chance do not always play the same.
    const mixed = seed === undefined ? Math.floor(Math.random() * 2 ** 52) : chance;
    const level = /^level-(\d+)$/.exec(player);
    if (level) {
      signalFrom(rest.signal)?.throwIfAborted();
      this.#go(place);
      return this.#machine.call(
        "choose_level",
        Number(level[1]),
        positive(rest.time_s, "time_s"),
        mixed,
      );
    }
    if (player === "perfect") return this.#choosePerfectly(place, rest, chance);
    const columns = await this.#candidates(place, player, rest, chance);
    this.#go(place);
    const set = columns.reduce((bits, column) => bits | (1 << column), 0);
    return this.#machine.call("pick", set, player === "winning", columns.length ? chance : mixed);
  }

  /** @param {Place} place @param {types.ReviewOptions} [options] @returns {Promise<types.ReviewView>} */
  async review(place, options) {
    const { onProgress, ...limits } = optionsFrom(options, REVIEW_LIMITS);
    const time = positive(limits.time_s, "time_s");
    const end = performance.now() + 1000 * time;
    const game = await this.position(place);
    const { start, moves, width, height } = game;
    const judged = Array.from(moves, () => /** @type {Judged} */ ({ best_columns: [] }));
    // The last positions come first: what is found there makes the earlier ones quicker.
    for (let index = moves.length - 1; index >= 0; index -= 1) {
      if (performance.now() > end) break;
      const there = { ...game, moves: moves.slice(0, index) };
      const share = { signal: limits.signal, time_s: time / 2, variations: false };
      judged[index] = judgedMove(await this.analyze(there, /** @type {any} */ (share)), moves[index]);
      const report = /** @type {types.ReviewOptions["onProgress"]} */ (onProgress);
      report?.({ judged: moves.length - index, moves: moves.length });
    }
    const from = start ? { rows: start } : { width, height };
    const request = { ...from, game: moves, judged };
    const review = await this.ask("review", request);
    if (!review.complete || !(await this.#addReasons(game, review, judged))) {
      return { position: game, ...review };
    }
    return { position: game, ...(await this.ask("review", request)) };
  }

  /**
   * Add what there is to say about the mistakes that are not clear at first sight; false if there is none.
   *
   * @param {types.PositionView} game @param {types.ReviewView} review @param {Judged[]} judged
   */
  async #addReasons(game, { moves }, judged) {
    const mistakes = moves.filter(({ mistake }) => mistake && UNEXPLAINED.test(mistake.pattern));
    for (const { number, column } of mistakes) {
      await breathe();
      const there = placeRequest({ ...game, moves: game.moves.slice(0, number - 1) });
      try {
        const asked = { ...there, column, quick: true, limit: { time_s: REASON_S } };
        const move = await this.ask("move.explain", asked);
        const { brief } = await this.ask("move.describe", { ...there, move });
        judged[number - 1].reasons = brief;
      } catch (error) {
        if (!(error instanceof CoreError) || error.name !== "OptionError") throw error; // not in time
      }
    }
    return mistakes.length > 0;
  }

  /** @param {ArrayBuffer | Uint8Array} bytes @returns {Promise<types.BookView>} */
  async addBook(bytes) {
    if (!(bytes instanceof ArrayBuffer) && !(bytes instanceof Uint8Array)) {
      throw wrongType("book", "an ArrayBuffer or a Uint8Array", bytes);
    }
    this.#machine.putBook(bytes);
    return this.#machine.call("add_book");
  }

  async clear() {
    this.#machine.run("clear");
  }

  async close() {
    this.#machine.close("the core has been closed");
  }

  /**
   * The columns that a player likes best; none if it takes any.
   *
   * @param {Place} place
   * @param {string} player
   * @param {{ signal: unknown, depth: unknown, playouts: number, time_s: number }} options
   * @param {number} seed
   * @returns {Promise<number[]>}
   */
  async #candidates(place, player, { signal, depth, playouts, time_s: time }, seed) {
    const limits = { signal: signalFrom(signal), time_s: time };
    switch (player) {
      case "random":
      case "winning":
        return [];
      case "depth":
      case "streaks":
      case "winsets": {
        if (player === "winsets") {
          const { ply, width } = await this.position(place);
          if (ply < 2) return [Math.floor(width / 2)];
        }
        const evaluation = player === "depth" ? "none" : player;
        const plies = depth === undefined ? undefined : numberFrom(depth, "depth");
        const found = { ...limits, evaluation, depth: plies ?? (player === "depth" ? 6 : 4) };
        return (await this.lookAhead(place, /** @type {types.LookAheadOptions} */ (found))).best_columns;
      }
      case "mcts":
        return (await this.searchTree(place, { ...limits, playouts, seed: Math.max(seed, 0) }))
          .best_columns;
    }
    const names = "random, winning, depth, streaks, winsets, mcts, perfect, level-1 to level-10";
    const given = JSON.stringify(player);
    throw new CoreError("UnknownPlayerError", "error.no_player", { given, names });
  }

  /**
   * @param {Place} place
   * @param {{ signal: unknown, time_s: number }} limits
   * @param {number} seed
   * @returns {Promise<number>}
   */
  async #choosePerfectly(place, { signal, time_s: time }, seed) {
    const end = performance.now() + 1000 * positive(time, "time_s");
    // The one part that may take long, and can be stopped; what it finds is in the table for the other.
    const limits = { signal: signalFrom(signal), time_s: time / 2, best_columns: true };
    const hasScores = typeof place === "string" || !rulesOf(place.start).pop;
    if (hasScores) await this.solve(place, limits);
    this.#go(place);
    const left = Math.max((end - performance.now()) / 1000, 0.001);
    return this.#machine.call("choose_perfectly", left, seed);
  }

  /** The position that the next calls are about. @param {Place} place */
  #go(place) {
    const query = typeof place === "string" ? { moves: place } : place;
    if (typeof query !== "object" || query === null) {
      throw wrongType("position", "a move string or an object with moves", place);
    }
    this.#machine.putText(0, textFrom(query.start ?? "", "start"));
    this.#machine.putText(1, textFrom(query.moves ?? "", "moves"));
    const width = numberFrom(query.width ?? 7, "width");
    this.#machine.call("set_position", width, numberFrom(query.height ?? 6, "height"));
  }

  /**
   * Run a task to its end, to a limit, or to a stop.
   *
   * @param {number} task
   * @param {typeof LIMITS} limits
   * @returns {Promise<any>}
   */
  async #search(task, { signal, onProgress, time_s: time, nodes }) {
    const stop = signalFrom(signal);
    const end = performance.now() + 1000 * positive(time, "time_s");
    const most = positive(nodes, "nodes");
    let size = FIRST_SLICE;
    try {
      for (let done = 0; ;) {
        stop?.throwIfAborted();
        const start = performance.now();
        const slice = Math.max(1, Math.min(Math.floor(size), most - done));
        // The first slice alone may take longer than all of the time: on a large board, say.
        const left = Math.max((end - start) / 1000, 0.001);
        const { done: isDone, value } = this.#machine.call("run", task, slice, left);
        const now = performance.now();
        done = value.nodes;
        if (isDone || now >= end || done >= most) return value;
        const quicker = Math.min(2, Math.max(0.5, SLICE_MS / Math.max(now - start, 1)));
        size = Math.max(SMALLEST_SLICE, done * LEAST_SHARE, slice * quicker);
        /** @type {((view: any) => void) | undefined} */ (onProgress)?.(value);
        await breathe();
      }
    } finally {
      this.#machine.run("end_task", task);
    }
  }
}

const LIMITS = {
  signal: /** @type {unknown} */ (undefined),
  onProgress: /** @type {unknown} */ (undefined),
  time_s: Infinity,
  nodes: Infinity,
};

/** Seconds for each part of the reason of a mistake, of which few take a tenth. */
const REASON_S = 5;
/** Sentences about a mistake that only say what was better. */
const UNEXPLAINED = /^(kept|review_turn)_/;
const REVIEW_LIMITS = { signal: LIMITS.signal, onProgress: LIMITS.onProgress, time_s: Infinity };

/**
 * What `review` of the core wants of a move, by the analysis of the position before it.
 *
 * @typedef {object} Judged
 * @property {number[]} best_columns
 * @property {number | null} [score_before]
 * @property {number | null} [score_after]
 * @property {(number | null)[]} [scores]
 * @property {types.Said[]} [reasons]
 *
 * @param {types.AnalysisView} analysis @param {string} name @returns {Judged}
 */
function judgedMove({ position, score, best_columns: best, columns }, name) {
  const scores = Array(position.width).fill(null);
  for (const each of columns) scores[each.column] = each.score;
  const after = columns.find((column) => column.name === name)?.score;
  return { best_columns: best, score_before: score, score_after: after, scores };
}

/** @param {unknown} value @param {string} what */
function positive(value, what) {
  const number = numberFrom(value, what);
  if (number > 0) return number;
  throw new CoreError("OptionError", "error.not_positive", { what, given: number });
}

/** @param {unknown} value */
function signalFrom(value) {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw wrongType("signal", "an AbortSignal", value);
}
