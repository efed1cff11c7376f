// What the panel shows of an analysis: a verdict, the bar, the columns with their lines, threats, and why.

import { pressFigure, setFigures } from "../board/board.js";
import { setMarks } from "../board/overlays.js";
import { discIcon } from "../board/disc.js";
import { button, html } from "../elements/dom.js";
import { rulesText } from "../core/rules.js";
import { moveName, playerName } from "../words/names.js";
import { STANDARD } from "../words/sizes.js";
import { language, t } from "../words/text.js";
import { listColumns, listMoves } from "../words/words.js";
import { describeBest, describeOutcome, figureOf, pendingFigures, shortText } from "./analysis.js";
import { listThreats, markThreats } from "./threats.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** Nothing is to be found. @param {Panel} panel @param {Shown} position */
export function showNothing({ bar, board, parts }, { isDraft, winner }) {
  setFigures(board, null);
  parts.lines.replaceChildren();
  const end = winner ? t("analysis.has_won", { player: playerName(winner) }) : t("analysis.a_draw");
  const text = isDraft ? t("analysis.no_position") : end;
  parts.verdict.textContent = text;
  bar.show(winner ? Number(winner === 1) : 0.5, t("bar.label", { text }));
  bar.element.hidden = Boolean(isDraft);
}

/** Nothing is known yet; null is a position that has not come yet. @param {Panel} panel @param {Shown | null} position */
export function showSolving({ bar, board, parts }, position) {
  const shape = position ?? STANDARD;
  const open = position?.legal_columns ?? Array.from({ length: STANDARD.width }, (_, index) => index);
  parts.verdict.textContent = position
    ? t("analysis.to_move", { player: playerName(position.turn) })
    : "\u00a0";
  bar.show(0.5, t("bar.unknown"), false);
  // Lines that have the room of those of which nothing is known yet.
  const nameOf = (/** @type {number} */ move) => html("span.study-line-column", moveName(shape, move));
  parts.lines.replaceChildren(...open.map((move) => html("li.study-waiting", nameOf(move), "…")));
  if (position) setFigures(board, pendingFigures(open));
}

/** @param {Panel} panel @param {AnalysisView} analysis */
export function showAnalysis(panel, analysis) {
  const { bar, board, parts } = panel;
  panel.analysis = analysis;
  if (analysis.complete) parts.estimate.hidden = true;
  const outcome = describeOutcome(analysis);
  const best = describeBest(analysis);
  const icon = discIcon(analysis.position.turn);
  parts.verdict.replaceChildren(icon, html("strong", outcome), best && ` ${best}`);
  // An estimate stays on the bar until more is known.
  if (parts.estimate.hidden) {
    bar.show(analysis.share, t("bar.label", { text: outcome }), analysis.complete);
  }
  setFigures(board, analysis.columns.map(figureOf));
  parts.lines.replaceChildren(...analysis.columns.map((column) => lineOf(panel, column)));
  showSteps(panel);
}

/** @param {Panel} panel @param {PositionView} position @param {import("../backend/backend.js").Estimate} estimate */
export function showEstimate({ bar, parts }, position, { best_columns: best, share }) {
  const { turn } = position;
  const style = /** @type {const} */ ({ style: "percent" });
  const facts = { player: playerName(turn), share: share.toLocaleString(language, style) };
  parts.estimate.textContent = t("estimate.text", { ...facts, columns: listColumns(best, position) });
  parts.estimate.hidden = false;
  bar.show(turn === 1 ? share : 1 - share, t("estimate.bar", facts), false);
}

