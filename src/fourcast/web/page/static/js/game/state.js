// A game as this browser sees it: the server's view, with what follows from it for the people here.

import { movesIn } from "../core/rules.js";
import { colorName, levelOf, moverOf, otherSide, sideKey } from "../words/names.js";
import { t } from "../words/text.js";

export class GameState {
  /**
   * @param {GameView} game
   * @param {Side[]} sides those that this browser plays
   * @param {Map<string, string>} titles what people call the computer's players
   */
  constructor(game, sides, titles) {
    this.game = game;
    this.sides = sides;
    this.titles = titles;
  }

  get position() {
    return this.game.position;
  }

  /** How many moves have been played. */
  get total() {
    return movesIn(this.position).length;
  }

  get isPlayer() {
    return this.sides.length > 0;
  }

  /** The side of this browser, if it is one only. */
  get mySide() {
    return this.sides.length === 1 ? this.sides[0] : null;
  }

  /** Whether a move of this browser's is on the board, which could be taken back. */
  get hasMoved() {
    return Array.from({ length: this.total }).some((_, index) =>
      this.sides.includes(this.moverOf(index)),
    );
  }

  /** Why no disc can be dropped here now, as a sentence. */
  get whyNot() {
    if (this.game.result) return t("state.over");
    if (!this.isPlayer) return t("state.watching");
    if (this.isWaiting) return t("state.not_here");
    return t("state.turn_of", { name: this.nameOf(this.position.turn) });
  }

  get isMyTurn() {
    return !this.game.result && !this.position.is_over && this.sides.includes(this.position.turn);
  }

  /** Whether one of this browser's sides plays the computer. */
  get isAgainstComputer() {
    return this.mySide !== null && this.seatOf(otherSide(this.mySide)).kind === "computer";
  }

  /** Whether the other player of a game that goes on has left the page. */
  get isOpponentAway() {
    if (this.mySide === null || this.game.is_local || this.game.result) return false;
    const { kind, is_connected: isConnected } = this.seatOf(otherSide(this.mySide));
    return kind === "person" && !isConnected;
  }

  /** The level of the computer that this browser plays, or null. */
  get level() {
    return this.mySide && levelOf(this.seatOf(otherSide(this.mySide)).player);
  }

  /** The side whose seat is free, or null. @returns {Side | null} */
  get openSide() {
    if (this.game.first.kind === "open") return 1;
    return this.game.second.kind === "open" ? 2 : null;
  }

  /** Whether a move cannot be made before somebody has joined. */
  get isWaiting() {
    return this.openSide !== null && !this.isMyTurn && !this.game.result;
  }

  /** For whom this browser resigns: on one screen it is the side to move. */
  get actingSide() {
    return this.mySide ?? this.position.turn;
  }

  /** @param {Side} side */
  seatOf(side) {
    return this.game[sideKey(side)];
  }

  /** The name of a player; null for one who goes by a color. @param {Side} side */
  ownNameOf(side) {
    const { kind, name, player } = this.seatOf(side);
    if (kind === "computer" && player && (!name || name === player)) {
      return this.titles.get(player) ?? player;
    }
    // On one screen people go by their colors, which a rematch by a link exchanges.
    return name || (this.game.is_local ? null : t("seat.guest"));
  }

  /** @param {Side} side */
  nameOf(side) {
    return this.ownNameOf(side) ?? colorName(side);
  }

  /** Whose the move number *index* was, from 0. @param {number} index */
  moverOf(index) {
    return moverOf(index, this.total, this.position.turn);
  }

  /** How the game ended, for those who look at it here. */
  get headline() {
    const winner = this.game.result?.winner;
    if (!winner) return t("state.draw");
    if (this.mySide === null) return t("state.wins", { name: this.nameOf(winner) });
    return t(this.mySide === winner ? "state.you_win" : "state.you_lose");
  }

  /** The side that a waiting player or a visitor would play against. */
  get host() {
    return this.openSide === null ? null : otherSide(this.openSide);
  }
}
