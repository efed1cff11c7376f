// The way to the worker that answers like the server.

import { WORKER } from "../assets.js";
import { ApiError } from "../backend/api-error.js";
import { Line } from "../core/line.js";
import { loadErrorTexts } from "../words/text.js";

/** @typedef {ReturnType<typeof startClient>} LocalClient */

/** Whether this browser can run the core at all. */
export function canRun() {
  return typeof Worker === "function" && typeof WebAssembly === "object";
}

/** Start a worker; it takes a `Request` (see worker.js). */
export function startClient() {
  const worker = new Worker(WORKER, { type: "module" });
  const line = new Line(
    (/** @type {import("../worker.js").Request} */ request) => worker.postMessage(request),
    errorOf,
  );
  const fail = (/** @type {string} */ why) =>
    line.finish(new Error(`the core could not be started: ${why}`));
  worker.addEventListener("message", ({ data }) => line.take(data));
  worker.addEventListener("error", (event) => fail(event.message));
  const close = () => {
    fail("it was ended");
    worker.terminate();
  };
  return { line, close };
}

/** @param {{ status?: number, message: string, code?: string | null, facts?: Record<string, any> }} sent */
async function errorOf({ status, message, code, facts }) {
  if (status === undefined) return new Error(message);
  await loadErrorTexts();
  return new ApiError(status, message, { code, facts });
}
