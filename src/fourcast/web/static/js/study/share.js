// Taking a position or a game along: links to copy, and files to download.

import { announce } from "../announce.js";
import { button, html } from "../dom.js";
import { boardAddress, queryOf } from "./positions.js";

const COPIED_MS = 2500;

/** Links and downloads for what is on the board.
 *
 * `update(game, at)` tells which: *game* has start, moves, width and height, *at* is the number of its
 * moves that are on the board. Names go into the game file; what is no position yet has no files. */
export function mountShare({ element }) {
  const title = "share-title";
  const links = [
    new Link("position", "Link to this position"),
    new Link("game", "Link to the whole game"),
  ];
  const downloads = html("ul", { class: "share-files" });
  const heading = html("h3", { class: "share-heading" }, "Download");
  element.classList.add("card", "share-panel");
  element.setAttribute("aria-labelledby", title);
  element.replaceChildren(
    html("h2", { id: title }, "Share"),
    ...links.map((link) => link.element),
    heading,
    downloads,
  );

  function update(game, at = game.moves.length, { first = "", second = "", hasFiles = true } = {}) {
    const shown = { ...game, moves: game.moves.slice(0, at) };
    links[0].show(boardAddress(shown));
    links[1].show(boardAddress(game));
    // Before the first move and after the last one a game has no second address that is of use.
    links[1].element.hidden = at === game.moves.length;
    heading.hidden = !hasFiles;
    downloads.hidden = !hasFiles;
    downloads.replaceChildren(...files(game, shown, { first, second }).map(({ path, query, name, label, about }) =>
      html("li", {}, html("a", { class: "share-file", href: `${path}?${new URLSearchParams(query)}`, download: name },
        html("strong", {}, label), html("span", {}, about)))));
  }

  return { update };
}

function files(game, shown, names) {
  const whole = queryOf(game);
  const here = queryOf(shown);
  const players = Object.fromEntries(Object.entries(names).filter(([, name]) => name));
  return [
    { path: "/api/game-file", query: { ...whole, ...players, format: "text" },
      name: "connect-four.txt", label: "TXT", about: "game file" },
    { path: "/api/game-file", query: { ...whole, ...players, format: "json" },
      name: "connect-four.json", label: "JSON", about: "game file" },
    { path: "/api/picture.svg", query: here, name: "connect-four.svg", label: "SVG", about: "picture" },
    { path: "/api/picture.png", query: here, name: "connect-four.png", label: "PNG", about: "picture" },
    { path: "/api/animation.gif", query: whole, name: "connect-four.gif", label: "GIF", about: "moves" },
  ];
}

class Link {
  constructor(name, label) {
    const id = "share-link";
    this.field = html("input", {
      type: "text", id, readonly: true, class: "share-address", on: { focus: () => this.field.select() },
    });
    this.button = button("Copy", () => this.copy(), { picture: "copy", "aria-label": `Copy: ${label}` });
    this.element = html("div", { class: "share-link" },
      html("label", { for: id }, label), html("div", { class: "share-row" }, this.field, this.button));
  }

  show(address) {
    this.field.value = new URL(address, window.location.origin).href;
    this.say("Copy");
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.field.value);
    } catch {
      // No permission, or a page without https: the field is marked, Ctrl+C does the rest.
      this.field.focus();
      this.field.select();
      if (!document.execCommand?.("copy")) {
        this.say("Press Ctrl+C");
        announce("Press control C to copy the link.");
        return;
      }
    }
    this.say("Copied");
    announce("Link copied.");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say("Copy"), COPIED_MS);
  }

  say(text) {
    this.button.lastElementChild.textContent = text;
  }
}
