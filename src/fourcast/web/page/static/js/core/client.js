// The core in a worker of its own: the same interface as core.js, and nothing that it does keeps this
// thread waiting.

import { WASM } from "./core.js";
import { CoreError } from "./errors.js";

/** @import * as types from "./types.js" */
/** @typedef {{ resolve: (value: any) => void, reject: (error: unknown) => void, onProgress?: Function }} Waiting */

/**
 * @typedef {object} Client
 * @property {Connection} connection
 * @property {number} last the number of the last request
 * @property {Map<number, Waiting>} waiting for answers, by the numbers of the requests
 * @property {unknown} end why there are no more answers; null while there are
 */

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
  const client = makeClient(await startWorker());
  const close = async () => {
    finish(client, new Error("the core has been closed"));
    client.connection.end();
  };
  const from = source instanceof URL ? source.href : source;
  try {
    await send(client, (id) => ({ id, method: "load", source: from, options }), {});
  } catch (error) {
    await close();
    throw error;
  }
  const plain = PLAIN.map((method) => [
    method,
    (/** @type {unknown[]} */ ...given) => ask(client, method, given, null),
  ]);
  const searches = SEARCHES.map((method) => [
    method,
    (/** @type {unknown} */ place, wishes = {}) => ask(client, method, [place], wishes),
  ]);
  return /** @type {types.Core} */ ({ ...Object.fromEntries([...plain, ...searches]), close });
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

/** @param {Connection} connection @returns {Client} */
function makeClient(connection) {
  const client = { connection, last: 0, waiting: new Map(), end: null };
  connection.listen(
    (reply) => settle(client, reply),
    (cause) => finish(client, new Error("the core's worker has failed; load it again", { cause })),
  );
  return client;
}

/** @param {Client} client @param {types.Method} method @param {unknown[]} given
 * @param {types.SearchOptions<any> | null} wishes @returns {Promise<any>} */
function ask(client, method, given, wishes) {
  const { signal, onProgress, ...options } = wishes ?? {};
  const wantsProgress = onProgress !== undefined;
  const request = { method, given, options: wishes && options, wantsProgress };
  return send(client, (id) => ({ id, ...request }), { signal, onProgress });
}

/** @param {Client} client @param {(id: number) => types.Request} request
 * @param {types.SearchOptions<any>} options @returns {Promise<any>} */
async function send(client, request, { signal, onProgress }) {
  const { connection, waiting } = client;
  if (client.end) throw client.end;
  signal?.throwIfAborted();
  client.last += 1;
  const id = client.last;
  const abort = () => {
    connection.post({ id, method: "abort" });
    waiting.get(id)?.reject(signal?.reason);
  };
  try {
    return await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", abort);
      connection.post(request(id)); // throws if something cannot be sent
    });
  } finally {
    signal?.removeEventListener("abort", abort);
    waiting.delete(id);
  }
}

/** @param {Client} client @param {types.Reply} reply */
function settle({ waiting: all }, reply) {
  const waiting = all.get(reply.id); // nobody waits for what was given up
  if ("progress" in reply) return waiting?.onProgress?.(reply.progress);
  if ("value" in reply) return waiting?.resolve(reply.value);
  const { name, message, code, facts, ...data } = reply.error;
  if (code) return waiting?.reject(new CoreError(name, code, facts, data));
  const error = name === "TypeError" ? new TypeError(message) : new Error(message);
  return waiting?.reject(Object.assign(error, { name }));
}

/** @param {Client} client @param {Error} error */
function finish(client, error) {
  client.end ??= error;
  for (const { reject } of client.waiting.values()) reject(client.end);
}
