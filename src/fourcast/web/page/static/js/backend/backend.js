// Who answers the page: the core in a worker of its own, or the server. Both answer the same requests,
// those of the API, with the same answers.
//
// On the static site the worker answers everything. On a server it answers what takes computing, and the
// server the rest: games, positions, pictures; and also the computing where the core cannot run.

import { DATA } from "../assets.js";
import { isSite } from "./addresses.js";
import { ApiError } from "./api-error.js";
import { getJson, isAbort, postJson } from "./api.js";
import { once } from "./once.js";
import { takeFirst } from "../shell/first.js";
import { canRun, startClient } from "../local/client.js";
import { getPref } from "../shell/prefs.js";
import { rulesOf } from "../core/rules.js";
import { SIDES, playerName } from "../words/names.js";
import { language, t } from "../words/text.js";

/** @typedef {import("./api.js").Query} Query */
/** @typedef {Omit<import("../local/routes.js").PageData, "messages" | "language" | "names">} PageData */
/** @typedef {import("../local/client.js").LocalClient} LocalClient */
/** @typedef {{ signal?: AbortSignal, from?: "server" | null }} AskOptions */
/** @typedef {(question: string, request: any) => Promise<any>} Ask */

// What takes computing. The other routes have their answers at once.
const DEEP = new Set([
  ...["/api/analysis", "/api/review"],
  ...["/api/explain", "/api/explain-move", "/api/follow"],
  "/local/outcomes",
]);
// The core is not interrupted while it looks for a reason.
const UNSTOPPABLE = new Set(["/api/explain", "/api/explain-move"]);
const IDLE_MS = 4000;

/** What the page has to know beforehand. @type {() => Promise<PageData>} */
const pageData = once(async () => takeFirst("page.json") ?? (await fetchData("page.json")).json());

/** @param {string} name */
async function fetchData(name) {
  const response = await fetch(new URL(name, DATA)).catch(() => null);
  if (!response?.ok) throw new ApiError(0, t("error.part_missing"));
  return response;
}

/** A core that is started when it is needed, and again after it was ended. */
class LazyCore {
  #name;
  /** @type {Promise<LocalClient> | null} */
  #client = null;
  /** @type {ArrayBuffer | null} */
  #book = null;
  #hasBooks;

  /** @param {import("../worker.js").CoreName} name @param {{ hasBooks?: boolean }} [options] */
  constructor(name, { hasBooks = false } = {}) {
    this.#name = name;
    this.#hasBooks = hasBooks;
  }

