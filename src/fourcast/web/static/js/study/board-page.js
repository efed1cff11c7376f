// The free board: explore, set up, analyse, share, and go on from any position.

import { announce } from "../announce.js";
import { postJson } from "../api.js";
import { Board, columnName, discIcon } from "../board.js";
import { button, html } from "../dom.js";
import { iconButton, setDisabled } from "./controls.js";
import { mountStudy } from "./panel.js";
import { openPlayDialog } from "./play-from.js";
import { boardAddress, columnsOf, fetchPosition, STANDARD } from "./positions.js";
import { mountReview } from "./review.js";
import { cellsOf, countsOf, draftOf, startOf, withDisc, withoutTop } from "./setup.js";
import { mountShare } from "./share.js";
import { nameOf, sentence } from "./words.js";

const MAX_FILE = 65_536; // what the server reads at most
const SIZES = ["7x6", "4x4", "5x4", "5x5", "6x5", "6x6", "7x7", "8x7", "8x8", "9x7", "10x7"];

/** Fill *root* with the board that the address names. */
export async function boardPage(root) {
  document.title = "Board – fourcast";
  await new BoardPage(root).openAddress();
}

// What is on the page is a *state*: {start, moves, width, height, at}. `at` moves of `moves` are on the
// board, the others can be stepped to. Undo and redo go through the states that there were.

class BoardPage {
  constructor(root) {
    this.past = [];
    this.future = [];
    this.tool = "move";
    this.aim = null; // where the steps that are still to be made lead
    this.tail = Promise.resolve(); // the last of what is to be done, one after the other
    this.build(root);
    this.board = new Board(this.host, { onColumn: (column) => this.columnChosen(column) });
    // A click leaves the arrow keys to stepping; who came by the tab key chooses columns with them.
    this.host.addEventListener("click", (event) => event.detail > 0 && document.activeElement?.blur());
    this.study = mountStudy({ element: this.parts.study, board: this.board });
    this.review = mountReview({
      element: this.parts.review,
      board: this.board,
      onJump: (position, number) => this.stepped(position, number),
      onRetry: (query) => this.retry(query),
      onClose: () => {
        this.page.classList.remove("is-reviewing");
        this.study.update(this.position);
        if (document.activeElement === document.body) this.reviewButton.focus();
      },
    });
    this.share = mountShare({ element: this.parts.share });
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("paste", (event) => this.pasted(event));
    window.addEventListener("popstate", () => this.openAddress());
  }

  // ---- The page ------------------------------------------------------------------------------------

  build(root) {
    this.host = html("div", { class: "study-board" });
    this.turn = html("p", { class: "study-turn" });
    this.problem = html("p", { class: "study-problem", role: "alert" });
    this.count = html("span", { class: "study-count" });
    this.parts = Object.fromEntries(["study", "review", "share"].map((name) => [name, html("section")]));
    this.steps = {
      first: iconButton("first", "To the start", () => this.stepTo(0)),
      back: iconButton("back", "One move back", () => this.stepBy(-1)),
      forward: iconButton("forward", "One move on", () => this.stepBy(1)),
      last: iconButton("last", "To the end", () => this.stepTo(Infinity)),
    };
    this.undoButton = iconButton("undo", "Undo", () => this.soon(() => this.undo()));
    this.redoButton = iconButton("redo", "Redo", () => this.soon(() => this.redo()));
    this.reviewButton = button("Review", () => this.openReview());
    this.playButton = button("Play from here", () => this.play(), { kind: "primary" });
    this.page = html("div", { class: "study-page" },
      html("h1", { class: "visually-hidden" }, "Board"),
      html("div", { class: "study-main" },
        this.toolbar(),
        this.host,
        html("div", { class: "study-below" }, this.turn, this.problem,
          html("div", { class: "study-steps", role: "group", "aria-label": "Step through the moves" },
            this.steps.first, this.steps.back, this.count, this.steps.forward, this.steps.last),
          html("div", { class: "study-edits" }, this.undoButton, this.redoButton,
            button("Mirror", () => this.soon(() => this.mirror())),
            button("Clear", () => this.soon(() => this.clear()))),
          html("div", { class: "study-go" }, this.playButton, this.reviewButton)),
      ),
      html("div", { class: "study-side" },
        this.parts.study, this.parts.review, this.entry(), this.parts.share));
    root.replaceChildren(this.page);
  }

