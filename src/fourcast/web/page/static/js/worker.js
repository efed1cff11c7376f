// The page's own answers, in a worker: requests as to the server come in, what it would answer goes out.

import { PLAY_WASM, WASM } from "./assets.js";
import { load } from "./core/core.js";
import { answering } from "./core/line.js";
import { Routes } from "./local/routes.js";

/** @import { Core } from "./core/types.js" */
/** @import { PageData } from "./local/routes.js" */
/**
 * @typedef {{ method: "load", data: PageData, plays: boolean }
 *   | { method: "book", bytes: ArrayBuffer }
 *   | { method: "GET" | "POST", path: string, query: Record<string, any> }} Request
 */

/** @type {Promise<{ core: Core, routes: Routes }> | null} */
let ready = null;

/** @param {PageData} data @param {boolean} plays whether it has to play only */
async function start(data, plays) {
  const core = await load(plays ? PLAY_WASM : WASM);
  return { core, routes: new Routes(core, data) };
}

/** @param {Request} request @param {{ signal: AbortSignal }} wishes */
async function answer(request, { signal }) {
  if (request.method === "load") {
    ready = start(request.data, request.plays);
    await ready;
    return undefined;
  }
  if (!ready) throw new Error("the worker has not been loaded");
  const { core, routes } = await ready;
  if (request.method === "book") return core.addBook(request.bytes);
  return routes.answer(request.method, request.path, request.query, { signal });
}

const take = answering((reply) => globalThis.postMessage(reply), answer);
globalThis.addEventListener("message", ({ data }) => take(data));
