// Review of a game: the score over the moves, every move judged, and what should have been played.

import { announce } from "../announce.js";
import { getJson } from "../api.js";
import { columnName, discIcon } from "../board.js";
import { button, html } from "../dom.js";
import { iconButton } from "./controls.js";
import { bestOf, figureOf, playLine } from "./panel.js";
import { openPlayDialog } from "./play-from.js";
import { boardAddress, fetchPosition, queryOf } from "./positions.js";
import { Graph } from "./review-graph.js";
import { anyOf, delayOf, describeDelay, nameOf, sentence } from "./words.js";

const PATIENCE_S = [20, 60]; // for all moves together

const VERDICTS = {
  best: { symbol: "★", label: "Best" },
  good: { symbol: "✓", label: "Good" },
  inaccuracy: { symbol: "?!", label: "Inaccuracy" },
  mistake: { symbol: "?", label: "Mistake" },
  blunder: { symbol: "??", label: "Blunder" },
};
const UNKNOWN = { symbol: "·", label: "Not judged" };

/** A review in *element* of the game that `open` is given: {start, moves, width, height}.
 *
 * *onJump(position, number)* is told what is shown on the board, *onRetry({start, moves, width, height,
 * mode, turn})* that somebody wants to go on from there, *mode* "computer" or "board"; *onClose* that
 * the board is free for other figures again. */
export function mountReview({ element, board, onJump = () => {}, onRetry = retry, onClose = () => {} }) {
  const review = new Review(element, board, { onJump, onRetry, onClose });
  return { open: (query) => review.open(query), close: () => review.close(), jump: (number) => review.jump(number) };
}

function retry({ mode, turn, ...query }) {
  if (mode === "board") window.location.assign(boardAddress(query));
  else openPlayDialog({ query, turn });
}

class Review {
  constructor(element, board, listeners) {
    Object.assign(this, { element, board, ...listeners });
    this.title = "review-title";
    this.lineTimers = new Set();
    element.classList.add("card", "review-panel");
    element.setAttribute("aria-labelledby", this.title);
    element.hidden = true;
    element.addEventListener("keydown", (event) => this.key(event));
  }

  async open(query) {
    this.close();
    this.query = { start: "", moves: "", ...query };
    this.attempt = 0;
    this.element.hidden = false;
    await this.ask();
  }

  close() {
    const wasOpen = !this.element.hidden;
    this.request?.abort();
    this.request = null;
    clearInterval(this.clock);
    this.graph?.destroy();
    this.graph = null;
    this.view = null;
    this.hideAdvice();
    this.element.hidden = true;
    this.element.replaceChildren();
    if (wasOpen) this.onClose();
  }

  // ---- Asking --------------------------------------------------------------------------------------

  async ask() {
    const request = new AbortController();
    this.request?.abort();
    this.request = request;
    const hadFocus = this.element.contains(document.activeElement);
    this.showWaiting();
    try {
      const time_s = PATIENCE_S[Math.min(this.attempt, PATIENCE_S.length - 1)];
      const view = await getJson("/api/review", { ...queryOf(this.query), time_s }, { signal: request.signal });
      if (this.request !== request) return;
      this.show(view);
      if (hadFocus) this.graph.element.focus(); // what had it is gone
    } catch (error) {
      if (this.request === request && error.name !== "AbortError") this.showProblem(error);
    }
  }

  showWaiting() {
    clearInterval(this.clock);
    const began = Date.now();
    const text = html("p", { class: "study-status" }, "Judging every move …");
    this.clock = setInterval(() => {
      const seconds = Math.floor((Date.now() - began) / 1000);
      text.textContent = `Judging every move … ${seconds} s.`
        + (seconds >= 5 ? " The opening takes longest." : "");
    }, 1000);
    announce("Judging every move.");
    this.element.dataset.state = "solving";
    this.element.replaceChildren(this.heading(), text, html("div", { class: "review-wait", "aria-hidden": "true" }));
  }

  showProblem(error) {
    clearInterval(this.clock);
    const why = describeDelay(error);
    const text = html("p", { class: "study-status" }, why ?? sentence(error.detail ?? String(error)));
    this.element.dataset.state = why ? "busy" : "error";
    this.element.replaceChildren(this.heading(), text,
      button("Try again", () => this.ask(), { picture: "again" }));
    announce(text.textContent);
    if (!why) return;
    let left_s = delayOf(error);
    this.clock = setInterval(() => {
      left_s -= 1;
      if (left_s <= 0) this.ask();
      else text.textContent = `${why} Trying again in ${left_s} s.`;
    }, 1000);
  }

  heading() {
    return html("div", { class: "review-head" }, html("h2", { id: this.title }, "Review"),
      iconButton("close", "Close the review", () => this.close()));
  }

  // ---- Showing -------------------------------------------------------------------------------------

