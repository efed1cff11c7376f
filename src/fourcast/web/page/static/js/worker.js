// The page's own answers, in a worker: requests as to the server come in, what it would answer goes out.

import { PLAY_WASM, WASM } from "./assets.js";
import { load } from "./core/core.js";
import { Routes } from "./local/routes.js";

/** @import { ApiError } from "./backend/api-error.js" */
/** @import { Core } from "./core/types.js" */
/**
 * @typedef {{ id: number, kind: "load", data: import("./local/routes.js").PageData, plays: boolean }
 *   | { id: number, kind: "book", bytes: ArrayBuffer }
 *   | { id: number, kind: "ask", method: "GET" | "POST", path: string, query: Record<string, any> }
 *   | { id: number, kind: "abort" }} Request
 * @typedef {{ id: number, value: unknown }
 *   | { id: number, error: Refusal }} Reply
 * @typedef {{ status: number | null, message: string, code?: string | null, facts?: Record<string, any> }} Refusal
 */

/** @type {Promise<{ core: Core, routes: Routes }> | null} */
let ready = null;
/** Of the requests under way. @type {Map<number, AbortController>} */
const running = new Map();

/** @param {import("./local/routes.js").PageData} data @param {boolean} plays whether it has to play only */
async function start(data, plays) {
  const core = await load(plays ? PLAY_WASM : WASM);
  return { core, routes: new Routes(core, data) };
}

/** @param {Request} request @param {AbortSignal} signal */
async function answer(request, signal) {
  if (request.kind === "load") {
    ready = start(request.data, request.plays);
    await ready;
    return undefined;
  }
  if (!ready) throw new Error("the worker has not been loaded");
  const { core, routes } = await ready;
  if (request.kind === "book") return core.addBook(request.bytes);
  if (request.kind === "abort") return undefined;
  const { method, path, query } = request;
  return routes.answer(method, path, query, { signal });
}

globalThis.addEventListener("message", async ({ data: request }) => {
  const { id, kind } = /** @type {Request} */ (request);
  if (kind === "abort") {
    running.get(id)?.abort();
    return;
  }
  const controller = new AbortController();
  running.set(id, controller);
  /** @type {Reply} */
  let reply;
  try {
    reply = { id, value: await answer(request, controller.signal) };
  } catch (error) {
    const { status = null, message, code, facts } = /** @type {ApiError} */ (error);
    reply = { id, error: { status, message, code, facts } };
  }
  running.delete(id);
  globalThis.postMessage(reply);
});
