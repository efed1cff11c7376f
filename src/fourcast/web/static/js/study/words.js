// How people are told of things: the same words as in the server's texts.

import { columnName } from "../board.js";

const NAMES = ["", "Red", "Blue"];

/** What the first and the second player are called. */
export function nameOf(player) {
  return NAMES[player];
}

/** *text* with a capital letter and a full stop. */
export function sentence(text) {
  if (!text) return "";
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Columns of which one will do: "column 2, 4, or 5". */
export function anyOf(columns) {
  return `column ${new Intl.ListFormat("en", { type: "disjunction" }).format(columns.map(columnName))}`;
}

/** Why a question to the server has no answer, if it may have one later; else null. */
export function describeDelay({ status }) {
  if (status === 503 || status === 429) return "The server is busy with other analyses.";
  if (status === 0) return "No connection to the server.";
  return status >= 500 ? "The server failed." : null;
}

/** How long to wait until the question is asked again. */
export function delayOf({ retryAfter }) {
  return Math.min(Math.max(retryAfter ?? 5, 1), 60);
}