  show(view) {
    clearInterval(this.clock);
    this.view = view;
    this.element.dataset.state = view.complete ? "done" : "bounds";
    this.graph?.destroy();
    this.graph = new Graph({
      moves: view.moves,
      symbolOf: (verdict) => verdictOf(verdict).symbol,
      describe: (number) => this.describe(number),
      onJump: (number) => this.jump(number),
    });
    this.card = html("div", { class: "review-card" });
    const items = view.moves.map((move) => this.item(move));
    this.list = html("ol", { class: "review-moves", "aria-label": "Moves" }, ...items);
    this.element.replaceChildren(
      this.heading(),
      html("p", { class: "review-text" }, view.text),
      this.summary(),
      ...(view.complete ? [] : [this.more()]),
      this.graph.element,
      this.stepper(),
      this.card,
      this.list,
      this.table(),
    );
    announce(view.text);
    // At the move that decided the game; if nobody went wrong, at the last one.
    this.jump(view.decisive ?? view.moves.length);
  }

  more() {
    return html("p", { class: "study-status" }, "Some moves could not be judged in time. ",
      button("Search longer", () => {
        this.attempt += 1;
        this.ask();
      }, { kind: "small" }));
  }

  summary() {
    const sides = [[1, this.view.accuracy_first], [2, this.view.accuracy_second]];
    return html("div", { class: "review-sides" }, ...sides.map(([player, accuracy]) => {
      const moves = this.view.moves.filter((move) => move.player === player);
      const counts = Object.entries(VERDICTS).map(([name, { label }]) => {
        const count = moves.filter((move) => move.verdict === name).length;
        return html("li", { class: `review-count is-${name}${count ? "" : " is-none"}` },
          badge(name), html("span", {}, label), html("b", {}, count));
      });
      return html("section", { class: "review-side", "aria-label": nameOf(player) },
        html("h3", {}, discIcon(player), nameOf(player)),
        html("p", { class: "review-accuracy" }, html("b", {}, percent(accuracy)), " accuracy"),
        html("ul", { class: "review-counts" }, ...counts));
    }));
  }

  stepper() {
    const step = (picture, label, target) => iconButton(picture, label, () => this.jump(target()));
    return html("div", { class: "review-steps", role: "group", "aria-label": "Step through the review" },
      step("first", "Before the first move", () => 0),
      step("back", "One move back", () => this.number - 1),
      step("forward", "One move on", () => this.number + 1),
      step("last", "After the last move", () => this.view.moves.length),
      button("Next mistake", () => this.nextError(), { kind: "review-next" }));
  }

  nextError() {
    const errors = this.view.moves.filter(({ verdict }) => verdict === "mistake" || verdict === "blunder");
    const next = errors.find(({ number }) => number > this.number) ?? errors[0];
    if (next) this.jump(next.number);
    else announce("Nobody changed the outcome of this game.");
  }

  item(move) {
    const { label } = verdictOf(move.verdict);
    return html("li", {}, html("button", {
      type: "button", class: `review-move is-${move.verdict ?? "unknown"}`, "data-number": move.number,
      "aria-label": `Move ${move.number}, ${nameOf(move.player)}, column ${columnName(move.column)}: ${label}`,
      on: { click: () => this.jump(move.number) },
    },
    html("span", { class: "review-number" }, `${move.number}.`), discIcon(move.player),
    html("span", { class: "review-column" }, columnName(move.column)), badge(move.verdict)));
  }

  /** What the graph draws, for those who do not see it. */
  table() {
    const titles = ["Move", "Side", "Column", "Verdict", "Best", `Score for ${nameOf(1)}`];
    const row = (move) => html("tr", {},
      html("th", { scope: "row" }, move.number),
      ...[nameOf(move.player), columnName(move.column), verdictOf(move.verdict).label,
        move.best_columns.map(columnName).join(", ") || "–", signed(move.score_first),
      ].map((text) => html("td", {}, text)));
    const table = html("table", {},
      html("thead", {}, html("tr", {}, ...titles.map((text) => html("th", { scope: "col" }, text)))),
      html("tbody", {}, ...this.view.moves.map(row)));
    return html("details", { class: "review-table" },
      html("summary", {}, "All moves as a table"),
      html("div", { class: "review-scroll", tabindex: "0", role: "region", "aria-label": "All moves" }, table));
  }

  describe(number) {
    const move = this.view.moves[number - 1];
    if (!move) return "Before the first move";
    const what = `${nameOf(move.player)} in column ${columnName(move.column)}`;
    return `Move ${number} of ${this.view.moves.length}: ${what}. ${sentence(move.text)}`;
  }

  // ---- Going through it ----------------------------------------------------------------------------

