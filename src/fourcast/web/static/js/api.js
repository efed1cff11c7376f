// The way to the server: requests, refusals in words, and the socket of a live game.

import { keepGame } from "./prefs.js";

/** A request that was refused or did not arrive: `status` is 0 if the server was not reached. */
export class ApiError extends Error {
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

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The server cannot be reached.");
  }
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (response.ok) throw new ApiError(0, "The server's answer was cut short.");
  }
  if (response.ok) return body;
  const seconds = Number(response.headers.get("Retry-After"));
  throw new ApiError(response.status, inWords(body, response.status), {
    retryAfter: seconds > 0 ? seconds : null,
    body,
  });
}

function inWords(body, status) {
  const detail = body?.detail;
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map((item) => item.msg ?? String(item)).join("; ");
  return status >= 500 ? "The server has a problem; please try again." : `The request was refused (${status}).`;
}

/** *path* with *query*; empty values are left out. */
export function withQuery(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

export function getJson(path, query = {}, { signal } = {}) {
  return request(withQuery(path, query), { signal });
}

export function postJson(path, body, { token, signal } = {}) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  return request(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** Make a game, keep what lets this browser play in it, and go there. */
export async function newGame(request) {
  const ticket = await postJson("/api/games", request);
  keepGame(ticket.game.id, { token: ticket.token, sides: ticket.sides, when: Date.now() });
  window.location.assign(`/game/${ticket.game.id}`);
  return ticket;
}

const QUIET_MS = 20_000; // so long a socket may be silent before it is doubted

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
  #socket = null;
  #timer = 0;
  #tries = 0;
  #closed = false;
  #seq = -1;
  #sides = [];
  #wake = null; // ends the pause of a move that waits to be sent again
  #heard = 0; // when the socket spoke last
  #pulse = 0;

  onState = () => {};
  onConnection = () => {};
  onGone = () => {};

  constructor(id, token = null, sides = []) {
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

  get sides() {
    return this.#sides;
  }

  open() {
    this.#connect();
    this.#pulse = setInterval(() => this.#check(), QUIET_MS);
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

  /** Become a player: the socket says hello again. */
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

  /** Anything but a stone: see Action. With *seq* it is refused if the game has changed since. */
  async act(kind, { side = null, seq = null } = {}) {
    const body = { kind, ...(side && { side }), ...(seq !== null && { seq }) };
    try {
      this.#take(await postJson(`${this.path}/actions`, body, { token: this.#token }));
    } catch (error) {
      if (error.body?.game) this.#take(error.body.game);
      if (error.status === 0) this.#lost();
      throw error;
    }
  }

  // A view that is out of date is not shown.
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
    this.#timer = setTimeout(() => this.#connect(), pause);
    this.#tries += 1;
    try {
      const game = await getJson(this.path);
      if (this.#tries > 2) this.onConnection(true); // no socket gets through, but requests do
      this.#wake?.();
      this.#take(game);
    } catch (error) {
      if (error.status === 404) {
        this.close();
        this.onGone(error);
      } else {
        this.onConnection(false);
      }
    }
  }

  /** A socket can die without a word, as when a laptop sleeps: ask by a request whether it missed any. */
  async #check() {
    if (!this.#socket || document.visibilityState !== "visible" || Date.now() - this.#heard < QUIET_MS) return;
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