  toolbar() {
    const tool = (value, name, ...label) => html("label", { class: "study-tool" },
      html("input", { type: "radio", name: "tool", value, checked: value === this.tool, "aria-label": name }),
      html("span", {}, ...label));
    return html("fieldset", {
      class: "study-tools", on: { change: (event) => this.choose(event.target.value) },
    },
    html("legend", {}, "Click to"),
    tool("move", "Play a move", "Play"),
    tool("1", "Set a red disc", discIcon(1), "Red"),
    tool("2", "Set a blue disc", discIcon(2), "Blue"),
    tool("eraser", "Erase the top disc", "Erase"));
  }

  /** Fields for who types or pastes a position. */
  entry() {
    this.movesLabel = html("label", { for: "study-moves" }, "Moves");
    this.moves = html("input", {
      type: "text", id: "study-moves", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      inputmode: "text", maxlength: 128, placeholder: "44455",
    });
    this.size = html("select", {
      id: "study-size", on: { change: () => this.soon(() => this.resize(this.size.value)) },
    });
    this.text = html("textarea", {
      id: "study-text", rows: 7, spellcheck: "false", autocomplete: "off", maxlength: MAX_FILE,
    });
    this.text.placeholder = ". . . . . . .\n. . . O . . .\n. . X X O . .";
    this.file = html("input", { type: "file", id: "study-file", accept: ".txt,.json,text/plain,application/json",
      on: { change: () => this.openFile() } });
    this.entryProblem = html("p", { class: "study-problem", role: "alert" });
    const form = (action, ...content) => html("form", { class: "study-form", on: { submit: (event) => {
      event.preventDefault();
      action();
    } } }, ...content);
    return html("section", { class: "card study-entry", "aria-labelledby": "study-entry-title" },
      html("h2", { id: "study-entry-title" }, "Position"),
      form(() => this.soon(() => this.loadMoves()),
        this.movesLabel,
        html("div", { class: "study-row" }, this.moves, html("button", { type: "submit", class: "button" }, "Show"))),
      html("div", { class: "study-form" }, html("label", { for: "study-size" }, "Board"), this.size),
      html("details", { class: "study-paste" },
        html("summary", {}, "Paste a diagram or a game"),
        form(() => this.soon(() => this.loadText(this.text.value)),
          html("label", { for: "study-text" }, "Diagram, move string or game file"),
          this.text,
          html("div", { class: "study-row" },
            html("button", { type: "submit", class: "button" }, "Read"),
            html("label", { class: "button study-file", for: "study-file" }, "Open a file", this.file)))),
      this.entryProblem,
      html("p", { class: "study-hint" },
        "Arrow keys step through the moves, 1 to 9 play, Ctrl+Z takes back. Paste works anywhere on this page."));
  }

  // ---- States --------------------------------------------------------------------------------------

  async openAddress() {
    const query = new URLSearchParams(window.location.search);
    const number = (name, fallback) => (/^\d{1,3}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : fallback);
    const start = query.get("start") ?? "";
    const cells = start ? cellsOf(start) : null;
    const moves = query.get("moves") ?? "";
    const state = {
      start,
      moves,
      width: cells ? cells[0].length : number("width", STANDARD.width),
      height: cells ? cells.length : number("height", STANDARD.height),
      at: Math.min(number("at", moves.length), moves.length),
    };
    if (await this.change(state, { isRecorded: false })) return;
    const detail = this.problem.textContent;
    if (this.failure?.isPassing) {
      setTimeout(() => this.openAddress(), 1000 * (this.failure.retryAfter ?? 3));
      return;
    }
    await this.change({ start: "", moves: "", ...STANDARD, at: 0 }, { isRecorded: false, keepsAddress: true });
    this.problem.textContent = `The address names no position: ${detail}`;
  }