  async jump(number) {
    if (!this.view) return;
    const bounded = Math.min(Math.max(number, 0), this.view.moves.length);
    this.number = bounded;
    this.hideAdvice();
    this.graph.setCurrent(bounded);
    for (const button of this.list.querySelectorAll("button")) {
      const isCurrent = Number(button.dataset.number) === bounded;
      if (isCurrent) {
        button.setAttribute("aria-current", "step");
        keepInView(this.list, button);
      } else button.removeAttribute("aria-current");
    }
    this.showCard(bounded);
    const position = await this.positionAfter(bounded);
    if (!position || this.number !== bounded || !this.view) return;
    this.board.show(position);
    this.onJump(position, bounded);
  }

  async positionAfter(number) {
    try {
      return await fetchPosition({ ...this.query, moves: this.query.moves.slice(0, number) });
    } catch (error) {
      const why = error.detail ?? String(error);
      this.card.append(html("p", { class: "study-problem", role: "alert" }, why));
      return null;
    }
  }

  showCard(number) {
    const move = this.view.moves[number - 1];
    if (!move) {
      this.card.replaceChildren(html("h3", {}, "Before the first move"),
        html("p", {}, "Step on with the arrow keys, or choose a move."));
      return;
    }
    const who = nameOf(move.player);
    this.advice = html("p", { class: "review-advice", role: "status" });
    this.card.replaceChildren(
      html("h3", {}, badge(move.verdict), `Move ${number}: ${who} in column ${columnName(move.column)}`),
      html("p", { class: "review-sentence" }, sentence(move.text)),
      html("div", { class: "review-actions" },
        button(`What should ${who} have played?`, () => this.advise(move), { kind: "small primary" }),
        button("Retry against the computer", () => this.tryAgain(move, "computer"), { kind: "small" }),
        button("Retry on the board", () => this.tryAgain(move, "board"), { kind: "small" })),
      this.advice);
  }

  tryAgain(move, mode) {
    const { width, height } = this.view.position;
    this.onRetry({ ...this.query, width, height, moves: this.before(move), turn: move.player, mode });
  }

  before(move) {
    return this.query.moves.slice(0, move.number - 1);
  }

  /** Show the position before *move* with what every column was worth, and play the best line. */
  async advise(move) {
    this.hideAdvice();
    const advice = this.advice;
    const position = await this.positionAfter(move.number - 1);
    if (!position || advice !== this.advice) return;
    this.board.show(position, { animate: false });
    this.onJump(position, move.number - 1);
    advice.textContent = move.best_columns.length ? sentence(anyOf(move.best_columns)) : "Not known yet; looking …";
    this.isAdvising = true;
    this.board.setFigures(position.legal_columns.map((column) => (
      move.best_columns.includes(column)
        ? { column, text: "★", detail: "", label: "best", tone: "unknown", best: true }
        : { column, text: "…", detail: "", label: "solving", tone: "unknown", best: false })));
    const request = new AbortController();
    this.adviceRequest = request;
    try {
      const analysis = await getJson("/api/analysis", { ...queryOf(position), time_s: 15 }, { signal: request.signal });
      if (this.adviceRequest !== request) return;
      this.board.setFigures(analysis.columns.map(figureOf));
      const best = analysis.columns.find(({ is_best: isBest }) => isBest);
      if (!best) return;
      const what = `${nameOf(move.player)} ${best.text} with ${anyOf(bestOf(analysis))}`;
      advice.textContent = `${what}. Best play: ${best.variation}.`;
      playLine(this.board, position.turn, best.line, this.lineTimers);
    } catch (error) {
      if (error.name !== "AbortError") advice.textContent += " The server could not be asked for the line of play.";
    }
  }

  hideAdvice() {
    this.adviceRequest?.abort();
    this.adviceRequest = null;
    for (const timer of this.lineTimers) clearTimeout(timer);
    this.lineTimers.clear();
    if (!this.isAdvising) return;
    this.isAdvising = false;
    if (this.advice) this.advice.textContent = "";
    this.board.setPreview(null);
    this.board.setFigures(null);
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.view) return;
    const target = {
      ArrowLeft: this.number - 1, ArrowRight: this.number + 1, Home: 0, End: this.view.moves.length,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.jump(target);
  }
}

function verdictOf(name) {
  return VERDICTS[name] ?? UNKNOWN;
}

function badge(verdict) {
  const { symbol } = verdictOf(verdict);
  return html("span", { class: `review-badge is-${verdict ?? "unknown"}`, "aria-hidden": "true" }, symbol);
}

function percent(value) {
  return value === null ? "–" : `${value.toFixed(1)} %`;
}

function signed(score) {
  if (score === null) return "–";
  return score > 0 ? `+${score}` : String(score).replace("-", "−");
}

/** Scroll the list, and only the list, so far that *item* is seen. */
function keepInView(list, item) {
  const top = item.offsetTop; // in the list, which is positioned
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + item.offsetHeight - list.clientHeight;
  }
}
