// The clocks to choose from, for a game or for the games of a room.

import { html } from "../elements/dom.js";
import { optionsOf } from "../elements/fields.js";
import { language, t } from "../words/text.js";

/** For each move, or for the game and after each move, in seconds. @type {ClockRequest[]} */
const CLOCKS = [
  { kind: "move", time_s: 10, increment_s: 0 },
  { kind: "move", time_s: 30, increment_s: 0 },
  { kind: "move", time_s: 86_400, increment_s: 0 },
  { kind: "game", time_s: 60, increment_s: 0 },
  { kind: "game", time_s: 180, increment_s: 2 },
  { kind: "game", time_s: 300, increment_s: 3 },
  { kind: "game", time_s: 900, increment_s: 10 },
];

/** A choice of clocks, or none. @param {string} id @param {string} [chosen] */
export function clockChoice(id, chosen = "") {
  const choices = CLOCKS.map((clock) => [keyOf(clock), describeClock(clock)]);
  const options = optionsOf([["", t("start.no_clock")], ...choices], chosen);
  return html("select", { id, name: id }, ...options);
}

/** The clock that is chosen. @param {HTMLSelectElement} choice */
export function clockOf({ value }) {
  return CLOCKS.find((each) => keyOf(each) === value) ?? null;
}

/** @param {ClockRequest} clock */
function keyOf({ kind, time_s: time, increment_s: increment }) {
  return `${kind} ${time} ${increment}`;
}

/** A clock in words. @param {ClockRequest} clock */
export function describeClock({ kind, time_s: seconds, increment_s: increment }) {
  const units = /** @type {const} */ ([
    [86_400, "day"],
    [60, "minute"],
    [1, "second"],
  ]);
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? units[2];
  const time = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(
    seconds / size,
  );
  if (kind === "move") return t("start.clock_move", { time });
  return increment ? t("start.clock_more", { time, increment }) : t("start.clock_game", { time });
}
