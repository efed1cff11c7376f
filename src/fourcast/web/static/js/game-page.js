// The page of one game: on one screen, against the computer, with a friend elsewhere, or watched.
//
// The server's GameView is the truth, and everything is drawn anew from it. What is this page's own is
// which earlier position is looked at (`#seen`), and the move that is on its way (`#pending`).

import { announce } from "./announce.js";
import { getJson, LiveGame, postJson } from "./api.js";
import { Board, columnName, discIcon } from "./board.js";
import { button, copyButton, html, icon } from "./dom.js";
import { getPref, keepGame, myGame, setPref } from "./prefs.js";
import { play } from "./sound.js";

const COLOURS = ["", "Red", "Blue"];
const SHAPES = ["", "ring", "diamond"];
const SEATS = ["", "first", "second"];

/** Show the game *id* in *root*. */
export function gamePage(root, id) {
  new GamePage(root, id).open();
}

class GamePage {
  #root;
  #id;
  #live;
  #game = null;
  #sides = [];
  #seen = null; // how many moves are shown if it is not all of them
  #positions = new Map(); // move string -> PositionView
  #pending = null;
  #isConnected = true;
  #isWatching = false; // somebody who could join wants to watch
  #titles = new Map(); // names of the computer's players -> what people call them
  #study = null;
  #share = null;
  #review = null;
  #board;
  #parts = {};

  constructor(root, id) {
    this.#root = root;
    this.#id = id;
    const kept = myGame(id);
    this.#sides = kept?.sides ?? [];
    this.#live = new LiveGame(id, kept?.token ?? null, this.#sides);
    this.#live.onState = (game, sides) => this.#take(game, sides);
    this.#live.onConnection = (isConnected) => this.#connection(isConnected);
    this.#live.onGone = (error) => this.#gone(error);
  }

