// Analysis at hand: what every column is worth, the bar, lines of best play on the board, threats.
//
// The panel asks the page's core, or the server, and shows what it is told. One question is open at a time:
// a newer position aborts the older request, and its search ends.

import { announce } from "../shell/announce.js";
import { isSite } from "../backend/addresses.js";
import { ApiError } from "../backend/api-error.js";
import { isAbort } from "../backend/api.js";
import { answersItself, ask, estimate } from "../backend/backend.js";
import { discIcon } from "../board/disc.js";
import { button, html, setDisabled, setLabel } from "../elements/dom.js";
import { colorName, columnName } from "../words/names.js";
import { queryOf } from "../backend/positions.js";
import { getPref, setPref } from "../shell/prefs.js";
import { STANDARD } from "../words/sizes.js";
import { language, t } from "../words/text.js";
import { delayOf, describeDelay, describeError, listColumns, listMoves } from "../words/words.js";
import { describeBest, describeOutcome, figureOf, pendingFigures, shortText } from "./analysis.js";
import { Bar } from "./bar.js";
import { LinePlayer } from "./line.js";
import { listThreats, markThreats } from "./threats.js";
import { Why } from "./why.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("../board/board.js").Shown} Shown */
/** @typedef {"analysis" | "threats"} Wish */

// A first answer soon, then what takes longer: bounds are shown while the server goes on.
const PATIENCE_S = [2, 15, 60];
const SETTLE_MS = 120; // stepping quickly through a game asks for no position that is only passed
const TICK_MS = 250;
const KEPT = 200;

/** @type {Map<string, AnalysisView>} */
const found = new Map(); // diagram -> the best analysis so far