  /** Show *state* if it is one that the server accepts; else say why not, and leave all as it is. */
  async change(state, { isRecorded = true, animate = true, keepsAddress = false, canBeDraft = true } = {}) {
    const number = (this.asked = (this.asked ?? 0) + 1);
    let position;
    try {
      // The last position of the line first: a line that cannot be played to its end is no line.
      if (state.at < state.moves.length) await fetchPosition(state);
      position = await fetchPosition({ ...state, moves: state.moves.slice(0, state.at) });
    } catch (error) {
      if (number !== this.asked) return false;
      const cells = state.start && !state.moves && error.status === 400 && canBeDraft
        ? cellsOf(state.start, state.width, state.height) : null;
      if (!cells) {
        this.failure = error;
        this.problem.textContent = sentence(error.detail ?? String(error));
        return false;
      }
      position = { ...draftOf(cells), problem: error.detail };
    }
    if (number !== this.asked) return false;
    if (isRecorded && this.state) {
      this.past.push(this.state);
      this.future = [];
    }
    this.state = { ...state, start: position.start, width: position.width, height: position.height };
    const isOther = this.reviewed && (state.moves !== this.reviewed.moves || this.state.start !== this.reviewed.start);
    if (this.isReviewing && isOther) this.review.close();
    this.show(position, { animate, keepsAddress });
    return true;
  }

  show(position, { animate = true, keepsAddress = false } = {}) {
    this.position = position;
    this.board.show(position, { animate });
    this.problem.textContent = sentence(position.problem ?? "");
    this.entryProblem.textContent = "";
    this.enable();
    this.study.update(position);
    this.share.update(this.state, this.state.at, { hasFiles: !position.isDraft });
    if (!keepsAddress) setAddress(boardAddress(this.state, this.state.at));
    this.showState();
  }

  showState() {
    const { at, start, moves, width, height } = this.state;
    const { position } = this;
    this.turn.replaceChildren(...this.turnText(position));
    this.count.textContent = `${at} of ${moves.length}`;
    this.movesLabel.textContent = start ? "Moves from the position that was set up" : "Moves";
    setDisabled(this.steps.first, at === 0);
    setDisabled(this.steps.back, at === 0);
    setDisabled(this.steps.forward, at === moves.length);
    setDisabled(this.steps.last, at === moves.length);
    setDisabled(this.undoButton, !this.past.length);
    setDisabled(this.redoButton, !this.future.length);
    setDisabled(this.playButton, position.isDraft || position.is_over);
    setDisabled(this.reviewButton, !moves.length);
    if (document.activeElement !== this.moves) this.moves.value = moves;
    const size = `${width}x${height}`;
    const sizes = SIZES.includes(size) ? SIZES : [size, ...SIZES];
    this.size.replaceChildren(...sizes.map((each) => sizeOption(each, size)));
  }

  turnText(position) {
    const counts = html("span", { class: "study-counts" }, countsOf(position.cells));
    const words = (text) => html("strong", {}, text);
    if (position.isDraft) return [words("Not a position yet"), counts];
    if (position.winner) return [discIcon(position.winner), words(`${nameOf(position.winner)} has won`), counts];
    if (position.is_over) return [words("A draw"), counts];
    return [discIcon(position.turn), words(`${nameOf(position.turn)} to move`), counts];
  }

  enable() {
    if (!this.position) return;
    const isMove = this.tool === "move";
    this.board.onSquare = isMove ? undefined : (column) => this.columnChosen(column);
    this.host.classList.toggle("is-erasing", this.tool === "eraser");
    const player = this.tool === "1" ? 1 : this.tool === "2" ? 2 : this.position.turn;
    this.board.setEnabled(!isMove || !(this.position.is_over || this.position.isDraft), player);
  }

  // ---- What people do ------------------------------------------------------------------------------

  choose(tool) {
    this.tool = tool;
    this.enable();
  }

  /** Do something after all that was asked for before: every step builds on the one before it, however
   * quickly somebody types and however slowly the server answers. */
  soon(action) {
    this.tail = this.tail.then(action).catch((error) => {
      this.problem.textContent = error.detail ?? String(error);
    });
  }

