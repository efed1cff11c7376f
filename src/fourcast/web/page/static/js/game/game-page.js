// The page of one game: on one screen, against the computer, with a friend elsewhere, or watched.
//
// The server's GameView is the truth, and everything is drawn from it again (game-draw.js). What is this page's
// own is which earlier position is looked at (stepper.js), and the move that is on its way (game-act.js).

import { makeBoard, reserveBoard } from "../board/board.js";
import { whenLanded } from "../board/fall.js";
import { isSite, startAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { card, html } from "../elements/dom.js";
import { LiveGame } from "../backend/live-game.js";
import { LocalGame } from "../local/local-game.js";
import { SIDES, namePlayers } from "../words/names.js";
import { celebrate } from "../shell/celebrate.js";
import { myGame, wantsPause } from "../shell/prefs.js";
import { play } from "../shell/sound.js";
import { tellNextGame } from "../rooms/go.js";
import { makePanel, switchOn } from "../study/panel.js";
import { closeReview, isReviewShown, jump, makeReview } from "../study/review.js";
import { Share } from "../study/share.js";
import { STANDARD } from "../words/sizes.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";
import {
  act,
  join,
  move,
  openReview,
  resend,
  showHint,
  toBoard,
  toLevel,
  toRematch,
} from "./game-act.js";
import { Absence } from "./absence.js";
import { Clocks } from "./clocks.js";
import { draw, drawStudy } from "./game-draw.js";
import { Invitation } from "./invitation.js";
import { keepView, keptReview } from "./keep.js";
import { loadPlayers } from "./new-game.js";
import { tellNews, tellStanding } from "./news.js";
import { Offers, leftText } from "./offers.js";
import { tellProof } from "./proof-words.js";
import { GameState } from "./state.js";
import { Status } from "./status.js";
import { Stepper } from "./stepper.js";
import { prepareWarning, wantsWarning } from "./warning.js";

const PAUSE_MS = 800; // between somebody's disc and the computer's

/**
 * @typedef {object} GamePage
 * @property {string} id
 * @property {LiveGame | LocalGame} live the way to the game
 * @property {GameState | null} state the game as it was told last; null before that
 * @property {boolean} isConnected
 * @property {import("../backend/live-game.js").Move | null} pending the move that is on its way
 * @property {Shown | null} ahead the position with that move
 * @property {number} sent_ms when a move was sent last, by the page's own clock
 * @property {GameState | null} held the state that waits for a pause to end
 * @property {number} timer of that pause
 * @property {boolean} isAsking whether somebody is asked if they mean their move
 * @property {Map<string, string>} titles names of the computer's players, and what people call them
 * @property {URLSearchParams} wanted what the link asks for
 * @property {string} shared what can be shared now, as a key
 * @property {Board} board
 * @property {Status} status who plays, and whose turn it is
 * @property {Stepper} stepper which earlier position is looked at
 * @property {Offers} offers the buttons, and what was offered
 * @property {Absence} absence of the other player
 * @property {Invitation} invitation the link for a friend
 * @property {import("../study/panel.js").Panel} study the analysis
 * @property {import("../study/review.js").Review} review
 * @property {Share} share
 * @property {import("./hint.js").Hint | null} hint null until somebody asks for one
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 */

/** Show the game *id* in *root*; *made* is what is known of one that was just made.
 * @param {HTMLElement} root @param {string} id @param {GameView | null} [made] */
export function gamePage(root, id, made = null) {
  const kept = myGame(id);
  const page = makePage(
    id,
    isSite ? new LocalGame(id) : new LiveGame(id, kept?.token ?? null, kept?.sides ?? []),
  );
  const { board, live, wanted } = page;
  live.onState = (game, sides) => arrive(page, new GameState(game, sides, page.titles));
  live.onConnection = (isConnected) => connection(page, isConnected);
  live.onGone = (error) => root.replaceChildren(gone(id, describeError(error)));
  board.stage.append(page.stepper.overlay);
  board.onLand = () => play("land");
  root.replaceChildren(build(page));
  if (wanted.has("analysis")) switchOn(page.study);
  reserveBoard(board, kept?.size ?? STANDARD);
  live.open();
  if (made && live instanceof LiveGame) live.show(made);
  loadTitles(page);
}

/** @param {string} id @param {LiveGame | LocalGame} live @returns {GamePage} */
function makePage(id, live) {
  const parts = makeParts();
  const board = makeBoard(parts.board, (column) => move(page, column));
  /** @type {GamePage} */
  const page = {
    ...{ id, live, state: null, isConnected: true, pending: null, ahead: null, isAsking: false },
    ...{ sent_ms: -Infinity, held: null, timer: 0 },
    ...{ titles: new Map(), shared: "", hint: null, board, parts },
    status: new Status(new Clocks(() => live.now())),
    wanted: new URLSearchParams(window.location.search),
    stepper: new Stepper({
      onStep: () => draw(page),
      onJump: (number) => jumpInReview(page, number),
      onProblem: (text) => (parts.error.textContent = text),
    }),
    offers: new Offers({
      onAct: (kind, side) => act(page, kind, side),
      onMove: (column) => move(page, column),
      onReview: () => openReview(page),
      onHint: () => showHint(page),
      onRematch: () => toRematch(page),
      onLevel: (control, level) => toLevel(page, control, level),
    }),
    absence: new Absence(() => {
      if (page.state) announce(leftText(page.state));
      draw(page);
    }),
    invitation: new Invitation({ onJoin: (name) => join(page, name) }),
    study: makePanel(parts.study, board, {
      game: id,
      onChange: () => draw(page),
      onLine: (moves, count) => toBoard(page, moves, count),
      onOver: () => openReview(page),
    }),
    review: makeReview(parts.review, board, {
      onJump: (position) => page.stepper.lookAt(position),
      onClose: () => {
        if (page.state) drawStudy(page, page.state);
        if (document.activeElement === document.body) page.offers.focusReview();
      },
    }),
    share: new Share(parts.share),
  };
  return page;
}

function makeParts() {
  const slot = (/** @type {string} */ name, /** @type {string} */ label, hidden = true) =>
    html("section", { class: `${name}-slot`, "aria-label": label, hidden });
  return {
    root: html("div.game"),
    board: html("div", { id: "board" }),
    title: html("h1.visually-hidden", t("game.title")),
    banner: html("p.banner", { role: "alert", hidden: true }),
    notice: html("p.notice", { role: "status", hidden: true }),
    error: html("p.error", { role: "alert" }),
    news: html("p.news"), // what a screen reader has been told otherwise
    proof: html("p.proof", { role: "status" }),
    room: html("p.room"),
    hint: html("div"),
    study: slot("study", t("analysis.title"), false),
    review: slot("review", t("review.title")),
    share: slot("share", t("share.title")),
  };
}

/** Put everything in its place. @param {GamePage} page */
function build({ invitation, offers, parts, status, stepper }) {
  const { banner, board, error, hint, news, notice, proof, review, room, root } = parts;
  const { share, study, title } = parts;
  const moves = card("moves-title", t("game.moves"), stepper.list);
  moves.classList.add("moves-card");
  const keys = html("p.keys", t("game.keys"));
  const atTop = [offers.element, review, invitation.element, offers.actions, hint, error, news];
  const side = [...atTop, study, moves, share, room, keys];
  const main = html("div.game-main", status.element, board, proof, stepper.element);
  root.append(title, banner, notice, main, html("div.game-side", ...side));
  return root;
}

/** @param {GamePage} page */
async function loadTitles(page) {
  try {
    for (const { name, title } of await loadPlayers()) page.titles.set(name, title);
    if (page.state) take(page, page.state);
  } catch {
    // Then the computer's players go by their names.
  }
}

/** Take a new state: at once, or after a pause if it has the computer's answer to a disc that was hardly seen.
 * @param {GamePage} page @param {GameState} state */
function arrive(page, state) {
  clearTimeout(page.timer);
  page.held = state;
  const show = () => {
    page.held = null;
    take(page, state);
  };
  const pause_ms = pauseBefore(page, state);
  if (pause_ms > 0) page.timer = window.setTimeout(show, pause_ms);
  else show();
}

/** @param {GamePage} page @param {GameState} state */
function pauseBefore(page, state) {
  if (!page.state || !state.isAgainstComputer || state.game.clock || !wantsPause()) return 0;
  const isAnswer = state.total > page.state.total && state.moverOf(state.total - 1) !== state.mySide;
  return isAnswer ? page.sent_ms + PAUSE_MS - performance.now() : 0;
}

/** @param {GamePage} page @param {GameState} state */
function take(page, state) {
  const before = page.state;
  page.state = state;
  page.absence.look(state);
  namePlayers([state.ownNameOf(1), state.ownNameOf(2)]);
  if (state.isPlayer) {
    const names = SIDES.map((side) => (state.openSide === side ? "" : state.nameOf(side)));
    keepView(state.game, { sides: state.sides, names });
  }
  if (before?.position.moves !== state.position.moves) {
    if (before) page.pending = null;
    // A new move brings the game back to view.
    page.stepper.reset();
    page.hint?.hide();
    closeReview(page.review);
    page.parts.news.textContent = "";
    tellProof(page, state);
  }
  if (before) {
    if (state.game.result && !before.game.result) page.hint?.hide(); // of a game that was given up, say
    // When the discs lie that the next drawing lets fall.
    const later = (/** @type {() => void} */ action) =>
      queueMicrotask(() => whenLanded(page.board, action));
    const notice = tellNews(before, state, later, () => celebrate(page.board));
    if (notice) page.parts.news.textContent = notice;
    if (!before.game.rematch_id && state.game.rematch_id && state.isPlayer) toRematch(page);
  }
  draw(page);
  const isHelped = state.isAgainstComputer && !state.game.clock;
  if (state.isMyTurn && isHelped && wantsWarning()) prepareWarning(state.position);
  if (state.game.room_id && state.isPlayer && state.game.result && !before?.game.result) {
    tellNextGame(state.game.room_id, page.id, page.parts.root);
  }
  if (before) return;
  tellStanding(state);
  resend(page, state);
  openLink(page, state);
}

/** Open at the move, or with the review, that the link names. @param {GamePage} page @param {GameState} state */
function openLink(page, { game, total }) {
  const at = page.wanted.get("at") ?? "";
  if (page.wanted.has("review") && game.result && total) openReview(page, at ? Number(at) : null);
  else if (/^\d{1,3}$/.test(at)) page.stepper.step(Number(at));
}

/** @param {GamePage} page @param {boolean} isConnected */
function connection(page, isConnected) {
  const { banner } = page.parts;
  page.isConnected = isConnected;
  const isLost = t(page.state ? "game.lost_connection" : "game.no_connection");
  const text = isConnected ? "" : isLost;
  if (banner.textContent !== text) banner.textContent = text;
  banner.hidden = isConnected;
  if (page.pending) draw(page);
}

/** What there is in place of a game that is not there. @param {string} id @param {string} why */
function gone(id, why) {
  const review = keptReview(id);
  return html(
    "section.card.message",
    html("h1", t("game.unknown")),
    html("p", why),
    html(
      "p.actions",
      html("a.button.primary", { href: startAddress() }, t("game.start_new")),
      review && html("a.button", { href: review }, t("game.kept_review")),
    ),
  );
}

/** While a review is shown, it takes the steps, which come back by `lookAt`. @param {GamePage} page @param {number} number */
function jumpInReview({ review }, number) {
  if (!isReviewShown(review)) return false;
  jump(review, number);
  return true;
}
