// How people are told of things.

import { ApiError } from "../backend/api-error.js";
import { rulesOf } from "../core/rules.js";
import { capital } from "../local/words.js";
import { SIDES, moveName, playerInside } from "./names.js";
import { refusalText } from "./refusals.js";
import { say, t } from "./text.js";

/** *text* with a capital letter and a full stop. @param {string} text */
export function sentence(text) {
  if (!text) return "";
  return `${capital(text)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** Columns in a sentence: "column 4", "columns 1 and 3"; in PopOut of *board* also "column p3".
 * @param {number[]} columns @param {Size} [board] */
export function listColumns(columns, board = { width: Infinity, height: Infinity }) {
  const names = columns.map((move) => moveName(board, move));
  const last = names.pop() ?? "";
  if (!names.length) return say("columns.one", { column: last });
  return say("columns.some", { list: names.join(", "), last });
}

/** A line of play: "4, 1, 3". @param {string} moves */
export function listMoves(moves) {
  return [...moves].join(", ");
}

const ENDS = /** @type {const} */ ({
  "four in a row": "result.four",
  "full board": "result.full",
  resignation: "result.resigned",
  agreement: "result.agreed",
  forfeit: "result.forfeited",
  "out of time": "result.time",
  abandoned: "result.left",
  repetition: "result.repeated",
});
/** For a draw. @type {Partial<Record<ResultView["termination"], "result.time_draw" | "result.left_draw">>} */
const DRAWN = { "out of time": "result.time_draw", abandoned: "result.left_draw" };

/** Whether games can end so. @param {unknown} text @returns {text is ResultView["termination"]} */
export function isTermination(text) {
  return typeof text === "string" && Object.hasOwn(ENDS, text);
}

/** Why a game from *start* ended: "four in a row", with the names of the players, or else the chosen colors.
 * @param {Omit<ResultView, "text">} result @param {string} start @param {string[]} names of both sides */
export function endText({ winner, termination }, start, names = SIDES.map(playerInside)) {
  const { connect, misere } = rulesOf(start);
  const drawn = winner ? null : DRAWN[termination];
  const facts = { loser: winner ? names[2 - winner] : "", count: connect };
  if (termination === "four in a row" && misere) return say("result.misere", facts);
  if (termination === "four in a row" && connect !== 4) return say("result.line", facts);
  return say(drawn ?? ENDS[termination], facts);
}

/** How it ended, as a sentence. @param {Omit<ResultView, "text">} result @param {string} start
 * @param {string[]} names of both sides */
export function resultText(result, start, names = SIDES.map(playerInside)) {
  const why = endText(result, start, names);
  const { winner } = result;
  const text = winner
    ? say("result.win", { winner: names[winner - 1], why })
    : say("result.draw", { why });
  return capital(text);
}

/** What went wrong, as a sentence. @param {unknown} error */
export function describeError(error) {
  return sentence(error instanceof ApiError ? refusalText(error) : String(error));
}

/** Do something, and write in *place* what went wrong. Returns whether it went well.
 * @param {HTMLElement} place @param {() => Promise<unknown>} action */
export async function tried(place, action) {
  place.textContent = "";
  try {
    await action();
    return true;
  } catch (error) {
    place.textContent = describeError(error);
    return false;
  }
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