/** @param {Panel} panel @param {ColumnView} view */
function lineOf(panel, view) {
  const { column, name, text, is_best: isBest, moves, outcome } = view;
  const facts = { column: name, text };
  const words = t(isBest ? "analysis.column_best" : "analysis.column", facts);
  const hasLine = view.variation.length > 1;
  const label = hasLine ? t("analysis.column_line", { text: words, moves: listMoves(moves) }) : words;
  const enter = (/** @type {Event} */ event) => !isTouch(event) && point(panel, column);
  const leave = (/** @type {Event} */ event) => !isTouch(event) && point(panel, null);
  const click = () => choose(panel, column);
  const why = button(t("analysis.why"), () => explain(panel, why, column), {
    kind: "small study-line-why",
    "aria-expanded": "false",
    "aria-label": t("analysis.why_column", facts),
  });
  const line = html(
    "button",
    {
      class: `study-line is-${outcome ?? "unknown"}${isBest ? " is-best" : ""}`,
      "data-column": column,
      "aria-label": label,
      "aria-pressed": String(column === panel.chosen),
      on: { pointerenter: enter, pointerleave: leave, focus: enter, blur: leave, click },
    },
    html("span.study-line-column", name),
    html("span.study-line-outcome", shortText(view)),
    html("span.study-line-moves", hasLine ? [...moves].join(" ") : moves),
  );
  // Only the standard rules have explanations.
  return rulesText(panel.position?.start) ? html("li", line) : html("li", line, why);
}

/** @param {Event} event */
function isTouch(event) {
  return event instanceof PointerEvent && event.pointerType === "touch";
}

/** Show the line of *column* as long as it is pointed at; null is the end of that.
 * @param {Panel} panel @param {number | null} column */
export function point(panel, column) {
  panel.pointed = column;
  showLine(panel);
}

/** Keep the line of *column* on the board; chosen again, it goes. @param {Panel} panel @param {number} column */
export function choose(panel, column) {
  panel.chosen = column === panel.chosen ? null : column;
  panel.pointed = null;
  showLine(panel);
}

/** Play out on the board the line that is pointed at, or else the one that was chosen. @param {Panel} panel */
function showLine(panel) {
  const { analysis, board, chosen, line, parts, position } = panel;
  const column = panel.pointed ?? chosen;
  pressFigure(board, chosen);
  for (const each of parts.lines.querySelectorAll(".study-line")) {
    const its = Number(each.getAttribute("data-column"));
    each.classList.toggle("is-pointed", its === column);
    each.setAttribute("aria-pressed", String(its === chosen));
  }
  showSteps(panel);
  const view = analysis?.columns.find((each) => each.column === column);
  if (position && view) line.play(position.turn, view.squares);
  else line.stop();
}

/** Below the line that was chosen: its moves, to go to each of them. @param {Panel} panel */
function showSteps({ analysis, chosen, onLine, parts }) {
  const view = analysis?.columns.find((each) => each.column === chosen);
  const line = parts.lines.querySelector(".study-line[aria-pressed=true]");
  if (line && line.parentElement === parts.steps.parentElement) return;
  parts.steps.remove();
  if (!view || !line) return;
  const names = view.variation.length > 1 ? [...view.moves] : [view.moves];
  const steps = names.map((column, index) => {
    const number = index + 1;
    const look = {
      class: "study-line-step",
      "aria-label": t("line.go", { number, column }),
      on: { click: () => onLine(view.moves, number) },
    };
    return html("button", look, column);
  });
  parts.steps.replaceChildren(...steps);
  line.parentElement?.append(parts.steps);
}

/** @param {Panel} panel @param {Shown} position */
export function showThreats({ board, isLocked, parts, wants }, position) {
  const isShown = wants.threats && !isLocked && !position.isDraft;
  parts.threats.hidden = !isShown;
  if (isShown) {
    markThreats(board, position);
    parts.threats.replaceChildren(...listThreats(position));
  } else setMarks(board, null);
}

/** Say why the position is what it is, or what *column* does to it; asked again, be silent.
 * @param {Panel} panel @param {HTMLElement} asker @param {number | null} column */
export function explain(panel, asker, column) {
  const { position, reason } = panel;
  if (!position || panel.isLocked) return;
  const isSame = asker === panel.asker && reason.isOpen;
  closeReason(panel);
  if (isSame) return;
  panel.asker = asker;
  asker.setAttribute("aria-expanded", "true");
  if (column === null) reason.explainPosition(position);
  else reason.explainMove(position, column);
}

/** @param {Panel} panel */
export function closeReason({ asker, reason }) {
  reason.close();
  asker?.setAttribute("aria-expanded", "false");
}
