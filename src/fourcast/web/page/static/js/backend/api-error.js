// Refusals, of the server and of what answers in its place.

/** A request that was refused or did not arrive: `status` is 0 if the server was not reached. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} detail a sentence for people
   * @param {{ code?: string | null, facts?: Record<string, any>, retryAfter?: number | null,
   *   body?: { game?: GameView } | null }} [more] what the sentence is made of, if it has a code
   */
  constructor(status, detail, { code = null, facts = {}, retryAfter = null, body = null } = {}) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
    this.code = code;
    this.facts = facts;
    this.retryAfter = retryAfter;
    this.body = body;
  }

  /** Whether the same request may well be answered a little later. */
  get isPassing() {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

/** What the page refuses in the server's place. @param {string} code @param {Record<string, any>} [facts] */
export function refused(code, facts = {}) {
  return new ApiError(400, code, { code, facts });
}
