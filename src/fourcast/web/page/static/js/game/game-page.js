// The page of one game: on one screen, against the computer, with a friend elsewhere, or watched.
//
// The server's GameView is the truth, and everything is drawn from it again. What is this page's own is
// which earlier position is looked at (see stepper.js), and the move that is on its way (`#pending`).

import { gamePage as gameAddress, isSite, startAddress } from "../backend/addresses.js";
import { postJson } from "../backend/api.js";
import { Board } from "../board/board.js";
import { html } from "../elements/dom.js";
import { Hint } from "./hint.js";
import { Invitation, describeSpectators } from "./invitation.js";
import { tellNews } from "./news.js";
import { Offers } from "./offers.js";
import { forgetMove, recallMove, rememberMove } from "./pending-move.js";
import { GameState } from "./state.js";
import { Status } from "./status.js";
import { Stepper } from "./stepper.js";
import { isMeant, prepareWarning, wantsWarning } from "./warning.js";
import { LiveGame } from "../backend/live-game.js";
import { LocalGame } from "../local/local-game.js";
import { SIDES, otherSide } from "../words/names.js";
import { loadPlayers } from "./new-game.js";
import { boardAddress } from "../backend/positions.js";
import { getPref, keepGame, myGame, setPref } from "../shell/prefs.js";
import { afterDrop } from "../elements/setup.js";
import { STANDARD } from "../words/sizes.js";
import { play } from "../shell/sound.js";
import { analyze, isOn, makePanel, switchOn } from "../study/panel.js";
import { Review } from "../study/review.js";
import { Share } from "../study/share.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

/** @typedef {import("../backend/live-game.js").Move} Move */

/** Show the game *id* in *root*. @param {HTMLElement} root @param {string} id */
export function gamePage(root, id) {
  new GamePage(root, id).open();
}

