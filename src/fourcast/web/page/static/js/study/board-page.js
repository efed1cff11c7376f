// The free board: explore, set up, analyze, share, and go on from any position.

import { pageAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { ApiError } from "../backend/api-error.js";
import { recognize } from "../backend/backend.js";
import { Board } from "../board/board.js";
import {
  button,
  focusInPlace,
  hasModifier,
  html,
  iconButton,
  isWithin,
  setDisabled,
} from "../elements/dom.js";
import { colorName, columnName, columnOf, columnsOf } from "../words/names.js";
import { boardAddress, fetchPosition, queryOf, upTo } from "../backend/positions.js";
import { afterDrop, mirrorStart, startOf, withDisc, withoutTop } from "../elements/setup.js";
import { STANDARD, formatSize, isSameSize, sizeProblem } from "../words/sizes.js";
import { t } from "../words/text.js";
import { describeError, listMoves, sentence } from "../words/words.js";
import {
  commonMoves,
  describePosition,
  draftInstead,
  emptyState,
  isEnd,
  keepBranches,
  stateOf,
} from "./board-state.js";
import { Entry } from "./entry.js";
import { Panel } from "./panel.js";
import { openPlayDialog } from "./play-from.js";
import { Review } from "./review.js";
import { Share } from "./share.js";
import { toolbar } from "./tools.js";
import { turnText } from "./turn.js";

/** @typedef {import("../board/board.js").Shown} Shown */
/** @typedef {import("../words/sizes.js").Size} Size */
/** @typedef {import("./tools.js").Tool} Tool */
/** @typedef {import("./review.js").Retry} Retry */
/** @typedef {import("./board-state.js").State} State */

/** Fill *root* with the board that the address names. @param {HTMLElement} root */
export function boardPage(root) {
  document.title = t("page.board_title");
  new BoardPage(root).openAddress();
}

class BoardPage {
  /** @type {State[]} */
  #past = [];
  /** @type {State[]} */
  #future = [];
  /** @type {State} */
  #state = emptyState(STANDARD);
  /** @type {Shown | null} Null until the first one has been loaded. */
  #position = null;
  /** @type {State} */
  #reviewed = this.#state;
  /** @type {Tool} */
  #tool = "move";
  /** @type {((at: number) => number)[] | null} The steps that nothing else was asked for after: one walk. */
  #walk = null;
  #asked = 0; // counts the questions for a position: only the last one matters
  /** @type {unknown} Why the last state was not shown. */
  #failure = null;
  #tail = Promise.resolve(); // the last of what is to be done, one after the other
  /** @type {number[]} Columns whose discs lie on the board already, though the server has not answered. */
  #ahead = [];
  #turn = html("p", { class: "study-turn" });
  #problem = html("p", { class: "study-problem", role: "alert" });
  #count = html("span", { class: "study-count" });
  #slots = { study: html("section"), review: html("section"), share: html("section") };
  #steps = {
    first: iconButton("first", t("free.to_start"), () => this.#step(() => 0)),
    back: iconButton("back", t("free.back"), () => this.#step((at) => at - 1)),
    forward: iconButton("forward", t("free.on"), () => this.#step((at) => at + 1)),
    last: iconButton("last", t("free.to_end"), () => this.#step(() => Infinity)),
  };
  #undoButton = iconButton("undo", t("free.undo"), () => this.#soon(() => this.#undo()));
  #redoButton = iconButton("redo", t("free.redo"), () => this.#soon(() => this.#redo()));
  #reviewButton = button(t("free.review"), () => this.#soon(() => this.#openReview()));
  #playButton = button(t("free.play"), () => this.#soon(() => this.#play()), { kind: "primary" });
  #explore = html("a", { class: "button" }, t("nav.explore"));
  #entry = new Entry({
    onMoves: (moves) => this.#soon(() => this.#loadMoves(moves)),
    onText: (text) => this.#soon(() => this.#loadText(text)),
    onSize: (size) => this.#soon(() => this.#resize(size)),
  });
  /** @type {string[]} Lines from the same start that were left for another one. */
  #branches = [];
  #branchList = html("div", {
    class: "study-branches",
    role: "group",
    "aria-label": t("free.branches"),
    hidden: true,
  });
  #host;
  #board;
  #study;
  #review;
  #share;
  #page;

  /** @param {HTMLElement} root */
  constructor(root) {
    // A click leaves the arrow keys to stepping; somebody who came by the tab key chooses columns with them.
    const leave = (/** @type {MouseEvent} */ event) => {
      const isMeant = event.detail > 0 && isWithin(event, ".board-column");
      if (isMeant && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
    this.#host = html("div", { class: "study-board", on: { click: leave } });
    this.#board = new Board(this.#host, { onColumn: (column) => this.#columnChosen(column) });
    this.#study = new Panel(this.#slots.study, this.#board, {
      onChange: () => this.#showShare(),
      onLine: (moves, count) => this.#soon(() => this.#follow(moves, count)),
    });
    this.#review = new Review(this.#slots.review, this.#board, {
      onJump: (position, number) => this.#stepped(position, number),
      onRetry: (retry) => this.#soon(() => this.#retry(retry)),
      onClose: () => this.#reviewClosed(),
    });
    this.#share = new Share(this.#slots.share);
    this.#page = this.#build();
    root.replaceChildren(this.#page);
    const state = stateOf(window.location.search);
    const { width, height } = state;
    this.#board.reserve(sizeProblem({ width, height }) ? STANDARD : { width, height });
    this.#linkExplorer(state);
    this.#study.reserve();
    this.#turn.textContent = "\u00a0"; // a line of it
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("paste", (event) => this.#pasted(event));
    window.addEventListener("popstate", () => this.openAddress());
  }

  // ---- The page ----------------------------------------------------------------------------------

  #build() {
    return html(
      "div",
      { class: "study-page" },
      html("h1", { class: "visually-hidden" }, t("board.label")),
      html(
        "div",
        { class: "study-main" },
        toolbar((tool) => this.#choose(tool)),
        this.#host,
        this.#controls(),
      ),
      html(
        "div",
        { class: "study-side" },
        this.#slots.study,
        this.#slots.review,
        this.#entry.element,
        this.#slots.share,
      ),
    );
  }

  /** What stands below the board. */
  #controls() {
    const { first, back, forward, last } = this.#steps;
    const steps = { class: "study-steps", role: "group", "aria-label": t("free.steps") };
    return html(
      "div",
      { class: "study-below" },
      this.#turn,
      this.#problem,
      html("div", steps, first, back, this.#count, forward, last),
      this.#branchList,
      html(
        "div",
        { class: "study-edits" },
        this.#undoButton,
        this.#redoButton,
        button(t("free.mirror"), () => this.#soon(() => this.#mirror())),
        button(t("free.clear"), () => this.#soon(() => this.#clear())),
      ),
      html("div", { class: "study-go" }, this.#playButton, this.#reviewButton, this.#explore),
    );
  }

  // ---- States ------------------------------------------------------------------------------------

  /** Show what the address names, before anything that is clicked meanwhile. */
  openAddress() {
    this.#soon(() => this.#openAddress());
  }

  async #openAddress() {
    const { search } = window.location;
    if (await this.#change(stateOf(search), { isRecorded: false })) {
      this.#openLink(new URLSearchParams(search));
      return;
    }
    const why = this.#problem.textContent ?? "";
    if (this.#failure instanceof ApiError && this.#failure.isPassing) {
      setTimeout(() => this.openAddress(), 1000 * (this.#failure.retryAfter ?? 3));
      return;
    }
    await this.#change(emptyState(STANDARD), { isRecorded: false, keepsAddress: true });
    this.#problem.textContent = t("free.no_position", { why });
  }

  /** Show what the link asks for beside the position. @param {URLSearchParams} query */
  #openLink(query) {
    if (query.has("analysis")) this.#study.switchOn();
    if (query.has("review")) this.#openReview(query.has("at") ? this.#state.at : null);
    else this.#showShare();
  }

  #showShare() {
    this.#share.update(this.#state, this.#state.at, {
      hasFiles: !this.#position?.isDraft,
      analysis: this.#study.isOn,
      review: this.#review.isOpen,
    });
  }

  /** Show *state* if it is one that the server accepts; else say why not, and leave all as it is.
   * @param {State} state */
  async #change(
    state,
    {
      isRecorded = true,
      animate = true,
      keepsAddress = false,
      canBeDraft = true,
      isAhead = false, // its disc lies on the board already
    } = {},
  ) {
    this.#asked += 1;
    const number = this.#asked;
    /** @type {Shown} */
    let position;
    try {
      // The last position of the line first: a line that cannot be played to its end is no line.
      if (state.at < state.moves.length) await fetchPosition(state);
      position = await fetchPosition(upTo(state, state.at));
    } catch (error) {
      if (number !== this.#asked) return false;
      const draft = canBeDraft ? draftInstead(state, error) : null;
      if (!draft) {
        this.#failure = error;
        this.#problem.textContent = describeError(error);
        return false;
      }
      position = draft;
    }
    if (number !== this.#asked) return false;
    if (isRecorded && this.#position) {
      this.#past.push(this.#state);
      this.#future = [];
    }
    const before = this.#state;
    this.#state = { ...state, start: position.start, width: position.width, height: position.height };
    const isSameStart = before.start === this.#state.start && isSameSize(before, this.#state);
    this.#branches = isSameStart ? keepBranches(this.#branches, before.moves, state.moves) : [];
    const { moves, start } = this.#reviewed;
    const isOther = state.moves !== moves || this.#state.start !== start;
    if (this.#review.isOpen && isOther) this.#review.close();
    if (isAhead) this.#ahead.shift();
    this.#show(position, { animate, keepsAddress });
    return true;
  }

  /** @param {Shown} position */
  #show(position, { animate = true, keepsAddress = false } = {}) {
    this.#position = position;
    this.#drawBoard(animate);
    this.#problem.textContent = sentence(position.problem ?? "");
    this.#entry.complain("");
    this.#study.update(position);
    this.#showShare();
    if (!keepsAddress) setAddress(boardAddress(this.#state, this.#state.at));
    this.#showState(position);
  }

  /** @param {Shown} position */
  #showState(position) {
    const { at, moves } = this.#state;
    this.#turn.replaceChildren(...turnText(position));
    this.#count.textContent = t("free.count", { at, total: moves.length });
    for (const element of [this.#steps.first, this.#steps.back]) setDisabled(element, at === 0);
    for (const element of [this.#steps.forward, this.#steps.last]) {
      setDisabled(element, at === moves.length);
    }
    this.#showBranches();
    setDisabled(this.#undoButton, !this.#past.length);
    setDisabled(this.#redoButton, !this.#future.length);
    setDisabled(this.#playButton, isEnd(position));
    setDisabled(this.#reviewButton, !moves.length);
    this.#explore.hidden = Boolean(position.isDraft);
    this.#linkExplorer(this.#state);
    this.#entry.update(this.#state, formatSize(this.#state));
  }

  /** @param {State} state */
  #linkExplorer(state) {
    const here = new URLSearchParams(queryOf(upTo(state, state.at)));
    this.#explore.href = pageAddress("explore", here);
  }

  /** The lines that were left, to go back to. */
  #showBranches() {
    const { moves } = this.#state;
    const buttons = this.#branches.map((branch) => {
      const from = commonMoves(branch, moves);
      const words = t("free.branch", { number: from + 1, moves: listMoves(branch.slice(from)) });
      return button(words, () => this.#soon(() => this.#openBranch(branch)), { kind: "small" });
    });
    this.#branchList.hidden = !buttons.length;
    this.#branchList.replaceChildren(...buttons);
  }

  /** @param {string} branch */
  async #openBranch(branch) {
    const from = commonMoves(branch, this.#state.moves);
    if (!(await this.#change({ ...this.#state, moves: branch, at: from + 1 }))) return;
    this.#tell(t("free.branch_opened", { number: from + 1 }));
  }

  /** Go *count* moves along a line of best play, which takes the place of the moves to come.
   * @param {string} moves @param {number} count */
  async #follow(moves, count) {
    const { at } = this.#state;
    const line = this.#state.moves.slice(0, at) + moves;
    if (!(await this.#change({ ...this.#state, moves: line, at: at + count }))) return;
    this.#tell(t("free.at", { number: at + count, total: line.length, column: line[at + count - 1] }));
  }

  /** Draw the position with the discs that were dropped since: no move waits for an answer. */
  #drawBoard(animate = true) {
    if (!this.#position) return;
    const position = this.#ahead.reduce(afterDrop, this.#position);
    this.#board.show(position, { animate });
    this.#enable(position);
  }

  /** Let columns be chosen, as the tool has it. @param {Shown} position */
  #enable(position) {
    const isMove = this.#tool === "move";
    this.#board.takesAnyColumn = !isMove;
    this.#host.classList.toggle("is-erasing", this.#tool === "eraser");
    const player = this.#tool === 1 || this.#tool === 2 ? this.#tool : position.turn;
    const whyNot = t(position.isDraft ? "free.not_yet" : "free.over");
    this.#board.setEnabled(!isMove || !isEnd(position), player, whyNot);
  }

  // ---- What people do ----------------------------------------------------------------------------

  /** @param {Tool} tool */
  #choose(tool) {
    this.#tool = tool;
    if (this.#position) this.#enable(this.#position);
  }

  /** Do something after all that was asked for before: every step builds on the one before it, however
   * quickly somebody types and however slowly the server answers.
   * @param {() => Promise<void> | void} action */
  #soon(action) {
    this.#walk = null;
    this.#tail = this.#tail.then(action).catch((error) => {
      this.#problem.textContent = describeError(error);
    });
  }

  /** @param {number} column */
  #columnChosen(column) {
    const tool = this.#tool;
    if (tool !== "move") {
      this.#soon(() => this.#edit(tool, column));
      return;
    }
    this.#ahead.push(column);
    this.#drawBoard();
    this.#soon(async () => {
      if (await this.#playColumn(column)) return;
      this.#ahead.shift();
      this.#drawBoard(false);
    });
  }

  /** Play in *column*; returns whether that is on the page. @param {number} column */
  async #playColumn(column) {
    const { moves, at } = this.#state;
    const name = columnName(column);
    if (!this.#position || isEnd(this.#position)) return false;
    const mover = this.#position.turn;
    // The move that was played here before is stepped to, and what follows it stays.
    const isKnown = moves[at] === name;
    const line = isKnown ? moves : moves.slice(0, at) + name;
    const isShown = await this.#change(
      { ...this.#state, moves: line, at: at + 1 },
      { isRecorded: !isKnown, isAhead: true },
    );
    if (isShown) this.#tell(t("free.played", { player: colorName(mover), column: name }));
    return isShown;
  }

  /** @param {Side | "eraser"} tool @param {number} column */
  async #edit(tool, column) {
    if (!this.#position) return;
    const { cells } = this.#position;
    const changed = tool === "eraser" ? withoutTop(cells, column) : withDisc(cells, column, tool);
    const name = columnName(column);
    if (!changed) {
      announce(t(tool === "eraser" ? "free.column_empty" : "board.column_full", { column: name }));
      return;
    }
    if (!(await this.#change({ ...emptyState(this.#state), start: startOf(changed) }))) return;
    if (tool === "eraser") this.#tell(t("free.taken", { column: name }));
    else this.#tell(t("free.set", { player: colorName(tool), column: name }));
  }

  /** Say what happened and how things stand. @param {string} what */
  #tell(what) {
    if (this.#position) announce(`${what} ${describePosition(this.#position)}`);
  }

  /** Step from where the board is then; steps that wait together are one. @param {(at: number) => number} step */
  #step(step) {
    if (this.#walk) {
      this.#walk.push(step);
      return;
    }
    const walk = [step];
    this.#soon(async () => {
      if (this.#walk === walk) this.#walk = null; // the next step is one of its own
      const { at, moves } = this.#state;
      const bounded = (/** @type {number} */ from, /** @type {typeof step} */ each) =>
        Math.min(Math.max(each(from), 0), moves.length);
      const target = walk.reduce(bounded, at);
      if (target !== at) await this.#showAt(target);
    });
    this.#walk = walk;
  }

  /** @param {number} at */
  async #showAt(at) {
    if (this.#review.isShown) {
      await this.#review.jump(at); // which comes back by `#stepped`
      return;
    }
    const { moves } = this.#state;
    if (!(await this.#change({ ...this.#state, at }, { isRecorded: false }))) return;
    const where = { number: at, total: moves.length, column: moves[at - 1] };
    this.#tell(at ? t("free.at", where) : t("free.start"));
  }

  /** The review has shown a position of the game on the board.
   * @param {PositionView} position @param {number} number */
  #stepped(position, number) {
    this.#asked += 1;
    this.#state = { ...this.#reviewed, at: number };
    this.#show(position);
  }

  #undo() {
    return this.#travel(this.#past, this.#future, t("free.undone"));
  }

  #redo() {
    return this.#travel(this.#future, this.#past, t("free.redone"));
  }

  /** @param {State[]} from @param {State[]} to @param {string} words */
  async #travel(from, to, words) {
    const state = from.at(-1);
    const before = this.#state;
    if (!state || !(await this.#change(state, { isRecorded: false }))) return;
    from.pop();
    to.push(before);
    if (this.#position) this.#showState(this.#position);
    this.#tell(words);
  }

  async #clear() {
    if (await this.#change(emptyState(this.#state))) this.#tell(t("free.cleared"));
  }

  async #mirror() {
    const { start, moves, width } = this.#state;
    const names = columnsOf(moves).map((column) => columnName(width - 1 - column));
    const state = { ...this.#state, start: mirrorStart(start), moves: names.join("") };
    if (await this.#change(state, { animate: false })) this.#tell(t("free.mirrored"));
  }

  /** @param {Size} size */
  async #resize(size) {
    if (await this.#change(emptyState(size))) this.#tell(t("free.size", { ...size }));
  }

  /** @param {string} moves */
  async #loadMoves(moves) {
    if (this.#position?.isDraft) {
      this.#entry.complain(t("free.complete_first"));
      return;
    }
    if (await this.#change({ ...this.#state, moves, at: moves.length }, { canBeDraft: false })) {
      this.#entry.showMoves(moves);
      this.#tell(t("free.moves", { count: moves.length }));
    } else {
      this.#entry.complain(this.#problem.textContent ?? "");
      this.#problem.textContent = "";
    }
  }

  /** Read what a person pasted or opened. @param {string} text */
  async #loadText(text) {
    if (!text.trim()) return;
    const { width, height } = this.#state;
    try {
      /** @type {PositionView} */
      const view = await recognize({ diagram: text, width, height });
      const state = { ...upTo(view, Infinity), at: view.moves.length };
      if (await this.#change(state)) this.#tell(t("free.read"));
    } catch (error) {
      this.#entry.complain(describeError(error));
    }
  }

  /** @param {ClipboardEvent} event */
  #pasted(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trim() || isWithin(event, "input, textarea, dialog")) return;
    event.preventDefault();
    this.#entry.paste(text);
  }

  #play() {
    if (!this.#position || isEnd(this.#position)) return;
    openPlayDialog({ query: upTo(this.#state, this.#state.at), turn: this.#position.turn });
  }

  // ---- Review ------------------------------------------------------------------------------------

  /** @param {number | null} [at] the move at which it opens, if it is not the one that decided */
  #openReview(at = null) {
    if (!this.#state.moves) return;
    this.#reviewed = this.#state;
    this.#page.classList.add("is-reviewing");
    this.#review.open(this.#state, at);
    this.#showShare();
  }

  #reviewClosed() {
    this.#page.classList.remove("is-reviewing");
    if (this.#position) this.#study.update(this.#position);
    this.#showShare();
    if (document.activeElement === document.body) focusInPlace(this.#reviewButton);
  }

  /** Go on from a position of the review. @param {Retry} retry */
  async #retry({ query, turn, mode }) {
    if (mode === "computer") {
      openPlayDialog({ query, turn });
      return;
    }
    this.#review.close();
    if (!(await this.#change({ ...query, at: query.moves.length }))) return;
    this.#tell(t("free.your_move"));
    this.#board.focusColumn(this.#position?.legal_columns[0] ?? 0);
  }

  // ---- Keys --------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || event.altKey) return;
    if (isWithin(event, "input:not([type=radio]), textarea, select, dialog")) return;
    if (hasModifier(event)) this.#command(event);
    else if (isWithin(event, "input[type=radio]")) {
      // Arrow keys choose among the tools while these have the focus; digits still go to the board.
      const column = columnOf(event.key);
      if (column >= 0 && column < this.#state.width) this.#columnChosen(column);
    } else this.#stepKey(event);
  }

  /** @param {KeyboardEvent} event */
  #command(event) {
    const key = event.key.toLowerCase();
    const isUndo = key === "z" && !event.shiftKey;
    const isRedo = key === "y" || (key === "z" && event.shiftKey);
    if (!isUndo && !isRedo) return;
    event.preventDefault();
    this.#soon(() => (isUndo ? this.#undo() : this.#redo()));
  }

  /** @param {KeyboardEvent} event */
  #stepKey(event) {
    const step = new Map([
      ["ArrowLeft", (/** @type {number} */ at) => at - 1],
      ["ArrowRight", (/** @type {number} */ at) => at + 1],
      ["Home", () => 0],
      ["End", () => Infinity],
    ]).get(event.key);
    if (!step) return;
    event.preventDefault();
    this.#step(step);
  }
}

/** @param {string} address */
function setAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // Some browsers limit the number of changes in a minute; the next one catches up.
  }
}
