// Review of a game: the score over the moves, every move judged, and what should have been played.

import { showPosition } from "../board/board.js";
import { announce } from "../shell/announce.js";
import { isAbort } from "../backend/api.js";
import { ask } from "../backend/backend.js";
import { Latest } from "../backend/latest.js";
import { pointing } from "../board/pointing.js";
import { button, focusInPlace, html, iconButton, reveal, setLabel, stepByKey } from "../elements/dom.js";
import { columnName, playerName } from "../words/names.js";
import { boardAddress, fetchPosition, queryOf, upTo } from "../backend/positions.js";
import { t } from "../words/text.js";
import { delayOf, describeDelay, describeError, sentence } from "../words/words.js";
import { Advice } from "./advice.js";
import { easelOf } from "./easel.js";
import { openPlayDialog } from "./play-from.js";
import { Graph } from "./review-graph.js";
import { badge, labelOf, mistakes, moveItem, summary, table, trainLink } from "./review-parts.js";
import { Why } from "./why.js";

/** @typedef {{ query: PositionQuery, turn: Side, mode: "computer" | "board" }} Retry Another try from a position. */
/**
 * @typedef {object} ReviewListeners
 * @property {(position: PositionView, number: number) => void} onJump what is shown on the board
 * @property {(retry: Retry) => void} [onRetry] somebody wants to go on from a position
 * @property {() => void} onClose the board is free for other figures again
 */

const PATIENCE_S = [20, 60]; // for all moves together
const TITLE = "review-title";

export class Review {
  #element;
  #board;
  #advice;
  #why;
  #onJump;
  #onRetry;
  #onClose;
  /** @type {PositionQuery} */
  #query = { start: "", moves: "", width: 0, height: 0 };
  /** @type {ReviewView | null} */
  #view = null;
  /** @type {Graph | null} */
  #graph = null;
  #request = new Latest();
  #attempt = 0;
  #clock = 0;
  #number = 0; // of the move that is looked at
  /** @type {Side | null} Whose mistakes are worth training; null is both. */
  #side = null;
  /** @type {number | null} Where it opens, if not at the move that decided the game. */
  #at = null;
  #title = html("h2", { id: TITLE, tabindex: "-1" }, t("review.title"));
  #content = html("div");
  #card = html("div.review-card");
  #next = button(t("review.next"), () => this.#nextMistake(), { kind: "review-next" });
  #list = html("ol.review-moves", { "aria-label": t("review.moves") });

