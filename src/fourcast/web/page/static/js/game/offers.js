// What can be done beside dropping discs: taking back, offers and their answers, resigning, a rematch.

import { gamePage, pageAddress, roomAddress, startAddress } from "../backend/addresses.js";
import { isConfirmed } from "../elements/dialog.js";
import { button, focusInPlace, html, offer, refill } from "../elements/dom.js";
import { otherSide } from "../words/names.js";
import { STANDARD, isSameSize } from "../words/sizes.js";
import { rich, t } from "../words/text.js";

/** @typedef {"draw" | "takeback" | "rematch"} Offer */

/** @type {Offer[]} */
export const OFFERS = ["draw", "takeback", "rematch"];

const HIGHEST = 10; // level
const WITH_LESSON = 3; // the highest level after which a lesson is offered

/** What *side* has offered, as a sentence. @param {GameState} state @param {Offer} kind @param {Side} side */
export function offerText(state, kind, side) {
  return t(`offer.${kind}`, { name: state.nameOf(side) });
}

/** That the other player has left, as a sentence. @param {GameState} state */
export function leftText(state) {
  return t("offer.left", { name: state.nameOf(otherSide(state.mySide ?? 1)) });
}

/**
 * @typedef {object} OfferListeners
 * @property {(kind: ActionKind, side?: Side) => void} onAct
 * @property {(move: number) => void} onMove
 * @property {() => void} onReview
 * @property {() => void} onHint
 * @property {() => void} onRematch go to the rematch, which exists already
 * @property {(control: HTMLButtonElement, level: number) => void} onLevel play another level of the computer
 */

export class Offers {
  #on;
  /** Offers that wait for an answer. */
  element = html("div.offers");
  /** The buttons. */
  actions = html("div.actions", { role: "group", "aria-label": t("act.label") });

  /** @param {OfferListeners} listeners */
  constructor(listeners) {
    this.#on = listeners;
  }

  /** *canClaim*: the other player has left. @param {GameState} state @param {boolean} canClaim */
  draw(state, canClaim) {
    const offers = state.mySide === null ? [] : OFFERS.map((kind) => this.#offer(state, kind));
    const claim = canClaim ? this.#claim(state) : null;
    refill(this.element, [...offers, claim, this.#rematch(state), this.#wayOn(state)]);
    refill(this.actions, this.#buttons(state));
  }

  /** Give the focus back to the button that opens the review. */
  focusReview() {
    focusInPlace(this.actions.querySelector("[data-review]"));
  }

  /** @param {GameState} state @param {Offer} kind */
  #offer(state, kind) {
    const side = state.game.offers[kind];
    if (!side || (kind === "rematch" && state.game.rematch_id)) return null;
    if (side === state.mySide) {
      const name = state.nameOf(otherSide(side));
      return html("p.offer.mine", t(`offer.my_${kind}`, { name }));
    }
    const accept = button(t("offer.accept"), () => this.#on.onAct(`accept-${kind}`), {
      kind: "primary",
    });
    const decline = button(t("offer.decline"), () => this.#on.onAct(`decline-${kind}`));
    return offer(offerText(state, kind, side), accept, decline);
  }

  /** @param {GameState} state */
  #claim(state) {
    const claim = button(t("act.claim"), () => this.#on.onAct("claim"), { kind: "primary" });
    return offer(leftText(state), claim);
  }

  /** @param {GameState} state */
  #rematch({ game, isPlayer }) {
    if (!game.rematch_id) return null;
    const way = isPlayer
      ? button(t("offer.go_there"), () => this.#on.onRematch(), { kind: "small" })
      : html("a", { href: gamePage(game.rematch_id) }, t("offer.watch_it"));
    return html("p.offer", ...rich("offer.there_is", { link: way }));
  }

  /** What a beginner may want after a game against a level: the next one, or a lesson. @param {GameState} state */
  #wayOn({ game, level, mySide, position }) {
    const winner = game.result?.winner;
    if (!winner || level === null) return null;
    if (winner === mySide && level < HIGHEST) {
      const next = button(
        t("act.next_level", { level: level + 1 }),
        () => this.#on.onLevel(next, level + 1),
        { kind: "primary" },
      );
      return html("div.offer", html("p", t("act.beat", { level })), next);
    }
    const hasLesson = isSameSize(position, STANDARD) && !position.start && position.is_over;
    if (winner === mySide || level > WITH_LESSON || !hasLesson) return null;
    const query = new URLSearchParams({ lost: position.moves, as: String(mySide) });
    const link = html("a", { href: pageAddress("learn", query) }, t("act.lesson"));
    return html("p.offer", ...rich("act.lesson_text", { link }));
  }

  /** @param {GameState} state */
  #buttons(state) {
    const { game, isPlayer } = state;
    const buttons = isPlayer ? this.#playerButtons(state) : [];
    if (game.result && state.total) {
      const kind = isPlayer ? "" : "primary";
      const look = { kind, "data-review": true };
      buttons.push(button(t("act.review"), () => this.#on.onReview(), look));
    }
    if (game.room_id) {
      buttons.push(html("a.button", { href: roomAddress(game.room_id) }, t("act.to_room")));
    } else if (game.result || !isPlayer) {
      buttons.push(html("a.button", { href: startAddress() }, t("act.new")));
    }
    return buttons;
  }

  /** @param {GameState} state @returns {HTMLElement[]} */
  #playerButtons(state) {
    const { game, total } = state;
    const { offers, result, rematch_id: rematch } = game;
    const { onAct } = this.#on;
    const isOn = !result && state.openSide === null;
    const buttons = [];
    if (game.is_local && !game.clock) {
      const canUndo = state.hasMoved && !rematch;
      const canRedo = game.undone !== "" && !result;
      buttons.push(
        button(t("act.undo"), () => onAct("undo"), {
          picture: "undo",
          "aria-disabled": String(!canUndo),
        }),
        button(t("act.redo"), () => onAct("redo"), {
          picture: "redo",
          "aria-disabled": String(!canRedo),
        }),
      );
    } else if (isOn && !game.is_local) {
      if (state.hasMoved && !offers.takeback && !game.clock) {
        buttons.push(button(t("act.take_back"), () => onAct("offer-takeback"), { picture: "undo" }));
      }
      if (!offers.draw) {
        buttons.push(button(t("act.offer_draw"), () => onAct("offer-draw"), { picture: "half" }));
      }
    }
    const claim = 2 * state.position.width; // of the draw, on a full board of PopOut
    if (state.isMyTurn && state.position.legal_columns.includes(claim)) {
      buttons.push(button(t("act.claim_draw"), () => this.#on.onMove(claim), { picture: "half" }));
    }
    if (state.isMyTurn && state.isAgainstComputer && !game.clock) {
      buttons.push(button(t("hint.button"), () => this.#on.onHint(), { picture: "bulb" }));
    }
    if (isOn && total) {
      const words = {
        title: t("resign.title"),
        text: t("resign.text"),
        yes: t("act.resign"),
        no: t("resign.no"),
      };
      const resign = async () =>
        (await isConfirmed("resign", words)) && onAct("resign", state.actingSide);
      buttons.push(button(t("act.resign"), resign, { picture: "flag" }));
    }
    const hasAsked = offers.rematch !== null && state.mySide !== null;
    if (result && !rematch && !hasAsked) {
      const label = t(game.is_local ? "act.again" : "act.rematch");
      const title = t("act.other_starts");
      buttons.push(
        button(label, () => onAct("offer-rematch"), { picture: "again", kind: "primary", title }),
      );
    }
    return buttons;
  }
}
