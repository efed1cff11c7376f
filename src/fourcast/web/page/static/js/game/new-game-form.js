// The form of the start page: whom to play, how strong, on which board, and who starts.

import { about } from "../shell/about.js";
import { isSite } from "../backend/addresses.js";
import { chosenRadio, html } from "../elements/dom.js";
import { field, form, nameField, numberField, radio, submitButton } from "../elements/fields.js";
import { clockChoice, clockOf } from "./clock-choice.js";
import { loadPlayers, opponent, startBy, strengthOf } from "./new-game.js";
import { rulesForm } from "./rules-form.js";
import { getPref, setPref } from "../shell/prefs.js";
import { levelOf } from "../words/names.js";
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
const DEFAULT_PLAYER = "level-3";
const DEFAULT_BY_RULES = "mcts";
const CUSTOM = "custom";

/**
 * @typedef {object} NewGameForm
 * @property {import("./new-game.js").Go} onMade what is done with a game that was made
 * @property {() => void} onChange called after every choice
 * @property {PlayerView[]} players those of the computer; none before they have come
 * @property {Record<string, any>} kept what was chosen last
 * @property {import("./rules-form.js").RulesForm} rules
 * @property {ReturnType<typeof makeParts>} parts its fields
 * @property {HTMLElement} element all of it
 */

/** @param {NewGameForm["onMade"]} onMade @returns {NewGameForm} */
export function makeNewGameForm(onMade) {
  const last = getPref("form", {});
  const kept = { ...(typeof last === "object" ? last : {}), ...sizeOf(window.location.search) };
  const rules = rulesForm(kept.rules);
  const parts = makeParts(kept);
  const element = form(
    "card.new-game",
    () => startGame(newGame, ""),
    { novalidate: true, "aria-label": t("start.form"), on: { input: () => changed(newGame) } },
    modeFields(kept.mode),
    parts.computer,
    html(
      "div.row",
      field(t("start.your_name"), parts.name, "grow"),
      parts.friendField,
      field(t("start.size"), parts.size),
      !isSite && field(t("start.clock"), parts.clock, "grow"),
    ),
    parts.custom,
    rules.element,
    parts.starter,
    parts.error,
    parts.submit,
  );
  /** @type {NewGameForm} */
  const newGame = { onMade, onChange: () => {}, players: [], kept, rules, parts, element };
  offerPlayers(newGame, kept.player ?? DEFAULT_PLAYER);
  return newGame;
}

/** What is chosen. @param {NewGameForm} form */
export function chosenIn({ element, parts, rules }) {
  const { size, width, height } = parts;
  const custom = { width: Number(width.value), height: Number(height.value) };
  return {
    mode: /** @type {Mode} */ (chosenRadio(element, "mode") ?? "computer"),
    starts: chosenRadio(element, "starts") ?? "me",
    player: chosenRadio(element, "player"),
    size: size.value === CUSTOM ? custom : parseSize(size.value),
    rules: rules.text(), // as in `connect=5,wrap`; empty for the standard ones
  };
}

// ---- Its parts ---------------------------------------------------------------------------------------

/** @param {NewGameForm["kept"]} kept */
function makeParts(kept) {
  const width = numberField("width", about.min_width, about.max_width, kept.width ?? 9);
  const height = numberField("height", about.min_height, about.max_height, kept.height ?? 8);
  const custom = [field(t("start.columns"), width), field(t("start.rows"), height)];
  const friend = nameField({ autocomplete: "off", value: kept.friend ?? "" });
  const levels = html("div.levels", { role: "radiogroup", "aria-label": t("start.level") });
  const playerText = html("p.player-text", { "aria-live": "polite" });
  const others = html("div.others");
  const legend = html("legend", t("start.how_strong"));
  return {
    ...{ width, height, friend, levels, playerText, others },
    name: nameField({ id: "name", autocomplete: "nickname", value: getPref("name", "") }),
    friendField: field(t("start.friend_name"), friend, "grow"),
    size: sizeField(kept.size),
    custom: html("div.row", { hidden: true }, ...custom),
    clock: clockChoice("clock", kept.clock),
    computer: html("fieldset.plain", legend, levels, playerText, others),
    starter: starterFields(kept.starts),
    error: html("p.error", { role: "alert" }),
    submit: submitButton(t("start.go"), { kind: "primary large" }),
  };
}

