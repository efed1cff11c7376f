// Going on from a position as a game: against the computer, or with a friend.

import { isSite } from "../backend/addresses.js";
import { discIcon } from "../board/disc.js";
import { button, chosenRadio, html } from "../elements/dom.js";
import { radio } from "../elements/fields.js";
import { SIDES, colorName } from "../words/names.js";
import { loadPlayers, opponent, startBy, strengthOf } from "../game/new-game.js";
import { getPref, setPref } from "../shell/prefs.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

/** @typedef {import("../game/new-game.js").Mode} Mode */
/** @typedef {import("../backend/positions.js").PositionQuery} PositionQuery */

const opponents = () => [
  ["computer", t("play.computer")],
  ["here", t("play.here")],
  ...(isSite ? [] : [["link", t("play.link")]]),
];
const DEFAULT_PLAYER = "level-5";
const TITLE = "play-title";

/** Ask how to go on from *query*, then make the game and go there. The person has the side to move, unless
 * they choose otherwise. @param {{ query: PositionQuery, turn: Side }} from */
export function openPlayDialog({ query, turn }) {
  if (!document.getElementById(TITLE)) new PlayDialog(query, turn).open();
}

class PlayDialog {
  #query;
  #problem = html("p.study-problem", { role: "alert" });
  #select = html("select", { id: "play-level", name: "player" });
  #level = html(
    "div.play-field",
    html("label", { for: this.#select.id }, t("play.which")),
    this.#select,
  );
  #sides;
  #go = html("button.button.primary", { type: "submit" }, t("play.start"));
  #form;
  #dialog;

  /** @param {PositionQuery} query @param {Side} turn */
  constructor(query, turn) {
    this.#query = query;
    this.#sides = sideFields(turn);
    this.#form = this.#build();
    this.#dialog = html(
      "dialog.study-dialog",
      {
        "aria-labelledby": TITLE,
        on: { close: () => this.#dialog.remove() },
      },
      this.#form,
    );
  }

  open() {
    document.body.append(this.#dialog);
    this.#adapt();
    this.#fillPlayers();
    this.#dialog.showModal();
  }

  #build() {
    const [first] = opponents()[0];
    const against = opponents().map(([value, label]) =>
      choice(radio("opponent", value, value === first), label),
    );
    const cancel = button(t("play.cancel"), () => this.#dialog.close());
    return html(
      "form.play-form",
      {
        on: {
          change: () => this.#adapt(),
          submit: (event) => {
            event.preventDefault();
            this.#submit();
          },
        },
      },
      html("h2", { id: TITLE }, t("free.play")),
      html("fieldset", html("legend", t("play.against")), ...against),
      this.#level,
      this.#sides,
      this.#problem,
      html("div.play-buttons", cancel, this.#go),
    );
  }

  get #mode() {
    return /** @type {Mode} */ (chosenRadio(this.#form, "opponent") ?? "computer");
  }

  #adapt() {
    this.#level.hidden = this.#mode !== "computer";
    this.#sides.hidden = this.#mode === "here";
  }

  async #fillPlayers() {
    try {
      const players = await loadPlayers();
      if (this.#select.options.length) return;
      const last = getPref("study.player");
      const chosen = players.some(({ name }) => name === last) ? last : DEFAULT_PLAYER;
      const options = players.map((player) => {
        const strength = strengthOf(player);
        const { title } = player;
        const words = strength ? t("start.with_strength", { title, strength }) : title;
        return html("option", { value: player.name, selected: player.name === chosen }, words);
      });
      this.#select.replaceChildren(...options);
    } catch (error) {
      this.#problem.textContent = describeError(error);
    }
  }

  async #submit() {
    this.#problem.textContent = "";
    this.#problem.textContent = await startBy(this.#go, this.#request());
  }

  /** The game that was chosen. @returns {Promise<NewGame>} */
  async #request() {
    await this.#fillPlayers(); // the list may still be on its way, or have got lost
    const mode = this.#mode;
    const player = this.#select.value;
    /** @type {Seat} */
    const me = { kind: "me", name: getPref("name", "") };
    const other = opponent(mode, { player });
    const isFirst = mode === "here" || chosenRadio(this.#form, "side") === "1";
    const [first, second] = isFirst ? [me, other] : [other, me];
    const { start, moves, width, height } = this.#query;
    if (mode === "computer") setPref("study.player", player);
    return { first, second, start, moves, width, height };
  }
}

/** @param {Side} turn */
function sideFields(turn) {
  const sides = SIDES.map((side) => {
    const color = colorName(side);
    const name = side === turn ? t("play.to_move", { player: color }) : color;
    return choice(radio("side", String(side), side === turn), discIcon(side), name);
  });
  return html("fieldset.play-sides", html("legend", t("play.you")), ...sides);
}

/** @param {HTMLElement} input @param {import("../elements/dom.js").Child[]} label */
function choice(input, ...label) {
  return html("label.play-choice", input, ...label);
}
