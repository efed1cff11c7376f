// The way to the worker that answers like the server.

import { WORKER } from "../assets.js";
import { ApiError } from "../backend/api-error.js";
import { loadErrorTexts } from "../words/text.js";

/** @typedef {import("../worker.js").Request} Request */
/** @typedef {import("../worker.js").Reply} Reply */
/** @typedef {Request extends infer Each ? Each extends { id: number } ? Omit<Each, "id"> : never : never} Question */

/** Whether this browser can run the core at all. */
export function canRun() {
  return typeof Worker === "function" && typeof WebAssembly === "object";
}

export class LocalClient {
  #worker;
  #last = 0;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: unknown) => void }>} */
  #waiting = new Map();
  /** Requests that were given up. @type {Set<number>} */
  #abandoned = new Set();
  /** Why there are no more answers. @type {Error | null} */
  #end = null;

  constructor() {
    this.#worker = new Worker(WORKER, { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#take(data));
    this.#worker.addEventListener("error", (event) => this.#fail(event.message));
  }

  /** Whether it works on what was given up, and nobody waits for anything. */
  get isIdling() {
    return this.#waiting.size === 0 && this.#abandoned.size > 0;
  }

  close() {
    this.#fail("it was ended");
    this.#worker.terminate();
  }

  /** Start the core; *plays*: the smaller one. @param {import("./routes.js").PageData} data @param {boolean} plays */
  load(data, plays) {
    return this.#send({ kind: "load", data, plays });
  }

  /** @param {ArrayBuffer} bytes */
  addBook(bytes) {
    return this.#send({ kind: "book", bytes });
  }

  /** @param {"GET" | "POST"} method @param {string} path @param {Record<string, any>} query
   * @param {AbortSignal} [signal] */
  ask(method, path, query, signal) {
    return this.#send({ kind: "ask", method, path, query }, signal);
  }

  /** @param {Question} question @param {AbortSignal} [signal] @returns {Promise<any>} */
  #send(question, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#end) throw this.#end;
      this.#last += 1;
      const id = this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...question });
      signal?.addEventListener("abort", () => {
        if (!this.#waiting.delete(id)) return;
        this.#abandoned.add(id);
        this.#worker.postMessage({ id, kind: "abort" });
        reject(signal.reason);
      });
    });
  }

  /** @param {Reply} reply */
  #take(reply) {
    this.#abandoned.delete(reply.id);
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    this.#waiting.delete(reply.id);
    if ("value" in reply) return void waiting.resolve(reply.value);
    const { status, message, code, facts } = reply.error;
    if (status === null) return void waiting.reject(new Error(message));
    const error = new ApiError(status, message, { code, facts });
    return void loadErrorTexts().then(() => waiting.reject(error));
  }

  /** @param {string} message */
  #fail(message) {
    this.#end = new Error(`the core could not be started: ${message}`);
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}