/** @param {unknown} kept */
function modeFields(kept) {
  const chosen = oneOf(
    modes().map(({ value }) => value),
    kept,
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

/** @param {string} kept */
function sizeField(kept) {
  const sizes = [...about.sizes, CUSTOM];
  const chosen = sizes.includes(kept) ? kept : formatSize(STANDARD);
  const other = html("option", { value: CUSTOM, selected: chosen === CUSTOM }, t("start.other_size"));
  const options = sizeOptions(chosen === CUSTOM ? formatSize(STANDARD) : chosen);
  return html("select", { id: "size", name: "size" }, ...options, other);
}

/** @param {unknown} kept */
function starterFields(kept) {
  const chosen = oneOf(
    starters().map(([value]) => value),
    kept,
  );
  const choices = starters().map(([value, text]) =>
    html(
      "label.segment",
      radio("starts", value, value === chosen),
      html("span", { "data-other": value === "other" }, text),
    ),
  );
  const segments = html("div.segments", ...choices);
  return html("fieldset.plain.segmented", html("legend", t("start.who_starts")), segments);
}

/** @param {NewGameForm} newGame @param {string} chosen */
async function offerPlayers(newGame, chosen) {
  const { parts } = newGame;
  try {
    newGame.players = await loadPlayers();
  } catch (error) {
    parts.error.textContent = describeError(error);
    return;
  }
  const { players } = newGame;
  const levels = players.filter(({ name }) => levelOf(name));
  const others = players.filter(({ name }) => !levelOf(name));
  const known = oneOf([levels[0]?.name, ...players.map(({ name }) => name)], chosen);
  const choice = (/** @type {PlayerView} */ { name, title }, text = title) =>
    html(
      "label.choice",
      radio("player", name, name === known, { "aria-label": title }),
      html("span", text),
    );
  parts.levels.replaceChildren(...levels.map((each) => choice(each, String(levelOf(each.name)))));
  const group = { class: "choices", role: "radiogroup", "aria-label": t("start.other_players") };
  const details = html(
    "details",
    { open: others.some(({ name }) => name === known) },
    html("summary", t("start.other_players")),
    html("div", group, ...others.map((each) => choice(each))),
  );
  parts.others.replaceChildren(...(others.length ? [details] : []));
  changed(newGame);
}

// ---- What people do ----------------------------------------------------------------------------------

/** Keep what is chosen and show what belongs to it. @param {NewGameForm} newGame */
export function changed(newGame) {
  const { parts } = newGame;
  adaptPlayers(newGame);
  const { mode, starts, player, rules } = chosenIn(newGame);
  newGame.kept = {
    ...{ mode, starts, rules, player: player ?? newGame.kept.player, size: parts.size.value },
    ...{ width: Number(parts.width.value), height: Number(parts.height.value) },
    ...{ clock: parts.clock.value, friend: parts.friend.value.trim() },
  };
  setPref("name", parts.name.value.trim());
  setPref("form", newGame.kept);
  parts.computer.hidden = mode !== "computer";
  parts.custom.hidden = parts.size.value !== CUSTOM;
  parts.starter.hidden = mode === "here";
  parts.friendField.hidden = mode !== "here";
  const other = parts.starter.querySelector("[data-other]");
  if (other) other.textContent = t(mode === "link" ? "start.friend" : "start.computer");
  parts.submit.textContent = t(mode === "link" ? "start.make_link" : "start.go");
  parts.error.textContent = "";
  parts.playerText.textContent = describePlayer(newGame);
  newGame.onChange();
}

/** Levels are calibrated for the standard rules: by others only those are offered who know them.
 * @param {NewGameForm} newGame */
function adaptPlayers(newGame) {
  const { parts, players } = newGame;
  const { player, rules } = chosenIn(newGame);
  const isOffered = (/** @type {string} */ name) =>
    rules === "" || players.some((each) => each.name === name && each.plays_all_rules);
  parts.levels.hidden = rules !== "";
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = parts.computer.querySelectorAll("input[name=player]");
  for (const input of inputs) {
    const label = input.closest("label");
    if (label) label.hidden = !isOffered(input.value);
  }
  if (!inputs.length || isOffered(player ?? "")) return;
  for (const input of inputs) input.checked = input.value === DEFAULT_BY_RULES;
  parts.others.querySelector("details")?.setAttribute("open", "");
}

/** @param {NewGameForm} newGame */
function describePlayer(newGame) {
  const chosen = chosenIn(newGame);
  const player = newGame.players.find(({ name }) => name === chosen.player);
  if (!player) return "";
  const { title, text } = player;
  // How strong they are by other rules is not known.
  const strength = chosen.rules ? "" : strengthOf(player, newGame.players);
  return strength
    ? t("start.player_rated", { title, text, strength })
    : t("start.player", { title, text });
}

/** Start a game; *moves* is what was played on the board of the start page. Returns what went wrong, if anything.
 * @param {NewGameForm} newGame @param {string} moves */
export async function startGame(newGame, moves) {
  const { kept, onMade, parts } = newGame;
  if (parts.submit.disabled) return "";
  const { mode, rules, size, ...chosen } = chosenIn(newGame);
  const problem = sizeProblem(size);
  if (problem) {
    parts.error.textContent = problem;
    return problem;
  }
  /** @type {Seat} */
  const me = { kind: "me", name: parts.name.value.trim() };
  const player = chosen.player ?? kept.player ?? DEFAULT_PLAYER; // which may be on its way
  const other = opponent(mode, { player, name: parts.friend.value.trim() });
  const coin = Math.random() < 0.5 ? "me" : "other";
  const starts = mode === "here" ? "me" : chosen.starts === "random" ? coin : chosen.starts;
  const [first, second] = starts === "me" ? [me, other] : [other, me];
  const clock = isSite ? null : clockOf(parts.clock);
  const request = { first, second, ...size, rules, moves, clock };
  parts.error.textContent = await startBy(parts.submit, request, onMade);
  return parts.error.textContent;
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
