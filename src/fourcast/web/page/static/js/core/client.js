// The core in a worker of its own: the same interface as core.js, and nothing that it does keeps this
// thread waiting.

import { WASM } from "./core.js";
import { CoreError } from "./errors.js";

/** @import * as types from "./types.js" */
/** @typedef {{ resolve: (value: any) => void, reject: (error: unknown) => void, onProgress?: Function }} Waiting */

/**
 * Start a worker and load the core there.
 *
 * @param {Exclude<types.Source, Response>} [source]
 * @param {types.LoadOptions} [options]
 * @returns {Promise<types.Core>}
 */
export async function loadInWorker(source = WASM, options = {}) {
  const core = new WorkerCore(await startWorker());
  try {
    await core.load(source instanceof URL ? source.href : source, options);
  } catch (error) {
    await core.close();
    throw error;
  }
  return core;
}

/**
 * A worker of the page or of node, which are not quite the same.
 *
 * @typedef {{ post: (request: types.Request) => void, end: () => void,
 *   listen: (take: (reply: types.Reply) => void, fail: (error: unknown) => void) => void }} Connection
 * @returns {Promise<Connection>}
 */
async function startWorker() {
  // In one expression: bundlers look for it.
  if (typeof Worker === "function") {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    return {
      post: (request) => worker.postMessage(request),
      end: () => worker.terminate(),
      listen(take, fail) {
        worker.addEventListener("message", ({ data }) => take(data));
        worker.addEventListener("error", (event) => fail(event.error ?? new Error(event.message)));
      },
    };
  }
  const name = "node:worker_threads"; // not a literal: the page has no such module
  const { Worker: NodeWorker } = await import(name);
  const worker = new NodeWorker(new URL("./worker.js", import.meta.url));
  return {
    post: (request) => worker.postMessage(request),
    end: () => worker.terminate(),
    listen(take, fail) {
      worker.on("message", take);
      worker.on("error", fail);
    },
  };
}

/** @implements {types.Core} */
class WorkerCore {
  #connection;
  #last = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** Why there are no more answers. @type {unknown} */
  #end = null;

  /** @param {Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    connection.listen(
      (reply) => this.#take(reply),
      (error) =>
        this.#finish(new Error("the core's worker has failed; load it again", { cause: error })),
    );
  }

  /** @param {Exclude<types.Source, Response>} source @param {types.LoadOptions} options */
  load(source, options) {
    return this.#send((id) => ({ id, method: "load", source, options }), {});
  }

  /** @type {types.Core["position"]} */
  position(...given) {
    return this.#ask("position", given);
  }

  /** @type {types.Core["play"]} */
  play(...given) {
    return this.#ask("play", given);
  }

  /** @type {types.Core["threats"]} */
  threats(...given) {
    return this.#ask("threats", given);
  }

  /** @type {types.Core["solve"]} */
  solve(place, options) {
    return this.#ask("solve", [place], options);
  }

  /** @type {types.Core["analyze"]} */
  analyze(place, options) {
    return this.#ask("analyze", [place], options);
  }

  /** @type {types.Core["ask"]} */
  ask(question, request) {
    return this.#ask("ask", [question, request]);
  }

  /** @type {types.Core["explain"]} */
  explain(place, options) {
    return this.#ask("explain", [place], options);
  }

  /** @type {types.Core["review"]} */
  review(place, options) {
    return this.#ask("review", [place], options);
  }

  /** @type {types.Core["lookAhead"]} */
  lookAhead(place, options) {
    return this.#ask("lookAhead", [place], options);
  }

  /** @type {types.Core["searchTree"]} */
  searchTree(place, options) {
    return this.#ask("searchTree", [place], options);
  }

  /** @type {types.Core["choose"]} */
  choose(place, options) {
    return this.#ask("choose", [place], options);
  }

  /** @type {types.Core["addBook"]} */
  addBook(...given) {
    return this.#ask("addBook", given);
  }

  /** @type {types.Core["clear"]} */
  clear() {
    return this.#ask("clear", []);
  }

  async close() {
    this.#finish(new Error("the core has been closed"));
    this.#connection.end();
  }

  /**
   * @param {types.Method} method
   * @param {unknown[]} given
   * @param {object} [options]
   * @returns {Promise<any>}
   */
  #ask(method, given, options = {}) {
    const { signal, onProgress, ...rest } = /** @type {types.SearchOptions<any>} */ (options);
    const wantsProgress = onProgress !== undefined;
    return this.#send((id) => ({ id, method, given, options: rest, wantsProgress }), {
      signal,
      onProgress,
    });
  }

  /**
   * @param {(id: number) => types.Request} request
   * @param {types.SearchOptions<any>} options
   * @returns {Promise<any>}
   */
  async #send(request, { signal, onProgress }) {
    if (this.#end) throw this.#end;
    signal?.throwIfAborted();
    const id = ++this.#last;
    const abort = () => {
      this.#connection.post({ id, method: "abort" });
      this.#waiting.get(id)?.reject(signal?.reason);
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        signal?.addEventListener("abort", abort);
        this.#connection.post(request(id)); // throws if something cannot be sent
      });
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#waiting.delete(id);
    }
  }

  /** @param {types.Reply} reply */
  #take(reply) {
    const waiting = this.#waiting.get(reply.id); // nobody waits for what was given up
    if ("progress" in reply) return waiting?.onProgress?.(reply.progress);
    if ("value" in reply) return waiting?.resolve(reply.value);
    const { name, message, code, facts, ...data } = reply.error;
    if (code) return waiting?.reject(new CoreError(name, code, facts, data));
    const error = name === "TypeError" ? new TypeError(message) : new Error(message);
    return waiting?.reject(Object.assign(error, { name }));
  }

  /** @param {Error} error */
  #finish(error) {
    this.#end ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#end);
  }
}
