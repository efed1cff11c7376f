// A game without a server, with the interface of `LiveGame`.

import { ApiError } from "../backend/api-error.js";
import { chooseColumn } from "../backend/backend.js";
import { keepGame } from "../shell/prefs.js";
import { PROOF, chooseByProof } from "../study/proof.js";
import { loadGame, rematchOf, saveGame, sidesOf, viewOf, withAction, withMove } from "./games.js";

/** @typedef {import("./games.js").GameRecord} GameRecord */
/** @typedef {import("../backend/live-game.js").Move} Move */

const RETRY_MS = 3000; // where the core could not be loaded

/** What lets this browser play: there is nobody to prove it to. */
export const LOCAL_TOKEN = "local";

export class LocalGame {
  #id;
  #isClosed = false;

  /** @type {(game: GameView, sides: Side[]) => void} */
  onState = () => {};
  /** @type {(isConnected: boolean) => void} */
  onConnection = () => {};
  /** @type {(error: ApiError) => void} */
  onGone = () => {};

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
  }

  now() {
    return Date.now();
  }

  async open() {
    // Another tab of the same game.
    window.addEventListener("storage", ({ key }) => key === `fourcast.game.${this.#id}` && this.#show());
    await this.#show();
  }

  close() {
    this.#isClosed = true;
  }

  /** @param {Move} move */
  async move({ column, ply, seq }) {
    const record = loadGame(this.#id);
    try {
      await this.#keep(await withMove(record, { column, ply, seq, sides: sidesOf(record) }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await this.#show();
      throw error;
    }
  }

  /** @param {ActionKind} kind @param {{ side?: Side | null, seq?: number | null }} [options] */
  async act(kind, { side = null } = {}) {
    const record = loadGame(this.#id);
    const next = await withAction(record, kind, side);
    const isNew = next.rematch !== record.rematch;
    await this.#keep(isNew ? { ...next, rematch: await this.#rematch(record) } : next);
  }

  /** Make the rematch; return its id. @param {GameRecord} record */
  async #rematch(record) {
    const next = await rematchOf(record);
    keepGame(next.id, { token: LOCAL_TOKEN, sides: sidesOf(next), size: next, when: Date.now() });
    saveGame(next);
    return next.id;
  }

  /** @param {GameRecord} record */
  async #keep(record) {
    saveGame(record);
    await this.#show();
  }

  async #show() {
    if (this.#isClosed) return;
    let record;
    try {
      record = loadGame(this.#id);
    } catch (error) {
      this.close();
      this.onGone(/** @type {ApiError} */ (error));
      return;
    }
    try {
      const view = await viewOf(record);
      if (this.#isClosed) return;
      this.onConnection(true);
      this.onState(view, sidesOf(record));
      if (view.is_thinking) this.#think(record, view).catch(() => this.#retry());
    } catch {
      this.#retry();
    }
  }

  #retry() {
    this.onConnection(false);
    window.setTimeout(() => this.#show(), RETRY_MS);
  }

  /** Let the computer move, unless the game has gone another way meanwhile.
   * @param {GameRecord} record @param {GameView} view */
  async #think({ seq, chairs }, { position }) {
    const { start, moves, width, height, turn, next_ply: ply } = position;
    const { player } = chairs[turn - 1];
    const query = { start, moves, width, height };
    const column = await (player === PROOF
      ? chooseByProof(query)
      : chooseColumn(player ?? "random", query));
    const now = loadGame(this.#id);
    if (now.seq !== seq || this.#isClosed) return;
    await this.#keep(await withMove(now, { column, ply, seq, sides: [turn] }));
  }
}
