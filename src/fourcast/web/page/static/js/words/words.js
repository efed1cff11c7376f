// How people are told of things.

import { ApiError } from "../backend/api-error.js";
import { rulesOf } from "../core/rules.js";
import { describeEnd, describeResult, nameColumns } from "../local/words.js";
import { SIDES, playerInside } from "./names.js";
import { refusalText } from "./refusals.js";
import { say, t } from "./text.js";

/** *text* with a capital letter and a full stop. @param {string} text */
export function sentence(text) {
  if (!text) return "";
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Columns in a sentence: "column 4", "columns 1 and 3"; in PopOut of *board* also "column p3".
 * @param {number[]} columns @param {Size} [board] */
export function listColumns(columns, board) {
  return nameColumns(say, columns, board);
}

/** A line of play: "4, 1, 3". @param {string} moves */
export function listMoves(moves) {
  return [...moves].join(", ");
}

/** How a game from *start* ended, with the names of the players, or else the chosen colors.
 * @param {ResultView} result @param {string} start */
export function resultText(result, start) {
  return describeResult(say, result, rulesOf(start), SIDES.map(playerInside));
}

/** Why it ended: "four in a row". @param {Omit<ResultView, "text">} result @param {string} start
 * @param {string[]} names of both sides */
export function endText(result, start, names = SIDES.map(playerInside)) {
  return describeEnd(say, result, rulesOf(start), names);
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
