// What people do with the free board: play, set discs, step, undo, read what was pasted.

import { focusColumn } from "../board/input.js";
import { announce } from "../shell/announce.js";
import { recognize } from "../backend/backend.js";
import { upTo } from "../backend/positions.js";
import { mirrorStart, startOf, withDisc, withoutTop } from "../elements/setup.js";
import { movesIn, rulesText } from "../core/rules.js";
import { colorName, columnName, columnOf, moveName } from "../words/names.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { change, drawBoard, soon, tell } from "./board-show.js";
import { commonMoves, emptyState, isEnd } from "./board-state.js";
import { openPlayDialog } from "./play-from.js";
import { closeReview, isReviewShown, jump } from "./review.js";

/** @typedef {import("./board-state.js").State} State */

/** @param {BoardPage} page @param {number} column */
export function chooseColumn(page, column) {
  const { tool } = page;
  if (tool !== "move") {
    soon(page, () => setDisc(page, tool, column));
    return;
  }
  page.ahead.push(column);
  drawBoard(page);
  soon(page, async () => {
    if (await playColumn(page, column)) return;
    page.ahead.shift();
    drawBoard(page, false);
  });
}

/** Play in *column*; returns whether that is on the page. @param {BoardPage} page @param {number} column */
async function playColumn(page, column) {
  const { position, state } = page;
  const { at, moves } = state;
  if (!position || isEnd(position)) return false;
  const name = moveName(position, column);
  // The move that was played here before is stepped to, and what follows it stays.
  const isKnown = movesIn(state)[at] === name;
  const line = isKnown ? moves : upTo(state, at).moves + name;
  const options = { isRecorded: !isKnown, isAhead: true };
  const isShown = await change(page, { ...state, moves: line, at: at + 1 }, options);
  if (isShown) tell(page, t("free.played", { player: colorName(position.turn), column: name }));
  return isShown;
}

/** @param {BoardPage} page @param {Side | "eraser"} tool @param {number} column */
async function setDisc(page, tool, column) {
  if (!page.position) return;
  const { cells } = page.position;
  const changed = tool === "eraser" ? withoutTop(cells, column) : withDisc(cells, column, tool);
  const name = columnName(column);
  if (!changed) {
    announce(t(tool === "eraser" ? "free.column_empty" : "board.column_full", { column: name }));
    return;
  }
  const start = startOf(changed, rulesText(page.state.start));
  if (!(await change(page, { ...emptyState(page.state), start }))) return;
  if (tool === "eraser") tell(page, t("free.taken", { column: name }));
  else tell(page, t("free.set", { player: colorName(tool), column: name }));
}

/** Step from where the board is then; steps that wait together are one.
 * @param {BoardPage} page @param {(at: number) => number} next */
export function step(page, next) {
  if (page.walk) {
    page.walk.push(next);
    return;
  }
  const walk = [next];
  soon(page, async () => {
    if (page.walk === walk) page.walk = null; // the next step is one of its own
    const { at } = page.state;
    const total = movesIn(page.state).length;
    const bounded = (/** @type {number} */ from, /** @type {typeof next} */ each) =>
      Math.min(Math.max(each(from), 0), total);
    const target = walk.reduce(bounded, at);
    if (target !== at) await showAt(page, target);
  });
  page.walk = walk;
}

/** @param {BoardPage} page @param {number} at */
async function showAt(page, at) {
  if (isReviewShown(page.review)) {
    await jump(page.review, at); // which shows it
    return;
  }
  const moves = movesIn(page.state);
  if (!(await change(page, { ...page.state, at }, { isRecorded: false }))) return;
  const where = { number: at, total: moves.length, column: moves[at - 1] };
  tell(page, at ? t("free.at", where) : t("free.start"));
}

/** @param {BoardPage} page */
export function undo(page) {
  return travel(page, "past", "future", t("free.undone"));
}

/** @param {BoardPage} page */
export function redo(page) {
  return travel(page, "future", "past", t("free.redone"));
}

/** @param {BoardPage} page @param {"past" | "future"} from @param {"past" | "future"} to @param {string} words */
async function travel(page, from, to, words) {
  const state = page[from].at(-1);
  const before = page.state;
  if (!state || !(await change(page, state, { isRecorded: false }))) return;
  page[from].pop();
  page[to].push(before);
  tell(page, words);
}

/** @param {BoardPage} page */
export async function clear(page) {
  const { state } = page;
  if (await change(page, emptyState(state, rulesText(state.start)))) tell(page, t("free.cleared"));
}

/** @param {BoardPage} page */
export async function mirror(page) {
  const { start, width } = page.state;
  const mirrored = (/** @type {string} */ name) => columnName(width - 1 - columnOf(name));
  const names = movesIn(page.state).map((name) => name.replace(/[^p=]$/, mirrored));
  const state = { ...page.state, start: mirrorStart(start), moves: names.join("") };
  if (await change(page, state, { animate: false })) tell(page, t("free.mirrored"));
}

/** @param {BoardPage} page @param {Size} size */
export async function resize(page, size) {
  if (await change(page, emptyState(size, rulesText(page.state.start)))) {
    tell(page, t("free.size", { ...size }));
  }
}

/** @param {BoardPage} page @param {string} branch */
export async function openBranch(page, branch) {
  const from = commonMoves(page.state.start, branch, page.state.moves);
  if (!(await change(page, { ...page.state, moves: branch, at: from + 1 }))) return;
  tell(page, t("free.branch_opened", { number: from + 1 }));
}

/** Go *count* moves along a line of best play, which takes the place of the moves to come.
 * @param {BoardPage} page @param {string} moves @param {number} count */
export async function follow(page, moves, count) {
  const { at } = page.state;
  const state = { ...page.state, moves: upTo(page.state, at).moves + moves, at: at + count };
  if (!(await change(page, state))) return;
  const line = movesIn(state);
  tell(page, t("free.at", { number: at + count, total: line.length, column: line[at + count - 1] }));
}

/** @param {BoardPage} page @param {string} moves */
export async function loadMoves(page, moves) {
  const { entry } = page;
  if (page.position?.isDraft) {
    entry.complain(t("free.complete_first"));
    return;
  }
  const count = movesIn({ ...page.state, moves }).length;
  if (await change(page, { ...page.state, moves, at: count }, { canBeDraft: false })) {
    entry.showMoves(moves);
    tell(page, t("free.moves", { count }));
  } else {
    entry.complain(page.problem);
    page.problem = "";
  }
}

/** Read what a person pasted or opened. @param {BoardPage} page @param {string} text */
export async function readText(page, text) {
  if (!text.trim()) return;
  const { width, height } = page.state;
  try {
    /** @type {PositionView} */
    const view = await recognize({ diagram: text, width, height });
    const state = { ...upTo(view, Infinity), at: movesIn(view).length };
    if (await change(page, state)) tell(page, t("free.read"));
  } catch (error) {
    page.entry.complain(describeError(error));
  }
}

/** Choose somebody to play the position with. @param {BoardPage} page */
export function play({ position, state }) {
  if (!position || isEnd(position)) return;
  openPlayDialog({ query: upTo(state, state.at), turn: position.turn });
}

/** Go on from a position of the review. @param {BoardPage} page @param {import("./review.js").Retry} retry */
export async function retry(page, { query, turn, mode }) {
  if (mode === "computer") {
    openPlayDialog({ query, turn });
    return;
  }
  closeReview(page.review);
  if (!(await change(page, { ...query, at: movesIn(query).length }))) return;
  tell(page, t("free.your_move"));
  focusColumn(page.board, page.position?.legal_columns[0] ?? 0);
}
