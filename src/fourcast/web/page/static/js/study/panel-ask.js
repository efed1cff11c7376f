// How the panel comes by its analysis. A newer position aborts the older request, and its search ends.

import { setFigures } from "../board/board.js";
import { announce } from "../shell/announce.js";
import { isSite } from "../backend/addresses.js";
import { ApiError } from "../backend/api-error.js";
import { isAbort } from "../backend/api.js";
import { answersItself, estimate, ask as request } from "../backend/backend.js";
import { queryOf } from "../backend/positions.js";
import { Recent } from "../backend/recent.js";
import { t } from "../words/text.js";
import { delayOf, describeDelay, describeError } from "../words/words.js";
import { showAnalysis, showEstimate, showNothing, showSolving } from "./panel-show.js";

/** @typedef {import("./panel.js").Panel} Panel */

// A first answer soon, then what takes longer: bounds are shown while the server goes on.
const PATIENCE_S = [2, 15, 60];
const SETTLE_MS = 120; // stepping quickly through a game asks for no position that is only passed
const TICK_MS = 250;
const KEPT = 200;

/** @type {Recent<AnalysisView>} */
const found = new Recent(KEPT); // diagram -> the best analysis so far

/** Show what is known of a position, and ask for the rest. @param {Panel} panel @param {Shown} position */
export function begin(panel, position) {
  if (position.is_over || position.isDraft) {
    say(panel, "");
    showNothing(panel, position);
    return;
  }
  Object.assign(panel, { attempt: 0, from: null });
  const known = found.get(position.diagram);
  if (known) showAnalysis(panel, known);
  else showSolving(panel, position);
  if (known?.complete) say(panel, advice());
  else later(panel, () => ask(panel), SETTLE_MS);
}

/** @param {Panel} panel */
export async function ask(panel) {
  stop(panel);
  const { attempt, from, position } = panel;
  if (!position) return;
  const query = { ...queryOf(position), time_s: PATIENCE_S[Math.min(attempt, PATIENCE_S.length - 1)] };
  try {
    const answer = panel.request.ask((signal) => request("/api/analysis", query, { signal, from }));
    beginClock(panel);
    const analysis = await answer;
    stop(panel);
    found.set(position.diagram, analysis);
    showAnalysis(panel, analysis);
    answered(panel, analysis);
    // What is hard for this machine may be known there.
    panel.offersServer = !analysis.complete && !isSite && from === null && answersItself();
  } catch (error) {
    if (isAbort(error)) return;
    stop(panel);
    failed(panel, error);
  }
}

/** @param {Panel} panel */
export function askServer(panel) {
  Object.assign(panel, { from: "server", attempt: 0 });
  ask(panel);
}

/** @param {Panel} panel @param {AnalysisView} analysis */
function answered(panel, analysis) {
  if (analysis.complete) {
    say(panel, panel.from ? t("analysis.by_server", { text: advice() }) : advice());
    announce(panel.parts.verdict.textContent ?? "");
    return;
  }
  panel.attempt += 1;
  if (panel.attempt === 1) guess(panel, analysis);
  if (panel.attempt < PATIENCE_S.length) {
    ask(panel);
    return;
  }
  panel.offer = t("analysis.search_on");
  say(panel, t("analysis.bounds"), "bounds");
}

/** Where nobody is proven to win yet, say what random games say. @param {Panel} panel @param {AnalysisView} analysis */
async function guess(panel, { lower, upper, position }) {
  if (lower > 0 || upper < 0) return;
  const said = await estimate(queryOf(position), new AbortController().signal).catch(() => null);
  const isLate = panel.position?.diagram !== position.diagram || panel.analysis?.complete;
  if (said && !isLate && panel.wants.analysis && !panel.isLocked) showEstimate(panel, position, said);
}

/** @param {Panel} panel @param {unknown} error */
function failed(panel, error) {
  const why = describeDelay(error);
  if (!why) {
    say(panel, describeError(error), "error");
    if (!panel.analysis) setFigures(panel.board, null);
    return;
  }
  const wait_s = delayOf(error);
  const kind = error instanceof ApiError && error.status === 0 ? "offline" : "busy";
  Object.assign(panel, { isWaiting: true, offer: t("analysis.try_now") });
  const until = Date.now() + wait_s * 1000;
  const tick = () => {
    const left_s = Math.ceil((until - Date.now()) / 1000);
    if (left_s <= 0) {
      ask(panel);
      return;
    }
    say(panel, t("error.again_in", { why, seconds: left_s }), kind);
    later(panel, tick, TICK_MS);
  };
  announce(t("error.again_in_words", { why, count: wait_s }));
  tick();
}

/** Ask for nothing any more. @param {Panel} panel */
export function stop(panel) {
  panel.request.stop();
  for (const timer of panel.timers) clearTimeout(timer);
  panel.timers.clear();
  panel.line.stop();
  Object.assign(panel, { isWaiting: false, offer: "", offersServer: false });
  panel.redraw();
}

/** @param {Panel} panel @param {() => void} action @param {number} delay_ms */
function later({ timers }, action, delay_ms) {
  const timer = window.setTimeout(() => {
    timers.delete(timer);
    action();
  }, delay_ms);
  timers.add(timer);
}

/** @param {Panel} panel */
function beginClock(panel) {
  const began = Date.now();
  const isFirst = !panel.analysis;
  const kind = isFirst ? "solving" : "solving_on";
  const what = panel.from ? t(`analysis.${kind}_server`) : t(`analysis.${kind}`);
  const tick = () => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    const clock = seconds >= 4 && isFirst ? "analysis.clock_long" : "analysis.clock";
    say(panel, seconds < 1 ? t("analysis.begun", { what }) : t(clock, { what, seconds }), "solving");
    later(panel, tick, TICK_MS);
  };
  tick();
}

/** Say how far the answer is. @param {Panel} panel @param {string} text @param {Panel["status"]["kind"]} kind */
function say(panel, text, kind = "done") {
  panel.status = { text, kind };
  panel.redraw();
}

function advice() {
  return window.matchMedia("(hover: none)").matches ? t("analysis.tap") : t("analysis.point");
}
