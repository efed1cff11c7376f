// The form of the start page: whom to play, how strong, on which board, and who starts.

import { about } from "../shell/about.js";
import { isSite } from "../backend/addresses.js";
import { chosenRadio, html } from "../elements/dom.js";
import { field, form, nameField, numberField, radio, submitButton } from "../elements/fields.js";
import { clockChoice, clockOf } from "./clock-choice.js";
import { loadPlayers, opponent, startBy, strengthOf } from "./new-game.js";
import { rulesForm } from "./rules-form.js";
import { getPref, setPref } from "../shell/prefs.js";
import { STANDARD, formatSize, parseSize, sizeOptions, sizeProblem } from "../words/sizes.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

/** @typedef {import("./new-game.js").Mode} Mode */

const modes = () => [
  { value: "computer", title: t("start.computer"), text: t("start.computer_text") },
  { value: "here", title: t("start.here"), text: t("start.here_text") },
  // Somebody has to connect the two.
  ...(isSite ? [] : [{ value: "link", title: t("start.link"), text: t("start.link_text") }]),
];
const starters = () => [
  ["me", t("start.me")],
  ["other", t("start.computer")],
  ["random", t("start.random")],
];
const LEVEL = /^level-(\d+)$/;
const DEFAULT_PLAYER = "level-3";
const DEFAULT_BY_RULES = "mcts";
const CUSTOM = "custom";

export class NewGameForm {
  #onMade;
  /** @type {PlayerView[]} */
  #players = [];
  /** @type {Record<string, any>} */
  #kept;
  #size;
  #width;
  #height;
  #custom;
  #clock;
  #name = nameField({ id: "name", autocomplete: "nickname", value: getPref("name", "") });
  #friend;
  #friendField;
  #levels = html("div.levels", { role: "radiogroup", "aria-label": t("start.level") });
  #others = html("div.others");
  #playerText = html("p.player-text", { "aria-live": "polite" });
  #computer;
  #rules;
  #starter;
  #error = html("p.error", { role: "alert" });
  #submit = submitButton(t("start.go"), { kind: "primary large" });
  element;
  /** Called after every choice. */
  onChange = () => {};

