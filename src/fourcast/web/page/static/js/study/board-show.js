// How the free board gets from one state to the next, and what is shown of it.

import { setEnabled, showPosition } from "../board/board.js";
import { announce } from "../shell/announce.js";
import { boardAddress } from "../backend/positions.js";
import { afterDrop } from "../elements/setup.js";
import { formatSize, isSameSize } from "../words/sizes.js";
import { t } from "../words/text.js";
import { describeError, sentence } from "../words/words.js";
import { describeStanding, draftInstead, isEnd, keepBranches, positionOf } from "./board-state.js";
import { analyze, isOn } from "./panel.js";
import { closeReview, isReviewOpen } from "./review.js";

/** @typedef {import("./board-state.js").State} State */

/** Do something after all that was asked for before: every step builds on the one before it, however
 * quickly somebody types and however slowly the server answers.
 * @param {BoardPage} page @param {() => Promise<void> | void} action */
export function soon(page, action) {
  page.walk = null;
  page.tail = page.tail.then(action).catch((error) => {
    page.problem = describeError(error);
    page.redraw();
  });
}

/** Show *state* if it is one that the server accepts; else say why not, and leave all as it is.
 * @param {BoardPage} page @param {State} state */
export async function change(
  page,
  state,
  {
    isRecorded = true,
    animate = true,
    keepsAddress = false,
    canBeDraft = true,
    isAhead = false, // its disc lies on the board already
  } = {},
) {
  page.asked += 1;
  const number = page.asked;
  /** @type {Shown} */
  let position;
  try {
    position = await positionOf(state);
  } catch (error) {
    if (number !== page.asked) return false;
    const draft = canBeDraft ? draftInstead(state, error) : null;
    if (!draft) {
      Object.assign(page, { failure: error, problem: describeError(error) });
      page.redraw();
      return false;
    }
    position = draft;
  }
  if (number !== page.asked) return false;
  if (isRecorded && page.position) {
    page.past.push(page.state);
    page.future = [];
  }
  const before = page.state;
  page.state = { ...state, start: position.start, width: position.width, height: position.height };
  const isSameStart = before.start === page.state.start && isSameSize(before, page.state);
  page.branches = isSameStart ? keepBranches(page.branches, before.moves, state.moves) : [];
  const { moves, start } = page.reviewed;
  const isOther = state.moves !== moves || page.state.start !== start;
  if (isReviewOpen(page.review) && isOther) closeReview(page.review);
  if (isAhead) page.ahead.shift();
  show(page, position, { animate, keepsAddress });
  return true;
}

/** @param {BoardPage} page @param {Shown} position */
export function show(page, position, { animate = true, keepsAddress = false } = {}) {
  const { entry, state } = page;
  Object.assign(page, { position, problem: sentence(position.problem ?? "") });
  drawBoard(page, animate);
  entry.complain("");
  analyze(page.study, position);
  showShare(page);
  if (!keepsAddress) setAddress(boardAddress(state, state.at));
  entry.update(state, formatSize(state));
  page.redraw();
}

/** @param {BoardPage} page */
export function showShare({ position, review, share, state, study }) {
  share.update(state, state.at, {
    hasFiles: !position?.isDraft,
    analysis: isOn(study),
    review: isReviewOpen(review),
  });
}

/** Draw the position with the discs that were dropped since: no move waits for an answer. Columns can be
 * chosen as the tool has it. @param {BoardPage} page */
export function drawBoard(page, animate = true) {
  if (!page.position) return;
  const { board, tool } = page;
  const position = page.ahead.reduce(afterDrop, page.position);
  if (position !== board.position) showPosition(board, position, { animate });
  const isMove = tool === "move";
  board.takesAnyColumn = !isMove;
  board.root.classList.toggle("is-erasing", tool === "eraser");
  const whyNot = t(position.isDraft ? "free.not_yet" : "free.over");
  const player = tool === 1 || tool === 2 ? tool : position.turn;
  setEnabled(board, !isMove || !isEnd(position), player, whyNot);
}

/** Say what happened and how things stand. @param {BoardPage} page @param {string} what */
export function tell({ position }, what) {
  if (position) announce(`${what} ${describeStanding(position)}`);
}

/** @param {string} address */
function setAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // Some browsers limit the number of changes in a minute; the next one catches up.
  }
}
