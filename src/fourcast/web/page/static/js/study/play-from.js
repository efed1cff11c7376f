// Going on from a position as a game: against the computer, or with a friend.

import { isSite } from "../backend/addresses.js";
import { discIcon } from "../board/disc.js";
import { button, chosenRadio, html } from "../elements/dom.js";
import { openDialog } from "../elements/dialog.js";
import { form, radio, submitButton } from "../elements/fields.js";
import { SIDES, colorName } from "../words/names.js";
import { loadPlayers, opponent, startBy, strengthOf } from "../game/new-game.js";
import { rulesText } from "../core/rules.js";
import { getPref, setPref } from "../shell/prefs.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

/** @typedef {import("../game/new-game.js").Mode} Mode */

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
  const problem = html("p.study-problem", { role: "alert" });
  const select = html("select", { id: "play-level", name: "player" });
  const level = html("div.play-field", html("label", { for: select.id }, t("play.which")), select);
  const sides = sideFields(turn);
  const [[first]] = opponents();
  const against = opponents().map(([value, label]) =>
    choice(radio("opponent", value, value === first), label),
  );
  const cancel = button(t("play.cancel"), () => content.closest("dialog")?.close());
  const go = submitButton(t("play.start"), { kind: "primary" });
  const submit = async () => {
    problem.textContent = "";
    problem.textContent = await startBy(go, chosen());
  };
  const content = form(
    "play-form",
    submit,
    { on: { change: () => adapt() } },
    html("h2", { id: TITLE }, t("free.play")),
    html("fieldset", html("legend", t("play.against")), ...against),
    level,
    sides,
    problem,
    html("div.play-buttons", cancel, go),
  );
  const mode = () => /** @type {Mode} */ (chosenRadio(content, "opponent") ?? "computer");
  const adapt = () => {
    level.hidden = mode() !== "computer";
    sides.hidden = mode() === "here";
  };
  const fill = () =>
    fillPlayers(select, query.start).catch((error) => (problem.textContent = describeError(error)));
  /** The game that was chosen. @returns {Promise<NewGame>} */
  const chosen = async () => {
    await fill(); // the list may still be on its way, or have got lost
    if (mode() === "computer") setPref("study.player", select.value);
    /** @type {Seat} */
    const me = { kind: "me", name: getPref("name", "") };
    const other = opponent(mode(), { player: select.value });
    const isFirst = mode() === "here" || chosenRadio(content, "side") === "1";
    const { start, moves, width, height } = query;
    const seats = isFirst ? { first: me, second: other } : { first: other, second: me };
    return { ...seats, start, moves, width, height };
  };
  adapt();
  fill();
  openDialog(TITLE, [content], { kind: "study-dialog" });
}

/** Those who know the rules of *start*. @param {HTMLSelectElement} select @param {string} start */
async function fillPlayers(select, start) {
  const known = await loadPlayers();
  const players = rulesText(start) ? known.filter((each) => each.plays_all_rules) : known;
  if (select.options.length) return;
  const last = getPref("study.player");
  const chosen = players.some(({ name }) => name === last) ? last : DEFAULT_PLAYER;
  const options = players.map((player) => {
    const { name, title } = player;
    const strength = rulesText(start) ? "" : strengthOf(player, players);
    const words = strength ? t("start.with_strength", { title, strength }) : title;
    return html("option", { value: name, selected: name === chosen }, words);
  });
  select.replaceChildren(...options);
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

/** @param {HTMLElement} input @param {Child[]} label */
function choice(input, ...label) {
  return html("label.play-choice", input, ...label);
}
