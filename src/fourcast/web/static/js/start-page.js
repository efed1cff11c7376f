// The start page: whom to play, on which board; and the games of this browser that are not over.

import { getJson, newGame } from "./api.js";
import { announce } from "./announce.js";
import { Board, columnName, discIcon } from "./board.js";
import { button, html, icon } from "./dom.js";
import { dropGame, getPref, keepGame, myGames, setPref } from "./prefs.js";

const MODES = [
  { value: "computer", title: "Computer", text: "Ten levels" },
  { value: "here", title: "Friend here", text: "Two on one screen" },
  { value: "link", title: "Friend by link", text: "Live, anywhere" },
];
const SIZES = ["7x6", "5x4", "6x5", "8x7", "9x7", "10x7"];
const SHOWN_GAMES = 6;

/** Draw the start page into *root*. */
export function startPage(root) {
  document.title = "fourcast: Connect Four";
  const boardRoot = html("div", { id: "board" });
  const hint = html("p", { class: "board-hint", id: "hint" });
  const form = new NewGameForm();
  root.replaceChildren(
    html(
      "div",
      { class: "start" },
      html("div", { class: "start-board" }, boardRoot, hint),
      html(
        "div",
        { class: "start-side" },
        html("h1", {}, "Connect Four"),
        html("p", { class: "lead" }, "Play a friend or the computer, then see exactly where the game was decided."),
        form.element,
        yourGames(),
        html(
          "p",
          { class: "aside" },
          "To try out moves, set up a position or find its best move, use the ",
          html("a", { href: "/board" }, "free board"),
          ".",
        ),
      ),
    ),
  );
  const board = new Board(boardRoot, { onColumn: (column) => form.start(columnName(column)) });
  form.onChange = () => showBoard(board, hint, form);
  form.changed();
}

// The board of the start page is a real one: the first disc starts the game.
async function showBoard(board, hint, form) {
  const { width, height } = form.size;
  let problem = "";
  const isShown = () => board.position?.width === width && board.position?.height === height;
  if (!isShown() && isDrawable(width, height)) {
    board.show(emptyBoard(width, height));
    try {
      const position = await getJson("/api/position", { width, height });
      if (isShown()) board.show(position);
    } catch (error) {
      problem = error.detail ?? "";
    }
  }
  const canClick = form.mode !== "link" && form.starts === "me" && isShown() && board.position.legal_columns.length > 0;
  hint.textContent = canClick ? "Drop the first disc to start." : problem;
  board.setEnabled(canClick, 1);
}

const isDrawable = (width, height) => width >= 4 && width <= 25 && height >= 4 && height <= 31;

function emptyBoard(width, height) {
  const cells = Array.from({ length: height }, () => Array(width).fill(0));
  const nothing = { legal_columns: [], winning_squares: [], last_move: null, text: "The board is empty." };
  return { width, height, cells, moves: "", start: "", ply: 0, turn: 1, ...nothing };
}

class NewGameForm {
  #players = [];
  #size;
  #custom;
  #width;
  #height;
  #name;
  #friend;
  #levels;
  #others;
  #playerText;
  #computer;
  #starter;
  #error;
  #submit;
  element;
  onChange = () => {};