export class Panel {
  #element;
  #board;
  #line;
  /** @type {Shown | null} */
  #position = null;
  /** @type {AnalysisView | null} What is shown of the position. */
  #analysis = null;
  /** @type {AbortController | null} The question that is open. */
  #request = null;
  #attempt = 0;
  /** @type {"server" | null} Who is asked, if it is not the page's own core. */
  #from = null;
  /** @type {Set<number>} */
  #timers = new Set();
  #isLocked = false; // fair play
  #isWaiting = false; // for the server to have time, or for the network
  #game;
  /** @type {Record<Wish, boolean>} */
  #wants;
  /** @type {number | null} The column that is pointed at or has the focus. */
  #pointed = null;
  /** @type {number | null} The column whose line stays on the board until it is chosen again. */
  #chosen = null;
  #onChange;
  #onLine;
  #why = html("p", { class: "study-why", id: "study-why", hidden: true });
  #switches = {
    analysis: this.#makeSwitch("analysis", t("analysis.title")),
    threats: this.#makeSwitch("threats", t("analysis.threats")),
  };
  #verdict = html("p", { class: "study-verdict" });
  #status = html("p", { class: "study-status" });
  #again = button("", () => this.#ask(), { kind: "small", hidden: true });
  #askServer = button(t("analysis.ask_server"), () => this.#toServer(), { kind: "small", hidden: true });
  #bar = new Bar();
  #estimate = html("p", { class: "study-estimate", hidden: true });
  #lines = html("ol", { class: "study-lines", "aria-label": t("analysis.columns") });
  #threats = html("div", { class: "study-threats", hidden: true });
  #steps = html("div", { class: "study-line-steps", role: "group", "aria-label": t("line.steps") });
  #reason;
  /** @type {HTMLElement | null} What somebody asked with. */
  #asker = null;
  #whyButton = button(t("analysis.why"), () => this.#explain(this.#whyButton, null), {
    kind: "small",
    "aria-describedby": "study-why",
    "aria-disabled": "true", // until there is a position
    "aria-expanded": "false",
  });
  #findings = html(
    "div",
    { class: "study-findings", hidden: true },
    this.#verdict,
    this.#bar.element,
    this.#estimate,
    html("div", { class: "study-state" }, this.#status, this.#again, this.#askServer),
    this.#lines,
  );

  /**
   * On the free board both switches stay as they were left. In a *game*, which is its id, they are off at
   * first, and stay as they were left there only. *onChange* is called when a switch was used.
   * @param {HTMLElement} element @param {Board} board
   * *onLine* is called with the moves of a line, and how many of them to go.
   * @param {{ game?: string | null, onChange?: () => void, onLine: (moves: string, count: number) => void }} options
   */
  constructor(element, board, { game = null, onChange = () => {}, onLine }) {
    this.#element = element;
    this.#board = board;
    this.#game = game;
    this.#wants = keptWishes(game);
    this.#onChange = onChange;
    this.#onLine = onLine;
    this.#line = new LinePlayer(board);
    this.#reason = new Why(board, { heading: "h3", onClose: () => this.#reasonClosed() });
    const title = "study-title";
    element.classList.add("card", "study-panel");
    element.setAttribute("aria-labelledby", title);
    element.replaceChildren(
      html(
        "div",
        { class: "study-switches" },
        html("h2", { id: title, class: "visually-hidden" }, t("analysis.title")),
        this.#switches.analysis,
        this.#switches.threats,
        this.#whyButton,
      ),
      this.#why,
      this.#reason.element,
      this.#findings,
      this.#threats,
    );
    board.onFigure = (column) => this.#point(column);
    board.onFigureChosen = (column) => this.#choose(column);
    window.addEventListener("online", () => this.#isWaiting && this.#ask());
  }

  /** Take the room of an analysis that is on, before there is a position. */
  reserve() {
    if (!this.isOn) return;
    this.#findings.hidden = false;
    this.#board.setFigures([]);
    this.#showSolving(null);
  }

  /** Whether the analysis is on the page. */
  get isOn() {
    return this.#wants.analysis && !this.#isLocked;
  }

  /** Switch the analysis on, as a link asks for, which changes nothing for other pages. */
  switchOn() {
    this.#wants.analysis = true;
    if (this.#position) this.#refresh(this.#position);
  }

  /** Show *position*. *game* is the game it belongs to, if there is one, and *sides* those of this browser.
   * @param {Shown} position @param {{ game: GameView | null, sides: Side[] }} context */
  update(position, { game, sides } = { game: null, sides: [] }) {
    const isLocked = game !== null && isBetweenPeople(game) && sides.length > 0;
    const isSame = this.#position?.diagram === position.diagram && isLocked === this.#isLocked;
    this.#position = position;
    this.#isLocked = isLocked;
    if (!isSame) {
      this.#closeReason();
      this.#refresh(position);
    }
    // The review may have shown figures of its own meanwhile.
    else if (this.#analysis && !this.#line.isShown) {
      this.#board.setFigures(this.#analysis.columns.map(figureOf));
    }
  }

  // ---- Switches ----------------------------------------------------------------------------------

  /** @param {Wish} name @param {string} label */
  #makeSwitch(name, label) {
    const look = { type: "button", role: "switch", class: "study-switch", "aria-checked": "false" };
    return html(
      "button",
      { ...look, "aria-describedby": "study-why", on: { click: () => this.#toggle(name) } },
      html("span", { class: "study-switch-track", "aria-hidden": "true" }),
      label,
    );
  }

  /** @param {Wish} name */
  #toggle(name) {
    if (this.#isLocked) {
      announce(t("analysis.fair_play"));
      return;
    }
    this.#wants[name] = !this.#wants[name];
    if (this.#game) setPref("study.game", { id: this.#game, ...this.#wants });
    else setPref(`study.${name}`, this.#wants[name]);
    if (this.#position) this.#refresh(this.#position);
    else this.#drawSwitches(); // what they are for comes with the position
    this.#onChange();
  }

  #drawSwitches() {
    for (const name of /** @type {Wish[]} */ (["analysis", "threats"])) {
      this.#switches[name].setAttribute("aria-checked", String(this.#wants[name] && !this.#isLocked));
      setDisabled(this.#switches[name], this.#isLocked);
    }
  }

  /** @param {Shown} position */
  #refresh(position) {
    this.#drawSwitches();
    setDisabled(this.#whyButton, this.#isLocked || position.is_over || Boolean(position.isDraft));
    this.#why.hidden = !this.#isLocked;
    this.#why.textContent = this.#isLocked ? t("analysis.fair_play") : "";
    this.#stop();
    this.#estimate.hidden = true;
    this.#analysis = null;
    this.#pointed = null;
    this.#chosen = null;
    this.#board.pressFigure(null);
    this.#showThreats(position);
    this.#findings.hidden = !this.isOn;
    if (this.isOn) this.#begin(position);
    else this.#board.setFigures(null);
  }

  /** Say why the position is what it is, or what *column* does to it.
   * @param {HTMLElement} asker @param {number | null} column */
  #explain(asker, column) {
    if (!this.#position || this.#isLocked) return;
    const isSame = asker === this.#asker && this.#reason.isOpen;
    this.#closeReason();
    if (isSame) return;
    this.#asker = asker;
    asker.setAttribute("aria-expanded", "true");
    if (column === null) this.#reason.explainPosition(this.#position);
    else this.#reason.explainMove(this.#position, column);
  }

  /** Somebody has read enough. */
  #reasonClosed() {
    this.#closeReason();
    this.#asker?.focus();
  }

  #closeReason() {
    this.#reason.close();
    this.#asker?.setAttribute("aria-expanded", "false");
  }

  // ---- Asking ------------------------------------------------------------------------------------

  /** @param {Shown} position */
  #begin(position) {
    if (position.is_over || position.isDraft) {
      this.#showNothing(position);
      return;
    }
    this.#attempt = 0;
    this.#from = null;
    const known = found.get(position.diagram);
    if (known) this.#show(known);
    else this.#showSolving(position);
    if (known?.complete) this.#say(advice());
    else this.#later(() => this.#ask(), SETTLE_MS);
  }

  async #ask() {
    this.#stop();
    const position = this.#position;
    if (!position) return;
    const request = new AbortController();
    const { signal } = request;
    this.#request = request;
    this.#beginClock();
    const time_s = PATIENCE_S[Math.min(this.#attempt, PATIENCE_S.length - 1)];
    try {
      const analysis = await ask(
        "/api/analysis",
        { ...queryOf(position), time_s },
        { signal, from: this.#from },
      );
      if (this.#request !== request) return;
      this.#stop();
      remember(position, analysis);
      this.#show(analysis);
      this.#answered(analysis);
      // What is hard for this machine may be known there.
      this.#askServer.hidden = analysis.complete || isSite || this.#from !== null || !answersItself();
    } catch (error) {
      if (this.#request !== request || isAbort(error)) return;
      this.#stop();
      this.#failed(error);
    }
  }

  /** @param {AnalysisView} analysis */
  #answered(analysis) {
    if (analysis.complete) {
      this.#say(this.#from ? t("analysis.by_server", { text: advice() }) : advice());
      announce(this.#verdict.textContent ?? "");
      return;
    }
    this.#attempt += 1;
    if (this.#attempt === 1) this.#showEstimate(analysis);
    if (this.#attempt < PATIENCE_S.length) {
      this.#ask();
      return;
    }
    this.#say(t("analysis.bounds"), "bounds");
    this.#offer(t("analysis.search_on"));
  }

  /** Where nobody is proven to win yet, say what random games say. @param {AnalysisView} analysis */
  async #showEstimate({ lower, upper, position }) {
    if (lower > 0 || upper < 0) return;
    const guess = await estimate(queryOf(position), new AbortController().signal).catch(() => null);
    const isLate = this.#position?.diagram !== position.diagram || this.#analysis?.complete;
    if (!guess || isLate || !this.isOn) return;
    const style = /** @type {const} */ ({ style: "percent" });
    const facts = {
      player: colorName(position.turn),
      share: guess.share.toLocaleString(language, style),
    };
    this.#estimate.textContent = t("estimate.text", {
      ...facts,
      columns: listColumns(guess.best_columns),
    });
    this.#estimate.hidden = false;
    const first = position.turn === 1 ? guess.share : 1 - guess.share;
    this.#bar.showEstimate(first, t("estimate.bar", facts));
  }

  /** @param {unknown} error */
  #failed(error) {
    const why = describeDelay(error);
    if (!why) {
      this.#say(describeError(error), "error");
      if (!this.#analysis) this.#board.setFigures(null);
      return;
    }
    const wait_s = delayOf(error);
    const state = error instanceof ApiError && error.status === 0 ? "offline" : "busy";
    this.#isWaiting = true;
    this.#offer(t("analysis.try_now"));
    const until = Date.now() + wait_s * 1000;
    const tick = () => {
      const left_s = Math.ceil((until - Date.now()) / 1000);
      if (left_s <= 0) {
        this.#ask();
        return;
      }
      this.#say(t("error.again_in", { why, seconds: left_s }), state);
      this.#later(tick, TICK_MS);
    };
    announce(t("error.again_in_words", { why, count: wait_s }));
    tick();
  }

  #toServer() {
    this.#from = "server";
    this.#attempt = 0;
    this.#ask();
  }

  #stop() {
    this.#request?.abort();
    this.#request = null;
    this.#isWaiting = false;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#again.hidden = true;
    this.#askServer.hidden = true;
    this.#element.removeAttribute("aria-busy");
    this.#line.stop();
  }

  /** @param {() => void} action @param {number} delay_ms */
  #later(action, delay_ms) {
    const timer = window.setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, delay_ms);
    this.#timers.add(timer);
  }

  #beginClock() {
    const began = Date.now();
    const isFirst = !this.#analysis;
    this.#element.setAttribute("aria-busy", "true");
    const tick = () => {
      const seconds = Math.floor((Date.now() - began) / 1000);
      const kind = isFirst ? "solving" : "solving_on";
      const what = this.#from ? t(`analysis.${kind}_server`) : t(`analysis.${kind}`);
      const clock = seconds >= 4 && isFirst ? "analysis.clock_long" : "analysis.clock";
      const text = seconds < 1 ? t("analysis.begun", { what }) : t(clock, { what, seconds });
      this.#say(text, "solving");
      this.#later(tick, TICK_MS);
    };
    tick();
  }

  /** @param {string} text @param {"done" | "bounds" | "solving" | "busy" | "offline" | "error"} state */
  #say(text, state = "done") {
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#element.dataset.state = state;
  }

  /** @param {string} label */
  #offer(label) {
    setLabel(this.#again, label);
    this.#again.hidden = false;
  }

  // ---- Showing -----------------------------------------------------------------------------------

  /** @param {Shown} position */
  #showNothing({ isDraft, winner }) {
    this.#board.setFigures(null);
    this.#lines.replaceChildren();
    this.#say("");
    const end = winner ? t("analysis.has_won", { player: colorName(winner) }) : t("analysis.a_draw");
    const text = isDraft ? t("analysis.no_position") : end;
    this.#verdict.textContent = text;
    this.#bar.show(winner ? Number(winner === 1) : 0.5, text);
    this.#bar.element.hidden = Boolean(isDraft);
  }

  /** @param {Shown | null} position */
  #showSolving(position) {
    const open = position?.legal_columns ?? Array.from({ length: STANDARD.width }, (_, index) => index);
    this.#verdict.textContent = position
      ? t("analysis.to_move", { player: colorName(position.turn) })
      : "\u00a0";
    this.#bar.showUnknown();
    this.#lines.replaceChildren(...open.map(waitingLine));
    if (position) this.#board.setFigures(pendingFigures(open));
  }

  /** @param {AnalysisView} analysis */
  #show(analysis) {
    this.#analysis = analysis;
    if (analysis.complete) this.#estimate.hidden = true;
    const outcome = describeOutcome(analysis);
    const best = describeBest(analysis);
    this.#verdict.replaceChildren(
      discIcon(analysis.position.turn),
      html("strong", {}, outcome),
      best && ` ${best}`,
    );
    // An estimate stays on the bar until more is known.
    if (this.#estimate.hidden) this.#bar.show(analysis.share, outcome, analysis.complete);
    this.#board.setFigures(analysis.columns.map(figureOf));
    this.#lines.replaceChildren(...analysis.columns.map((column) => this.#lineOf(column)));
    this.#showSteps();
  }

  /** @param {ColumnView} view */
  #lineOf(view) {
    const { column, text, is_best: isBest, moves, outcome } = view;
    const facts = { column: columnName(column), text };
    const words = t(isBest ? "analysis.column_best" : "analysis.column", facts);
    const hasLine = moves.length > 1;
    const label = hasLine ? t("analysis.column_line", { text: words, moves: listMoves(moves) }) : words;
    const point = (/** @type {PointerEvent | FocusEvent} */ event) => {
      if (!isTouch(event)) this.#point(column);
    };
    const leave = (/** @type {PointerEvent | FocusEvent} */ event) => {
      if (!isTouch(event)) this.#point(null);
    };
    const choose = () => this.#choose(column);
    const why = button(t("analysis.why"), () => this.#explain(why, column), {
      kind: "small study-line-why",
      "aria-expanded": "false",
      "aria-label": t("analysis.why_column", facts),
    });
    return html(
      "li",
      {},
      html(
        "button",
        {
          type: "button",
          class: `study-line is-${outcome ?? "unknown"}${isBest ? " is-best" : ""}`,
          "data-column": column,
          "aria-label": label,
          "aria-pressed": String(column === this.#chosen),
          on: { pointerenter: point, pointerleave: leave, focus: point, blur: leave, click: choose },
        },
        html("span", { class: "study-line-column" }, columnName(column)),
        html("span", { class: "study-line-outcome" }, shortText(view)),
        html("span", { class: "study-line-moves" }, [...moves].join(" ")),
      ),
      why,
    );
  }

  /** Show the line of *column* as long as it is pointed at; null is the end of that.
   * @param {number | null} column */
  #point(column) {
    this.#pointed = column;
    this.#showLine();
  }

  /** Keep the line of *column* on the board; chosen again, it goes. @param {number} column */
  #choose(column) {
    this.#chosen = column === this.#chosen ? null : column;
    this.#pointed = null;
    this.#showLine();
  }

  /** Play out on the board the line that is pointed at, or else the one that was chosen. */
  #showLine() {
    const column = this.#pointed ?? this.#chosen;
    this.#board.pressFigure(this.#chosen);
    for (const each of this.#lines.querySelectorAll(".study-line")) {
      if (!(each instanceof HTMLElement)) continue;
      each.classList.toggle("is-pointed", Number(each.dataset.column) === column);
      each.setAttribute("aria-pressed", String(Number(each.dataset.column) === this.#chosen));
    }
    this.#showSteps();
    const view = this.#analysis?.columns.find((each) => each.column === column);
    if (this.#position && view) this.#line.play(this.#position.turn, view.squares);
    else this.#line.stop();
  }

  /** Below the line that was chosen: its moves, to go to each of them. */
  #showSteps() {
    const view = this.#analysis?.columns.find((each) => each.column === this.#chosen);
    const line = this.#lines.querySelector(".study-line[aria-pressed=true]");
    if (line?.parentElement === this.#steps.parentElement && line) return;
    this.#steps.remove();
    if (!view || !line) return;
    const steps = [...view.moves].map((column, index) => {
      const number = index + 1;
      const look = {
        type: "button",
        class: "study-line-step",
        "aria-label": t("line.go", { number, column }),
        on: { click: () => this.#onLine(view.moves, number) },
      };
      return html("button", look, column);
    });
    this.#steps.replaceChildren(...steps);
    line.parentElement?.append(this.#steps);
  }

  /** @param {Shown} position */
  #showThreats(position) {
    const isShown = this.#wants.threats && !this.#isLocked && !position.isDraft;
    this.#threats.hidden = !isShown;
    if (!isShown) {
      this.#board.setMarks(null);
      return;
    }
    markThreats(this.#board, position);
    this.#threats.replaceChildren(...listThreats(position));
  }
}

function advice() {
  return window.matchMedia("(hover: none)").matches ? t("analysis.tap") : t("analysis.point");
}

/** A line that has the room of one of which nothing is known yet. @param {number} column */
function waitingLine(column) {
  const name = html("span", { class: "study-line-column" }, columnName(column));
  return html("li", { class: "study-waiting" }, name, "…");
}

/** @param {Event} event */
function isTouch(event) {
  return event instanceof PointerEvent && event.pointerType === "touch";
}

/** What the switches of the free board, or of the *game* of that id, were left at.
 * @param {string | null} game @returns {Record<Wish, boolean>} */
function keptWishes(game) {
  const kept = game ? getPref("study.game") : null;
  const isOn = (/** @type {Wish} */ name) =>
    game ? kept?.id === game && kept[name] === true : getPref(`study.${name}`) === true;
  return { analysis: isOn("analysis"), threats: isOn("threats") };
}

/** @param {Shown} position @param {AnalysisView} analysis */
function remember(position, analysis) {
  const [oldest] = found.keys();
  if (found.size >= KEPT) found.delete(oldest);
  found.set(position.diagram, analysis);
}

/** Whether two people play each other, both being there. @param {GameView} game */
function isBetweenPeople(game) {
  return !game.result && !game.is_local && game.first.kind === "person" && game.second.kind === "person";
}
