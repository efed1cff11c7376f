// How people are told of things.

import { ApiError } from "../backend/api-error.js";
import { describeEnd, describeResult, nameColumns } from "../local/words.js";
import { SIDES, colorInside } from "./names.js";
import { refusalText } from "./refusals.js";
import { say, t } from "./text.js";

/** *text* with a capital letter and a full stop. @param {string} text */
export function sentence(text) {
  if (!text) return "";
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Columns in a sentence: "column 4", "columns 1 and 3". @param {number[]} columns */
export function listColumns(columns) {
  return nameColumns(say, columns);
}

/** A line of play: "4, 1, 3". @param {string} moves */
export function listMoves(moves) {
  return [...moves].join(", ");
}

/** How a game ended, in the chosen colors. @param {ResultView} result */
export function resultText(result) {
  return describeResult(say, result, SIDES.map(colorInside));
}

/** Why it ended: "four in a row". @param {ResultView} result */
export function endText(result) {
  return describeEnd(say, result, SIDES.map(colorInside));
}

/** What went wrong, as a sentence. @param {unknown} error */
export function describeError(error) {
  return sentence(error instanceof ApiError ? refusalText(error) : String(error));
}

/** Why a question to the server has no answer, if it may have one later; else null. @param {unknown} error */
export function describeDelay(error) {
  if (!(error instanceof ApiError)) return null;
  const { status } = error;
  if (status === 503 || status === 429) return t("error.busy");
  if (status === 0) return t("error.offline");
  return status >= 500 ? t("error.failed") : null;
}

/** How many seconds to wait until the question is asked again. @param {unknown} error */
export function delayOf(error) {
  const wanted = error instanceof ApiError ? error.retryAfter : null;
  return Math.min(Math.max(wanted ?? 5, 1), 60);
}
