// What can be done beside dropping discs: taking back, offers and their answers, resigning, a rematch.

import { button, focusInPlace, html, refill } from "../dom.js";
import { otherSide } from "../names.js";

/** @typedef {import("./state.js").GameState} GameState */
/** @typedef {"draw" | "takeback" | "rematch"} Offer */

/** @type {Offer[]} */
export const OFFERS = ["draw", "takeback", "rematch"];

/** @type {Record<Offer, string>} What one's own offer was, after "You". */
const ASKED = {
  draw: "offered a draw",
  takeback: "asked to take your move back",
  rematch: "asked for a rematch",
};

/** What *side* has offered, as a sentence. @param {GameState} state @param {Offer} kind @param {Side} side */
export function offerText(state, kind, side) {
  const name = state.nameOf(side);
  const texts = {
    draw: `${name} offers a draw.`,
    takeback: `${name} asks to take the last move back.`,
    rematch: `${name} would like a rematch.`,
  };
  return texts[kind];
}

/**
 * @typedef {object} OfferListeners
 * @property {(kind: ActionKind, side?: Side) => void} onAct
 * @property {() => void} onReview
 * @property {() => void} onRematch go to the rematch, which exists already
 */

export class Offers {
  #on;
  /** Offers that wait for an answer. */
  element = html("div", { class: "offers" });
  /** The buttons. */
  actions = html("div", { class: "actions", role: "group", "aria-label": "Game" });

  /** @param {OfferListeners} listeners */
  constructor(listeners) {
    this.#on = listeners;
  }

  /** @param {GameState} state */
  draw(state) {
    const offers = state.mySide === null ? [] : OFFERS.map((kind) => this.#offer(state, kind));
    refill(
      this.element,
      [...offers, this.#rematch(state)].filter((element) => element !== null),
    );
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
      const other = state.nameOf(otherSide(side));
      return html("p", { class: "offer mine" }, `You ${ASKED[kind]}; ${other} has not answered yet.`);
    }
    const accept = button("Accept", () => this.#on.onAct(`accept-${kind}`), { kind: "primary" });
    const decline = button("Decline", () => this.#on.onAct(`decline-${kind}`));
    return html(
      "div",
      { class: "offer" },
      html("p", {}, offerText(state, kind, side)),
      html("div", { class: "actions" }, accept, decline),
    );
  }

  /** @param {GameState} state */
  #rematch({ game, isPlayer }) {
    if (!game.rematch_id) return null;
    const way = isPlayer
      ? button("Go there", () => this.#on.onRematch(), { kind: "small" })
      : html("a", { href: `/game/${game.rematch_id}` }, "Watch it");
    return html("p", { class: "offer" }, "There is a rematch. ", way);
  }

  /** @param {GameState} state */
  #buttons(state) {
    const { game, isPlayer } = state;
    const buttons = isPlayer ? this.#playerButtons(state) : [];
    if (game.result && state.total) {
      const kind = isPlayer ? "" : "primary";
      const look = { kind, "data-review": true };
      buttons.push(button("Review the game", () => this.#on.onReview(), look));
    }
    if (game.result || !isPlayer) buttons.push(html("a", { class: "button", href: "/" }, "New game"));
    return buttons;
  }

  /** @param {GameState} state @returns {HTMLElement[]} */
  #playerButtons(state) {
    const { game, total } = state;
    const { offers, result, rematch_id: rematch } = game;
    const { onAct } = this.#on;
    const isOn = !result && state.openSide === null;
    const buttons = [];
    if (game.is_local) {
      const canUndo = state.hasMoved && !rematch;
      const canRedo = game.undone !== "" && !result;
      buttons.push(
        button("Undo", () => onAct("undo"), { picture: "undo", "aria-disabled": String(!canUndo) }),
        button("Redo", () => onAct("redo"), { picture: "redo", "aria-disabled": String(!canRedo) }),
      );
    } else if (isOn) {
      if (state.hasMoved && !offers.takeback) {
        buttons.push(button("Take back", () => onAct("offer-takeback"), { picture: "undo" }));
      }
      if (!offers.draw) {
        buttons.push(button("Offer draw", () => onAct("offer-draw"), { picture: "half" }));
      }
    }
    if (isOn && total) {
      const resign = () => confirmResignation(() => onAct("resign", state.actingSide));
      buttons.push(button("Resign", resign, { picture: "flag" }));
    }
    const hasAsked = offers.rematch !== null && state.mySide !== null;
    if (result && !rematch && !hasAsked) {
      const label = game.is_local ? "Play again" : "Rematch";
      const title = "The other side starts";
      buttons.push(
        button(label, () => onAct("offer-rematch"), { picture: "again", kind: "primary", title }),
      );
    }
    return buttons;
  }
}

/** Ask whether the game is to be resigned. @param {() => void} onConfirm */
function confirmResignation(onConfirm) {
  const dialog = html(
    "dialog",
    { class: "card", "aria-labelledby": "resign-title" },
    html("h2", { id: "resign-title" }, "Resign this game?"),
    html("p", {}, "Your opponent wins it then."),
    html(
      "form",
      { method: "dialog", class: "actions" },
      html("button", { class: "button danger", value: "resign" }, "Resign"),
      html("button", { class: "button", value: "", autofocus: true }, "Play on"),
    ),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "resign") onConfirm();
  });
  document.body.append(dialog);
  dialog.showModal();
}
