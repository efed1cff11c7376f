// The free seat: the link for the friend who is to have it, and the form of whoever opens that link.

import { discIcon } from "../board/disc.js";
import { button, html } from "../elements/dom.js";
import { colorInside } from "../words/names.js";
import { addressRow } from "../elements/copy.js";
import { field, form, nameField, submitButton } from "../elements/fields.js";
import { getPref } from "../shell/prefs.js";
import { t } from "../words/text.js";

export class Invitation {
  #onJoin;
  #isWatching = false; // somebody who could join wants to watch
  #drawn = "";
  element = html("section.card.invite", { "aria-label": t("invite.label"), hidden: true });

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
    const part = t(side === 1 ? "invite.you_start" : "invite.you_play", { color: colorInside(side) });
    const watch = button(t("invite.watch"), () => {
      this.#isWatching = true;
      this.draw(state);
    });
    return form(
      "join",
      () => this.#onJoin(name.value.trim()),
      { "aria-label": t("invite.join") },
      html("h2", t("invite.against", { name: state.nameOf(host) })),
      html("p", discIcon(side), ` ${part}`),
      field(t("start.your_name"), name, "grow"),
      html("div.actions", submitButton(t("invite.join"), { kind: "primary" }), watch),
    );
  }
}

function link() {
  const { href: url } = window.location;
  const share = () => navigator.share({ title: t("page.game"), url }).catch(() => {});
  const canShare = typeof navigator.share === "function";
  const look = { words: t("invite.copy"), kind: "primary" };
  return [
    html("h2", t("invite.send")),
    addressRow(url, t("invite.link"), look, canShare && button(t("share.title"), share)),
    html("p.aside", t("invite.aside")),
  ];
}

/** Who watches, in words. @param {GameState} state */
export function describeSpectators({ game, isPlayer }) {
  const count = Math.max(0, game.spectators - (isPlayer ? 0 : 1));
  if (isPlayer) return count ? t("invite.spectators", { count }) : "";
  return count ? t("invite.watching_with", { count }) : t("invite.watching");
}
