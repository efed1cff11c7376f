// Who plays, and how the game stands.

import { discIcon } from "../board/disc.js";
import { html } from "../elements/dom.js";
import { SIDES, colorInside, colorName, moveName, sideKey } from "../words/names.js";
import { language, t } from "../words/text.js";
import { endText } from "../words/words.js";

/** @typedef {{ isConnected: boolean, pending: { column: number } | null }} Line How the line to the server is. */

/** The two seats, and between them what is to be done next. */
export class Status {
  #seats = {
    first: html("div.seat.first"),
    second: html("div.seat.second"),
  };
  #status = html("p.status", { id: "status" });
  #drawn = "";
  #clocks;
  element = html("div.seats", this.#seats.first, this.#status, this.#seats.second);

  /** @param {import("./clocks.js").Clocks} clocks */
  constructor(clocks) {
    this.#clocks = clocks;
  }

  /** @param {GameState} state @param {Line} line */
  draw(state, line) {
    for (const side of SIDES) this.#drawSeat(state, side);
    this.#clocks.draw(state);
    const { game, position } = state;
    const { words, more } = describe(state, line);
    const disc = game.result ? game.result.winner : state.isWaiting ? null : position.turn;
    const key = JSON.stringify([words, more, disc, game.is_thinking]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#status.classList.toggle("is-over", game.result !== null);
    this.#status.classList.toggle("is-thinking", game.is_thinking);
    const dots = html("span.dots", { "aria-hidden": "true" }, html("i"), html("i"), html("i"));
    this.#status.replaceChildren(
      html("span.status-words", disc && discIcon(disc), html("span", words), game.is_thinking && dots),
      ...(more ? [html("span.status-more", more)] : []),
    );
  }

  /** @param {GameState} state @param {Side} side */
  #drawSeat(state, side) {
    const { game, position } = state;
    const seat = state.seatOf(side);
    const name = seat.kind === "open" ? t("seat.friend") : state.nameOf(side);
    const isElsewhere = seat.kind === "person" && !game.is_local && state.mySide !== side;
    const element = this.#seats[sideKey(side)];
    element.classList.toggle("is-turn", !game.result && position.turn === side);
    element.classList.toggle("is-winner", game.result?.winner === side);
    element.classList.toggle("is-here", isElsewhere && seat.is_connected);
    element.replaceChildren(
      discIcon(side),
      html(
        "span.seat-words",
        html("span.seat-name", { title: name }, name),
        html("span.seat-note", withPoints(state, side, noteOf(state, side))),
      ),
      this.#clocks.elementOf(side),
    );
  }
}

/** What stands below a player's name. @param {GameState} state @param {Side} side */
function noteOf(state, side) {
  const seat = state.seatOf(side);
  if (seat.kind === "open") return t("seat.not_here");
  if (state.mySide === side) return t("seat.you");
  if (seat.kind === "computer") return t("seat.computer");
  if (!state.game.is_local) return t(seat.is_connected ? "seat.is_here" : "seat.is_away");
  const isNameless = state.nameOf(side) === colorName(side);
  return isNameless ? t(`seat.${sideKey(side)}_shape`) : colorInside(side);
}

/** The same with the points of all games since the first one, if there is a rematch.
 * @param {GameState} state @param {Side} side @param {string} note */
function withPoints({ game: { points } }, side, note) {
  if (!points) return note;
  const count = points[side - 1];
  return t("seat.points", { note, count, points: count.toLocaleString(language) });
}

/** @param {GameState} state @param {Line} line */
function describe(state, { isConnected, pending }) {
  const { game } = state;
  const mover = state.nameOf(state.position.turn);
  if (game.result) return { words: state.headline, more: endText(game.result, state.position.start) };
  if (state.isWaiting && state.host) {
    return {
      words: state.isPlayer
        ? t("status.waiting")
        : t("status.invites", { name: state.nameOf(state.host) }),
    };
  }
  if (pending) {
    const later = t("status.later", { column: moveName(state.position, pending.column) });
    return { words: isConnected ? t("status.sending") : later };
  }
  if (game.is_thinking) return { words: t("status.thinking", { name: mover }) };
  const isMine = state.mySide !== null && state.isMyTurn;
  return { words: isMine ? t("status.your_turn") : t("status.to_move", { name: mover }) };
}
