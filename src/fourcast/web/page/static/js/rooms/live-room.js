// A room that is followed live.

import { ApiError } from "../backend/api-error.js";
import { getFile, postJson } from "../backend/api.js";
import { saveBlob } from "../backend/downloads.js";
import { LiveSocket } from "../backend/live-socket.js";
import { myRoom } from "./kept.js";
import { RoomState } from "./state.js";

const MOST_TRIES = 4;

/** @typedef {{ room: RoomView, member: string | null, is_host: boolean, now_ms: number }} Message */

export class LiveRoom {
  #id;
  #socket;
  /** @type {RoomState | null} */
  state = null;
  #skew_ms = 0; // of the server's clock

  /** @type {(state: RoomState) => void} */
  onState = () => {};
  /** @type {(isConnected: boolean) => void} */
  onConnection = () => {};
  /** @type {(error: unknown) => void} */
  onGone = () => {};

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    this.#socket = new LiveSocket(`/api/rooms/${id}`);
    Object.assign(this.#socket, {
      hello: () => {
        const { token, key } = myRoom(id);
        return { ...(token && { token }), ...(key && { key }) };
      },
      onMessage: (/** @type {Message} */ { room, member, is_host: isHost, now_ms: now }) => {
        this.#skew_ms = now - Date.now();
        this.#take(new RoomState(room, member, isHost));
      },
      onAnswer: (/** @type {RoomView} */ room) => this.take(room),
      onConnection: (/** @type {boolean} */ isConnected) => this.onConnection(isConnected),
      onGone: (/** @type {unknown} */ error) => this.onGone(error),
    });
  }

  get path() {
    return this.#socket.path;
  }

  /** The time by the server's clock. */
  get now_ms() {
    return Date.now() + this.#skew_ms;
  }

  open() {
    this.#socket.open();
  }

  close() {
    this.#socket.close();
  }

  /** Say hello with what is kept of the room now. */
  reopen() {
    this.#socket.reopen();
  }

  /** Show a room that was answered; returns whether it was news. @param {RoomView} room */
  take(room) {
    // An answer does not say whose it is.
    const kept = myRoom(this.#id);
    const member = this.state?.member ?? kept.member ?? null;
    const isHost = this.state?.isHost ?? kept.key !== undefined;
    const isNews = room.seq > (this.state?.room.seq ?? -1);
    this.#take(new RoomState(room, member, isHost));
    return isNews;
  }

  /** @param {RoomState} state */
  #take(state) {
    if (state.room.seq < (this.state?.room.seq ?? 0)) return;
    this.state = state;
    this.onState(state);
  }

  /** Do something as a member. @param {object} action */
  act(action) {
    return this.#send("actions", action, myRoom(this.#id).token);
  }

  /** Do something as the host. @param {object} action */
  host(action) {
    return this.#send("host", action, myRoom(this.#id).key);
  }

  /** @param {string} way @param {object} action @param {string} [token] */
  async #send(way, action, token) {
    const { room } = await sent(`${this.path}/${way}`, action, token);
    // Of a host who is a member, too, the socket has told more than what a member is answered.
    if (room.seq > (this.state?.room.seq ?? -1)) this.take(room);
  }

  /** Let the browser save a table, with what the host may see. @param {"tasks"} table */
  async save(table) {
    const file = await getFile(`${this.path}/${table}.csv`, myRoom(this.#id).key);
    saveBlob(file, `${table}-${this.#id}.csv`);
  }
}

/** Send an action, again while a server is being restarted: done twice, each does what it does once. A game against
 * the computer would be there twice. @param {string} path @param {object} action @param {string} [token] */
async function sent(path, action, token) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await postJson(path, action, { token });
    } catch (error) {
      const isOnce = "kind" in action && action.kind === "play-computer";
      if (!(error instanceof ApiError) || !error.isPassing || isOnce || tries >= MOST_TRIES) throw error;
      const pause = Math.max(500 * 2 ** tries, 1000 * (error.retryAfter ?? 0));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
