// The server's answers without a server: the routes of the API that are about positions, answered by the
// core. tests/page/local.test.js replays what the server has answered.

import { ApiError, refused } from "../backend/api-error.js";
import { CoreError } from "../core/errors.js";
import { placeRequest } from "../core/place.js";
import { emptyStart, rulesOf } from "../core/rules.js";
import { columnOf } from "../words/columns.js";
import { Catalogue } from "../words/patterns.js";
import { saidText } from "../words/said.js";
import { capital, describePosition } from "./words.js";

/** @typedef {import("../core/types.js").Core} Core */
/** @typedef {import("../core/types.js").PositionQuery} PositionQuery */
/** @typedef {Record<string, any>} Query */
/** @template View @typedef {(query: Query, options: Options) => Promise<View>} Route */
/** @typedef {{ signal?: AbortSignal }} Options */
/**
 * @typedef {{ [Path in LocalPath as `GET ${Path}`]: Route<AnswerTo<Path>> } & {
 *   "POST /api/position": Route<PositionView>,
 *   "GET /local/outcomes": Route<AnalysisView>,
 *   "GET /local/choice": Route<number>,
 *   "GET /local/ask": Route<unknown>,
 *   "GET /local/estimate": Route<{ best_columns: number[], means: number[], share: number }>
 * }} RouteTable The answers are those that the server's description promises.
 */
/**
 * @typedef {object} PageData What the page has to know beforehand; `fourcast.web.page.data` writes it.
 * @property {AboutView} about
 * @property {PlayerView[]} players
 * @property {string} language
 * @property {string[]} names what both sides are called: their colors
 * @property {Record<string, import("../words/patterns.js").Pattern>} messages sentences in that language
 */

const ANALYSIS_S = 5;
const REVIEW_S = 20;
const EXPLAIN_S = 10;
const MOST_S = 60;
const MOVE_S = 1;
const ESTIMATE_PLAYOUTS = 40_000;
const ESTIMATE_S = 1;