  open() {
    this.#build();
    this.#live.open();
    document.addEventListener("keydown", (event) => this.#key(event));
    getJson("/api/players")
      .then((players) => {
        this.#titles = new Map(players.map(({ name, title }) => [name, title]));
        if (this.#game) this.#draw();
      })
      .catch(() => {}); // then the computer's players go by their names
    this.#mountStudy();
  }

  // ---- The frame ---------------------------------------------------------------------------------

  #build() {
    const part = (name, element) => (this.#parts[name] = element);
    const step = (picture, label, go) => {
      const attributes = { type: "button", class: "step", "aria-label": label, title: label };
      return html("button", { ...attributes, on: { click: go } }, icon(picture));
    };
    const boardRoot = html("div", { id: "board" });
    this.#root.replaceChildren(
      html(
        "div",
        { class: "game" },
        part("title", html("h1", { class: "visually-hidden" }, "Game")),
        part("banner", html("p", { class: "banner", role: "alert", hidden: true })),
        html(
          "div",
          { class: "game-main" },
          html(
            "div",
            { class: "seats" },
            part("first", html("div", { class: "seat first" })),
            part("status", html("p", { class: "status", id: "status" })),
            part("second", html("div", { class: "seat second" })),
          ),
          boardRoot,
          html(
            "div",
            { class: "steps", role: "group", "aria-label": "Step through the game" },
            step("first", "First position", () => this.#step(0)),
            step("back", "One move back", () => this.#step(this.#shown - 1)),
            part("count", html("span", { class: "count" })),
            step("forward", "One move forward", () => this.#step(this.#shown + 1)),
            step("last", "Last position", () => this.#step(this.#total)),
          ),
        ),
        html(
          "div",
          { class: "game-side" },
          part("offers", html("div", { class: "offers" })),
          part("review", html("section", { class: "review-slot", "aria-label": "Review", hidden: true })),
          part("invite", html("section", { class: "card invite", "aria-label": "Invite", hidden: true })),
          part("actions", html("div", { class: "actions", role: "group", "aria-label": "Game" })),
          part("error", html("p", { class: "error", role: "alert" })),
          part("study", html("section", { class: "study-slot", "aria-label": "Analysis" })),
          html(
            "section",
            { class: "card moves-card", "aria-labelledby": "moves-title" },
            html("h2", { id: "moves-title" }, "Moves"),
            part("moves", html("ol", { class: "moves" })),
          ),
          part("files", html("section", { class: "share-slot", "aria-label": "Share", hidden: true })),
          part("room", html("p", { class: "room" })),
          html(
            "p",
            { class: "keys" },
            "Keys: a column’s number drops a disc; arrows and Enter choose one on the board, ",
            "and step through the game elsewhere.",
          ),
        ),
      ),
    );
    this.#parts.steps = [...this.#root.querySelectorAll(".step")];
    this.#board = new Board(boardRoot, { onColumn: (column) => this.#move(column) });
    this.#board.overlay(part("past", html("p", { class: "past", hidden: true })));
    this.#board.onLand = () => play("land");
  }

  async #mountStudy() {
    try {
      const modules = [import("./study/panel.js"), import("./study/share.js")];
      const [{ mountStudy }, { mountShare }] = await Promise.all(modules);
      this.#study = mountStudy({ element: this.#parts.study, board: this.#board });
      this.#share = mountShare({ element: this.#parts.files });
      if (this.#game) this.#draw();
    } catch (error) {
      console.warn("no analysis:", error);
    }
  }

  #updateStudy() {
    this.#study?.update(this.#board.position, { game: this.#game, sides: this.#sides });
    const { files } = this.#parts;
    files.hidden = !this.#share || this.#total === 0;
    const names = { first: this.#game.first.name, second: this.#game.second.name };
    const key = JSON.stringify([this.#game.position.moves, this.#shown, names]);
    if (!this.#share || files.dataset.key === key) return;
    files.dataset.key = key;
    this.#share.update(this.#game.position, this.#shown, names);
  }

  // ---- What arrives ------------------------------------------------------------------------------

  #take(game, sides) {
    const before = this.#game;
    this.#game = game;
    this.#sides = sides;
    if (sides.length) this.#keep();
    if (before && this.#pending && game.position.moves !== before.position.moves) this.#pending = null;
    if (!before || game.position.moves !== before.position.moves) {
      this.#positions.set(game.position.moves, game.position);
      // A new move brings the game back to view.
      this.#seen = null;
      this.#review?.close();
    }
    if (before) this.#tell(before, game);
    if (before && !before.rematch_id && game.rematch_id && sides.length) this.#toRematch();
    this.#draw();
    if (!before) this.#resend();
  }

  /** Say what has changed, to those who listen. */
  #tell(before, game) {
    const was = before.position.moves;
    const now = game.position.moves;
    if (now.length > was.length && now.startsWith(was)) {
      for (let index = was.length; index < now.length; index += 1) {
        announce(`${this.#nameOf(this.#moverOf(index))}: column ${now[index]}.`);
      }
    } else if (now.length < was.length) {
      announce(`${was.length - now.length === 1 ? "A move was" : "Moves were"} taken back.`);
    }
    if (game.result && !before.result) {
      announce(`${this.#headline()}. ${game.result.text}`);
      play(game.result.winner && (this.#sides.length !== 1 || this.#sides[0] === game.result.winner) ? "win" : "end");
      return;
    }
    if (now !== was && this.#isMyTurn && this.#sides.length === 1) announce("Your turn.");
    for (const kind of ["draw", "takeback", "rematch"]) {
      const offered = game.offers[kind];
      if (offered && offered !== before.offers[kind] && !this.#sides.includes(offered)) {
        play("notice");
        announce(this.#offerText(kind, offered));
      }
      const mine = before.offers[kind];
      if (mine && !offered && this.#sides.includes(mine) && now === was && !game.rematch_id) {
        this.#notice(`${this.#nameOf(3 - mine)} declined.`);
      }
    }
    for (const side of [1, 2]) {
      const [old, seat] = [before[SEATS[side]], game[SEATS[side]]];
      if (old.kind === "open" && seat.kind === "person") {
        play("notice");
        announce(`${this.#nameOf(side)} has joined.`);
      }
    }
  }

  #keep() {
    const game = this.#game;
    const [first, second] = [1, 2].map((side) => (game[SEATS[side]].kind === "open" ? "a friend" : this.#nameOf(side)));
    const mine = this.#sides.length === 1 ? this.#sides[0] : null;
    const count = game.position.moves.length;
    keepGame(this.#id, {
      sides: this.#sides,
      title: mine ? `against ${mine === 1 ? second : first}` : `${first} and ${second}`,
      status: game.result?.text ?? (count === 1 ? "1 move" : `${count} moves`),
      over: Boolean(game.result),
      when: Date.now(),
    });
  }

  #connection(isConnected) {
    this.#isConnected = isConnected;
    if (this.#game) this.#drawBanner();
    else this.#banner(isConnected ? "" : "The server cannot be reached. Trying again…");
  }

  #gone(error) {
    this.#root.replaceChildren(
      html(
        "section",
        { class: "card message" },
        html("h1", {}, "There is no such game"),
        html("p", {}, error.detail),
        html("p", {}, html("a", { class: "button primary", href: "/" }, "Start a new one")),
      ),
    );
  }

  #toRematch() {
    const kept = myGame(this.#id);
    const id = this.#game.rematch_id;
    if (kept?.token) keepGame(id, { token: kept.token, when: Date.now() });
    window.location.assign(`/game/${id}`);
  }

  // ---- What the person does ----------------------------------------------------------------------

  get #isMyTurn() {
    const game = this.#game;
    return !game.result && !game.position.is_over && this.#sides.includes(game.position.turn);
  }

  get #isOpenGame() {
    return this.#game.first.kind === "open" || this.#game.second.kind === "open";
  }

  async #move(column) {
    if (!this.#isMyTurn || this.#pending || this.#seen !== null) return;
    await this.#send({ column, ply: this.#game.position.ply, seq: this.#game.seq });
  }

  async #send(move) {
    this.#pending = move;
    remember(this.#id, move);
    this.#error("");
    this.#draw();
    try {
      await this.#live.move(move);
    } catch (error) {
      this.#error(error.detail ?? String(error));
    }
    forget(this.#id);
    this.#pending = null;
    this.#draw();
  }

  /** Send what was on its way when the page was loaded anew. */
  #resend() {
    const move = recall(this.#id);
    if (move && move.ply === this.#game.position.ply && this.#isMyTurn) this.#send(move);
    else forget(this.#id);
  }

  async #act(kind, side = null) {
    this.#error("");
    try {
      await this.#live.act(kind, { side, seq: kind === "undo" || kind === "redo" ? this.#game.seq : null });
    } catch (error) {
      this.#error(error.detail ?? String(error));
    }
  }

  async #resign() {
    const dialog = html(
      "dialog",
      { class: "card", "aria-labelledby": "resign-title" },
      html("h2", { id: "resign-title" }, "Resign this game?"),
      html("p", {}, "Your opponent wins it then."),
      html(
        "form",
        { method: "dialog", class: "actions" },
        html("button", { class: "button danger", value: "resign" }, "Resign"),
        html("button", { class: "button", value: "", autofocus: true }, "Play on"),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "resign") this.#act("resign", this.#actingSide);
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  // On one screen whoever is to move resigns; elsewhere there is one side only.
  get #actingSide() {
    return this.#sides.length === 1 ? this.#sides[0] : this.#game.position.turn;
  }

  // ---- Stepping through --------------------------------------------------------------------------

  get #total() {
    return this.#game?.position.moves.length ?? 0;
  }

  get #shown() {
    return this.#seen ?? this.#total;
  }

  async #step(count) {
    if (!this.#game) return;
    const target = Math.max(0, Math.min(this.#total, count));
    if (target === this.#shown) return;
    if (this.#isReviewing) {
      this.#review.jump(target); // which shows the position here, too
      return;
    }
    this.#seen = target === this.#total ? null : target;
    const moves = this.#game.position.moves.slice(0, target);
    if (!this.#positions.has(moves)) {
      const { start, width, height } = this.#game.position;
      try {
        this.#positions.set(moves, await getJson("/api/position", { moves, start, width, height }));
      } catch (error) {
        this.#seen = null;
        this.#error(error.detail ?? String(error));
      }
    }
    if (this.#shown !== target) return; // somebody stepped on meanwhile
    this.#draw();
    announce(target === this.#total ? "The game as it stands." : `After move ${target} of ${this.#total}.`);
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest?.("input, textarea, select, dialog, summary, [contenteditable], [role=slider]")) return;
    const onBoard = event.target.closest?.(".board-columns");
    const go = {
      ArrowLeft: () => this.#step(this.#shown - 1),
      ArrowRight: () => this.#step(this.#shown + 1),
      Home: () => this.#step(0),
      End: () => this.#step(this.#total),
    };
    if (onBoard) Object.assign(go, { ArrowUp: go.ArrowLeft, ArrowDown: go.ArrowRight });
    if (!go[event.key]) return;
    event.preventDefault();
    go[event.key]();
  }

  // ---- Drawing -----------------------------------------------------------------------------------

  #draw() {
    const game = this.#game;
    if (!game) return;
    const isPast = this.#seen !== null;
    const position = isPast
      ? this.#positions.get(game.position.moves.slice(0, this.#seen)) ?? this.#board.position ?? game.position
      : game.position;
    if (position !== this.#board.position) {
      this.#board.show(position, { animate: !isPast });
    }
    this.#updateStudy();
    this.#board.setEnabled(this.#isMyTurn && !isPast && !this.#pending, game.position.turn);
    this.#root.querySelector(".game").classList.toggle("is-past", isPast);
    for (const side of [1, 2]) this.#drawSeat(side);
    this.#drawStatus();
    this.#drawPast(isPast);
    this.#drawSteps();
    this.#drawMoves();
    this.#drawOffers();
    this.#drawActions();
    this.#drawInvite();
    this.#drawBanner();
    const [first, second] = [1, 2].map((side) => this.#nameOf(side));
    this.#parts.title.textContent = `${first} against ${second}`;
    const isDue = this.#isMyTurn && this.#sides.length === 1;
    document.title = `${isDue ? "Your turn: " : ""}${first} – ${second} · fourcast`;
  }

  #nameOf(side) {
    const seat = this.#game[SEATS[side]];
    if (seat.kind === "computer" && (!seat.name || seat.name === seat.player)) {
      return this.#titles.get(seat.player) ?? seat.player;
    }
    return seat.name || COLOURS[side];
  }

  /** Whose the move number *index* was. */
  #moverOf(index) {
    const { moves, turn } = this.#game.position;
    return (moves.length - index) % 2 === 0 ? turn : 3 - turn;
  }

  #drawSeat(side) {
    const seat = this.#game[SEATS[side]];
    const isTurn = !this.#game.result && this.#game.position.turn === side;
    const isMine = this.#sides.length === 1 && this.#sides[0] === side;
    const name = seat.kind === "open" ? "A friend" : this.#nameOf(side);
    const note =
      seat.kind === "open"
        ? "seat is free"
        : isMine
          ? "you"
          : seat.kind === "computer"
            ? "computer"
            : this.#game.is_local
              ? name === COLOURS[side]
                ? SHAPES[side]
                : COLOURS[side].toLowerCase()
              : seat.is_connected
                ? "is here"
                : "is away";
    const element = this.#parts[SEATS[side]];
    element.classList.toggle("is-turn", isTurn);
    element.classList.toggle("is-winner", this.#game.result?.winner === side);
    element.classList.toggle("is-here", seat.kind === "person" && seat.is_connected && !isMine && !this.#game.is_local);
    element.replaceChildren(
      discIcon(side),
      html(
        "span",
        { class: "seat-words" },
        html("span", { class: "seat-name", title: name }, name),
        html("span", { class: "seat-note" }, note),
      ),
    );
  }

  #headline() {
    const { result } = this.#game;
    if (!result.winner) return "Draw";
    if (this.#sides.length !== 1) return `${this.#nameOf(result.winner)} wins`;
    return this.#sides[0] === result.winner ? "You win" : "You lose";
  }

  #drawStatus() {
    const game = this.#game;
    const { turn } = game.position;
    let words;
    let more = "";
    if (game.result) {
      words = this.#headline();
      more = howItEnded(game.result);
    } else if (this.#isOpenGame && !this.#isMyTurn) {
      words = this.#sides.length ? "Waiting for your friend" : "A seat is free";
    } else if (this.#pending) {
      words = this.#isConnected ? "Sending your move" : `Column ${columnName(this.#pending.column)} will be sent`;
    } else if (game.is_thinking) {
      words = `${this.#nameOf(turn)} is thinking`;
    } else if (this.#sides.length === 1) {
      words = this.#isMyTurn ? "Your turn" : `${this.#nameOf(turn)} to move`;
    } else {
      words = `${this.#nameOf(turn)} to move`;
    }
    const disc = game.result ? game.result.winner : this.#isOpenGame && !this.#isMyTurn ? null : turn;
    const { status } = this.#parts;
    const key = `${words}|${more}|${disc}|${game.is_thinking}`;
    if (status.dataset.key === key) return;
    status.dataset.key = key;
    status.classList.toggle("is-over", Boolean(game.result));
    status.classList.toggle("is-thinking", game.is_thinking);
    status.replaceChildren(
      html(
        "span",
        { class: "status-words" },
        disc ? discIcon(disc) : null,
        html("span", {}, words),
        game.is_thinking && html("span", { class: "dots", "aria-hidden": "true" }, html("i"), html("i"), html("i")),
      ),
    );
    if (more) status.append(html("span", { class: "status-more" }, more));
  }

  #drawPast(isPast) {
    const { past } = this.#parts;
    past.hidden = !isPast;
    if (!isPast) return;
    past.replaceChildren(
      html("span", {}, this.#seen ? `Move ${this.#seen} of ${this.#total}` : `Before move 1 of ${this.#total}`),
      button("Back to the game", () => this.#step(this.#total), { kind: "small" }),
    );
  }

  #drawSteps() {
    const [first, back, forward, last] = this.#parts.steps;
    const set = (element, isOff) => element.setAttribute("aria-disabled", String(isOff));
    set(first, this.#shown === 0);
    set(back, this.#shown === 0);
    set(forward, this.#shown === this.#total);
    set(last, this.#shown === this.#total);
    this.#parts.count.textContent = `${this.#shown} / ${this.#total}`;
  }

  #drawMoves() {
    const { moves: text } = this.#game.position;
    const list = this.#parts.moves;
    const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    list.replaceChildren(
      ...[...text].map((name, index) => {
        const side = this.#moverOf(index);
        return html(
          "li",
          {},
          html(
            "button",
            {
              type: "button",
              class: `move ${SEATS[side]}`,
              "aria-label": `Move ${index + 1}: ${COLOURS[side].toLowerCase()}, column ${name}`,
              "aria-current": index + 1 === this.#shown ? "step" : null,
              on: { click: () => this.#step(index + 1) },
            },
            html("span", { class: "move-number" }, String(index + 1)),
            discIcon(side),
            html("span", { class: "move-column" }, name),
          ),
        );
      }),
    );
    if (!text.length) list.append(html("li", { class: "none" }, "No moves yet."));
    if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
    else list.scrollTop = 0;
  }

  #offerText(kind, side) {
    const name = this.#nameOf(side);
    return {
      draw: `${name} offers a draw.`,
      takeback: `${name} asks to take the last move back.`,
      rematch: `${name} would like a rematch.`,
    }[kind];
  }

  #drawOffers() {
    const { offers, rematch_id: rematch } = this.#game;
    const cards = [];
    if (this.#sides.length === 1) {
      for (const kind of ["draw", "takeback", "rematch"]) {
        const side = offers[kind];
        if (!side || (kind === "rematch" && rematch)) continue;
        if (this.#sides.includes(side)) {
          const did = {
            draw: "offered a draw",
            takeback: "asked to take your move back",
            rematch: "asked for a rematch",
          }[kind];
          const words = `You ${did}; ${this.#nameOf(3 - side)} has not answered yet.`;
          cards.push(html("p", { class: "offer mine" }, words));
        } else {
          cards.push(
            html(
              "div",
              { class: "offer" },
              html("p", {}, this.#offerText(kind, side)),
              html(
                "div",
                { class: "actions" },
                button("Accept", () => this.#act(`accept-${kind}`), { kind: "primary" }),
                button("Decline", () => this.#act(`decline-${kind}`)),
              ),
            ),
          );
        }
      }
    }
    if (rematch) {
      cards.push(
        html(
          "p",
          { class: "offer" },
          "There is a rematch. ",
          this.#sides.length
            ? button("Go there", () => this.#toRematch(), { kind: "small" })
            : html("a", { href: `/game/${rematch}` }, "Watch it"),
        ),
      );
    }
    this.#parts.offers.replaceChildren(...cards);
  }

  #drawActions() {
    const game = this.#game;
    const { offers, result } = game;
    const isPlayer = this.#sides.length > 0;
    const hasMoves = this.#total > 0;
    const actions = [];
    if (isPlayer && game.is_local) {
      actions.push(
        button("Undo", () => this.#act("undo"), { picture: "undo", "aria-disabled": String(!hasMoves) }),
        button("Redo", () => this.#act("redo"), { picture: "redo", "aria-disabled": String(!game.undone) }),
      );
    } else if (isPlayer && !result && !this.#isOpenGame) {
      if (hasMoves && !offers.takeback) {
        actions.push(button("Take back", () => this.#act("offer-takeback"), { picture: "undo" }));
      }
      if (!offers.draw) actions.push(button("Offer draw", () => this.#act("offer-draw"), { picture: "half" }));
    }
    if (isPlayer && !result && !this.#isOpenGame && hasMoves) {
      actions.push(button("Resign", () => this.#resign(), { picture: "flag" }));
    }
    if (isPlayer && result && !game.rematch_id && !(offers.rematch && this.#sides.length === 1)) {
      const label = game.is_local ? "Play again" : "Rematch";
      const look = { picture: "again", kind: "primary", title: "Colours change" };
      actions.push(button(label, () => this.#act("offer-rematch"), look));
    }
    if (result && hasMoves) {
      actions.push(button("Review the game", () => this.#openReview(), { kind: isPlayer ? "" : "primary" }));
    }
    if (result || !isPlayer) actions.push(html("a", { class: "button", href: "/" }, "New game"));
    refill(this.#parts.actions, actions);
  }

  #drawInvite() {
    const { invite } = this.#parts;
    const isPlayer = this.#sides.length > 0;
    const canJoin = this.#isOpenGame && !isPlayer && !this.#isWatching;
    const key = `${this.#isOpenGame}|${isPlayer}|${canJoin}`;
    this.#parts.room.textContent = this.#room();
    invite.hidden = !this.#isOpenGame || (!isPlayer && !canJoin);
    if (invite.dataset.key === key) return;
    invite.dataset.key = key;
    if (canJoin) this.#drawJoin(invite);
    else if (this.#isOpenGame && isPlayer) {
      const link = html("input", {
        class: "invite-link",
        type: "text",
        readonly: true,
        value: window.location.href,
        "aria-label": "Link to this game",
      });
      link.addEventListener("focus", () => link.select());
      invite.replaceChildren(
        html("h2", {}, "Send this link to your friend"),
        html("div", { class: "row" }, link, copyButton("Copy link", () => link.value, { kind: "primary" })),
        html("p", { class: "aside" }, "Who opens it first plays against you. Later visitors watch."),
      );
      if (navigator.share) {
        invite.querySelector(".row").append(
          button("Share", () => navigator.share({ title: "Connect Four", url: link.value }).catch(() => {})),
        );
      }
    } else invite.replaceChildren();
  }

  #room() {
    const isWatching = this.#sides.length === 0;
    const others = Math.max(0, this.#game.spectators - isWatching);
    const people = others === 1 ? "1 person" : `${others} people`;
    if (isWatching) return others ? `You are watching, with ${people} more.` : "You are watching.";
    return others ? `${people} ${others === 1 ? "is" : "are"} watching.` : "";
  }

  #drawJoin(invite) {
    const name = html("input", {
      id: "join-name",
      type: "text",
      maxlength: 40,
      autocomplete: "nickname",
      placeholder: "optional",
      value: getPref("name", ""),
    });
    const side = this.#game.first.kind === "open" ? 1 : 2;
    const form = html(
      "form",
      { class: "join", "aria-label": "Join the game" },
      html("h2", {}, `Play against ${this.#nameOf(3 - side)}?`),
      html("p", {}, discIcon(side), ` You play ${COLOURS[side].toLowerCase()}${side === 1 ? " and start" : ""}.`),
      html("label", { class: "field grow" }, html("span", {}, "Your name"), name),
      html(
        "div",
        { class: "actions" },
        html("button", { type: "submit", class: "button primary" }, "Join the game"),
        button("Just watch", () => {
          this.#isWatching = true;
          this.#draw();
        }),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#join(name.value.trim());
    });
    invite.replaceChildren(form);
  }

  async #join(name) {
    setPref("name", name);
    this.#error("");
    // The browser chooses the secret: if the answer is lost on the way, joining again is no second person.
    const kept = getPref(`join.${this.#id}`, null);
    const token = kept ?? newToken();
    setPref(`join.${this.#id}`, token);
    try {
      const ticket = await postJson(`${this.#live.path}/join`, { name, token });
      keepGame(this.#id, { token: ticket.token, sides: ticket.sides, when: Date.now() });
      setPref(`join.${this.#id}`, null);
      this.#live.useTicket(ticket);
      this.#board.focusColumn(Math.floor((ticket.game.position.width - 1) / 2));
    } catch (error) {
      this.#error(error.detail ?? String(error));
      this.#draw();
    }
  }

  #drawBanner() {
    this.#banner(this.#isConnected ? "" : "Connection lost, trying again…");
  }

  #banner(text) {
    const { banner } = this.#parts;
    if (banner.textContent === text) return;
    banner.hidden = !text;
    banner.textContent = text;
  }

  #error(text) {
    this.#parts.error.textContent = text;
  }

  #notice(text) {
    announce(text);
    this.#error(text);
  }

  // ---- Review ------------------------------------------------------------------------------------

  async #openReview() {
    if (!this.#review) {
      const { mountReview } = await import("./study/review.js");
      this.#review = mountReview({
        element: this.#parts.review,
        board: this.#board,
        onJump: (position) => this.#jumped(position),
        onClose: () => this.#updateStudy(),
      });
    }
    const { start, moves, width, height } = this.#game.position;
    this.#review.open({ start, moves, width, height });
    this.#parts.review.scrollIntoView({ block: "nearest" });
  }

  // It may have been closed by a button of its own.
  get #isReviewing() {
    return Boolean(this.#review) && !this.#parts.review.hidden && this.#parts.review.dataset.state !== "solving";
  }

  #jumped(position) {
    this.#positions.set(position.moves, position);
    this.#seen = position.moves.length === this.#total ? null : position.moves.length;
    this.#draw();
  }
}

// "Red wins: four in a row." without what the headline says already.
function howItEnded({ text }) {
  return text.slice(text.indexOf(":") + 1).trim().replace(/\.$/, "");
}

/** Put *elements* in place of what *parent* holds, and leave the focus where it was. */
function refill(parent, elements) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.textContent : null;
  parent.replaceChildren(...elements);
  if (focused !== null) elements.find((element) => element.textContent === focused)?.focus();
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

// ---- The move on its way, kept for the case that the page is loaded anew ------------------------------

const slot = (id) => `fourcast.move.${id}`;

function remember(id, move) {
  try {
    window.sessionStorage.setItem(slot(id), JSON.stringify(move));
  } catch {
    // Then it is lost with the page; the person makes it again.
  }
}

function recall(id) {
  try {
    return JSON.parse(window.sessionStorage.getItem(slot(id)));
  } catch {
    return null;
  }
}

function forget(id) {
  try {
    window.sessionStorage.removeItem(slot(id));
  } catch {
    // Nothing was kept.
  }
}
