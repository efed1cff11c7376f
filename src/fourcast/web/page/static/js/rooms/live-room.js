// A room that is followed live.

import { ApiError } from "../backend/api-error.js";
import { getFile, postJson } from "../backend/api.js";
import { saveBlob } from "../backend/downloads.js";
import { LiveSocket } from "../backend/live-socket.js";
import { myRoom } from "./kept.js";
import { RoomState } from "./state.js";

const MOST_TRIES = 4;

export class LiveRoom extends LiveSocket {
  #id;
  /** @type {RoomState | null} */
  state = null;

  /** @type {(state: RoomState) => void} */
  onState = () => {};

  /** @param {string} id */
  constructor(id) {
    super(`/api/rooms/${id}`);
    this.#id = id;
  }

  hello() {
    const { token, key } = myRoom(this.#id);
    return { ...(token && { token }), ...(key && { key }) };
  }

  /** @param {{ room: RoomView, member: string | null, is_host: boolean }} message */
  onMessage({ room, member, is_host: isHost }) {
    this.#take(new RoomState(room, member, isHost));
  }

  /** Show a room that was answered; returns whether it was news. @param {RoomView} room */
  onAnswer(room) {
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
    if (room.seq > (this.state?.room.seq ?? -1)) this.onAnswer(room);
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
