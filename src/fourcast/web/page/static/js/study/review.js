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

/**
 * @typedef {object} Review
 * @property {HTMLElement} element
 * @property {Board} board
 * @property {Required<ReviewListeners>} on
 * @property {PositionQuery} query the game
 * @property {ReviewView | null} view null until it has come, and when it is closed
 * @property {number | null} at where it opens, if not at the move that decided the game
 * @property {Side | null} side whose mistakes are worth training; null is both
 * @property {number} number of the move that is looked at
 * @property {Latest} request the question that is open
 * @property {number} attempt how many answers were incomplete
 * @property {number} clock shows how long it takes
 * @property {Graph | null} graph
 * @property {Advice} advice what should have been played
 * @property {Why} why says why
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 */

/** @param {HTMLElement} element @param {Board} board @param {ReviewListeners} listeners @returns {Review} */
export function makeReview(element, board, { onJump, onRetry = retry, onClose }) {
  const parts = makeParts(() => nextMistake(review));
  /** @type {Review} */
  const review = {
    ...{ element, board, on: { onJump, onRetry, onClose } },
    ...{ query: { start: "", moves: "", width: 0, height: 0 }, view: null, at: null, side: null },
    ...{ number: 0, request: new Latest(), attempt: 0, clock: 0, graph: null },
    ...{ advice: new Advice(board), why: new Why(board), parts },
  };
  const close = iconButton("close", t("review.close"), () => closeReview(review));
  element.classList.add("card", "review-panel");
  element.setAttribute("aria-labelledby", TITLE);
  element.hidden = true;
  element.replaceChildren(html("div.review-head", parts.title, close), parts.content);
  element.addEventListener("keydown", (event) => key(review, event));
  return review;
}

/** @param {() => void} onNext */
function makeParts(onNext) {
  return {
    title: html("h2", { id: TITLE, tabindex: "-1" }, t("review.title")),
    content: html("div"),
    card: html("div.review-card"),
    next: button(t("review.next"), onNext, { kind: "review-next" }),
    list: html("ol.review-moves", { "aria-label": t("review.moves") }),
  };
}

/** Whether a review is on the page, with moves to step through. @param {Review} review */
export function isReviewShown({ view }) {
  return view !== null;
}

/** Whether it is on the page, be it only on its way. @param {Review} review */
export function isReviewOpen({ element }) {
  return !element.hidden;
}

/** Judge the moves of a game, and look at move *at*, or else at the one that decided it. *side* is the one that
 * somebody played.
 * @param {Review} review @param {PositionQuery} query @param {number | null} [at] @param {Side | null} [side] */
export async function startReview(review, { start, moves, width, height }, at = null, side = null) {
  closeReview(review);
  Object.assign(review, { query: { start, moves, width, height }, at, side, attempt: 0 });
  review.element.hidden = false;
  const asked = judge(review);
  focusInPlace(review.parts.title); // what opened it has been pushed away
  reveal(review.element);
  await asked;
}

/** @param {Review} review */
export function closeReview(review) {
  const { advice, clock, element, graph, on, parts, request, why } = review;
  const wasOpen = isReviewOpen(review);
  request.stop();
  clearInterval(clock);
  graph?.destroy();
  Object.assign(review, { graph: null, view: null });
  advice.hide();
  why.close();
  const active = document.activeElement;
  // What is hidden keeps the focus for a moment; whoever is told below looks for it.
  if (active instanceof HTMLElement && element.contains(active)) active.blur();
  element.hidden = true;
  parts.content.replaceChildren();
  if (wasOpen) on.onClose();
}

// ---- Asking ------------------------------------------------------------------------------------------

/** @param {Review} review */
async function judge(review) {
  const { attempt, parts, request } = review;
  review.view = null;
  const hadFocus = parts.content.contains(document.activeElement);
  showWaiting(review);
  if (hadFocus) focusInPlace(parts.title); // what had it is gone
  try {
    const time_s = PATIENCE_S[Math.min(attempt, PATIENCE_S.length - 1)];
    const query = { ...queryOf(review.query), time_s };
    show(review, await request.ask((signal) => ask("/api/review", query, { signal })));
  } catch (error) {
    if (!isAbort(error)) showProblem(review, error);
  }
}

/** @param {Review} review */
function showWaiting(review) {
  clearInterval(review.clock);
  const began = Date.now();
  const text = html("p.study-status", t("review.judging"));
  review.clock = window.setInterval(() => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    text.textContent = t(seconds >= 5 ? "review.judging_long" : "review.judging_for", { seconds });
  }, 1000);
  announce(t("review.judging_said"));
  review.element.dataset.state = "solving";
  review.parts.content.replaceChildren(text, html("div.review-wait", { "aria-hidden": "true" }));
}

/** @param {Review} review @param {unknown} error */
function showProblem(review, error) {
  clearInterval(review.clock);
  const why = describeDelay(error);
  const text = html("p.study-status", why ?? describeError(error));
  review.element.dataset.state = why ? "busy" : "error";
  const again = button(t("error.try_again"), () => judge(review), { picture: "again" });
  review.parts.content.replaceChildren(text, again);
  announce(text.textContent ?? "");
  if (!why) return;
  let left_s = delayOf(error);
  review.clock = window.setInterval(() => {
    left_s -= 1;
    if (left_s <= 0) judge(review);
    else text.textContent = t("error.again_in", { why, seconds: left_s });
  }, 1000);
}

// ---- Showing -----------------------------------------------------------------------------------------

