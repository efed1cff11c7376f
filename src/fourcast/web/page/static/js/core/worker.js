// The core as a worker, in a page or in node: requests come in, replies go out (types.d.ts has both).

import { load } from "./core.js";

/** @import { CoreError } from "./errors.js" */
/** @import { Core, Reply, Request } from "./types.js" */

/** @returns {Promise<{ post: (reply: Reply) => void, listen: (take: (request: Request) => void) => void }>} */
async function connection() {
  if (typeof globalThis.postMessage === "function") {
    return {
      post: (reply) => globalThis.postMessage(reply),
      listen: (take) => globalThis.addEventListener("message", ({ data }) => take(data)),
    };
  }
  const name = "node:worker_threads"; // not a literal: the page has no such module
  const { parentPort } = await import(name);
  return {
    post: (reply) => parentPort.postMessage(reply),
    listen: (take) => parentPort.on("message", take),
  };
}

/** @type {Promise<Core> | null} */
let core = null;
/** Of the requests under way. @type {Map<number, AbortController>} */
const running = new Map();
const { post, listen } = await connection();

/** @param {Exclude<Request, { method: "abort" }>} request */
async function answer(request) {
  if (request.method === "load") {
    core = load(request.source, request.options);
    await core;
    return undefined;
  }
  const { id, method, given, options, wantsProgress } = request;
  /** @type {any} */
  const target = await core;
  const { signal } = /** @type {AbortController} */ (running.get(id));
  if (!options) return target[method](...given);
  const onProgress = wantsProgress
    ? (/** @type {unknown} */ progress) => post({ id, progress })
    : undefined;
  return target[method](...given, { ...options, signal, ...(wantsProgress && { onProgress }) });
}

listen(async (request) => {
  const { id } = request;
  if (request.method === "abort") return running.get(id)?.abort();
  running.set(id, new AbortController());
  try {
    post({ id, value: await answer(request) });
  } catch (error) {
    const { name, message, ...data } = /** @type {CoreError} */ (error);
    post({ id, error: { ...data, name, message } });
  } finally {
    running.delete(id);
  }
});
