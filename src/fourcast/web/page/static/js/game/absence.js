// How long the other player has been away: a game that somebody has left can be claimed.

/** The server's limit. It knows better since when somebody is away, and refuses a claim that comes too soon. */
const LIMIT_MS = 60_000;

export class Absence {
  #since = 0; // by the page's own clock; 0 while nobody is away
  #timer = 0;
  #onLimit;

  /** @param {() => void} onLimit called when the game can be claimed */
  constructor(onLimit) {
    this.#onLimit = onLimit;
  }

  /** Whether the game can be claimed now. */
  get isLong() {
    return this.#since > 0 && performance.now() - this.#since >= LIMIT_MS;
  }

  /** See who is there. @param {GameState} state */
  look(state) {
    const isAway = state.isOpponentAway;
    if (isAway === this.#since > 0) return;
    clearTimeout(this.#timer);
    this.#since = isAway ? performance.now() : 0;
    if (isAway) this.#timer = window.setTimeout(this.#onLimit, LIMIT_MS);
  }
}
