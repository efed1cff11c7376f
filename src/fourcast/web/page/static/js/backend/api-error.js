// Refusals, of the server and of what answers in its place.

/** A request that was refused or did not arrive: `status` is 0 if the server was not reached. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} detail a sentence for people
   * @param {{ retryAfter?: number | null, body?: { game?: GameView } | null }} [more]
   */
  constructor(status, detail, { retryAfter = null, body = null } = {}) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  /** Whether the same request may well be answered a little later. */
  get isPassing() {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}
