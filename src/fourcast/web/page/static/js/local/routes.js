// The server's answers without a server: the routes of the API that are about positions, answered by the
// core. tests/page/local.test.js replays what the server has answered.

import { ApiError, refused } from "../backend/api-error.js";
import { CoreError } from "../core/errors.js";
import { placeRequest } from "../core/place.js";
import { emptyStart, rulesOf } from "../core/rules.js";
import { columnOf } from "../words/columns.js";
import { Catalogue } from "../words/patterns.js";
import { wordsOf } from "../words/said.js";
import { Explainer } from "./explain.js";
import { capital, describePosition } from "./words.js";

/** @typedef {import("../core/types.js").Core} Core */
/** @typedef {import("../core/types.js").PositionQuery} PositionQuery */
/** @typedef {Record<string, any>} Query */
/** @typedef {{ signal?: AbortSignal }} Options */
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

/** Where answers have sentences of the core's, and where their texts stand in what the server answers. */
const TEXTS = new Map([
  ["said", "text"],
  ["proof", "proof"],
  ["mistake", "mistake"],
]);
/** What programs read, and nobody else. */
const DATA = ["claims", "idea"];

export class Routes {
  #core;
  #say;
  #explainer;
  /** What sentences call both sides: by the players of a game, or by their colors. */
  names;
  /** @type {Record<string, (query: Query, options: Options) => unknown>} */
  #routes;

  /** @param {Core} core @param {PageData} data */
  constructor(core, { about, players, messages, language, names }) {
    this.#core = core;
    this.#say = new Catalogue(messages, language).say;
    this.#explainer = new Explainer(core);
    this.names = names;
    this.#routes = {
      "GET /api/about": () => about,
      "GET /api/players": () => players,
      "GET /api/position": (query) => core.position(placeOf(query)),
      "POST /api/position": async ({ diagram, width, height }) => {
        const read = await core.ask("game.read", { text: diagram.trim(), width, height });
        return core.position(placeOf(read));
      },
      "GET /api/analysis": (query, options) => this.#analysis(query, options, true),
      "GET /local/outcomes": (query, options) => this.#analysis(query, options, false),
      "GET /api/review": (query, options) => this.#review(query, options),
      "GET /api/explain": (query, options) =>
        this.#explainer.explain(placeOf(query), limitsOf(query, EXPLAIN_S, options)),
      "GET /api/explain-move": (query, options) => {
        const limits = limitsOf(query, EXPLAIN_S, options);
        return this.#explainer.explainMove(placeOf(query), Number(query.column), limits);
      },
      "GET /api/follow": (query, options) => {
        const player = query.player ? /** @type {Side} */ (Number(query.player)) : null;
        const columns = [...(query.replies ?? "")].map(columnOf);
        const limits = limitsOf(query, EXPLAIN_S, options);
        return this.#explainer.follow(placeOf(query), player, columns, limits);
      },
      "GET /local/estimate": async (query) => {
        // The player "mcts" would think so: shares of random games, never a score.
        const limits = { playouts: ESTIMATE_PLAYOUTS, time_s: ESTIMATE_S, seed: 1 };
        const { means, visits, best_columns: best } = await core.searchTree(placeOf(query), limits);
        const total = visits.reduce((sum, each) => sum + each, 0);
        const sum = means.reduce((all, mean, column) => all + mean * visits[column], 0);
        return { best_columns: best, means, share: total ? sum / total : 0.5 };
      },
      "GET /local/choice": ({ player, ...query }) =>
        core.choose(placeOf(query), {
          player: player === "rated" ? "winning" : player, // which chooses the same
          time_s: MOVE_S,
          playouts: 1e9,
          seed: Math.floor(Math.random() * 2 ** 52),
        }),
    };
  }

  /** Answer a request as the server would. @param {"GET" | "POST"} method @param {string} path
   * @param {Query} query @param {Options} [options] @returns {Promise<unknown>} */
  async answer(method, path, query, options = {}) {
    try {
      // The page fills the sentences of these answers itself.
      if (path === "/local/ask") return await this.#core.ask(query.question, query.request);
      const name = `${method} ${path}`;
      const route = Object.hasOwn(this.#routes, name) ? this.#routes[name] : null;
      if (!route) throw new ApiError(404, "", { code: "error.no_address" });
      return this.#told(await route(query, options));
    } catch (error) {
      if (error instanceof CoreError) throw refused(error.code, error.facts);
      throw error;
    }
  }

  /** An answer with its words: texts in place of sentences, and positions described. @param {any} found @returns {any} */
  #told(found) {
    if (Array.isArray(found)) return found.map((each) => this.#told(each));
    if (typeof found !== "object" || found === null) return found;
    const members = Object.entries(found).map(([name, value]) => {
      if (DATA.includes(name)) return [name, value];
      const text = TEXTS.get(name);
      return text && value ? [text, wordsOf(this.#say, value, this.names)] : [name, this.#told(value)];
    });
    const told = Object.fromEntries(members);
    if (found.cells) told.text = capital(describePosition(this.#say, found));
    if (found.legend) for (const each of told.legend) each.text = capital(each.text);
    return told;
  }

  /** @param {Query} query @param {Options} options @param {boolean} variations */
  async #analysis(query, options, variations) {
    const limits = limitsOf(query, ANALYSIS_S, options);
    const place = placeOf(query);
    const { misere, pop } = rulesOf(place.start);
    if (pop) {
      // Who wins by which move, where there are no scores.
      const request = { ...placeRequest(place), time_s: limits.time_s };
      const found = await this.#core.ask("popout.analyze", request);
      return { ...found, position: await this.#core.position(place) };
    }
    const found = await this.#core.analyze(place, { ...limits, variations });
    const { columns, position } = found;
    const bounds = [found, ...columns].map(({ lower, upper }) => [lower, upper]);
    const { width, height, ply } = position;
    const said = await this.#core.ask("score.describe", { width, height, ply, misere, bounds });
    return {
      ...found,
      said: said[0],
      columns: columns.map((column, index) => ({ ...column, said: said[index + 1] })),
    };
  }

  /** @param {Query} query @param {Options} options */
  async #review(query, options) {
    const limits = limitsOf(query, REVIEW_S, options);
    const found = await this.#core.review(placeOf(query), limits);
    const { position, complete, moves, decisive, story: said } = found;
    const [first, second] = found.percents;
    return { position, complete, moves, accuracy_first: first, accuracy_second: second, decisive, said };
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
