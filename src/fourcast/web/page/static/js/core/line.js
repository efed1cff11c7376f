// Questions to a worker and its answers, by number: both ends of the line.

/** @import { Reply } from "./types.js" */
/** @typedef {{ resolve: (value: any) => void, reject: (error: unknown) => void, onProgress?: Function }} Waiting */
/** @typedef {{ signal?: AbortSignal, onProgress?: Function }} Wishes */

/** The end that asks. */
export class Line {
  #post;
  #errorOf;
  #last = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** Questions that were given up while the worker is at them. @type {Set<number>} */
  #abandoned = new Set();
  /** Why there are no more answers. @type {Error | null} */
  #end = null;

  /** *errorOf* makes an error of what a worker sends in place of one.
   * @param {(request: any) => void} post @param {(sent: any) => unknown} errorOf */
  constructor(post, errorOf) {
    this.#post = post;
    this.#errorOf = errorOf;
  }

  /** Whether the worker is at what was given up, and nobody waits for anything. */
  get isIdling() {
    return this.#waiting.size === 0 && this.#abandoned.size > 0;
  }

  /** The answer to a request. @param {object} request @param {Wishes} [wishes] @returns {Promise<any>} */
  async ask(request, { signal, onProgress } = {}) {
    if (this.#end) throw this.#end;
    signal?.throwIfAborted();
    const id = ++this.#last;
    const giveUp = () => {
      this.#abandoned.add(id);
      this.#post({ id, method: "abort" });
      this.#taken(id)?.reject(signal?.reason);
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        signal?.addEventListener("abort", giveUp);
        this.#post({ id, ...request }); // throws if something cannot be sent
      });
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#waiting.delete(id);
    }
  }

  /** @param {Reply} reply */
  async take(reply) {
    if ("progress" in reply) return this.#waiting.get(reply.id)?.onProgress?.(reply.progress);
    this.#abandoned.delete(reply.id);
    const waiting = this.#taken(reply.id); // nobody waits for what was given up
    if ("value" in reply) return waiting?.resolve(reply.value);
    return waiting?.reject(await this.#errorOf(reply.error));
  }

  /** There are no more answers. @param {Error} error */
  finish(error) {
    this.#end ??= error;
    for (const id of [...this.#waiting.keys()]) this.#taken(id)?.reject(this.#end);
  }

  /** @param {number} id */
  #taken(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** The end that answers. @param {(reply: Reply) => void} post
 * @param {(request: any, wishes: { signal: AbortSignal, onProgress: (progress: unknown) => void }) => unknown} answer
 * @returns {(request: any) => Promise<void>} what takes the requests */
export function answering(post, answer) {
  /** Of the requests under way. @type {Map<number, AbortController>} */
  const running = new Map();
  return async (request) => {
    const { id, method } = request;
    if (method === "abort") return running.get(id)?.abort();
    const controller = new AbortController();
    running.set(id, controller);
    const onProgress = (/** @type {unknown} */ progress) => post({ id, progress });
    try {
      post({ id, value: await answer(request, { signal: controller.signal, onProgress }) });
    } catch (error) {
      const { name, message, ...data } = /** @type {Error} */ (error);
      post({ id, error: { ...data, name, message } });
    } finally {
      running.delete(id);
    }
    return undefined;
  };
}
