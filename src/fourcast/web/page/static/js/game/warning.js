// A question before a blunder, for those who have asked to be warned.

import { outcomesOf } from "../backend/backend.js";
import { isConfirmed } from "../elements/dialog.js";
import { moveName } from "../words/names.js";
import { queryOf } from "../backend/positions.js";
import { getPref } from "../shell/prefs.js";
import { t } from "../words/text.js";

const PATIENCE_S = 3;
const LATEST_MS = 5000; // a move waits no longer for the answer, be it that the core is still loaded

/** @type {{ diagram: string, answer: Promise<AnalysisView | null> } | null} */
let known = null;

/** Whether somebody wants to be warned. */
export function wantsWarning() {
  return getPref("warn") === true;
}

/** Find out what the columns of *position* are worth, before one is chosen. @param {PositionView} position */
export function prepareWarning(position) {
  if (known?.diagram === position.diagram) return known.answer;
  const answer = outcomesOf({ ...queryOf(position), time_s: PATIENCE_S }).catch(() => null);
  known = { diagram: position.diagram, answer };
  return answer;
}

/** Whether *column* is to be played, which is asked if it gives something away.
 * @param {PositionView} position @param {number} column @returns {Promise<boolean>} */
export async function isMeant(position, column) {
  const late = new Promise((resolve) => setTimeout(() => resolve(null), LATEST_MS));
  /** @type {AnalysisView | null} */
  const analysis = await Promise.race([prepareWarning(position), late]);
  const before = analysis?.outcome;
  const after = analysis?.columns.find((each) => each.column === column)?.outcome;
  const facts = { column: moveName(position, column) };
  if (before === "win" && after === "draw") return confirm(t("warn.draw", facts));
  if (before === "win" && after === "loss") return confirm(t("warn.loss", facts));
  if (before === "draw" && after === "loss") return confirm(t("warn.draw_loss", facts));
  return true;
}

/** @param {string} text */
function confirm(text) {
  return isConfirmed("warn", { title: t("warn.title"), text, yes: t("warn.yes"), no: t("warn.no") });
}