/** @param {Review} review @param {ReviewView} view */
function show(review, view) {
  const { at, board, clock, element, parts, query, side } = review;
  clearInterval(clock);
  element.dataset.state = view.complete ? "done" : "bounds";
  review.graph?.destroy();
  const onJump = (/** @type {number} */ number) => jump(review, number);
  const graph = new Graph(view.moves, { describe: (number) => describe(view, number), onJump });
  Object.assign(review, { view, graph });
  parts.list.replaceChildren(...view.moves.map((move) => moveItem(move, () => onJump(move.number))));
  const shown = () => easelOf(board).shown;
  const lines = view.text.split("\n").map((line) => html("p", ...pointing(line, shown)));
  parts.content.replaceChildren(
    html("div.review-text", ...lines),
    summary(view),
    ...(view.complete ? [] : [more(review)]),
    ...trainLink(view, query, side),
    graph.element,
    stepper(review, view),
    parts.card,
    ...mistakes(view, onJump),
    parts.list,
    table(view),
  );
  announce(view.text);
  // At the move that decided the game; if nobody went wrong, at the last one.
  onJump(at ?? view.decisive ?? view.moves.length);
}

/** @param {Review} review */
function more(review) {
  const longer = () => {
    review.attempt += 1;
    judge(review);
  };
  const again = button(t("review.longer"), longer, { kind: "small" });
  return html("p.study-status", `${t("review.unjudged")} `, again);
}

/** @param {Review} review @param {ReviewView} view */
function stepper(review, { moves }) {
  return html(
    "div.review-steps",
    { role: "group", "aria-label": t("review.steps") },
    iconButton("first", t("review.before_first"), () => jump(review, 0)),
    iconButton("back", t("free.back"), () => jump(review, review.number - 1)),
    iconButton("forward", t("free.on"), () => jump(review, review.number + 1)),
    iconButton("last", t("review.after_last"), () => jump(review, moves.length)),
    review.parts.next,
  );
}

/** The next mistake, or else the first one. @param {Review} review */
function mistakeAfter({ number: at, view }) {
  const named = view?.moves.filter(({ mistake }) => mistake) ?? [];
  const next = named.find(({ number }) => number > at);
  return { next: next ?? named[0] ?? null, isFirst: !next && named.length > 0 };
}

/** @param {Review} review */
function nextMistake(review) {
  const { next } = mistakeAfter(review);
  if (next) jump(review, next.number);
  else announce(t("review.no_error"));
}

// ---- Going through it --------------------------------------------------------------------------------

/** Look at the game after *number* moves. @param {Review} review @param {number} number */
export async function jump(review, number) {
  const { advice, board, graph, on, parts, view, why } = review;
  if (!view) return;
  const bounded = Math.min(Math.max(number, 0), view.moves.length);
  review.number = bounded;
  setLabel(parts.next, t(mistakeAfter(review).isFirst ? "review.first_mistake" : "review.next"));
  advice.hide();
  why.close();
  graph?.setCurrent(bounded);
  for (const item of parts.list.querySelectorAll("button")) {
    const isCurrent = Number(item.dataset.number) === bounded;
    if (isCurrent) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
    if (isCurrent) keepInView(parts.list, item);
  }
  showCard(review, view.moves[bounded - 1]);
  const position = await positionAfter(review, bounded);
  if (!position || review.number !== bounded || review.view !== view) return;
  showPosition(board, position);
  on.onJump(position, bounded);
}

/** @param {Review} review @param {number} number */
async function positionAfter({ parts, query }, number) {
  try {
    return await fetchPosition(upTo(query, number));
  } catch (error) {
    parts.card.append(html("p.study-problem", { role: "alert" }, describeError(error)));
    return null;
  }
}

/** @param {Review} review @param {MoveReviewView | undefined} move */
function showCard(review, move) {
  const { advice, on, parts, query, why } = review;
  if (!move) {
    parts.card.replaceChildren(html("h3", t("review.before_first")), html("p", t("review.step_on")));
    return;
  }
  const { column, mistake, number, player: turn, verdict } = move;
  const who = playerName(turn);
  const before = upTo(query, number - 1);
  const small = /** @type {const} */ ({ kind: "small" });
  // After the best move, forced ones included, there is nothing to ask.
  const question =
    verdict !== "best" && button(t("review.should", { player: who }), () => advise(review, move), small);
  const explain = () => why.explainMove(before, column);
  const again = (/** @type {Retry["mode"]} */ mode) => () => on.onRetry({ query: before, turn, mode });
  parts.card.replaceChildren(
    html(
      "h3",
      badge(labelOf(move)),
      t("review.move", { number, player: who, column: columnName(column) }),
    ),
    ...(mistake ? [html("p.review-why", mistake)] : []),
    html("p.review-sentence", sentence(move.text)),
    html(
      "div.review-actions",
      mistake && button(t("analysis.why"), explain, { kind: "small primary" }),
      question,
      button(t("review.retry_computer"), again("computer"), small),
      button(t("review.retry_board"), again("board"), small),
    ),
    advice.element,
    why.element,
  );
}

/** Show the position before *move*, and what should have been played there.
 * @param {Review} review @param {MoveReviewView} move */
async function advise(review, move) {
  const { advice, board, on, why } = review;
  const position = await positionAfter(review, move.number - 1);
  if (!position || review.number !== move.number) return;
  why.clearBoard();
  showPosition(board, position, { animate: false });
  on.onJump(position, move.number - 1);
  advice.show(position, move);
}

/** @param {Review} review @param {KeyboardEvent} event */
function key(review, event) {
  if (event.defaultPrevented || !review.view) return;
  const target = stepByKey(event, review.number, review.view.moves.length);
  if (target !== null) jump(review, target);
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
