// The free board: explore, set up, analyze, share, and go on from any position.
//
// Here are what the page knows and how it is built and drawn. board-show.js shows one state after the other,
// board-edit.js is what people do with it, and board-keys.js with keys.

import { makeBoard, reserveBoard } from "../board/board.js";
import { pageAddress } from "../backend/addresses.js";
import { ApiError } from "../backend/api-error.js";
import { button, focusInPlace, html, iconButton, oncePerFrame, setDisabled } from "../elements/dom.js";
import { pageQuery, upTo } from "../backend/positions.js";
import { movesIn, rulesOf, rulesText } from "../core/rules.js";
import { STANDARD, sizeProblem } from "../words/sizes.js";
import { t } from "../words/text.js";
import * as edit from "./board-edit.js";
import { listenForKeys } from "./board-keys.js";
import { change, drawBoard, show, showShare, soon } from "./board-show.js";
import { commonMoves, emptyState, isEnd, stateOf } from "./board-state.js";
import { Entry } from "./entry.js";
import { analyze, makePanel, reserve, switchOn } from "./panel.js";
import { makeReview, startReview } from "./review.js";
import { Share } from "./share.js";
import { toolbar } from "./tools.js";
import { turnText } from "./turn.js";

/** @typedef {import("./board-state.js").State} State */
/**
 * @typedef {object} BoardPage
 * @property {State} state what is shown, and what can be stepped to
 * @property {Shown | null} position the position of that state; null until the first one has been loaded
 * @property {State[]} past the states to go back to
 * @property {State[]} future those that were gone back from
 * @property {string[]} branches lines from the same start that were left for another one
 * @property {State} reviewed the game of the review
 * @property {import("./tools.js").Tool} tool what a click on the board does
 * @property {number[]} ahead columns whose discs lie on the board though the server has not answered
 * @property {number} asked counts the questions for a position: only the last one matters
 * @property {unknown} failure why the last state was not shown
 * @property {string} problem what is wrong, in words
 * @property {Promise<void>} tail the end of what is to be done, one after the other
 * @property {((at: number) => number)[] | null} walk the steps that nothing else was asked for after: one walk
 * @property {Board} board
 * @property {Entry} entry the fields to type or paste a position
 * @property {import("./panel.js").Panel} study the analysis
 * @property {import("./review.js").Review} review
 * @property {Share} share
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 * @property {() => void} redraw draws what has changed, with the next frame
 */

/** Fill *root* with the board that the address names. @param {HTMLElement} root */
export function boardPage(root) {
  document.title = t("page.board_title");
  const state = stateOf(window.location.search);
  const page = makePage(state);
  root.replaceChildren(page.parts.root);
  reserveBoard(page.board, sizeProblem(state) ? STANDARD : state);
  linkExplorer(page, state);
  reserve(page.study);
  page.parts.turn.textContent = "\u00a0"; // a line of it
  listenForKeys(page);
  window.addEventListener("popstate", () => soon(page, () => openAddress(page)));
  // Before anything that is clicked meanwhile.
  soon(page, () => openAddress(page));
}

/** @param {State} state @returns {BoardPage} */
function makePage({ width, height, start }) {
  const empty = emptyState({ width, height }, rulesText(start));
  const entry = new Entry({
    onMoves: (moves) => soon(page, () => edit.loadMoves(page, moves)),
    onText: (text) => soon(page, () => edit.readText(page, text)),
    onSize: (size) => soon(page, () => edit.resize(page, size)),
  });
  const parts = makeParts(entry, {
    act: (action) => soon(page, () => action(page)),
    step: (step) => edit.step(page, step),
    choose: (tool) => {
      page.tool = tool;
      drawBoard(page);
    },
  });
  const board = makeBoard(parts.board, (column) => edit.chooseColumn(page, column));
  /** @type {BoardPage} */
  const page = {
    ...{ state: empty, position: null, past: [], future: [], branches: [], reviewed: empty },
    ...{ tool: "move", ahead: [], asked: 0, failure: null, problem: "" },
    ...{ tail: Promise.resolve(), walk: null, board, entry, parts },
    study: makePanel(parts.study, board, {
      onChange: () => showShare(page),
      onLine: (moves, count) => soon(page, () => edit.follow(page, moves, count)),
      onOver: () => soon(page, () => openReview(page)),
    }),
    review: makeReview(parts.review, board, {
      onJump: (position, number) => {
        page.asked += 1;
        page.state = { ...page.reviewed, at: number };
        show(page, position);
      },
      onRetry: (retry) => soon(page, () => edit.retry(page, retry)),
      onClose: () => reviewClosed(page),
    }),
    share: new Share(parts.share),
    redraw: oncePerFrame(() => draw(page)),
  };
  return page;
}

/** @param {Entry} entry
 * @param {{ act: (action: (page: BoardPage) => Promise<void> | void) => void,
 *   step: (step: (at: number) => number) => void, choose: (tool: BoardPage["tool"]) => void }} listeners */