  /** @param {HTMLElement} element @param {Board} board @param {ReviewListeners} listeners */
  constructor(element, board, { onJump, onRetry = retry, onClose }) {
    this.#element = element;
    this.#board = board;
    this.#advice = new Advice(board);
    this.#why = new Why(board);
    this.#onJump = onJump;
    this.#onRetry = onRetry;
    this.#onClose = onClose;
    element.classList.add("card", "review-panel");
    element.setAttribute("aria-labelledby", TITLE);
    element.hidden = true;
    element.replaceChildren(
      html(
        "div.review-head",
        this.#title,
        iconButton("close", t("review.close"), () => this.close()),
      ),
      this.#content,
    );
    element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Whether a review is on the page, with moves to step through. */
  get isShown() {
    return this.#view !== null;
  }

  /** Whether it is on the page, be it only on its way. */
  get isOpen() {
    return !this.#element.hidden;
  }

  /** Judge the moves of a game, and look at move *at*, or else at the one that decided it. *side* is the one
   * that somebody played. @param {PositionQuery} query @param {number | null} [at] @param {Side | null} [side] */
  async open({ start, moves, width, height }, at = null, side = null) {
    this.close();
    this.#query = { start, moves, width, height };
    this.#at = at;
    this.#side = side;
    this.#attempt = 0;
    this.#element.hidden = false;
    const asked = this.#ask();
    focusInPlace(this.#title); // what opened it has been pushed away
    reveal(this.#element);
    await asked;
  }

  close() {
    const wasOpen = this.isOpen;
    this.#request.stop();
    clearInterval(this.#clock);
    this.#graph?.destroy();
    this.#graph = null;
    this.#view = null;
    this.#advice.hide();
    this.#why.close();
    const active = document.activeElement;
    // What is hidden keeps the focus for a moment; whoever is told below looks for it.
    if (active instanceof HTMLElement && this.#element.contains(active)) active.blur();
    this.#element.hidden = true;
    this.#content.replaceChildren();
    if (wasOpen) this.#onClose();
  }

  // ---- Asking ------------------------------------------------------------------------------------

  async #ask() {
    this.#view = null;
    const hadFocus = this.#content.contains(document.activeElement);
    this.#showWaiting();
    if (hadFocus) focusInPlace(this.#title); // what had it is gone
    try {
      const time_s = PATIENCE_S[Math.min(this.#attempt, PATIENCE_S.length - 1)];
      const query = { ...queryOf(this.#query), time_s };
      this.#show(await this.#request.ask((signal) => ask("/api/review", query, { signal })));
    } catch (error) {
      if (!isAbort(error)) this.#showProblem(error);
    }
  }

  #showWaiting() {
    clearInterval(this.#clock);
    const began = Date.now();
    const text = html("p.study-status", t("review.judging"));
    this.#clock = window.setInterval(() => {
      const seconds = Math.floor((Date.now() - began) / 1000);
      text.textContent = t(seconds >= 5 ? "review.judging_long" : "review.judging_for", { seconds });
    }, 1000);
    announce(t("review.judging_said"));
    this.#element.dataset.state = "solving";
    this.#content.replaceChildren(text, html("div.review-wait", { "aria-hidden": "true" }));
  }

  /** @param {unknown} error */
  #showProblem(error) {
    clearInterval(this.#clock);
    const why = describeDelay(error);
    const text = html("p.study-status", why ?? describeError(error));
    this.#element.dataset.state = why ? "busy" : "error";
    this.#content.replaceChildren(
      text,
      button(t("error.try_again"), () => this.#ask(), { picture: "again" }),
    );
    announce(text.textContent ?? "");
    if (!why) return;
    let left_s = delayOf(error);
    this.#clock = window.setInterval(() => {
      left_s -= 1;
      if (left_s <= 0) this.#ask();
      else text.textContent = t("error.again_in", { why, seconds: left_s });
    }, 1000);
  }

  // ---- Showing -----------------------------------------------------------------------------------

  /** @param {ReviewView} view */
  #show(view) {
    clearInterval(this.#clock);
    this.#view = view;
    this.#element.dataset.state = view.complete ? "done" : "bounds";
    this.#graph?.destroy();
    const graph = new Graph(view.moves, {
      describe: (number) => describe(view, number),
      onJump: (number) => this.jump(number),
    });
    this.#graph = graph;
    this.#list.replaceChildren(
      ...view.moves.map((move) => moveItem(move, () => this.jump(move.number))),
    );
    const text = view.text;
    const shown = () => easelOf(this.#board).shown;
    this.#content.replaceChildren(
      html("div.review-text", ...text.split("\n").map((line) => html("p", ...pointing(line, shown)))),
      summary(view),
      ...(view.complete ? [] : [this.#more()]),
      ...trainLink(view, this.#query, this.#side),
      graph.element,
      this.#stepper(view),
      this.#card,
      ...mistakes(view, (number) => this.jump(number)),
      this.#list,
      table(view),
    );
    announce(text);
    // At the move that decided the game; if nobody went wrong, at the last one.
    this.jump(this.#at ?? view.decisive ?? view.moves.length);
  }

  #more() {
    const longer = () => {
      this.#attempt += 1;
      this.#ask();
    };
    return html(
      "p.study-status",
      `${t("review.unjudged")} `,
      button(t("review.longer"), longer, { kind: "small" }),
    );
  }

  /** @param {ReviewView} view */
  #stepper(view) {
    return html(
      "div.review-steps",
      { role: "group", "aria-label": t("review.steps") },
      iconButton("first", t("review.before_first"), () => this.jump(0)),
      iconButton("back", t("free.back"), () => this.jump(this.#number - 1)),
      iconButton("forward", t("free.on"), () => this.jump(this.#number + 1)),
      iconButton("last", t("review.after_last"), () => this.jump(view.moves.length)),
      this.#next,
    );
  }

  /** The next mistake, or else the first one. @returns {{ next: number | null, isFirst: boolean }} */
  get #mistakes() {
    const named = this.#view?.moves.filter(({ mistake }) => mistake) ?? [];
    const numbers = named.map(({ number }) => number);
    const next = numbers.find((number) => number > this.#number);
    return { next: next ?? numbers[0] ?? null, isFirst: next === undefined && numbers.length > 0 };
  }

  #nextMistake() {
    const { next } = this.#mistakes;
    if (next !== null) this.jump(next);
    else announce(t("review.no_error"));
  }

  // ---- Going through it --------------------------------------------------------------------------

  /** Look at the game after *number* moves. @param {number} number */
  async jump(number) {
    const view = this.#view;
    if (!view) return;
    const bounded = Math.min(Math.max(number, 0), view.moves.length);
    this.#number = bounded;
    setLabel(this.#next, t(this.#mistakes.isFirst ? "review.first_mistake" : "review.next"));
    this.#advice.hide();
    this.#why.close();
    this.#graph?.setCurrent(bounded);
    for (const item of this.#list.querySelectorAll("button")) {
      const isCurrent = Number(item.dataset.number) === bounded;
      if (isCurrent) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      if (isCurrent) keepInView(this.#list, item);
    }
    this.#showCard(view.moves[bounded - 1]);
    const position = await this.#positionAfter(bounded);
    if (!position || this.#number !== bounded || this.#view !== view) return;
    showPosition(this.#board, position);
    this.#onJump(position, bounded);
  }

  /** @param {number} number */
  async #positionAfter(number) {
    try {
      return await fetchPosition(upTo(this.#query, number));
    } catch (error) {
      this.#card.append(html("p.study-problem", { role: "alert" }, describeError(error)));
      return null;
    }
  }

  /** @param {MoveReviewView | undefined} move */
  #showCard(move) {
    if (!move) {
      this.#card.replaceChildren(html("h3", t("review.before_first")), html("p", t("review.step_on")));
      return;
    }
    const who = playerName(move.player);
    const facts = { number: move.number, player: who, column: columnName(move.column) };
    // After the best move, forced ones included, there is nothing to ask.
    const question =
      move.verdict !== "best" &&
      button(t("review.should", { player: who }), () => this.#advise(move), { kind: "small" });
    const why = () => this.#why.explainMove(upTo(this.#query, move.number - 1), move.column);
    this.#card.replaceChildren(
      html("h3", badge(labelOf(move)), t("review.move", facts)),
      ...(move.mistake ? [html("p.review-why", move.mistake)] : []),
      html("p.review-sentence", sentence(move.text)),
      html(
        "div.review-actions",
        move.mistake && button(t("analysis.why"), why, { kind: "small primary" }),
        question,
        button(t("review.retry_computer"), () => this.#tryAgain(move, "computer"), { kind: "small" }),
        button(t("review.retry_board"), () => this.#tryAgain(move, "board"), { kind: "small" }),
      ),
      this.#advice.element,
      this.#why.element,
    );
  }

  /** @param {MoveReviewView} move @param {Retry["mode"]} mode */
  #tryAgain(move, mode) {
    this.#onRetry({ query: upTo(this.#query, move.number - 1), turn: move.player, mode });
  }

  /** Show the position before *move*, and what should have been played there. @param {MoveReviewView} move */
  async #advise(move) {
    const position = await this.#positionAfter(move.number - 1);
    if (!position || this.#number !== move.number) return;
    this.#why.clearBoard();
    showPosition(this.#board, position, { animate: false });
    this.#onJump(position, move.number - 1);
    this.#advice.show(position, move);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || !this.#view) return;
    const target = stepByKey(event, this.#number, this.#view.moves.length);
    if (target !== null) this.jump(target);
  }
}

/** @param {Retry} from */
function retry({ query, turn, mode }) {
  if (mode === "board") window.location.assign(boardAddress(query));
  else openPlayDialog({ query, turn });
}

/** @param {ReviewView} view @param {number} number */
function describe({ moves }, number) {
  const move = moves[number - 1];
  if (!move) return t("review.before_first");
  return t("review.described", {
    number,
    total: moves.length,
    player: playerName(move.player),
    column: columnName(move.column),
    text: sentence(move.text),
  });
}

/** Scroll the list, and only the list, far enough that *item* is seen.
 * @param {HTMLElement} list @param {HTMLElement} item */
function keepInView(list, item) {
  const top = item.offsetTop; // in the list, which is positioned
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + item.offsetHeight - list.clientHeight;
  }
}