  /** @param {"GET" | "POST"} method @param {string} path @param {Query} query @param {AbortSignal} [signal] */
  async ask(method, path, query, signal) {
    this.#client ??= this.#start().catch((error) => {
      this.#client = null; // the next question starts another
      throw error;
    });
    const client = await this.#client;
    const names = SIDES.map(playerName);
    const promise = client.line.ask({ method, path, query, names }, { signal });
    const isLong = UNSTOPPABLE.has(path) || isPopOut(query);
    if (isLong) signal?.addEventListener("abort", () => this.#giveUp(client));
    return promise;
  }

  /** Whether it answers at once. */
  isLoaded = false;

  /** Have it loaded for later questions. */
  prepare() {
    this.ask("GET", "/api/about", {}).catch(() => {}); // then the next question tries again
  }

  async #start() {
    const client = startClient();
    const [known, messages] = await Promise.all([
      pageData(),
      fetchData(`sentences-${language}.json`).then((response) => response.json()),
    ]);
    const about = { ...known, language, messages, names: SIDES.map(playerName) };
    await client.line.ask({ method: "load", data: about, core: this.#name });
    if (this.#hasBooks) await this.#addBook(client);
    this.isLoaded = true;
    return client;
  }

  /** The first plies at once, more of them when nobody waits. @param {LocalClient} client */
  async #addBook(client) {
    try {
      this.#book ??= await (await fetchData("book-8.book")).arrayBuffer();
      await client.line.ask({ method: "book", bytes: this.#book });
    } catch {
      return; // then the opening takes longer
    }
    // On a server the hard positions are the server's; it has the whole book.
    if (!isSite || document.documentElement.dataset.book === undefined) return;
    window.setTimeout(async () => {
      try {
        this.#book = await (await fetchData("book.book")).arrayBuffer();
        await client.line.ask({ method: "book", bytes: this.#book });
      } catch {
        // The book of the first plies will do.
      }
    }, IDLE_MS);
  }

  /** End a core that nobody waits for though it works: the next question starts another. @param {LocalClient} client */
  #giveUp(client) {
    if (!client.line.isIdling) return;
    this.#client = null;
    this.isLoaded = false;
    client.close();
  }
}

const deep = new LazyCore("whole", { hasBooks: true });
// These never wait for an analysis; the smaller core knows nothing of training.
const quick = new LazyCore("plays");
const trainer = new LazyCore("whole");
// What searches by other rules is loaded for them only.
const byRules = new LazyCore("rules");

/** @param {Query} query */
function isPopOut({ start, rules }) {
  return rulesOf(String(start ?? `:${rules ?? ""}`)).pop;
}

/** The core that searches a position. @param {Query} query @param {LazyCore} usual */
function searcher({ start, rules }, usual) {
  return rules || String(start ?? "").includes(":") ? byRules : usual;
}
let hasFailed = !canRun();

/** Whether the answers of the core are to be had here. */
export function answersItself() {
  return !hasFailed && getPref("answers") !== "server";
}

/** @param {"GET" | "POST"} method @param {string} path @param {Query} query @param {AskOptions} options */
async function answer(method, path, query, { signal, from = null }) {
  if (isSite) return answerOnSite(method, path, query, signal);
  if (DEEP.has(path) && from !== "server" && answersItself()) {
    try {
      return await searcher(query, deep).ask(method, path, query, signal);
    } catch (error) {
      if (isAbort(error) || (error instanceof ApiError && error.status)) throw error;
      hasFailed = true; // from here on the server is asked
    }
  }
  return (method === "GET" && takeFirst(path)) || askServer(method, path, query, signal);
}

/** @param {"GET" | "POST"} method @param {string} path @param {Query} query @param {AbortSignal} [signal] */
function askServer(method, path, query, signal) {
  // The server finds lines of best play, too, where the page does without them.
  const route = path === "/local/outcomes" ? "/api/analysis" : path;
  return method === "GET" ? getJson(route, query, { signal }) : postJson(route, query, { signal });
}

/** @param {"GET" | "POST"} method @param {string} path @param {Query} query @param {AbortSignal} [signal] */
async function answerOnSite(method, path, query, signal) {
  if (path === "/api/about") return (await pageData()).about;
  if (path === "/api/players") return (await pageData()).players;
  // Texts that were pasted are read by the whole core, too.
  const core = DEEP.has(path) ? searcher(query, deep) : method === "POST" ? deep : quick;
  return core.ask(method, path, query, signal);
}

/** Ask for something that the API answers to GET.
 * @template {LocalPath} Path @param {Path} path @param {QueryOf<Path>} [query] @param {AskOptions} [options]
 * @returns {Promise<AnswerTo<Path>>} */
export function ask(path, query = {}, options = {}) {
  return answer("GET", path, query, options);
}

/** What a text stands for that a person has pasted.
 * @param {{ diagram: string, width: number, height: number }} pasted @returns {Promise<PositionView>} */
export function recognize(pasted) {
  return answer("POST", "/api/position", pasted, {});
}

/** One of the questions of native/study/ask.hpp, asked of the core here. @type {Ask} */
export const askCore = (question, request) => quick.ask("GET", "/local/ask", { question, request });

/** The same of the whole core: questions about training and game files. @type {Ask} */
export const askWhole = (question, request) => trainer.ask("GET", "/local/ask", { question, request });

/** The column that the computer's *player* chooses, on the static site.
 * @param {string} player @param {Query} query @returns {Promise<number>} */
export async function chooseColumn(player, query) {
  const isDeep = player === "perfect";
  const core = searcher(query, isDeep ? deep : quick);
  return core.ask("GET", "/local/choice", { ...query, player });
}

/** The exact values of a position's columns, without the lines of best play: those of an opening would take
 * much longer than its values, which are in the book.
 * @param {Query} query @param {AskOptions} [options] @returns {Promise<AnalysisView>} */
export async function outcomesOf(query, options = {}) {
  // Somebody waits for this: on a slow line the server has answered long before the core is there.
  const isSlow = !isSite && !deep.isLoaded && answersItself();
  if (!isSlow) return answer("GET", "/local/outcomes", query, options);
  try {
    return await answer("GET", "/local/outcomes", query, { ...options, from: "server" });
  } catch (error) {
    if (!(error instanceof ApiError) || !error.isPassing) throw error;
    return await answer("GET", "/local/outcomes", query, options);
  } finally {
    deep.prepare();
  }
}

/** @typedef {{ best_columns: number[], means: number[], share: number }} Estimate For the side to move. */

/** What random games say about a position that is not solved; null where the core does not run here.
 * @param {Query} query @param {AbortSignal} signal @returns {Promise<Estimate | null>} */
export async function estimate(query, signal) {
  return answersItself() ? searcher(query, quick).ask("GET", "/local/estimate", query, signal) : null;
}
