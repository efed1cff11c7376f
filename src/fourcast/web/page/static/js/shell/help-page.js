// Help, and what fourcast is and rests on.

import { pageAddress } from "../backend/addresses.js";
import { button, card, html } from "../elements/dom.js";
import { rich, t } from "../words/text.js";
import { about } from "./about.js";
import { openKeys } from "./keys.js";
import { rules } from "./rules.js";

/** @typedef {import("../backend/addresses.js").PageName} PageName */

/** Draw the page into *root*. @param {HTMLElement} root */
export function helpPage(root) {
  document.title = t("help.page_title");
  const link = (/** @type {PageName} */ name, /** @type {string} */ text) =>
    html("a", { href: pageAddress(name) }, text);
  root.replaceChildren(
    html(
      "div.help",
      html("h1", t("help.title")),
      rules(),
      card(
        "help-title",
        t("help.where"),
        html(
          "ul.help-list",
          html("li", ...rich("help.learn", { link: link("learn", t("nav.learn")) })),
          html("li", ...rich("help.puzzles", { link: link("puzzles", t("nav.puzzles")) })),
          html("li", ...rich("help.board", { link: link("board", t("nav.board")) })),
          html("li", ...rich("help.games", { link: link("games", t("mine.title")) })),
        ),
        button(t("settings.keys"), openKeys),
      ),
      card(
        "about",
        t("footer.about"),
        html("p", t("help.about", { version: about.version })),
        html("p", t("help.privacy")),
      ),
      card("sources", t("footer.sources"), html("p", t("help.solved")), html("p", t("help.code"))),
    ),
  );
  const { hash } = window.location;
  if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
}
