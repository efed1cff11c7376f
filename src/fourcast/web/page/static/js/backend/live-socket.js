// A line to the server that stays open: a socket, and requests where no socket gets through.

import { ApiError } from "./api-error.js";
import { getJson } from "./api.js";

const QUIET_MS = 20_000; // a socket that was silent for longer may be dead
const FIRST_MS = 2500; // after which a request asks what a new socket has not told yet
const KEPT_TIMES = 8;

/**
 * Follows what is at *path*: the socket `path/live` tells of every change, and `path` answers a request with the
 * same.
 *
 * The socket is tried again after 0.5, 1, 2, 4 and then every 5 seconds, and at once when the browser
 * says that it is online again or the page is looked at. Between two tries, and when a new one says nothing, a plain
 * request is made, so that a network which lets no sockets through, or swallows them, still works.
 */
export class LiveSocket {
  path;
  /** @type {WebSocket | null} */
  #socket = null;
  #timer = 0;
  #first = 0;
  #tries = 0;
  isClosed = false;
  #heard = 0; // when the socket spoke last
  #pulse = 0;
  /** How far the server's clock is ahead of this page's, by the last messages: the largest is of the one that
   * was on its way for the shortest time. @type {number[]} */
  #ahead = [];

  /** The line is lost, or found again. @type {(isConnected: boolean) => void} */
  onConnection = () => {};
  /** There is nothing at *path*. @type {(error: ApiError) => void} */
  onGone = () => {};

  /** @param {string} path */
  constructor(path) {
    this.path = path;
    window.addEventListener("online", this.#now);
    window.addEventListener("offline", this.lost);
    document.addEventListener("visibilitychange", this.#seen);
    window.addEventListener("pageshow", this.#seen);
  }

  /** What the socket says first. @returns {{ token?: string, key?: string }} */
  hello() {
    return {};
  }

  /** A message of the socket. @type {(message: any) => void} */
  onMessage() {}

  /** The answer to a request; returns whether it was news. @type {(answer: any) => boolean} */
  onAnswer() {
    return false;
  }

  /** What waits to be sent again may be tried now. */
  onWake() {}

  /** The server's time, in milliseconds since 1970. */
  now() {
    return this.#ahead.length ? performance.now() + Math.max(...this.#ahead) : Date.now();
  }

  open() {
    this.#connect();
    this.#pulse = window.setInterval(() => this.#check(), QUIET_MS);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    window.removeEventListener("online", this.#now);
    window.removeEventListener("offline", this.lost);
    document.removeEventListener("visibilitychange", this.#seen);
    window.removeEventListener("pageshow", this.#seen);
    this.#hangUp();
  }

  /** Say hello again. */
  reopen() {
    this.#hangUp();
    this.#connect();
  }

  #connect() {
    if (this.isClosed || this.#socket) return;
    clearTimeout(this.#timer);
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${window.location.host}${this.path}/live`);
    this.#socket = socket;
    clearTimeout(this.#first);
    this.#first = window.setTimeout(() => this.#askMeanwhile(socket), FIRST_MS);
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = ({ data }) => {
      clearTimeout(this.#first);
      this.#heard = Date.now();
      this.#tries = 0;
      this.onConnection(true);
      this.onWake();
      const message = JSON.parse(data);
      this.#ahead = [message.now_ms - performance.now(), ...this.#ahead].slice(0, KEPT_TIMES);
      this.onMessage(message);
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.#retry();
    };
  }

  /** @param {WebSocket} socket that has said nothing yet */
  async #askMeanwhile(socket) {
    try {
      const answer = await this.#ask();
      if (socket === this.#socket) this.onAnswer(answer);
    } catch {
      // What is wrong shows when the socket ends, or at the next check.
    }
  }

  #hangUp() {
    clearTimeout(this.#first);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  async #retry() {
    if (this.isClosed) return;
    clearTimeout(this.#timer);
    const pause = Math.min(5000, 500 * 2 ** this.#tries) * (0.8 + 0.4 * Math.random());
    this.#timer = window.setTimeout(() => this.#connect(), pause);
    this.#tries += 1;
    try {
      const answer = await this.#ask();
      if (this.#tries > 2) this.onConnection(true); // no socket gets through, but requests do
      this.onWake();
      this.onAnswer(answer);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.close();
        this.onGone(error);
      } else {
        this.onConnection(false);
      }
    }
  }

  /** @param {AbortSignal} [signal] */
  #ask(signal) {
    const { token, key = token } = this.hello();
    return getJson(this.path, {}, { token: key, signal });
  }

  /** A socket can die without a word, as when a laptop sleeps: ask by a request whether it missed any. */
  async #check() {
    if (!this.#socket || document.visibilityState !== "visible" || Date.now() - this.#heard < QUIET_MS) {
      return;
    }
    try {
      const isNews = this.onAnswer(await this.#ask(AbortSignal.timeout(QUIET_MS / 2)));
      if (isNews || this.#socket?.readyState === WebSocket.CONNECTING) this.reopen();
    } catch {
      this.lost();
    }
  }

  #now = () => {
    this.#tries = 0;
    this.onWake();
    this.#connect();
  };

  /** The server was not reached: the socket is probably dead, too. */
  lost = () => {
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
