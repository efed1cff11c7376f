// One question at a time: a newer one, or a stop, gives up the one before.

export class Latest {
  /** @type {AbortController | null} */
  #open = null;

  /** Whether an answer is on its way. */
  get isOpen() {
    return this.#open !== null;
  }

  /** Give up the question that is open. */
  stop() {
    this.#open?.abort();
    this.#open = null;
  }

  /** The answer to a question, unless it is given up meanwhile: then the promise is rejected as aborted, whatever
   * comes of it. @template Answer @param {(signal: AbortSignal) => Promise<Answer>} question */
  async ask(question) {
    this.stop();
    const open = new AbortController();
    this.#open = open;
    try {
      const answer = await question(open.signal);
      open.signal.throwIfAborted();
      return answer;
    } catch (error) {
      throw open.signal.aborted ? open.signal.reason : error;
    } finally {
      if (this.#open === open) this.#open = null;
    }
  }
}
