// Analysis at hand: what every column is worth, the bar, lines of best play on the board, threats.
//
// The panel asks the server and shows what it is told. One question is open at a time: a newer position
// aborts the older request, and the server then stops solving.

import { announce } from "../announce.js";
import { getJson } from "../api.js";
import { columnName, discIcon, reducedMotion, svg } from "../board.js";
import { button, html } from "../dom.js";
import { getPref, setPref } from "../prefs.js";
import { queryOf } from "./positions.js";
import { anyOf, delayOf, describeDelay, nameOf } from "./words.js";

// A first answer soon, then what takes longer: bounds are shown while the server goes on.
const PATIENCE_S = [2, 15, 60];
const SETTLE_MS = 120; // stepping quickly through a game asks for no position that is only passed
const STEP_MS = 320; // between two discs of a line
const KEPT = 200;
const ADVICE = "Point at a column to see best play.";

const found = new Map(); // diagram -> the best AnalysisView so far

export function mountStudy({ element, board }) {
  const panel = new Panel(element, board);
  return {
    update: (position, context) => panel.update(position, context),
    destroy: () => panel.destroy(),
  };
}

class Panel {
  constructor(element, board) {
    Object.assign(this, { element, board });
    this.position = null;
    this.analysis = null; // what is shown of the position
    this.request = null; // the question that is open
    this.timers = new Set();
    this.lineTimers = new Set();
    this.isLocked = false; // fair play
    this.isWaiting = false; // for the server to have time, or for the network
    this.hasLine = false; // a line of ours is on the board
    this.wants = {
      analysis: getPref("study.analysis", false) === true,
      threats: getPref("study.threats", false) === true,
    };
    this.build();
    board.onFigure = (column) => this.point(column);
    this.onOnline = () => this.isWaiting && this.ask();
    window.addEventListener("online", this.onOnline);
  }

  build() {
    const title = "study-title";
    this.why = html("p", { class: "study-why", id: "study-why", hidden: true });
    this.switches = {
      analysis: this.makeSwitch("analysis", "Analysis"),
      threats: this.makeSwitch("threats", "Threats"),
    };
    this.verdict = html("p", { class: "study-verdict" });
    this.status = html("p", { class: "study-status" });
    this.again = button("", () => this.ask(), { kind: "small", hidden: true });
    this.bar = new Bar();
    this.lines = html("ol", { class: "study-lines", "aria-label": "Columns" });
    this.findings = html("div", { class: "study-findings", hidden: true },
      this.verdict, this.bar.element,
      html("div", { class: "study-state" }, this.status, this.again), this.lines);
    this.threatList = html("div", { class: "study-threats", hidden: true });
    this.element.classList.add("card", "study-panel");
    this.element.setAttribute("aria-labelledby", title);
    this.element.replaceChildren(
      html("div", { class: "study-switches" },
        html("h2", { id: title, class: "visually-hidden" }, "Analysis"),
        this.switches.analysis, this.switches.threats),
      this.why, this.findings, this.threatList);
  }

  makeSwitch(name, label) {
    return html("button", {
      type: "button", role: "switch", class: "study-switch", "aria-checked": "false",
      "aria-describedby": this.why.id, on: { click: () => this.toggle(name) },
    }, html("span", { class: "study-switch-track", "aria-hidden": "true" }), label);
  }

  toggle(name) {
    if (this.isLocked) {
      announce(this.why.textContent);
      return;
    }
    this.wants[name] = !this.wants[name];
    setPref(`study.${name}`, this.wants[name]);
    this.refresh();
  }

  /** Show *position*. *game* is the game it belongs to, if there is one, and *sides* those of this browser. */
  update(position, { game = null, sides = [] } = {}) {
    const isNew = !this.position || this.position.diagram !== position.diagram;
    const lock = Boolean(game) && isBetweenPeople(game) && sides.length > 0;
    const isSame = !isNew && lock === this.isLocked;
    this.position = position;
    this.isLocked = lock;
    if (!isSame) this.refresh();
    // The review may have shown figures of its own meanwhile.
    else if (this.analysis && !this.hasLine) this.board.setFigures(this.analysis.columns.map(figureOf));
  }