  constructor() {
    const kept = getPref("form", {}) ?? {};
    const size = String(kept.size ?? "7x6");
    this.#size = html(
      "select",
      { id: "size", name: "size" },
      ...SIZES.map((value) =>
        html("option", { value, selected: value === size }, value.replace("x", " × "), value === "7x6" && " (standard)"),
      ),
      html("option", { value: "custom", selected: size === "custom" }, "other size"),
    );
    const number = (id, max, value) => html("input", { id, type: "number", min: 4, max, value, inputmode: "numeric" });
    this.#width = number("width", 25, kept.width ?? 9);
    this.#height = number("height", 31, kept.height ?? 8);
    this.#custom = html(
      "div",
      { class: "row", hidden: true },
      html("label", { class: "field" }, html("span", {}, "Columns"), this.#width),
      html("label", { class: "field" }, html("span", {}, "Rows"), this.#height),
    );
    this.#name = html("input", {
      id: "name",
      type: "text",
      maxlength: 40,
      autocomplete: "nickname",
      placeholder: "optional",
      value: getPref("name", ""),
    });
    this.#friend = html("input", {
      type: "text",
      maxlength: 40,
      autocomplete: "off",
      placeholder: "optional",
      value: kept.friend ?? "",
    });
    this.#levels = html("div", { class: "levels", role: "radiogroup", "aria-label": "Level" });
    this.#others = html("div", { class: "others" });
    this.#playerText = html("p", { class: "player-text", "aria-live": "polite" });
    this.#computer = html(
      "fieldset",
      { class: "plain" },
      html("legend", {}, "How strong"),
      this.#levels,
      this.#playerText,
      this.#others,
    );
    this.#starter = html("fieldset", { class: "plain segmented" });
    this.#error = html("p", { class: "error", role: "alert" });
    this.#submit = html("button", { type: "submit", class: "button primary large" }, "Start the game");
    this.element = html(
      "form",
      { class: "card new-game", novalidate: true, "aria-label": "New game" },
      html(
        "fieldset",
        { class: "plain modes" },
        html("legend", {}, "Play against"),
        ...MODES.map(({ value, title, text }) =>
          html(
            "label",
            { class: "mode" },
            html("input", { type: "radio", name: "mode", value, checked: value === (kept.mode ?? "computer") }),
            html("span", { class: "mode-title" }, title),
            html("span", { class: "mode-text" }, text),
          ),
        ),
      ),
      this.#computer,
      html(
        "div",
        { class: "row" },
        html("label", { class: "field grow" }, html("span", {}, "Your name"), this.#name),
        html("label", { class: "field grow" }, html("span", {}, "Name of your friend"), this.#friend),
        html("label", { class: "field" }, html("span", {}, "Board size"), this.#size),
      ),
      this.#custom,
      this.#starter,
      this.#error,
      this.#submit,
    );
    this.#drawStarters(kept.starts ?? "me");
    const modes = [...this.element.querySelectorAll("input[name=mode]")];
    if (!modes.some((mode) => mode.checked)) modes[0].checked = true;
    this.element.addEventListener("input", () => this.changed());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start("");
    });
    this.#loadPlayers(kept.player ?? "level-3");
  }

  get mode() {
    return this.element.querySelector("input[name=mode]:checked").value;
  }

  get starts() {
    return this.element.querySelector("input[name=starts]:checked")?.value ?? "me";
  }

  get player() {
    return this.element.querySelector("input[name=player]:checked")?.value ?? null;
  }

  get size() {
    if (this.#size.value === "custom") return { width: Number(this.#width.value), height: Number(this.#height.value) };
    const [width, height] = this.#size.value.split("x").map(Number);
    return { width, height };
  }

  /** Keep what is chosen and show what belongs to it. */
  changed() {
    setPref("name", this.#name.value.trim());
    setPref("form", {
      mode: this.mode,
      player: this.player ?? getPref("form", {})?.player,
      size: this.#size.value,
      width: Number(this.#width.value),
      height: Number(this.#height.value),
      starts: this.starts,
      friend: this.#friend.value.trim(),
    });
    this.#computer.hidden = this.mode !== "computer";
    this.#custom.hidden = this.#size.value !== "custom";
    this.#starter.hidden = this.mode === "here";
    this.#friend.parentElement.hidden = this.mode !== "here";
    const other = this.#starter.querySelector("[data-other]");
    if (other) other.textContent = this.mode === "link" ? "Friend" : "Computer";
    this.#submit.textContent = this.mode === "link" ? "Make a link to play" : "Start the game";
    this.#error.textContent = "";
    const player = this.#players.find(({ name }) => name === this.player);
    const rating = player?.rating ? ` Rated ${player.rating}.` : "";
    this.#playerText.textContent = player ? `${player.title}: ${withoutTitle(player)}${rating}` : "";
    this.onChange();
  }

  /** Start a game; *moves* is what was played on the board of the start page. */
  async start(moves) {
    if (this.#submit.disabled) return;
    const name = this.#name.value.trim();
    const me = { kind: "me", name };
    const others = {
      computer: { kind: "computer", player: this.player ?? "level-3" },
      here: { kind: "me", name: this.#friend.value.trim() },
      link: { kind: "friend" },
    };
    const draw = Math.random() < 0.5 ? "me" : "other";
    const starts = this.mode === "here" ? "me" : this.starts === "random" ? draw : this.starts;
    const sides = starts === "me" ? [me, others[this.mode]] : [others[this.mode], me];
    this.#submit.disabled = true;
    this.#error.textContent = "";
    try {
      await newGame({ first: sides[0], second: sides[1], ...this.size, moves });
    } catch (error) {
      this.#error.textContent = error.detail ?? String(error);
      this.#submit.disabled = false;
    }
  }

  #drawStarters(chosen) {
    const choices = [
      ["me", "Me"],
      ["other", "Computer"],
      ["random", "Random"],
    ];
    this.#starter.append(
      html("legend", {}, "Who starts"),
      html(
        "div",
        { class: "segments" },
        ...choices.map(([value, text]) =>
          html(
            "label",
            { class: "segment" },
            html("input", { type: "radio", name: "starts", value, checked: value === chosen }),
            html("span", { "data-other": value === "other" }, text),
          ),
        ),
      ),
    );
    if (!this.element.querySelector("input[name=starts]:checked")) this.#starter.querySelector("input").checked = true;
  }

  async #loadPlayers(chosen) {
    try {
      this.#players = await getJson("/api/players");
    } catch (error) {
      this.#error.textContent = error.detail ?? String(error);
      return;
    }
    const levels = this.#players.filter(({ name }) => /^level-\d+$/.test(name));
    const others = this.#players.filter(({ name }) => !/^level-\d+$/.test(name));
    const choice = ({ name, title }, text) =>
      html(
        "label",
        { class: "choice" },
        html("input", { type: "radio", name: "player", value: name, checked: name === chosen, "aria-label": title }),
        html("span", {}, text),
      );
    this.#levels.replaceChildren(...levels.map((player) => choice(player, player.name.slice("level-".length))));
    if (others.length) {
      const details = html("details", {}, html("summary", {}, "Other players"));
      const choices = others.map((player) => choice(player, player.title));
      details.append(html("div", { class: "choices", role: "radiogroup", "aria-label": "Other players" }, ...choices));
      details.open = others.some(({ name }) => name === chosen);
      this.#others.replaceChildren(details);
    }
    if (!this.player && levels.length) this.element.querySelector("input[name=player]").checked = true;
    this.changed();
  }
}

// The sentence begins with what the title says already: "Level 3 of 10: never misses ...".
function withoutTitle({ text }) {
  return text.replace(/^Level \d+ of \d+: /, "");
}

// ---- The games of this browser -----------------------------------------------------------------------

function yourGames() {
  const games = myGames();
  const list = html("ul", { class: "your-games" });
  const section = html(
    "section",
    { class: "card", "aria-labelledby": "your-games", hidden: games.length === 0 },
    html("h2", { id: "your-games" }, "Continue your games"),
    list,
  );
  games.slice(0, SHOWN_GAMES).forEach((entry) => list.append(gameRow(entry, section)));
  if (games.length > SHOWN_GAMES) {
    const more = button(`Show all ${games.length}`, () => {
      games.slice(SHOWN_GAMES).forEach((entry) => list.append(gameRow(entry, section)));
      more.remove();
    });
    section.append(more);
  }
  return section;
}

function gameRow(entry, section) {
  const status = html("span", { class: "your-game-status" }, entry.status ?? "");
  const title = entry.title ?? "Game";
  const row = html(
    "li",
    {},
    html(
      "a",
      { href: `/game/${entry.id}` },
      entry.sides?.length === 1 ? discIcon(entry.sides[0]) : null,
      html("span", { class: "your-game-title" }, title),
      status,
    ),
    html(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": `Forget the game ${title}`,
        title: "Forget this game",
        on: {
          click: () => {
            dropGame(entry.id);
            row.remove();
            announce("Forgotten.");
            section.hidden = myGames().length === 0;
          },
        },
      },
      icon("close"),
    ),
  );
  if (!entry.over) refresh(entry, status);
  return row;
}

async function refresh(entry, status) {
  try {
    const game = await getJson(`/api/games/${entry.id}`);
    if (game.result) status.textContent = game.result.text;
    else if (entry.sides?.length === 1) {
      status.textContent = entry.sides[0] === game.position.turn ? "your turn" : "waiting";
      status.classList.toggle("is-due", entry.sides[0] === game.position.turn);
    }
  } catch (error) {
    if (error.status === 404) {
      status.textContent = "is gone";
      keepGame(entry.id, { over: true, status: "is gone" });
    }
  }
}