  columnChosen(column) {
    this.soon(() => (this.tool === "move" ? this.playColumn(column) : this.edit(column)));
  }

  async playColumn(column) {
    const { moves, at } = this.state;
    const name = columnName(column);
    if (this.position.is_over || this.position.isDraft) return;
    const mover = this.position.turn;
    // The move that was played here before is stepped to, and what follows it stays.
    const isKnown = moves[at] === name;
    const next = isKnown ? { ...this.state, at: at + 1 }
      : { ...this.state, moves: moves.slice(0, at) + name, at: at + 1 };
    if (!await this.change(next, { isRecorded: !isKnown })) return;
    this.tell(`${nameOf(mover)} in column ${name}.`);
  }

  async edit(column) {
    const { cells } = this.position;
    const isEraser = this.tool === "eraser";
    const player = Number(this.tool);
    const changed = isEraser ? withoutTop(cells, column) : withDisc(cells, column, player);
    const name = columnName(column);
    if (!changed) {
      announce(isEraser ? `Column ${name} is empty.` : `Column ${name} is full.`);
      return;
    }
    const { width, height } = this.state;
    const isShown = await this.change({ start: startOf(changed), moves: "", width, height, at: 0 });
    if (isShown) this.tell(isEraser ? `Column ${name}: top disc taken.` : `${nameOf(player)} disc in column ${name}.`);
  }

  /** Say what happened and how things stand. */
  tell(what) {
    const { position } = this;
    const how = position.isDraft ? `Not a position yet: ${countsOf(position.cells)}.`
      : position.winner ? `${nameOf(position.winner)} has won.`
        : position.is_over ? "A draw." : `${nameOf(position.turn)} to move.`;
    announce(`${what} ${how}`);
  }

  stepBy(count) {
    this.stepTo((this.aim ?? this.state?.at) + count);
  }

  stepTo(at) {
    if (!this.state) return; // nothing has been loaded yet
    this.aim = Math.min(Math.max(at, 0), this.state.moves.length);
    this.soon(() => this.step());
  }

  /** Go to where all steps that were asked for lead together. */
  async step() {
    if (this.aim === null) return;
    const at = Math.min(this.aim, this.state.moves.length);
    if (at !== this.state.at) await this.showAt(at);
    // Unless somebody has stepped on meanwhile.
    if (this.aim === at) this.aim = null;
  }

  async showAt(at) {
    if (this.isReviewing && this.parts.review.dataset.state !== "solving") {
      await this.review.jump(at); // which comes back by `stepped`
      return;
    }
    const { moves } = this.state;
    if (!await this.change({ ...this.state, at }, { isRecorded: false })) return;
    this.tell(at ? `Move ${at} of ${moves.length}, column ${moves[at - 1]}.` : "Start.");
  }

  get isReviewing() {
    return !this.parts.review.hidden;
  }

  /** The review has shown a position of the game on the board. */
  stepped(position, number) {
    this.asked += 1;
    this.state = { ...this.reviewed, at: number };
    this.show(position);
  }

  async undo() {
    await this.travel(this.past, this.future, "Undone.");
  }

  async redo() {
    await this.travel(this.future, this.past, "Done again.");
  }

  async travel(from, to, words) {
    const state = from.at(-1);
    if (!state) return;
    const before = this.state;
    if (!await this.change(state, { isRecorded: false })) return;
    from.pop();
    to.push(before);
    this.showState();
    this.tell(words);
  }

  async clear() {
    const { width, height } = this.state;
    if (await this.change({ start: "", moves: "", width, height, at: 0 })) this.tell("Cleared.");
  }

  async mirror() {
    const { start, moves, width } = this.state;
    const mirrored = start.split("/").map((row) => [...row].reverse().join("")).join("/");
    const names = columnsOf(moves).map((column) => columnName(width - 1 - column)).join("");
    if (await this.change({ ...this.state, start: mirrored, moves: names }, { animate: false })) this.tell("Mirrored.");
  }