class GamePage {
  #root;
  #id;
  #live;
  /** @type {GameState | null} */
  #state = null;
  /** @type {Move | null} */
  #pending = null;
  #isConnected = true;
  /** @type {Map<string, string>} */
  #titles = new Map(); // names of the computer's players -> what people call them
  #status = new Status();
  #stepper = new Stepper({
    onStep: () => this.#draw(),
    onJump: (number) => this.#jumpInReview(number),
    onProblem: (text) => this.#say(text),
  });
  #offers = new Offers({
    onAct: (kind, side) => this.#act(kind, side),
    onReview: () => this.#openReview(),
    onHint: () => this.#showHint(),
    onRematch: () => this.#toRematch(),
  });
  #invitation = new Invitation({ onJoin: (name) => this.#join(name) });
  #board;
  #title = html("h1", { class: "visually-hidden" }, t("game.title"));
  #banner = html("p", { class: "banner", role: "alert", hidden: true });
  #error = html("p", { class: "error", role: "alert" });
  #news = html("p", { class: "news" }); // what a screen reader has been told otherwise
  #room = html("p", { class: "room" });
  #notice = html("p", { class: "notice", role: "status", hidden: true });
  #page;
  #slots = {
    hint: html("div"),
    study: html("section", { class: "study-slot", "aria-label": t("analysis.title") }),
    review: html("section", { class: "review-slot", "aria-label": t("review.title"), hidden: true }),
    share: html("section", { class: "share-slot", "aria-label": t("share.title"), hidden: true }),
  };
  #study;
  #share = new Share(this.#slots.share);
  #shared = "";
  #review;
  /** @type {Hint | null} */
  #hint = null;
  #isAsking = false; // whether a move is meant
  /** @type {import("../board/board.js").Shown | null} The position with the move that is on its way. */
  #ahead = null;
  #wanted = new URLSearchParams(window.location.search); // what the link asks for, until it is there

  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.#root = root;
    this.#id = id;
    const kept = myGame(id);
    this.#live = isSite ? new LocalGame(id) : new LiveGame(id, kept?.token ?? null, kept?.sides ?? []);
    this.#live.onState = (game, sides) => this.#take(new GameState(game, sides, this.#titles));
    this.#live.onConnection = (isConnected) => this.#connection(isConnected);
    this.#live.onGone = (error) => this.#gone(describeError(error));
    const boardRoot = html("div", { id: "board" });
    this.#board = new Board(boardRoot, { onColumn: (column) => this.#move(column) });
    this.#board.overlay(this.#stepper.overlay);
    this.#board.onLand = () => play("land");
    this.#page = this.#build(boardRoot);
    root.replaceChildren(this.#page);
    this.#study = makePanel(this.#slots.study, this.#board, {
      game: id,
      onChange: () => this.#draw(),
      onLine: (moves, count) => this.#toBoard(moves, count),
    });
    if (this.#wanted.has("analysis")) switchOn(this.#study);
    this.#review = new Review(this.#slots.review, this.#board, {
      onJump: (position) => this.#stepper.lookAt(position),
      onClose: () => this.#reviewClosed(),
    });
    this.#board.reserve(kept?.size ?? STANDARD);
  }

  open() {
    this.#live.open();
    this.#loadTitles();
  }

  /** @param {HTMLElement} board */
  #build(board) {
    return html(
      "div",
      { class: "game" },
      this.#title,
      this.#banner,
      this.#notice,
      html("div", { class: "game-main" }, this.#status.element, board, this.#stepper.element),
      html(
        "div",
        { class: "game-side" },
        this.#offers.element,
        this.#slots.review,
        this.#invitation.element,
        this.#offers.actions,
        this.#slots.hint,
        this.#error,
        this.#news,
        this.#slots.study,
        html(
          "section",
          { class: "card moves-card", "aria-labelledby": "moves-title" },
          html("h2", { id: "moves-title" }, t("game.moves")),
          this.#stepper.list,
        ),
        this.#slots.share,
        this.#room,
        html("p", { class: "keys" }, t("game.keys")),
      ),
    );
  }

  async #loadTitles() {
    try {
      for (const { name, title } of await loadPlayers()) this.#titles.set(name, title);
      this.#draw();
    } catch {
      // Then the computer's players go by their names.
    }
  }

  // ---- What arrives ------------------------------------------------------------------------------

  /** @param {GameState} state */
  #take(state) {
    const before = this.#state;
    this.#state = state;
    if (state.isPlayer) this.#keep(state);
    if (before?.position.moves !== state.position.moves) {
      if (before) this.#pending = null;
      // A new move brings the game back to view.
      this.#stepper.reset();
      this.#hint?.hide();
      this.#review.close();
      this.#news.textContent = "";
    }
    if (before) {
      const notice = tellNews(before, state, (action) => this.#later(action));
      if (notice) this.#news.textContent = notice;
      if (!before.game.rematch_id && state.game.rematch_id && state.isPlayer) this.#toRematch();
    }
    this.#draw();
    if (state.isMyTurn && state.isAgainstComputer && wantsWarning()) prepareWarning(state.position);
    if (before) return;
    this.#resend(state);
    this.#openLink(state);
  }

  /** Open at the move, or with the review, that the link names. @param {GameState} state */
  #openLink({ game, total }) {
    const at = this.#wanted.get("at") ?? "";
    if (this.#wanted.has("review") && game.result && total) this.#openReview(at ? Number(at) : null);
    else if (/^\d{1,3}$/.test(at)) this.#stepper.step(Number(at));
  }

  /** Do something when the discs lie that the next drawing lets fall. @param {() => void} action */
  #later(action) {
    queueMicrotask(() => this.#board.whenLanded(action));
  }

  /** Let the start page know of this game. @param {GameState} state */
  #keep(state) {
    keepGame(this.#id, {
      sides: state.sides,
      names: SIDES.map((side) => (state.openSide === side ? "" : state.nameOf(side))),
      moves: state.total,
      over: state.game.result !== null,
      when: Date.now(),
    });
  }

  /** @param {boolean} isConnected */
  #connection(isConnected) {
    this.#isConnected = isConnected;
    const isLost = t(this.#state ? "game.lost_connection" : "game.no_connection");
    const text = isConnected ? "" : isLost;
    if (this.#banner.textContent !== text) this.#banner.textContent = text;
    this.#banner.hidden = isConnected;
    if (this.#pending) this.#draw();
  }

  /** @param {string} why */
  #gone(why) {
    this.#root.replaceChildren(
      html(
        "section",
        { class: "card message" },
        html("h1", {}, t("game.unknown")),
        html("p", {}, why),
        html("p", {}, html("a", { class: "button primary", href: startAddress() }, t("game.start_new"))),
      ),
    );
  }

  /** Step through a line of best play on the free board. @param {string} moves @param {number} count */
  #toBoard(moves, count) {
    const { position } = this.#board;
    if (!position) return;
    const line = { ...position, moves: position.moves + moves };
    window.location.assign(boardAddress(line, position.moves.length + count, { analysis: true }));
  }

  #toRematch() {
    const id = this.#state?.game.rematch_id;
    if (!id) return;
    const token = myGame(this.#id)?.token;
    if (token) keepGame(id, { token, when: Date.now() });
    window.location.assign(gameAddress(id));
  }

  // ---- What the person does ----------------------------------------------------------------------

  /** @param {number} column */
  async #move(column) {
    let state = this.#state;
    if (!state?.isMyTurn || this.#pending || this.#isAsking || this.#stepper.isPast) return;
    const { position } = state;
    if (state.isAgainstComputer && wantsWarning()) {
      this.#isAsking = true;
      this.#draw();
      const isPlayed = await isMeant(position, column);
      this.#isAsking = false;
      this.#draw();
      // News of the connection may have come meanwhile; the move is for the board it was chosen on.
      state = this.#state;
      if (!isPlayed || !state?.isMyTurn || state.position.diagram !== position.diagram) return;
    }
    this.#send({ column, ply: position.ply, seq: state.game.seq });
  }

  #showHint() {
    if (!this.#hint) {
      this.#hint = new Hint(this.#board);
      this.#slots.hint.append(this.#hint.element);
    }
    const state = this.#state;
    if (state?.isMyTurn && !this.#stepper.isPast) this.#hint.show(state.position);
  }

  /** @param {Move} move */
  async #send(move) {
    this.#pending = move;
    rememberMove(this.#id, move);
    this.#say("");
    this.#draw();
    try {
      await this.#live.move(move);
    } catch (error) {
      this.#say(describeError(error));
    }
    forgetMove(this.#id);
    this.#pending = null;
    this.#draw();
  }

  /** Send what was on its way when the page was loaded again. @param {GameState} state */
  #resend(state) {
    const move = recallMove(this.#id);
    if (move && move.ply === state.position.ply && state.isMyTurn) this.#send(move);
    else forgetMove(this.#id);
  }

  /** @param {ActionKind} kind @param {Side} [side] */
  async #act(kind, side) {
    this.#say("");
    // What was meant for another position is not done.
    const seq = kind === "undo" || kind === "redo" ? this.#state?.game.seq : null;
    try {
      await this.#live.act(kind, { side, seq });
    } catch (error) {
      this.#say(describeError(error));
    }
  }

  /** @param {string} name */
  async #join(name) {
    setPref("name", name);
    this.#say("");
    // The browser chooses the secret: if the answer is lost on the way, joining again is no second person.
    const slot = `join.${this.#id}`;
    const token = getPref(slot) ?? newToken();
    setPref(slot, token);
    try {
      /** @type {Ticket} */
      const ticket = await postJson(`${this.#live.path}/join`, { name, token });
      keepGame(this.#id, { token: ticket.token, sides: ticket.sides, when: Date.now() });
      setPref(slot, null);
      if (this.#live instanceof LiveGame) this.#live.useTicket(ticket);
      this.#board.focusColumn(Math.floor((ticket.game.position.width - 1) / 2));
    } catch (error) {
      this.#say(describeError(error));
    }
  }

  /** Write what went wrong, or nothing. @param {string} text */
  #say(text) {
    this.#error.textContent = text;
  }

  // ---- Drawing -----------------------------------------------------------------------------------

  #draw() {
    const state = this.#state;
    if (!state) return;
    const { isPast, past } = this.#stepper;
    const now = this.#positionNow(state);
    const position = isPast ? (past ?? this.#board.position ?? now) : now;
    if (position !== this.#board.position) this.#board.show(position, { animate: !isPast });
    this.#enable(state);
    this.#page.classList.toggle("is-past", isPast);
    this.#stepper.draw(state);
    this.#invitation.draw(state);
    this.#room.textContent = describeSpectators(state);
    this.#notice.hidden = !state.game.notice;
    this.#notice.textContent = state.game.notice ?? "";
    this.#board.whenLanded(() => this.#drawWords());
    this.#drawStudy(state);
  }

  /** Let columns be chosen, or say why not. @param {GameState} state */
  #enable(state) {
    const whyNot = this.#whyNot(state);
    this.#board.setEnabled(state.isMyTurn && !whyNot, state.position.turn, whyNot || state.whyNot);
  }

  /** Why nobody can drop a disc here now, whoever's turn it is, as a sentence. @param {GameState} state */
  #whyNot(state) {
    if (this.#stepper.isPast) return t("game.past");
    if (this.#isAsking) return t("warn.checking");
    if (this.#pending) return t("game.on_its_way");
    // An answer is seen before it is answered.
    const isUnseen = state.isMyTurn && state.mySide !== null && this.#board.isFalling;
    return isUnseen ? t("state.turn_of", { name: state.nameOf(otherSide(state.position.turn)) }) : "";
  }

  /** Where the game stands, with the move that is on its way: one's own disc waits for nobody.
   * @param {GameState} state */
  #positionNow({ position }) {
    if (!this.#pending || this.#pending.ply !== position.ply) {
      this.#ahead = null;
      return position;
    }
    this.#ahead ??= afterDrop(position, this.#pending.column);
    return this.#ahead;
  }

  /** Say how the game stands; not before one sees it. */
  #drawWords() {
    const state = this.#state;
    if (!state) return;
    this.#enable(state);
    this.#status.draw(state, { isConnected: this.#isConnected, pending: this.#pending });
    this.#offers.draw(state);
    const [first, second] = SIDES.map((side) => state.nameOf(side));
    this.#title.textContent = t("game.against", { first, second });
    const isDue = state.isMyTurn && state.mySide !== null;
    document.title = t(isDue ? "game.tab_due" : "game.tab", { first, second });
  }

  /** @param {GameState} state */
  #drawStudy(state) {
    const { position } = this.#board;
    if (position && position !== this.#ahead) analyze(this.#study, position, state);
    // While a friend is waited for, the link is offered at the top.
    this.#slots.share.hidden = state.openSide !== null;
    const { shown } = this.#stepper;
    const isOver = state.game.result !== null;
    const wishes = { analysis: isOn(this.#study), review: this.#review.isOpen };
    const key = JSON.stringify([state.position.moves, shown, isOver, wishes]);
    if (this.#shared === key) return;
    this.#shared = key;
    this.#share.update(state.position, shown, { ...wishes, id: this.#id, hasFiles: state.total > 0 });
  }

  // ---- Review ------------------------------------------------------------------------------------

  /** @param {number | null} [at] the move at which it opens, if it is not the one that decided */
  #openReview(at = null) {
    if (!this.#state) return;
    this.#review.open(this.#state.position, at, this.#state.mySide);
    this.#drawStudy(this.#state);
  }

  #reviewClosed() {
    if (this.#state) this.#drawStudy(this.#state);
    if (document.activeElement === document.body) this.#offers.focusReview();
  }

  /** While a review is shown, it takes the steps, which come back by `lookAt`. @param {number} number */
  #jumpInReview(number) {
    if (!this.#review.isShown) return false;
    this.#review.jump(number);
    return true;
  }
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