  /** @param {import("./new-game.js").Go} onMade what is done with a game that was made */
  constructor(onMade) {
    this.#onMade = onMade;
    const kept = getPref("form", {});
    this.#kept = { ...(typeof kept === "object" ? kept : {}), ...sizeOf(window.location.search) };
    this.#friend = nameField({ autocomplete: "off", value: this.#kept.friend ?? "" });
    this.#friendField = field(t("start.friend_name"), this.#friend, "grow");
    this.#size = this.#sizeField();
    this.#width = numberField("width", about.min_width, about.max_width, this.#kept.width ?? 9);
    this.#height = numberField("height", about.min_height, about.max_height, this.#kept.height ?? 8);
    this.#custom = html(
      "div.row",
      { hidden: true },
      field(t("start.columns"), this.#width),
      field(t("start.rows"), this.#height),
    );
    this.#clock = clockChoice("clock", this.#kept.clock);
    this.#computer = this.#computerFields();
    this.#rules = rulesForm(this.#kept.rules);
    this.#starter = this.#starterFields();
    this.element = this.#form();
    this.#loadPlayers(this.#kept.player ?? DEFAULT_PLAYER);
  }

  /** @returns {Mode} */
  get mode() {
    return /** @type {Mode} */ (chosenRadio(this.element, "mode") ?? "computer");
  }

  get starts() {
    return chosenRadio(this.element, "starts") ?? "me";
  }

  get player() {
    return chosenRadio(this.element, "player");
  }

  get size() {
    if (this.#size.value !== CUSTOM) return parseSize(this.#size.value);
    return { width: Number(this.#width.value), height: Number(this.#height.value) };
  }

  /** As in `connect=5,wrap`; empty for the standard ones. */
  get rules() {
    return this.#rules.text();
  }

  // ---- Its parts ---------------------------------------------------------------------------------

  #form() {
    return form(
      "card.new-game",
      () => this.start(""),
      { novalidate: true, "aria-label": t("start.form"), on: { input: () => this.changed() } },
      this.#modeFields(),
      this.#computer,
      html(
        "div.row",
        field(t("start.your_name"), this.#name, "grow"),
        this.#friendField,
        field(t("start.size"), this.#size),
        !isSite && field(t("start.clock"), this.#clock, "grow"),
      ),
      this.#custom,
      this.#rules.element,
      this.#starter,
      this.#error,
      this.#submit,
    );
  }

  #modeFields() {
    const chosen = oneOf(
      modes().map(({ value }) => value),
      this.#kept.mode,
    );
    const choices = modes().map(({ value, title, text }) =>
      html(
        "label.mode",
        radio("mode", value, value === chosen),
        html("span.mode-title", title),
        html("span.mode-text", text),
      ),
    );
    return html("fieldset.plain.modes", html("legend", t("start.against")), ...choices);
  }

  #computerFields() {
    const legend = html("legend", t("start.how_strong"));
    return html("fieldset.plain", legend, this.#levels, this.#playerText, this.#others);
  }

  #sizeField() {
    const sizes = [...about.sizes, CUSTOM];
    const chosen = sizes.includes(this.#kept.size) ? this.#kept.size : formatSize(STANDARD);
    const other = html("option", { value: CUSTOM, selected: chosen === CUSTOM }, t("start.other_size"));
    const options = sizeOptions(chosen === CUSTOM ? formatSize(STANDARD) : chosen);
    return html("select", { id: "size", name: "size" }, ...options, other);
  }

  #starterFields() {
    const chosen = oneOf(
      starters().map(([value]) => value),
      this.#kept.starts,
    );
    const choices = starters().map(([value, text]) =>
      html(
        "label.segment",
        radio("starts", value, value === chosen),
        html("span", { "data-other": value === "other" }, text),
      ),
    );
    return html(
      "fieldset.plain.segmented",
      html("legend", t("start.who_starts")),
      html("div.segments", ...choices),
    );
  }

  /** @param {string} chosen */
  async #loadPlayers(chosen) {
    try {
      this.#players = await loadPlayers();
    } catch (error) {
      this.#error.textContent = describeError(error);
      return;
    }
    const levels = this.#players.filter(({ name }) => LEVEL.test(name));
    const others = this.#players.filter(({ name }) => !LEVEL.test(name));
    const known = oneOf([levels[0]?.name, ...this.#players.map(({ name }) => name)], chosen);
    const choice = (/** @type {PlayerView} */ { name, title }, text = title) =>
      html(
        "label.choice",
        radio("player", name, name === known, { "aria-label": title }),
        html("span", text),
      );
    this.#levels.replaceChildren(
      ...levels.map((player) => choice(player, player.name.replace(LEVEL, "$1"))),
    );
    const group = { class: "choices", role: "radiogroup", "aria-label": t("start.other_players") };
    const details = html(
      "details",
      { open: others.some(({ name }) => name === known) },
      html("summary", t("start.other_players")),
      html("div", group, ...others.map((player) => choice(player))),
    );
    this.#others.replaceChildren(...(others.length ? [details] : []));
    this.changed();
  }

  // ---- What people do ----------------------------------------------------------------------------

  /** Keep what is chosen and show what belongs to it. */
  changed() {
    this.#offerPlayers();
    this.#kept = {
      mode: this.mode,
      player: this.player ?? this.#kept.player,
      size: this.#size.value,
      width: Number(this.#width.value),
      height: Number(this.#height.value),
      rules: this.rules,
      starts: this.starts,
      clock: this.#clock.value,
      friend: this.#friend.value.trim(),
    };
    setPref("name", this.#name.value.trim());
    setPref("form", this.#kept);
    this.#computer.hidden = this.mode !== "computer";
    this.#custom.hidden = this.#size.value !== CUSTOM;
    this.#starter.hidden = this.mode === "here";
    this.#friendField.hidden = this.mode !== "here";
    const other = this.#starter.querySelector("[data-other]");
    if (other) other.textContent = t(this.mode === "link" ? "start.friend" : "start.computer");
    this.#submit.textContent = t(this.mode === "link" ? "start.make_link" : "start.go");
    this.#error.textContent = "";
    this.#playerText.textContent = this.#describePlayer();
    this.onChange();
  }

  /** Levels are calibrated for the standard rules: by others only those are offered who know them. */
  #offerPlayers() {
    const isOffered = (/** @type {string} */ name) =>
      this.rules === "" || this.#players.some((each) => each.name === name && each.plays_all_rules);
    this.#levels.hidden = this.rules !== "";
    /** @type {NodeListOf<HTMLInputElement>} */
    const inputs = this.#computer.querySelectorAll("input[name=player]");
    for (const input of inputs) {
      const label = input.closest("label");
      if (label) label.hidden = !isOffered(input.value);
    }
    if (!inputs.length || isOffered(this.player ?? "")) return;
    for (const input of inputs) input.checked = input.value === DEFAULT_BY_RULES;
    this.#others.querySelector("details")?.setAttribute("open", "");
  }

  #describePlayer() {
    const player = this.#players.find(({ name }) => name === this.player);
    if (!player) return "";
    const { title, text } = player;
    // How strong they are by other rules is not known.
    const strength = this.rules ? "" : strengthOf(player, this.#players);
    return strength
      ? t("start.player_rated", { title, text, strength })
      : t("start.player", { title, text });
  }

  /** Start a game; *moves* is what was played on the board of the start page. Returns what went wrong, if anything.
   * @param {string} moves */
  async start(moves) {
    if (this.#submit.disabled) return "";
    const problem = sizeProblem(this.size);
    if (problem) {
      this.#error.textContent = problem;
      return problem;
    }
    /** @type {Seat} */
    const me = { kind: "me", name: this.#name.value.trim() };
    const player = this.player ?? this.#kept.player ?? DEFAULT_PLAYER; // which may be on its way
    const other = opponent(this.mode, { player, name: this.#friend.value.trim() });
    const coin = Math.random() < 0.5 ? "me" : "other";
    const starts = this.mode === "here" ? "me" : this.starts === "random" ? coin : this.starts;
    const [first, second] = starts === "me" ? [me, other] : [other, me];
    const clock = isSite ? null : clockOf(this.#clock);
    const request = { first, second, ...this.size, rules: this.rules, moves, clock };
    this.#error.textContent = await startBy(this.#submit, request, this.#onMade);
    return this.#error.textContent;
  }
}

/** The size that an address names, as the form keeps it. @param {string} search */
function sizeOf(search) {
  const size = new URLSearchParams(search).get("size") ?? "";
  if (!/^\d{1,2}x\d{1,2}$/.test(size)) return {};
  return about.sizes.includes(size) ? { size } : { size: CUSTOM, ...parseSize(size) };
}

/** *wanted* if it is one of *values*, else the first of them. @param {string[]} values @param {unknown} wanted */
function oneOf(values, wanted) {
  return values.find((value) => value === wanted) ?? values[0];
}
