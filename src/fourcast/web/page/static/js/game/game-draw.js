// How a game is drawn, all of it again whenever something has changed.

import { setEnabled, showPosition } from "../board/board.js";
import { isFalling, whenLanded } from "../board/fall.js";
import { afterDrop } from "../elements/setup.js";
import { analyze, isOn } from "../study/panel.js";
import { isReviewOpen } from "../study/review.js";
import { SIDES, otherSide } from "../words/names.js";
import { t } from "../words/text.js";
import { describeSpectators } from "./invitation.js";

/** @param {GamePage} page */
export function draw(page) {
  const { board, invitation, parts, state, stepper } = page;
  if (!state) return;
  const { isPast, past } = stepper;
  const now = positionNow(page, state);
  const position = isPast ? (past ?? board.position ?? now) : now;
  if (position !== board.position) showPosition(board, position, { animate: !isPast });
  enable(page, state);
  parts.root.classList.toggle("is-past", isPast);
  stepper.draw(state);
  invitation.draw(state);
  parts.room.textContent = describeSpectators(state);
  parts.notice.hidden = !state.game.notice;
  parts.notice.textContent = state.game.notice ?? "";
  whenLanded(board, () => drawWords(page));
  drawStudy(page, state);
}

/** Let columns be chosen, or say why not. @param {GamePage} page @param {GameState} state */
function enable(page, state) {
  const whyNot = whyNobody(page, state);
  setEnabled(page.board, state.isMyTurn && !whyNot, state.position.turn, whyNot || state.whyNot);
}

/** Why nobody can drop a disc here now, whoever's turn it is, as a sentence. @param {GamePage} page @param {GameState} state */
function whyNobody({ board, isAsking, pending, stepper }, state) {
  if (stepper.isPast) return t("game.past");
  if (isAsking) return t("warn.checking");
  if (pending) return t("game.on_its_way");
  // An answer is seen before it is answered.
  const isUnseen = state.isMyTurn && state.mySide !== null && isFalling(board);
  return isUnseen ? t("state.turn_of", { name: state.nameOf(otherSide(state.position.turn)) }) : "";
}

/** Where the game stands, with the move that is on its way: one's own disc waits for nobody.
 * @param {GamePage} page @param {GameState} state */
function positionNow(page, { position }) {
  const { pending } = page;
  if (pending?.ply === position.next_ply) page.ahead ??= afterDrop(position, pending.column);
  else page.ahead = null;
  return page.ahead ?? position;
}

/** Say how the game stands; not before one sees it. @param {GamePage} page */
function drawWords(page) {
  const { isConnected, pending, state } = page;
  if (!state) return;
  enable(page, state);
  page.status.draw(state, { isConnected, pending });
  page.offers.draw(state, page.absence.isLong);
  const [first, second] = SIDES.map((side) => state.nameOf(side));
  page.parts.title.textContent = t("game.against", { first, second });
  const isDue = state.isMyTurn && state.mySide !== null;
  document.title = t(isDue ? "game.tab_due" : "game.tab", { first, second });
}

/** @param {GamePage} page @param {GameState} state */
export function drawStudy(page, state) {
  const { board, parts, review, share, stepper, study } = page;
  if (board.position && board.position !== page.ahead) analyze(study, board.position, state);
  // While a friend is waited for, the link is offered at the top.
  parts.share.hidden = state.openSide !== null;
  const { shown } = stepper;
  const wishes = { analysis: isOn(study), review: isReviewOpen(review) };
  const key = JSON.stringify([state.position.moves, shown, state.game.result !== null, wishes]);
  if (page.shared === key) return;
  page.shared = key;
  share.update(state.position, shown, { ...wishes, id: page.id, hasFiles: state.total > 0 });
}