  destroy() {
    this.stop();
    window.removeEventListener("online", this.onOnline);
    this.board.onFigure = null;
    this.board.setFigures(null);
    if (this.board.position) this.board.setMarks(null);
    this.element.replaceChildren();
  }

  refresh() {
    for (const [name, button] of Object.entries(this.switches)) {
      button.setAttribute("aria-checked", String(this.wants[name] && !this.isLocked));
      button.setAttribute("aria-disabled", String(this.isLocked));
    }
    this.why.hidden = !this.isLocked;
    this.why.textContent = this.isLocked
      ? "Fair play: two people are in this game, so there is no analysis for them until it is over."
      : "";
    this.stop();
    this.analysis = null;
    if (!this.position) return;
    this.showThreats();
    if (this.wants.analysis && !this.isLocked) this.begin();
    else {
      this.findings.hidden = true;
      this.board.setFigures(null);
    }
  }

  // ---- Asking --------------------------------------------------------------------------------------

  begin() {
    const position = this.position;
    this.findings.hidden = false;
    if (position.is_over || position.isDraft) {
      this.showNothing(position);
      return;
    }
    this.attempt = 0;
    const known = found.get(position.diagram);
    if (known) {
      this.show(known);
      if (known.complete) {
        this.say(ADVICE);
        return;
      }
    } else this.showSolving();
    this.later(() => this.ask(), SETTLE_MS);
  }

  async ask() {
    this.stop();
    const position = this.position;
    const request = new AbortController();
    this.request = request;
    this.beginClock();
    const time_s = PATIENCE_S[Math.min(this.attempt, PATIENCE_S.length - 1)];
    try {
      const analysis = await getJson("/api/analysis", { ...queryOf(position), time_s }, { signal: request.signal });
      if (this.request !== request) return;
      this.stop();
      this.remember(position, analysis);
      this.show(analysis);
      this.answered(analysis);
    } catch (error) {
      if (this.request !== request || error.name === "AbortError") return;
      this.stop();
      this.failed(error);
    }
  }

  answered(analysis) {
    if (analysis.complete) {
      this.say(ADVICE);
      announce(this.verdict.textContent);
      return;
    }
    this.attempt += 1;
    if (this.attempt < PATIENCE_S.length) {
      this.ask();
      return;
    }
    this.say("Not all is known yet: these are proven bounds.", "bounds");
    this.offer("Search on");
  }

  failed(error) {
    const why = describeDelay(error);
    if (!why) {
      this.say(error.detail ?? "The server refused the question.", "error");
      if (!this.analysis) this.board.setFigures(null);
      return;
    }
    const wait_s = delayOf(error);
    this.isWaiting = true;
    this.offer("Try now");
    const until = Date.now() + wait_s * 1000;
    const tick = () => {
      const left_s = Math.ceil((until - Date.now()) / 1000);
      if (left_s <= 0) this.ask();
      else {
        this.say(`${why} Trying again in ${left_s} s.`, error.status ? "busy" : "offline");
        this.later(tick, 250);
      }
    };
    announce(`${why} Trying again in ${wait_s} seconds.`);
    tick();
  }

  remember(position, analysis) {
    if (found.size >= KEPT) found.delete(found.keys().next().value);
    found.set(position.diagram, analysis);
  }

  stop() {
    this.request?.abort();
    this.request = null;
    this.isWaiting = false;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.again.hidden = true;
    this.element.removeAttribute("aria-busy");
    this.hideLine();
  }