export class Routes {
  #core;
  #data;
  #catalogue;
  /** What sentences call both sides: by the players of a game, or by their colors. */
  names;
  /** What many visits do not need is loaded when it is. @type {Promise<import("./explain.js").Explainer> | null} */
  #explainer = null;
  /** @type {RouteTable} */
  #routes = {
    "GET /api/about": async () => this.#data.about,
    "GET /api/players": async () => this.#data.players,
    "GET /api/position": (query) => this.#position(placeOf(query)),
    "POST /api/position": async ({ diagram, width, height }) => {
      return this.#position(
        placeOf(await this.#core.ask("game.read", { text: diagram.trim(), width, height })),
      );
    },
    "GET /api/analysis": (query, options) => this.#analysis(query, options),
    "GET /local/outcomes": (query, options) => this.#analysis(query, options, { variations: false }),
    "GET /api/review": (query, options) => this.#review(query, options),
    "GET /api/explain": async (query, options) => {
      const explainer = await this.#explainers();
      return explainer.explain(placeOf(query), limitsOf(query, EXPLAIN_S, options));
    },
    "GET /api/explain-move": async (query, options) => {
      const explainer = await this.#explainers();
      const limits = limitsOf(query, EXPLAIN_S, options);
      return explainer.explainMove(placeOf(query), Number(query.column), limits);
    },
    "GET /api/follow": (query, options) => this.#follow(query, options),
    "GET /local/estimate": async (query) => {
      // The player "mcts" would think so: shares of random games, never a score.
      const limits = { playouts: ESTIMATE_PLAYOUTS, time_s: ESTIMATE_S, seed: 1 };
      const { means, visits, best_columns: best } = await this.#core.searchTree(placeOf(query), limits);
      const total = visits.reduce((sum, each) => sum + each, 0);
      const sum = means.reduce((all, mean, column) => all + mean * visits[column], 0);
      return { best_columns: best, means, share: total ? sum / total : 0.5 };
    },
    "GET /local/choice": (query) => this.#choose(query),
    "GET /local/ask": ({ question, request }) => this.#core.ask(question, request),
  };

  /** @param {Core} core @param {PageData} data */
  constructor(core, data) {
    this.#core = core;
    this.#data = data;
    this.#catalogue = new Catalogue(data.messages, data.language);
    this.names = data.names;
  }

  #explainers() {
    const load = async () => {
      const { Explainer } = await import("./explain.js");
      return new Explainer(this.#core, this.#catalogue.say, () => this.names);
    };
    this.#explainer ??= load();
    return this.#explainer;
  }

  /** Answer a request as the server would. @param {"GET" | "POST"} method @param {string} path
   * @param {Query} query @param {Options} [options] @returns {Promise<unknown>} */
  async answer(method, path, query, options = {}) {
    const name = /** @type {keyof RouteTable} */ (`${method} ${path}`);
    const route = Object.hasOwn(this.#routes, name) ? this.#routes[name] : null;
    if (!route) throw new ApiError(404, "", { code: "error.no_address" });
    try {
      return await route(query, options);
    } catch (error) {
      if (error instanceof CoreError) throw refused(error.code, error.facts);
      throw error;
    }
  }

  /** @param {PositionQuery} query @returns {Promise<PositionView>} */
  async #position(query) {
    return this.#told(await this.#core.position(query));
  }

  /** @param {import("../core/types.js").PositionView} position @returns {PositionView} */
  #told(position) {
    return { ...position, text: capital(describePosition(this.#catalogue.say, position)) };
  }

  /** A sentence of the core's. @param {Said} said */
  #text(said) {
    return saidText(this.#catalogue.say, said, this.names);
  }

  /** @param {Query} query @param {Options} options @returns {Promise<AnalysisView>} */
  async #analysis(query, options, { variations = true } = {}) {
    const limits = limitsOf(query, ANALYSIS_S, options);
    const place = placeOf(query);
    if (rulesOf(place.start).pop) return this.#popOut(place, limits.time_s);
    const found = await this.#core.analyze(place, { ...limits, variations });
    const { columns, position } = found;
    const bounds = [found, ...columns].map(({ lower, upper }) => [lower, upper]);
    const { width, height, ply } = position;
    const { misere } = rulesOf(place.start);
    const said = await this.#core.ask("score.describe", { width, height, ply, misere, bounds });
    const [text, ...texts] = said.map((/** @type {Said} */ each) => this.#text(each));
    return {
      ...found,
      position: this.#told(position),
      text,
      columns: columns.map((column, index) => ({ ...column, text: texts[index] })),
    };
  }

  /** Who wins by which move, where there are no scores.
   * @param {PositionQuery} place @param {number} time_s @returns {Promise<AnalysisView>} */
  async #popOut(place, time_s) {
    const position = await this.#position(place);
    const { said, columns, ...found } = await this.#core.ask("popout.analyze", {
      ...placeRequest(place),
      time_s,
    });
    const told = (/** @type {{ said: Said }} */ { said: each, ...column }) => ({
      ...column,
      text: this.#text(each),
    });
    return { ...found, position, text: this.#text(said), columns: columns.map(told) };
  }

  /** The column that a player chooses. @param {Query} query @returns {Promise<number>} */
  #choose({ player, ...query }) {
    return this.#core.choose(placeOf(query), {
      player: player === "rated" ? "winning" : player, // which chooses the same
      time_s: MOVE_S,
      playouts: 1e9,
      seed: Math.floor(Math.random() * 2 ** 52),
    });
  }

  /** @param {Query} query @param {Options} options @returns {Promise<ReviewView>} */
  async #review(query, options) {
    const limits = limitsOf(query, REVIEW_S, options);
    const found = await this.#core.review(placeOf(query), limits);
    const { position, moves, complete, decisive, story } = found;
    const [first, second] = found.percents;
    return {
      position: this.#told(position),
      complete,
      moves: moves.map(({ said, mistake, ...move }) => ({
        ...move,
        text: this.#text(said),
        mistake: mistake && this.#text(mistake),
      })),
      accuracy_first: first,
      accuracy_second: second,
      decisive,
      text: story.map((line) => line.map((each) => this.#text(each)).join(" ")).join("\n"),
    };
  }

  /** @param {Query} query @param {Options} options @returns {Promise<FollowedView>} */
  async #follow(query, options) {
    const player = query.player ? /** @type {Side} */ (Number(query.player)) : null;
    const columns = [...(query.replies ?? "")].map(columnOf);
    const limits = limitsOf(query, EXPLAIN_S, options);
    const explainer = await this.#explainers();
    const { moves, view } = await explainer.follow(placeOf(query), player, columns, limits);
    return { position: await this.#position(moves), ...view };
  }
}

/** The position that a query names. @param {Query} query @returns {PositionQuery} */
function placeOf({ moves = "", start = "", width = 7, height = 6, rules = "" }) {
  const size = { width: Number(width), height: Number(height) };
  const from = start || emptyStart(size, rules);
  return from ? { start: from, moves } : { moves, ...size };
}

/** @param {Query} query @param {number} fallback @param {Options} options */
function limitsOf({ time_s: time }, fallback, { signal }) {
  return { signal, time_s: Math.min(Math.max(Number(time ?? fallback), 0.001), MOST_S) };
}
