// An event: the pairs of the round, the table, and what the host does.

import { gamePage } from "../backend/addresses.js";
import { button, card, html, tableOf } from "../elements/dom.js";
import { field, form, numberField, optionsOf, submitButton } from "../elements/fields.js";
import { announce } from "../shell/announce.js";
import { t } from "../words/text.js";
import { clockField, fileLink, redraw } from "./parts.js";
import { clockText, resultOf } from "./state.js";

const KINDS = /** @type {const} */ (["swiss", "round-robin", "knockout"]);

/** What a kind of event is called. @param {typeof KINDS[number]} kind */
const kindText = (kind) => t(`room.${/** @type {"swiss"} */ (kind.replace("-", "_"))}`);

/** @param {RoomPage} page @returns {import("./room-page.js").Part} */
export function makeEvent(page) {
  const now = html("div.room-event");
  const element = card("event-title", t("room.event"), now);
  let last = 0; // round that was told
  return {
    element,
    draw: (state) => {
      const { event } = state.room;
      element.hidden = !event;
      redraw(now, [event, state.room.standings, state.room.games, state.isHost], () =>
        event
          ? [
              ...heading(state),
              ...controls(page, state),
              ...roundOf(page, state),
              tableCard(page, state),
            ]
          : [],
      );
      const number = state.round?.number ?? 0;
      if (last && number > last) announce(t("room.round_begins", { number }));
      last = number;
    },
  };
}

/** What is played, and how far it is. @param {RoomState} state */
export function heading({ room: { event }, round }) {
  if (!event) return [];
  const facts = { kind: kindText(event.kind), clock: clockText(event.clock) };
  const where = round
    ? t("room.round_of", { number: round.number, count: event.rounds })
    : t("room.before_first");
  return [
    html("p.aside", t("room.event_is", facts)),
    html("h3.room-round", event.is_over ? t("room.event_over") : where),
  ];
}

/** The pairs of the last round. @param {RoomPage | null} page null where nobody presses anything
 * @param {RoomState} state */
export function roundOf(page, state) {
  const { round, room, isHost } = state;
  if (!round) return [];
  const rows = state.gamesOfRound(round.number).map((game) => {
    const [first, second] = [game.first, game.second].map((id) => state.nameOf(id ?? null));
    const result = resultOf(game);
    const isOpen = game.winner === null && !room.event?.is_over;
    const look = { href: gamePage(game.id), "data-key": game.id };
    const watch = page ? html("a", look, t("room.watch")) : t("room.running");
    const name = t("room.pair", { first, second });
    return html(
      "li",
      html("span.room-name", name),
      html("span.room-result", result || watch),
      page && isHost && isOpen && decision(page, game.id, name),
    );
  });
  const byes = (round.byes ?? []).map((id) =>
    html("li", html("span.room-name", state.nameOf(id)), html("span.room-result", t("room.bye"))),
  );
  return [html("ul.room-list.room-pairs", { "aria-label": t("room.pairs") }, ...rows, ...byes)];
}

/** How the host decides a game that is not played on. @param {RoomPage} page @param {string} game @param {string} name */
function decision(page, game, name) {
  const choices = [
    ["", t("room.decide")],
    ["1", "1 – 0"],
    ["0", "½ – ½"],
    ["2", "0 – 1"],
  ];
  const look = { "aria-label": t("room.decide_name", { name }), "data-key": `decide-${game}` };
  const select = html("select.room-decide", look, ...optionsOf(choices, ""));
  select.addEventListener("change", () => {
    if (select.value) page.host({ kind: "decide", game, winner: Number(select.value) });
  });
  return select;
}

/** The table, with the best first. @param {RoomState} state */
export function standings({ room: { standings: rows }, member }) {
  const head = [t("room.place"), t("room.player"), t("room.points"), t("room.wins"), t("room.draws")];
  const cells = rows.map(({ name, points, wins, draws, losses, buchholz, is_gone: isGone }, index) => [
    String(index + 1),
    isGone ? t("room.has_left", { name }) : name,
    String(points),
    ...[wins, draws, losses, buchholz].map(String),
  ]);
  const table = tableOf([...head, t("room.losses"), t("room.buchholz")], cells);
  table.classList.add("room-table");
  for (const [index, row] of [...table.tBodies[0].rows].entries()) {
    if (rows[index].member === member) row.classList.add("is-me");
  }
  return table;
}

/** @param {RoomPage} page @param {RoomState} state */
function tableCard({ id }, state) {
  const csv = fileLink(`/api/rooms/${id}/standings.csv`, t("room.csv"));
  const label = { role: "region", "aria-label": t("room.standings"), tabindex: "0" };
  return html("div", html("div.room-scroll", label, standings(state)), html("div.actions", csv));
}

/** @param {RoomPage} page @param {RoomState} state */
function controls(page, state) {
  const { event } = state.room;
  if (!state.isHost || !event || event.is_over) return [];
  const number = (state.round?.number ?? 0) + 1;
  const isPlaying =
    state.round && state.gamesOfRound(state.round.number).some(({ winner }) => winner === null);
  const start = button(
    number > event.rounds ? t("room.finish") : t("room.start_round", { number }),
    () => page.host({ kind: "next-round", round: number }),
    {
      kind: isPlaying ? "" : "primary",
      "data-key": "next",
      "aria-disabled": String(Boolean(isPlaying)),
    },
  );
  const end = button(t("room.end_event"), () => page.host({ kind: "end-event" }), { "data-key": "end" });
  const wait = isPlaying && html("p.aside", t("room.round_runs"));
  return [html("div.actions", start, end), wait];
}

/** The form of a new event. @param {RoomPage} page */
export function makeOpening(page) {
  const kinds = KINDS.map((each) => [each, kindText(each)]);
  const kind = html("select", { id: "event-kind" }, ...optionsOf(kinds, "swiss"));
  const rounds = numberField("event-rounds", 1, 50, 3);
  const clock = clockField("event-clock");
  const number = field(t("room.rounds"), rounds);
  kind.addEventListener("change", () => (number.hidden = kind.value !== "swiss"));
  const open = () => {
    const count = kind.value === "swiss" ? { rounds: rounds.valueAsNumber || null } : {};
    page.host({ kind: "open-event", format: kind.value, clock: clock.value(), ...count });
  };
  return form(
    "room-opening",
    open,
    { "aria-label": t("room.new_event") },
    html("div.row", field(t("room.kind"), kind), number, clock.element),
    html("p.aside", t("room.event_aside")),
    html("div.actions", submitButton(t("room.open_event"))),
  );
}
