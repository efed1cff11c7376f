// How people are told of things.

import { ApiError } from "./api.js";
import { columnName } from "./names.js";

/** *text* with a capital letter and a full stop. @param {string} text */
export function sentence(text) {
  if (!text) return "";
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Columns in a sentence: "column 4", "columns 1 and 3". @param {number[]} columns */
export function listColumns(columns) {
  const names = columns.map(columnName);
  const last = names.pop();
  return names.length ? `columns ${names.join(", ")} and ${last}` : `column ${last}`;
}

/** A line of play: "4, 1, 3". @param {string} moves */
export function listMoves(moves) {
  return [...moves].join(", ");
}

/** What went wrong, as a sentence. @param {unknown} error */
export function describeError(error) {
  return sentence(error instanceof ApiError ? error.detail : String(error));
}

/** Why a question to the server has no answer, if it may have one later; else null. @param {unknown} error */
export function describeDelay(error) {
  if (!(error instanceof ApiError)) return null;
  const { status } = error;
  if (status === 503 || status === 429) return "The server is busy with other analyses.";
  if (status === 0) return "No connection to the server.";
  return status >= 500 ? "The server failed." : null;
}

/** How many seconds to wait until the question is asked again. @param {unknown} error */
export function delayOf(error) {
  const wanted = error instanceof ApiError ? error.retryAfter : null;
  return Math.min(Math.max(wanted ?? 5, 1), 60);
}
