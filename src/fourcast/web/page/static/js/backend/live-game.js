// A game that is followed live.

import { ApiError } from "./api-error.js";
import { postJson } from "./api.js";
import { LiveSocket } from "./live-socket.js";

/** @typedef {{ column: number, ply: number, seq: number }} Move */

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A game that is followed live: `onState(game, sides)` after every change. */
export class LiveGame extends LiveSocket {
  #token;
  #seq = -1;
  #sides;
  /** @type {((value?: unknown) => void) | null} Ends the pause of a move that waits to be sent again. */
  #wake = null;

  /** @type {(game: GameView, sides: Side[]) => void} */
  onState = () => {};

  /** @param {string} id @param {string | null} token @param {Side[]} sides */
  constructor(id, token, sides) {
    super(`/api/games/${id}`);
    this.#token = token;
    this.#sides = sides;
  }

  hello() {
    return this.#token ? { token: this.#token } : {};
  }

  /** @param {{ game: GameView, sides: Side[] }} message */
  onMessage({ game, sides }) {
    this.#sides = sides;
    this.show(game);
  }

  /** @param {GameView} game */
  onAnswer(game) {
    const isNews = game.seq > this.#seq;
    this.show(game);
    return isNews;
  }

  onWake() {
    this.#wake?.();
  }

  /** Become a player: the socket says hello again. @param {Ticket} ticket */
  useTicket({ token, sides, game }) {
    this.#token = token;
    this.#sides = sides;
    this.show(game);
    this.reopen();
  }

  /**
   * Send a move until the server has answered. The ply makes it safe to send it again: it counts once.
   * Throws an ApiError if it is refused; then the state of the game has been shown.
   * @param {Move} move
   */
  async move({ column, ply, seq }) {
    for (let tries = 0; ; tries += 1) {
      try {
        this.show(await postJson(`${this.path}/moves`, { column, ply, seq }, { token: this.#token }));
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.body?.game) this.show(error.body.game);
        if (!error.isPassing || this.isClosed) throw error;
        if (error.status === 0) this.lost();
        const pause = Math.max(500 * 2 ** Math.min(tries, 3), 1000 * (error.retryAfter ?? 0));
        await Promise.race([wait(pause), new Promise((resolve) => (this.#wake = resolve))]);
      }
    }
  }

  /**
   * Anything but a disc: see Action. With *seq* it is refused if the game has changed since.
   * @param {ActionKind} kind
   * @param {{ side?: Side | null, seq?: number | null }} [options]
   */
  async act(kind, { side = null, seq = null } = {}) {
    const body = { kind, ...(side && { side }), ...(seq !== null && { seq }) };
    try {
      this.show(await postJson(`${this.path}/actions`, body, { token: this.#token }));
    } catch (error) {
      if (error instanceof ApiError && error.body?.game) this.show(error.body.game);
      if (error instanceof ApiError && error.status === 0) this.lost();
      throw error;
    }
  }

  /** Show *game* unless it is out of date. @param {GameView} game */
  show(game) {
    if (game.seq < this.#seq || this.isClosed) return;
    this.#seq = game.seq;
    this.onState(game, this.#sides);
  }
}