function makeParts(entry, { act, step, choose }) {
  const first = iconButton("first", t("free.to_start"), () => step(() => 0));
  const back = iconButton("back", t("free.back"), () => step((at) => at - 1));
  const forward = iconButton("forward", t("free.on"), () => step((at) => at + 1));
  const last = iconButton("last", t("free.to_end"), () => step(() => Infinity));
  const undo = iconButton("undo", t("free.undo"), () => act(edit.undo));
  const redo = iconButton("redo", t("free.redo"), () => act(edit.redo));
  const mirror = button(t("free.mirror"), () => act(edit.mirror));
  const clear = button(t("free.clear"), () => act(edit.clear));
  const play = button(t("free.play"), () => act(edit.play), { kind: "primary" });
  const review = button(t("free.review"), () => act((page) => openReview(page)));
  const explore = html("a.button", t("nav.explore"));
  const group = (/** @type {string} */ name, /** @type {string} */ label) =>
    html("div", { class: name, role: "group", "aria-label": label });
  const parts = {
    ...{ first, back, forward, last, undo, redo, play, reviewButton: review, explore },
    board: html("div.study-board"),
    turn: html("p.study-turn"),
    problem: html("p.study-problem", { role: "alert" }),
    count: html("span.study-count"),
    branches: group("study-branches", t("free.branches")),
    study: html("section"),
    review: html("section"),
    share: html("section"),
    root: html("div.study-page"),
  };
  parts.branches.hidden = true;
  const steps = group("study-steps", t("free.steps"));
  steps.append(first, back, parts.count, forward, last);
  const edits = html("div.study-edits", undo, redo, mirror, clear);
  const go = html("div.study-go", play, review, explore);
  const below = [parts.turn, parts.problem, steps, parts.branches, edits, go];
  const main = [toolbar(choose), parts.board, html("div.study-below", ...below)];
  const side = [parts.study, parts.review, entry.element, parts.share];
  parts.root.append(
    html("h1.visually-hidden", t("board.label")),
    html("div.study-main", ...main),
    html("div.study-side", ...side),
  );
  return parts;
}

/** Draw everything but the board itself. @param {BoardPage} page */
function draw(page) {
  const { parts, position, state } = page;
  if (parts.problem.textContent !== page.problem) parts.problem.textContent = page.problem;
  if (!position) return;
  const { at, moves, start } = state;
  const total = movesIn(state).length;
  parts.turn.replaceChildren(...turnText(position));
  parts.count.textContent = t("free.count", { at, total });
  for (const element of [parts.first, parts.back]) setDisabled(element, at === 0);
  for (const element of [parts.forward, parts.last]) setDisabled(element, at === total);
  setDisabled(parts.undo, !page.past.length);
  setDisabled(parts.redo, !page.future.length);
  setDisabled(parts.play, isEnd(position));
  setDisabled(parts.reviewButton, !total || rulesOf(start).pop);
  parts.explore.hidden = Boolean(position.isDraft);
  linkExplorer(page, state);
  const branches = page.branches.map((branch) => {
    const from = commonMoves(start, branch, moves);
    const rest = movesIn({ start, moves: branch }).slice(from);
    const words = t("free.branch", { number: from + 1, moves: rest.join(", ") });
    const open = () => soon(page, () => edit.openBranch(page, branch));
    return button(words, open, { kind: "small" });
  });
  parts.branches.hidden = !branches.length;
  parts.branches.replaceChildren(...branches);
}

/** @param {BoardPage} page @param {State} state */
function linkExplorer({ parts }, state) {
  parts.explore.href = pageAddress("explore", pageQuery(upTo(state, state.at)));
}

/** Show what the address names, and what it asks for beside the position. @param {BoardPage} page */
async function openAddress(page) {
  const { search } = window.location;
  if (await change(page, stateOf(search), { isRecorded: false })) {
    const query = new URLSearchParams(search);
    if (query.has("analysis")) switchOn(page.study);
    if (query.has("review")) openReview(page, query.has("at") ? page.state.at : null);
    else showShare(page);
    return;
  }
  const { failure, problem: why } = page;
  if (failure instanceof ApiError && failure.isPassing) {
    setTimeout(() => soon(page, () => openAddress(page)), 1000 * (failure.retryAfter ?? 3));
    return;
  }
  await change(page, emptyState(STANDARD), { isRecorded: false, keepsAddress: true });
  page.problem = t("free.no_position", { why });
  page.redraw();
}

/** @param {BoardPage} page @param {number | null} [at] the move at which it opens, if it is not the one that decided */
function openReview(page, at = null) {
  if (!page.state.moves) return;
  page.reviewed = page.state;
  page.parts.root.classList.add("is-reviewing");
  startReview(page.review, page.state, at);
  showShare(page);
}

/** @param {BoardPage} page */
function reviewClosed(page) {
  page.parts.root.classList.remove("is-reviewing");
  if (page.position) analyze(page.study, page.position);
  showShare(page);
  if (document.activeElement === document.body) focusInPlace(page.parts.reviewButton);
}
