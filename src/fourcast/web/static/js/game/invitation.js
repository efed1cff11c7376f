// The free seat: the link for the friend who is to have it, and the form of whoever opens that link.

import { discIcon } from "../disc.js";
import { button, copyText, html, setLabel } from "../dom.js";
import { colorName } from "../names.js";
import { field, nameField } from "../fields.js";
import { getPref } from "../prefs.js";

/** @typedef {import("./state.js").GameState} GameState */

const COPIED_MS = 2000;

export class Invitation {
  #onJoin;
  #isWatching = false; // somebody who could join wants to watch
  #drawn = "";
  element = html("section", { class: "card invite", "aria-label": "Invite", hidden: true });

  /** @param {{ onJoin: (name: string) => void }} listeners */
  constructor({ onJoin }) {
    this.#onJoin = onJoin;
  }

  /** @param {GameState} state */
  draw(state) {
    const { openSide, isPlayer } = state;
    const kind = openSide === null ? "" : isPlayer ? "link" : this.#isWatching ? "" : "join";
    this.element.hidden = kind === "";
    // A form that somebody is typing into is left alone.
    if (kind === this.#drawn) return;
    this.#drawn = kind;
    if (kind === "link") this.element.replaceChildren(...link());
    else if (kind === "join" && openSide !== null) {
      this.element.replaceChildren(this.#join(state, openSide));
    } else this.element.replaceChildren();
  }

  /** @param {GameState} state @param {Side} side */
  #join(state, side) {
    const name = nameField({ id: "join-name", autocomplete: "nickname", value: getPref("name", "") });
    const host = state.host ?? 1;
    const part = `You play ${colorName(side).toLowerCase()}${side === 1 ? " and start" : ""}.`;
    const watch = button("Just watch", () => {
      this.#isWatching = true;
      this.draw(state);
    });
    return html(
      "form",
      {
        class: "join",
        "aria-label": "Join the game",
        on: {
          submit: (event) => {
            event.preventDefault();
            this.#onJoin(name.value.trim());
          },
        },
      },
      html("h2", {}, `Play against ${state.nameOf(host)}?`),
      html("p", {}, discIcon(side), ` ${part}`),
      field("Your name", name, "grow"),
      html(
        "div",
        { class: "actions" },
        html("button", { type: "submit", class: "button primary" }, "Join the game"),
        watch,
      ),
    );
  }
}

function link() {
  const address = html("input", {
    class: "invite-link",
    type: "text",
    readonly: true,
    value: window.location.href,
    "aria-label": "Link to this game",
  });
  address.addEventListener("focus", () => address.select());
  const copy = button(
    "Copy link",
    async () => {
      setLabel(copy, (await copyText(address)) ? "Copied" : "Press Ctrl+C");
      setTimeout(() => setLabel(copy, "Copy link"), COPIED_MS);
    },
    { picture: "copy", kind: "primary" },
  );
  const share = () => navigator.share({ title: "Connect Four", url: address.value }).catch(() => {});
  const canShare = typeof navigator.share === "function";
  return [
    html("h2", {}, "Send this link to your friend"),
    html("div", { class: "row" }, address, copy, canShare && button("Share", share)),
    html(
      "p",
      { class: "aside" },
      "The first person who opens it plays against you. Later visitors watch.",
    ),
  ];
}

/** Who watches, in words. @param {GameState} state */
export function describeSpectators({ game, isPlayer }) {
  const others = Math.max(0, game.spectators - (isPlayer ? 0 : 1));
  const people = others === 1 ? "1 person" : `${others} people`;
  if (!isPlayer) return others ? `You are watching, with ${people} more.` : "You are watching.";
  return others ? `${people} ${others === 1 ? "is" : "are"} watching.` : "";
}
