// The core in a worker of its own: the same interface as core.js, and nothing that it does keeps this
// thread waiting.

import { WASM } from "./core.js";
import { CoreError } from "./errors.js";
import { Line } from "./line.js";

/** @import * as types from "./types.js" */

const PLAIN = /** @type {const} */ (["position", "play", "threats", "ask", "addBook", "clear"]);
/** Their last argument is an object that may stop them and be told of progress. */
const SEARCHES = /** @type {const} */ ([
  ...["solve", "analyze", "explain", "review", "lookAhead", "searchTree", "choose"],
]);

/**
 * Start a worker and load the core there.
 *
 * @param {Exclude<types.Source, Response>} [source]
 * @param {types.LoadOptions} [options]
 * @returns {Promise<types.Core>}
 */
export async function loadInWorker(source = WASM, options = {}) {
  const worker = await startWorker();
  const line = new Line((request) => worker.postMessage(request), errorOf);
  worker.listen(
    (reply) => line.take(reply),
    (cause) => line.finish(new Error("the core's worker has failed; load it again", { cause })),
  );
  const close = async () => {
    line.finish(new Error("the core has been closed"));
    worker.terminate();
  };
  const from = source instanceof URL ? source.href : source;
  try {
    await line.ask({ method: "load", source: from, options });
  } catch (error) {
    await close();
    throw error;
  }
  const plain = PLAIN.map((method) => [
    method,
    (/** @type {unknown[]} */ ...given) =>
      line.ask({ method, given, options: null, wantsProgress: false }),
  ]);
  const searches = SEARCHES.map((method) => [
    method,
    (/** @type {unknown} */ place, /** @type {types.SearchOptions<any>} */ wishes = {}) => {
      const { signal, onProgress, ...own } = wishes;
      const request = { method, given: [place], options: own, wantsProgress: onProgress !== undefined };
      return line.ask(request, { signal, onProgress });
    },
  ]);
  return /** @type {types.Core} */ ({ ...Object.fromEntries([...plain, ...searches]), close });
}

/**
 * A worker of the page or of node, which are not quite the same.
 *
 * @typedef {{ postMessage: (request: types.Request) => void, terminate: () => void,
 *   listen: (take: (reply: types.Reply) => void, fail: (error: unknown) => void) => void }} Connection
 * @returns {Promise<Connection>}
 */
async function startWorker() {
  // In one expression: bundlers look for it.
  if (typeof Worker === "function") {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    return Object.assign(worker, {
      listen(/** @type {Function} */ take, /** @type {Function} */ fail) {
        worker.addEventListener("message", ({ data }) => take(data));
        worker.addEventListener("error", (event) => fail(event.error ?? new Error(event.message)));
      },
    });
  }
  const name = "node:worker_threads"; // not a literal: the page has no such module
  const { Worker: NodeWorker } = await import(name);
  const worker = new NodeWorker(new URL("./worker.js", import.meta.url));
  return Object.assign(worker, {
    listen: (/** @type {Function} */ take, /** @type {Function} */ fail) =>
      worker.on("message", take).on("error", fail),
  });
}

/** @param {types.ErrorReply} sent */
function errorOf({ name, message, code, facts, ...data }) {
  if (code) return new CoreError(name, code, facts, data);
  const error = name === "TypeError" ? new TypeError(message) : new Error(message);
  return Object.assign(error, { name });
}
