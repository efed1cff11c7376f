// Taking a position or a game along: links to copy, and files to download.

import { announce } from "../announce.js";
import { withQuery } from "../api.js";
import { button, copyText, html, setLabel } from "../dom.js";
import { boardAddress, queryOf, upTo } from "../positions.js";

/** @typedef {import("../positions.js").PositionQuery} PositionQuery */

const COPIED_MS = 2500;

/** Links and downloads for what is on the board. */
export class Share {
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
      this.#position.element,
      this.#game.element,
      this.#heading,
      this.#downloads,
    );
  }

  /**
   * Offer *game*, of which *at* moves are on the board. Names go into the game file; what is no position
   * yet has no files.
   * @param {PositionQuery} game
   * @param {number} at
   * @param {{ first?: string, second?: string, hasFiles?: boolean }} [options]
   */
  update(game, at, { first = "", second = "", hasFiles = true } = {}) {
    const shown = upTo(game, at);
    this.#position.show(boardAddress(shown));
    this.#game.show(boardAddress(game));
    // Before the first move and after the last one a game has no second address that is of use.
    this.#game.element.hidden = at === game.moves.length;
    this.#heading.hidden = !hasFiles;
    this.#downloads.hidden = !hasFiles;
    this.#downloads.replaceChildren(...files(game, shown, { first, second }));
  }
}

/** @param {PositionQuery} game @param {PositionQuery} shown @param {{ first: string, second: string }} names */
function files(game, shown, names) {
  const whole = queryOf(game);
  const here = queryOf(shown);
  return [
    file("TXT", "game file", withQuery("/api/game-file", { ...whole, ...names, format: "text" })),
    file("JSON", "game file", withQuery("/api/game-file", { ...whole, ...names, format: "json" })),
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