  later(action, delay_ms) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, delay_ms);
    this.timers.add(timer);
  }

  beginClock() {
    const began = Date.now();
    const isFirst = !this.analysis;
    this.element.setAttribute("aria-busy", "true");
    const tick = () => {
      const seconds = Math.floor((Date.now() - began) / 1000);
      const what = isFirst ? "Solving to the end of the game" : "Bounds so far; solving on";
      const advice = seconds >= 4 && isFirst ? " The first moves of a game take longest." : "";
      this.say(seconds < 1 ? `${what} …` : `${what} … ${seconds} s.${advice}`, "solving");
      this.later(tick, 250);
    };
    tick();
  }

  say(text, state = "done") {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.element.dataset.state = state;
  }

  offer(label) {
    this.again.lastElementChild.textContent = label;
    this.again.hidden = false;
  }

  // ---- Showing -------------------------------------------------------------------------------------

  showNothing(position) {
    this.board.setFigures(null);
    this.lines.replaceChildren();
    this.say("");
    if (position.isDraft) this.verdict.textContent = "No analysis: this position cannot come up in a game yet.";
    else this.verdict.textContent = position.winner ? `${nameOf(position.winner)} has won.` : "A draw.";
    this.bar.show(position.winner ? (position.winner === 1 ? 1 : -1) : 0, this.verdict.textContent);
    this.bar.element.hidden = Boolean(position.isDraft);
  }

  showSolving() {
    this.verdict.textContent = `${nameOf(this.position.turn)} to move`;
    this.bar.element.hidden = false;
    this.bar.showUnknown();
    this.lines.replaceChildren();
    this.board.setFigures(this.position.legal_columns.map((column) => (
      { column, text: "…", detail: "", label: "solving", tone: "unknown", best: false })));
  }

  show(analysis) {
    this.analysis = analysis;
    const best = bestOf(analysis);
    const who = nameOf(this.position.turn);
    const how = best.length && analysis.complete ? ` Best: ${anyOf(best)}.` : "";
    this.verdict.replaceChildren(discIcon(this.position.turn), html("strong", {}, `${who} ${analysis.text}.`), how);
    this.bar.element.hidden = false;
    this.bar.show(analysis.bar, `${who} ${analysis.text}`, analysis.complete);
    this.board.setFigures(analysis.columns.map(figureOf));
    this.lines.replaceChildren(...analysis.columns.map((column) => this.line(column)));
  }

  line(column) {
    const words = `Column ${columnName(column.column)} ${column.text}${column.is_best ? ", best" : ""}.`;
    const point = () => this.point(column.column);
    const leave = () => this.point(null);
    return html("li", {}, html("button", {
      type: "button", class: `study-line is-${toneOf(column)}${column.is_best ? " is-best" : ""}`,
      "data-column": column.column,
      "aria-label": column.variation.length > 1 ? `${words} Line: ${[...column.variation].join(" ")}.` : words,
      on: { mouseenter: point, mouseleave: leave, focus: point, blur: leave, click: point },
    },
    html("span", { class: "study-line-column" }, columnName(column.column)),
    html("span", { class: "study-line-outcome" }, shortText(column)),
    html("span", { class: "study-line-moves" }, column.variation)));
  }

  /** Play the line of *column* out on the board; null takes it away. */
  point(column) {
    this.hideLine();
    const view = this.analysis?.columns.find((each) => each.column === column);
    for (const button of this.lines.querySelectorAll("button")) {
      button.classList.toggle("is-pointed", Number(button.dataset.column) === column);
    }
    this.hasLine = Boolean(view?.line?.length);
    if (this.hasLine) playLine(this.board, this.position.turn, view.line, this.lineTimers);
  }

  hideLine() {
    for (const timer of this.lineTimers) clearTimeout(timer);
    this.lineTimers.clear();
    // Lines that somebody else shows are not ours to take away.
    if (this.hasLine) this.board.setPreview(null);
    this.hasLine = false;
  }

  // ---- Threats -------------------------------------------------------------------------------------

  showThreats() {
    const isShown = this.wants.threats && !this.isLocked && !this.position.isDraft;
    this.threatList.hidden = !isShown;
    if (!isShown) {
      this.board.setMarks(null);
      return;
    }
    const sides = [[1, this.position.threats_first], [2, this.position.threats_second]];
    this.board.setMarks(sides.flatMap(([player, squares]) => squares.map(([column, row]) => (
      { column, row, player, label: parityOf(row) }))));
    this.threatList.replaceChildren(
      html("h3", {}, "Threats"),
      ...sides.map(([player, squares]) => html("p", { class: "study-threat-side" },
        discIcon(player), html("strong", {}, `${nameOf(player)}: `), describeThreats(squares))),
      html("p", { class: "study-hint" },
        "A threat is an empty square that completes a four. Rows count from 1 at the bottom: a lasting "
        + "threat on an odd row tends to help who began, one on an even row the other."));
  }
}