  async resize(size) {
    const [width, height] = size.split("x").map(Number);
    if (await this.change({ start: "", moves: "", width, height, at: 0 })) this.tell(`Board of ${width} by ${height}.`);
  }

  async loadMoves() {
    const moves = this.moves.value.replace(/\s/g, "").toLowerCase();
    const { start, width, height } = this.state;
    if (this.position.isDraft) {
      this.entryProblem.textContent = "What is on the board is not a position yet: complete it, or clear the board.";
      return;
    }
    if (await this.change({ start, moves, width, height, at: moves.length }, { canBeDraft: false })) {
      this.moves.value = moves;
      this.tell(`${moves.length} moves.`);
    } else {
      this.entryProblem.textContent = this.problem.textContent;
      this.problem.textContent = "";
    }
  }

  /** Read what a person pasted or opened. */
  async loadText(text) {
    if (!text.trim()) return;
    const { width, height } = this.state;
    try {
      const { start, moves, ...view } = await postJson("/api/position", { diagram: text, width, height });
      const state = { start, moves, width: view.width, height: view.height, at: moves.length };
      if (await this.change(state)) this.tell("Read.");
    } catch (error) {
      this.entryProblem.textContent = sentence(error.detail ?? String(error));
      this.entryProblem.scrollIntoView({ block: "nearest" });
    }
  }

  async openFile() {
    const [file] = this.file.files;
    if (!file) return;
    this.file.value = "";
    if (file.size > MAX_FILE) {
      this.entryProblem.textContent = "That file is too large to be a game.";
      return;
    }
    this.text.value = await file.text();
    this.soon(() => this.loadText(this.text.value));
  }

  pasted(event) {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trim()) return;
    event.preventDefault();
    this.text.value = text;
    this.text.closest("details").open = true;
    this.soon(() => this.loadText(text));
  }

  play() {
    const { start, moves, at, width, height } = this.state ?? {};
    if (!this.position || this.position.isDraft || this.position.is_over) return;
    openPlayDialog({ query: { start, moves: moves.slice(0, at), width, height }, turn: this.position.turn });
  }

  openReview() {
    if (!this.state?.moves) return;
    this.reviewed = this.state;
    this.review.open(this.state);
    this.page.classList.add("is-reviewing");
    this.parts.review.scrollIntoView({ block: "nearest" });
  }

  /** Go on from a position of the review. */
  async retry({ mode, turn, ...query }) {
    if (mode === "computer") {
      openPlayDialog({ query, turn });
      return;
    }
    this.review.close();
    const { start, moves, width, height } = query;
    if (!await this.change({ start, moves, width, height, at: moves.length })) return;
    this.tell("Your move.");
    this.board.focusColumn(this.position.legal_columns[0] ?? 0);
  }

  key(event) {
    if (event.defaultPrevented || event.altKey) return;
    if (event.target.closest?.("input:not([type=radio]), textarea, select, dialog")) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      const action = key === "z" && !event.shiftKey ? () => this.undo()
        : key === "y" || (key === "z" && event.shiftKey) ? () => this.redo() : null;
      if (!action) return;
      event.preventDefault();
      this.soon(action);
      return;
    }
    if (event.target.matches?.("input[type=radio]")) {
      // Arrow keys choose among the tools while these have the focus; figures still go to the board.
      const [column] = columnsOf(event.key);
      if (event.key.length === 1 && column < this.state?.width) this.columnChosen(column);
      return;
    }
    const step = {
      ArrowLeft: () => this.stepBy(-1), ArrowRight: () => this.stepBy(1),
      Home: () => this.stepTo(0), End: () => this.stepTo(Infinity),
    }[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }
}

function setAddress(address) {
  try {
    history.replaceState(null, "", address);
  } catch {
    // Some browsers allow only so many changes in a minute; the next one catches up.
  }
}

function sizeOption(size, chosen) {
  const words = `${size.replace("x", " × ")}${size === "7x6" ? " (standard)" : ""}`;
  return html("option", { value: size, selected: size === chosen }, words);
}
