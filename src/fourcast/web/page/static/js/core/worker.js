// The core as a worker, in a page or in node: requests come in, replies go out (types.d.ts has both).

import { load } from "./core.js";
import { answering } from "./line.js";

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
const { post, listen } = await connection();

listen(
  answering(post, async (/** @type {Exclude<Request, { method: "abort" }>} */ request, wishes) => {
    if (request.method === "load") {
      core = load(request.source, request.options);
      await core;
      return undefined;
    }
    const { method, given, options, wantsProgress } = request;
    /** @type {any} */
    const target = await core;
    if (!options) return target[method](...given);
    const { signal, onProgress } = wishes;
    return target[method](...given, { ...options, signal, ...(wantsProgress && { onProgress }) });
  }),
);