/** Show the discs of a line of best play, one after the other, or at once for who wants no movement. */
export function playLine(board, turn, squares, timers) {
  const discs = squares.map(([column, row], index) => (
    { column, row, player: index % 2 ? 3 - turn : turn, number: index + 1 }));
  if (reducedMotion()) {
    board.setPreview(discs);
    return;
  }
  const step = (count) => {
    board.setPreview(discs.slice(0, count));
    if (count === discs.length) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      step(count + 1);
    }, STEP_MS);
    timers.add(timer);
  };
  step(1);
}

/** The best columns of an analysis. */
export function bestOf(analysis) {
  return analysis.columns.filter(({ is_best: isBest }) => isBest).map(({ column }) => column);
}

/** The figure above a column: a large text, a small one that says what it is, and all of it in words. */
export function figureOf(column) {
  const { moves_to_end: moves, outcome } = column;
  const [detail, text] =
    outcome === "draw" ? ["draw", "="]
    : outcome === "win" ? (moves === null ? ["wins", "…"] : ["wins in", String(moves)])
    : outcome === "loss" ? (moves === null ? ["loses", "…"] : ["loses in", String(moves)])
    : ["", "?"];
  return { column: column.column, text, detail, label: column.text, tone: toneOf(column), best: column.is_best };
}

/** The same on one line. */
function shortText(column) {
  if (!column.outcome || (column.outcome !== "draw" && column.moves_to_end === null)) return column.text;
  return column.outcome === "draw" ? "draw" : column.text.replace(/ moves?$/, "");
}

function toneOf(column) {
  return column.outcome ?? "unknown";
}

function parityOf(row) {
  return row % 2 ? "even" : "odd";
}

function describeThreats(squares) {
  if (!squares.length) return "none";
  return squares.map(([column, row]) => (
    `column ${columnName(column)} row ${row + 1} (${parityOf(row)})`)).join(", ");
}

function isBetweenPeople(game) {
  return !game.result && !game.is_local && game.first.kind !== "computer" && game.second.kind !== "computer";
}

/** The evaluation bar: how much of it is red says how well the first player stands. */
class Bar {
  constructor() {
    this.first = svg("rect", { class: "study-bar-first", x: 0, y: 0, width: 50, height: 10 });
    this.element = html("div", { class: "study-bar", role: "img", "aria-label": "Evaluation: not known yet" },
      svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { class: "study-bar-second", x: 0, y: 0, width: 100, height: 10 }),
        this.first,
        svg("rect", { class: "study-bar-middle", x: 49.75, y: 0, width: 0.5, height: 10 })));
  }

  show(value, text, isExact = true) {
    this.first.setAttribute("width", 50 + value * 50);
    this.element.classList.toggle("is-unknown", !isExact);
    this.element.setAttribute("aria-label", `Evaluation: ${text}`);
  }

  showUnknown() {
    this.first.setAttribute("width", 50);
    this.element.classList.add("is-unknown");
    this.element.setAttribute("aria-label", "Evaluation: not known yet");
  }
}
