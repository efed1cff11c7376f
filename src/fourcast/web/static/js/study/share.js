// Taking a position or a game along: links to copy, and files to download.

import { announce } from "../announce.js";
import { withQuery } from "../api.js";
import { button, copyText, html, setLabel } from "../dom.js";
import { boardAddress, gameAddress, queryOf, upTo } from "../positions.js";

/** @typedef {import("../positions.js").PositionQuery} PositionQuery */
/** @typedef {import("../positions.js").Wishes} Wishes */

const COPIED_MS = 2500;

/** Links and downloads for what is on the board. */
export class Share {
  #live = new Link("share-live", "Link to the game");
  #position = new Link("share-position", "Link to this position");
  #game = new Link("share-game", "Link to the whole game");
  #heading = html("h3", { class: "share-heading" }, "Download");
  #downloads = html("ul", { class: "share-files" });

  /** @param {HTMLElement} element */
  constructor(element) {
    const title = "share-title";
    element.classList.add("card", "share-panel");
    element.setAttribute("aria-labelledby", title);
    element.replaceChildren(
      html("h2", { id: title }, "Share"),
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
    const isPast = at < game.moves.length;
    this.#live.element.hidden = id === null;
    if (id !== null) this.#live.show(gameAddress(id, isPast ? at : null, { analysis, review }));
    this.#position.show(boardAddress(shown, at, { analysis }));
    this.#game.show(boardAddress(game, game.moves.length, { analysis, review }));
    // A game has a second address if an earlier move is shown, or its review; unless it has its own.
    this.#game.element.hidden = id !== null || !(isPast || review);
    this.#heading.hidden = !hasFiles;
    this.#downloads.hidden = !hasFiles;
    this.#downloads.replaceChildren(...files(game, shown, id));
  }
}

/** @param {PositionQuery} game @param {PositionQuery} shown @param {string | null} id */
function files(game, shown, id) {
  const whole = queryOf(game);
  const here = queryOf(shown);
  const gameFile = (/** @type {"text" | "json"} */ format) =>
    id === null
      ? withQuery("/api/game-file", { ...whole, format })
      : withQuery(`/api/games/${id}/file`, { format });
  return [
    file("TXT", "game file", gameFile("text")),
    file("JSON", "game file", gameFile("json")),
    file("SVG", "picture", withQuery("/api/picture.svg", here)),
    file("PNG", "picture", withQuery("/api/picture.png", here)),
    file("GIF", "moves", withQuery("/api/animation.gif", whole)),
  ];
}

/** @param {string} label @param {string} text @param {string} href */
function file(label, text, href) {
  const look = { class: "share-file", href, download: `connect-four.${label.toLowerCase()}` };
  return html("li", {}, html("a", look, html("strong", {}, label), html("span", {}, text)));
}

class Link {
  #timer = 0;
  #field;
  #button;
  element;

  /** @param {string} id @param {string} label */
  constructor(id, label) {
    const select = () => this.#field.select();
    const look = { type: "text", id, readonly: true, class: "share-address" };
    this.#field = html("input", { ...look, on: { focus: select } });
    this.#button = button("Copy", () => this.#copy(), {
      picture: "copy",
      "aria-label": `Copy: ${label}`,
    });
    this.element = html(
      "div",
      { class: "share-link" },
      html("label", { for: id }, label),
      html("div", { class: "share-row" }, this.#field, this.#button),
    );
  }

  /** @param {string} address */
  show(address) {
    this.#field.value = new URL(address, window.location.origin).href;
    setLabel(this.#button, "Copy");
  }

  async #copy() {
    const isCopied = await copyText(this.#field);
    setLabel(this.#button, isCopied ? "Copied" : "Press Ctrl+C");
    announce(isCopied ? "Link copied." : "Press control C to copy the link.");
    clearTimeout(this.#timer);
    if (isCopied) this.#timer = window.setTimeout(() => setLabel(this.#button, "Copy"), COPIED_MS);
  }
}
