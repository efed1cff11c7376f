// A game that is followed live, by a socket or by requests where no socket gets through.

import { ApiError } from "./api-error.js";
import { getJson, postJson } from "./api.js";

/** @typedef {{ column: number, ply: number, seq: number }} Move */

const QUIET_MS = 20_000; // a socket that was silent for longer may be dead

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A game that is followed live: `onState(game, sides)` after every change, `onConnection(isConnected)`
 * when the line is lost or found again, `onGone(error)` if there is no such game.
 *
 * The socket is tried again after 0.5, 1, 2, 4 and then every 5 seconds, and at once when the browser
 * says that it is online again or the page is looked at. Between two tries the game is asked for by a
 * plain request, so that a network which lets no sockets through still plays.
 */
export class LiveGame {
  #id;
  #token;
  /** @type {WebSocket | null} */
  #socket = null;
  #timer = 0;
  #tries = 0;
  #closed = false;
  #seq = -1;
  #sides;
  /** @type {((value?: unknown) => void) | null} Ends the pause of a move that waits to be sent again. */
  #wake = null;
  #heard = 0; // when the socket spoke last
  #pulse = 0;

  /** @type {(game: GameView, sides: Side[]) => void} */
  onState = () => {};
  /** @type {(isConnected: boolean) => void} */
  onConnection = () => {};
  /** @type {(error: ApiError) => void} */
  onGone = () => {};

  /** @param {string} id @param {string | null} token @param {Side[]} sides */
  constructor(id, token, sides) {
    this.#id = id;
    this.#token = token;
    this.#sides = sides;
    window.addEventListener("online", this.#now);
    window.addEventListener("offline", this.#lost);
    document.addEventListener("visibilitychange", this.#seen);
    window.addEventListener("pageshow", this.#seen);
  }

  get path() {
    return `/api/games/${this.#id}`;
  }

  open() {
    this.#connect();
    this.#pulse = window.setInterval(() => this.#check(), QUIET_MS);
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    window.removeEventListener("online", this.#now);
    window.removeEventListener("offline", this.#lost);
    document.removeEventListener("visibilitychange", this.#seen);
    window.removeEventListener("pageshow", this.#seen);
    this.#hangUp();
  }

  /** Become a player: the socket says hello again. @param {Ticket} ticket */
  useTicket({ token, sides, game }) {
    this.#token = token;
    this.#sides = sides;
    this.#take(game);
    this.#hangUp();
    this.#connect();
  }

  /**
   * Send a move until the server has answered. The ply makes it safe to send it again: it counts once.
   * Throws an ApiError if it is refused; then the state of the game has been shown.
   * @param {Move} move
   */
  async move({ column, ply, seq }) {
    for (let tries = 0; ; tries += 1) {
      try {
        this.#take(await postJson(`${this.path}/moves`, { column, ply, seq }, { token: this.#token }));
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.body?.game) this.#take(error.body.game);
        if (!error.isPassing || this.#closed) throw error;
        if (error.status === 0) this.#lost();
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
      this.#take(await postJson(`${this.path}/actions`, body, { token: this.#token }));
    } catch (error) {
      if (error instanceof ApiError && error.body?.game) this.#take(error.body.game);
      if (error instanceof ApiError && error.status === 0) this.#lost();
      throw error;
    }
  }

  /** Show *game* unless it is out of date. @param {GameView} game */
  #take(game) {
    if (game.seq < this.#seq || this.#closed) return;
    this.#seq = game.seq;
    this.onState(game, this.#sides);
  }

  #connect() {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#timer);
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${window.location.host}${this.path}/live`);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.#token ? { token: this.#token } : {}));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type !== "state") return;
      this.#heard = Date.now();
      this.#tries = 0;
      this.#sides = message.sides;
      this.onConnection(true);
      this.#wake?.();
      this.#take(message.game);
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.#retry();
    };
  }

  #hangUp() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  async #retry() {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    const pause = Math.min(5000, 500 * 2 ** this.#tries) * (0.8 + 0.4 * Math.random());
    this.#timer = window.setTimeout(() => this.#connect(), pause);
    this.#tries += 1;
    try {
      const game = await getJson(this.path);
      if (this.#tries > 2) this.onConnection(true); // no socket gets through, but requests do
      this.#wake?.();
      this.#take(game);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.close();
        this.onGone(error);
      } else {
        this.onConnection(false);
      }
    }
  }

  /** A socket can die without a word, as when a laptop sleeps: ask by a request whether it missed any. */
  async #check() {
    if (!this.#socket || document.visibilityState !== "visible" || Date.now() - this.#heard < QUIET_MS) {
      return;
    }
    try {
      const game = await getJson(this.path, {}, { signal: AbortSignal.timeout(QUIET_MS / 2) });
      if (game.seq > this.#seq) {
        this.#take(game);
        this.#hangUp();
        this.#connect();
      }
    } catch {
      this.#lost();
    }
  }

  #now = () => {
    this.#tries = 0;
    this.#wake?.();
    this.#connect();
  };

  #lost = () => {
    this.onConnection(false);
    if (!this.#socket) return;
    this.#hangUp();
    this.#retry();
  };

  #seen = () => {
    if (document.visibilityState !== "visible") return;
    this.#now();
    this.#check();
  };
}
