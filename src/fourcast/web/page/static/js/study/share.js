// Taking a position or a game along: links to copy, and files to download.

import { html, setDisabled, setLabel } from "../elements/dom.js";
import { copyButton } from "../elements/copy.js";
import { fileAddress, kinds, saveFile } from "../backend/downloads.js";
import { isSite } from "../backend/addresses.js";
import { boardAddress, gameAddress, upTo } from "../backend/positions.js";
import { movesIn } from "../core/rules.js";
import { t } from "../words/text.js";

/** @typedef {import("../backend/positions.js").Wishes} Wishes */

/** Links and downloads for what is on the board. */
export class Share {
  #live = makeLink("share-live", t("share.live"));
  #position = makeLink("share-position", t("share.position"));
  #game = makeLink("share-game", t("share.game"));
  #heading = html("h3.share-heading", t("share.download"));
  #downloads = html("ul.share-files");

  /** @param {HTMLElement} element */
  constructor(element) {
    const title = "share-title";
    element.classList.add("card", "share-panel");
    element.setAttribute("aria-labelledby", title);
    element.replaceChildren(
      html("h2", { id: title }, t("share.title")),
      this.#live.element,
      this.#position.element,
      this.#game.element,
      this.#heading,
      this.#downloads,
    );
  }

  /**
   * Offer *game*, of which *at* moves are on the board. One that was played here has an *id*: then it has
   * a link of its own, and its file holds names, times and result. Links open with the analysis or the
   * review that is on the page; what is no position yet has no files.
   * @param {PositionQuery} game
   * @param {number} at
   * @param {Wishes & { id?: string | null, hasFiles?: boolean }} [options]
   */
  update(game, at, { id = null, hasFiles = true, analysis = false, review = false } = {}) {
    const shown = upTo(game, at);
    const isPast = at < movesIn(game).length;
    // On the static site a game is in this browser only: the link to all of its moves is for everybody.
    const hasLink = id !== null && !isSite;
    this.#live.element.hidden = !hasLink;
    if (hasLink) this.#live.show(gameAddress(id, isPast ? at : null, { analysis, review }));
    this.#position.show(boardAddress(shown, at, { analysis }));
    this.#game.show(boardAddress(game, Infinity, { analysis, review }));
    // A game has a second address if an earlier move is shown, or its review; unless it has its own.
    this.#game.element.hidden = hasLink || !(isPast || review || isSite);
    this.#heading.hidden = !hasFiles;
    this.#downloads.hidden = !hasFiles;
    this.#downloads.replaceChildren(...files({ game, shown, id }));
  }
}

/** @param {import("../backend/downloads.js").Subject} subject */
function files(subject) {
  return kinds().map(([kind, text]) => {
    const save = (/** @type {Event} */ event) => {
      event.preventDefault();
      saveFile(kind, subject);
    };
    const look = isSite
      ? { href: `#${kind.toLowerCase()}`, on: { click: save } }
      : { href: fileAddress(kind, subject), download: `connect-four.${kind.toLowerCase()}` };
    const words = [html("strong", kind), html("span", text)];
    return html("li", html("a.share-file", { ...look }, ...words));
  });
}

/** An address to copy, with a label. @param {string} id @param {string} label */
function makeLink(id, label) {
  const look = { type: "text", id, readonly: true, class: "share-address" };
  const field = html("input", { ...look, on: { focus: () => field.select() } });
  const copy = copyButton(t("copy.copy"), field, { "aria-label": t("copy.what", { what: label }) });
  setDisabled(copy, true); // until there is something to copy
  const row = html("div.share-row", field, copy);
  const show = (/** @type {string} */ address) => {
    field.value = new URL(address, window.location.href).href;
    setLabel(copy, t("copy.copy"));
    setDisabled(copy, false);
  };
  return { element: html("div.share-link", html("label", { for: id }, label), row), show };
}
