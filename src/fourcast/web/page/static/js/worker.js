// The page's own answers, in a worker: requests as to the server come in, what it would answer goes out.

import { PLAY_WASM, RULES_WASM, WASM } from "./assets.js";
import { load } from "./core/core.js";
import { answering } from "./core/line.js";
import { Routes } from "./local/routes.js";

/** @import { Core } from "./core/types.js" */
/** @import { PageData } from "./local/routes.js" */
/**
 * @typedef {"whole" | "plays" | "rules"} CoreName for everything, for playing, or for other rules
 * @typedef {{ method: "load", data: PageData, core: CoreName }
 *   | { method: "book", bytes: ArrayBuffer }
 *   | { method: "GET" | "POST", path: string, query: Record<string, any>, names: string[] }} Request
 */

/** @type {Promise<{ core: Core, routes: Routes }> | null} */
let ready = null;

/** @param {PageData} data @param {CoreName} name */
async function start(data, name) {
  const core = await load({ whole: WASM, plays: PLAY_WASM, rules: RULES_WASM }[name]);
  return { core, routes: new Routes(core, data) };
}

/** @param {Request} request @param {{ signal: AbortSignal }} wishes */
async function answer(request, { signal }) {
  if (request.method === "load") {
    ready = start(request.data, request.core);
    await ready;
    return undefined;
  }
  if (!ready) throw new Error("the worker has not been loaded");
  const { core, routes } = await ready;
  if (request.method === "book") return core.addBook(request.bytes);
  routes.names = request.names;
  return routes.answer(request.method, request.path, request.query, { signal });
}

const take = answering((reply) => globalThis.postMessage(reply), answer);
globalThis.addEventListener("message", ({ data }) => take(data));
