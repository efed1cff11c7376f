// Going on from a position as a game: against the computer, or with a friend.

import { getJson, newGame } from "../api.js";
import { discIcon } from "../board.js";
import { button, html } from "../dom.js";
import { getPref, setPref } from "../prefs.js";
import { nameOf } from "./words.js";

const OPPONENTS = [
  ["computer", "The computer"],
  ["here", "A friend on this screen"],
  ["link", "A friend elsewhere, by a link"],
];

let players = null;

/** Ask how to go on from *query* (start, moves, width, height), then make the game and go there.
 * *side* is the one that the person has, unless he chooses otherwise; *turn* is the one to move. */
export function openPlayDialog({ query, turn, side = turn, opponent = "computer" }) {
  const title = "play-title";
  const problem = html("p", { class: "study-problem", role: "alert" });
  const select = html("select", { id: "play-level", name: "player" });
  const level = html("div", { class: "play-field" }, html("label", { for: select.id }, "Which one"), select);
  const sides = html("fieldset", { class: "play-sides" }, html("legend", {}, "You play"),
    ...[1, 2].map((player) => choice("side", player, player === side,
      discIcon(player), nameOf(player), player === turn ? " (to move)" : "")));
  const go = html("button", { type: "submit", class: "button primary" }, "Start");
  const form = html("form", {
    class: "play-form",
    on: {
      submit: (event) => {
        event.preventDefault();
        submit();
      },
      change: () => adapt(),
    },
  },
  html("h2", { id: title }, "Play from here"),
  html("fieldset", {}, html("legend", {}, "Against"),
    ...OPPONENTS.map(([value, label]) => choice("opponent", value, value === opponent, label))),
  level, sides, problem,
  html("div", { class: "play-buttons" },
    button("Cancel", () => dialog.close()), go));
  const dialog = html("dialog", {
    class: "study-dialog", "aria-labelledby": title, on: { close: () => dialog.remove() },
  }, form);

  function adapt() {
    const { opponent: against } = Object.fromEntries(new FormData(form));
    level.hidden = against !== "computer";
    sides.hidden = against === "here";
  }

  async function submit() {
    await (players ? null : fillPlayers()); // the list may still be on its way, or have got lost
    const { opponent: against, player, side: mine } = Object.fromEntries(new FormData(form));
    go.disabled = true;
    problem.textContent = "";
    const me = { kind: "me", name: getPref("name", "") };
    const other = against === "computer" ? { kind: "computer", player }
      : against === "here" ? { kind: "me", name: "" } : { kind: "friend" };
    const isFirst = against === "here" || mine === "1";
    const { start = "", moves = "", width, height } = query;
    try {
      if (against === "computer") setPref("study.player", player);
      await newGame({ first: isFirst ? me : other, second: isFirst ? other : me, start, moves, width, height });
    } catch (error) {
      problem.textContent = error.detail ?? "The game could not be made. Please try again.";
      go.disabled = false;
    }
  }

  async function fillPlayers() {
    try {
      players ??= await getJson("/api/players");
    } catch (error) {
      problem.textContent = error.detail ?? "The list of players could not be loaded.";
      return;
    }
    const last = getPref("study.player", null);
    const chosen = players.some(({ name }) => name === last) ? last : "level-5";
    select.replaceChildren(...players.map(({ name, title: called, rating }) =>
      html("option", { value: name, selected: name === chosen }, rating === null ? called : `${called} (${rating})`)));
  }

  document.body.append(dialog);
  adapt();
  fillPlayers();
  dialog.showModal();
  return dialog;
}

function choice(name, value, isChosen, ...label) {
  return html("label", { class: "play-choice" },
    html("input", { type: "radio", name, value, checked: isChosen }), ...label);
}
