// The Explore page: what every move of a position leads to, how easily the opponent goes wrong after it, and
// what the levels play; a click walks on.

import { DATA } from "../assets.js";
import { pageAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { about } from "../shell/about.js";
import { isAbort } from "../backend/api.js";
import { askWhole } from "../backend/backend.js";
import { Board } from "../board/board.js";
import { button, hasModifier, html, iconButton, isWithin, setDisabled } from "../elements/dom.js";
import { colorName, columnName } from "../words/names.js";
import { boardAddress, fetchPosition, queryOf, upTo } from "../backend/positions.js";
import { afterDrop } from "../elements/setup.js";
import { STANDARD, sizeProblem } from "../words/sizes.js";
import { figureOf, pendingFigures } from "../study/analysis.js";
import { describePosition, emptyState, stateOf } from "../study/board-state.js";
import { language, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { levelsText } from "./collection.js";
import { judged, scoresOf, solve } from "./judge.js";
import { spoken } from "./said.js";

/** @typedef {import("../study/board-state.js").State} State */
/** @typedef {import("../backend/positions.js").PositionQuery} PositionQuery */

const ORDERS = 3; // other orders of moves that are shown
const MAP = new URL("map.svg", DATA).href;

/** Draw the page into *root*. @param {HTMLElement} root */
export function explorePage(root) {
  document.title = t("explore.page_title");
  new ExplorePage(root).openAddress();
}

class ExplorePage {
  /** @type {State} What is shown. */
  #state = emptyState(STANDARD);
  /** @type {State} What was asked for last: the next step is made from there. */
  #wanted = this.#state;
  /** @type {PositionView | null} The one of that state; the board may be a move ahead of it. */
  #position = null;
  /** @type {AbortController | null} */
  #request = null;
  #host = html("div", { class: "study-board" });
  #board;
  #path = html("ol", { class: "explore-path", "aria-label": t("explore.path") });
  #problem = html("p", { class: "study-problem", role: "alert" });
  #status = html("p", { class: "study-status" });
  #again = button(t("explore.longer"), () => this.#explore(), { kind: "small", hidden: true });
  #rows = html("ul", { class: "explore-moves" });
  #testing = html("p", { class: "explore-testing" });
  #orders = html("p", { class: "explore-orders" });
  #levels = html("section", { class: "card explore-levels", hidden: true });
  #back = iconButton("back", t("explore.back"), () => this.#goTo(this.#wanted.at - 1));
  #forward = iconButton("forward", t("explore.forward"), () => this.#goTo(this.#wanted.at + 1));
  #onBoard = html("a", { class: "button" }, t("explore.on_board"));
  #moves = html("input", {
    type: "text",
    id: "explore-moves",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: about.max_moves,
    placeholder: "44455",
  });

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#board = new Board(this.#host, { onColumn: (column) => this.#walk(column) });
    this.#board.onFigureChosen = (column) => this.#walk(column);
    root.replaceChildren(
      html(
        "div",
        { class: "study-page explore-page" },
        html("h1", { class: "visually-hidden" }, t("nav.explore")),
        html("div", { class: "study-main" }, this.#host, this.#below()),
        html(
          "div",
          { class: "study-side" },
          this.#findings(),
          this.#levels,
          this.#entry(),
          openingMap(),
        ),
      ),
    );
    const state = stateOf(window.location.search);
    const { width, height } = state;
    this.#board.reserve(sizeProblem({ width, height }) ? STANDARD : { width, height });
    this.#board.setFigures([]);
    this.#onBoard.href = boardAddress(state, state.at);
    for (const each of [this.#back, this.#forward]) setDisabled(each, true); // until there is a position
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("popstate", () => this.openAddress());
  }

  #below() {
    const steps = { class: "study-steps", role: "group", "aria-label": t("explore.steps") };
    return html(
      "div",
      { class: "study-below" },
      html("div", steps, this.#back, this.#path, this.#forward),
    );
  }

  #findings() {
    return html(
      "section",
      { class: "card", "aria-labelledby": "explore-title" },
      html("h2", { id: "explore-title" }, t("explore.title")),
      this.#rows,
      this.#testing,
      this.#orders,
      this.#status,
      this.#again,
    );
  }

  #entry() {
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const moves = this.#moves.value.replaceAll(/\s/g, "").toLowerCase();
      this.#show({ ...this.#wanted, moves, at: moves.length });
    };
    return html(
      "section",
      { class: "card", "aria-label": t("explore.position") },
      html(
        "form",
        { class: "study-form", on: { submit } },
        html("label", { for: "explore-moves" }, t("explore.moves")),
        html(
          "div",
          { class: "study-row" },
          this.#moves,
          html("button", { type: "submit", class: "button" }, t("explore.show")),
        ),
      ),
      this.#problem,
      html("div", { class: "actions" }, this.#onBoard),
    );
  }

  // ---- Walking -----------------------------------------------------------------------------------

  async openAddress() {
    if (await this.#show(stateOf(window.location.search))) return;
    const problem = this.#problem.textContent;
    await this.#show(emptyState(STANDARD));
    this.#problem.textContent = problem;
  }

  /** @param {number} column */
  #walk(column) {
    const { moves, at } = this.#wanted;
    const { position } = this.#board;
    if (!position?.legal_columns.includes(column)) return;
    const name = columnName(column);
    const line = moves[at] === name ? moves : moves.slice(0, at) + name;
    this.#board.show(afterDrop(position, column));
    this.#show(
      { ...this.#wanted, moves: line, at: at + 1 },
      t("explore.walked", {
        who: colorName(position.turn),
        column: name,
      }),
    );
  }

  /** @param {number} at */
  #goTo(at) {
    const { moves } = this.#wanted;
    if (at < 0 || at > moves.length || at === this.#wanted.at) return;
    this.#show({ ...this.#wanted, at }, t("explore.walked_to", { at, count: moves.length }));
  }

  /** Show *state* if there is such a position. @param {State} state @param {string} [words] what has happened */
  async #show(state, words = "") {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.#wanted = state;
    try {
      if (state.at < state.moves.length) await fetchPosition(state);
      const position = await fetchPosition(upTo(state, state.at));
      if (this.#request !== request) return true;
      this.#state = { ...state, start: position.start, width: position.width, height: position.height };
      this.#wanted = this.#state;
      this.#position = position;
      this.#problem.textContent = "";
      this.#board.show(position);
      this.#board.setEnabled(!position.is_over, position.turn, t("explore.over"));
      this.#drawPath();
      if (words) announce(`${words} ${describePosition(position)}`);
      const query = new URLSearchParams(queryOf(this.#state));
      if (state.at < state.moves.length) query.set("at", String(state.at));
      window.history.replaceState(null, "", pageAddress("explore", query));
      this.#explore();
      return true;
    } catch (error) {
      if (this.#request !== request) return true; // something else was asked for
      this.#problem.textContent = describeError(error);
      this.#wanted = this.#state;
      if (this.#position) this.#board.show(this.#position, { animate: false });
      return false;
    }
  }

  #drawPath() {
    const { moves, at } = this.#state;
    const step = (/** @type {string} */ text, /** @type {number} */ number) => {
      const look = number === at ? { "aria-current": "step" } : {};
      return html(
        "li",
        {},
        button(text, () => this.#goTo(number), { kind: "small explore-step", ...look }),
      );
    };
    this.#path.replaceChildren(
      step(t("explore.start"), 0),
      ...[...moves].map((name, index) => step(name, index + 1)),
    );
    setDisabled(this.#back, at === 0);
    setDisabled(this.#forward, at === moves.length);
    // What somebody is typing is left alone.
    if (document.activeElement !== this.#moves) this.#moves.value = moves.slice(0, at);
    this.#onBoard.href = boardAddress(this.#state, at);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || hasModifier(event) || isWithin(event, "input, dialog")) return;
    const { at, moves } = this.#wanted;
    const target = new Map([
      ["ArrowLeft", at - 1],
      ["ArrowRight", at + 1],
      ["Home", 0],
      ["End", moves.length],
    ]).get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    this.#goTo(target);
  }

  // ---- Exploring ---------------------------------------------------------------------------------

  /** Look at every move: what it leads to first, the replies one move after the other. */
  async #explore() {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    const { signal } = request;
    const query = upTo(this.#state, this.#state.at);
    const { position } = this.#board;
    this.#testing.textContent = "";
    this.#orders.textContent = "";
    this.#levels.hidden = true;
    this.#again.hidden = true;
    this.#rows.replaceChildren();
    if (!position || position.is_over) {
      this.#board.setFigures([]);
      this.#status.textContent = position ? describePosition(position) : "";
      return;
    }
    this.#board.setFigures(pendingFigures(position.legal_columns));
    this.#status.textContent = t("explore.solving");
    try {
      this.#showOrders(query, signal);
      const view = await solve(query, signal);
      if (signal.aborted) return;
      this.#board.setFigures(view.columns.map(figureOf));
      this.#showLevels(view, signal);
      await this.#lookAtReplies(query, view, signal);
    } catch (error) {
      if (this.#request !== request || isAbort(error)) return;
      this.#status.textContent = describeError(error instanceof Error ? error.message : error);
      this.#again.hidden = false;
    }
  }

  /** @param {PositionQuery} query @param {AnalysisView} view @param {AbortSignal} signal */
  async #lookAtReplies(query, view, signal) {
    const rows = view.columns.map((column) => this.#row(column));
    this.#rows.replaceChildren(...rows.map(({ element }) => element));
    const found = [];
    for (const [index, { column, score }] of view.columns.entries()) {
      this.#status.textContent = t("explore.replies_of", { column: columnName(column) });
      const request = { ...placeOf(query), column, score };
      const move = await judged("explore.move", request, query, { signal });
      if (signal.aborted) return;
      rows[index].replies.textContent = spoken(move.said);
      found.push(move);
    }
    const { width } = view.position;
    const { most_testing: best } = await askWhole("explore.testing", { width, moves: found });
    if (signal.aborted) return;
    this.#status.textContent = "";
    this.#testing.textContent = t("explore.most_testing", { column: columnName(best) });
    rows[found.findIndex(({ column }) => column === best)].element.classList.add("is-testing");
  }

  /** The other orders of moves that lead here. @param {PositionQuery} query @param {AbortSignal} signal */
  async #showOrders(query, signal) {
    const request = { ...placeOf(query), order: query.moves, most: ORDERS };
    const orders = await askWhole("explore.orders", request).catch(() => null);
    if (signal.aborted || !orders?.others.length) return;
    const { count, others } = orders;
    const shown = others.join(", ");
    const all = count > others.length + 1 ? `${shown}, …` : shown;
    this.#orders.textContent = t("explore.orders", { count, others: all });
  }

  /** What the levels play here, and how often that gives something away.
   * @param {AnalysisView} view @param {AbortSignal} signal */
  async #showLevels(view, signal) {
    const { start, moves, width, height } = view.position;
    const choices = await levelsAt(placeOf({ start, moves, width, height }), view).catch(() => null);
    if (signal.aborted || !choices) return;
    const { counts, plays, asked, wrong } = choices;
    const rows = plays.map((column, level) => {
      const most = counts[level][column];
      return html(
        "tr",
        {},
        html("th", { scope: "row" }, level + 1),
        html("td", {}, t("explore.level_column", { column: columnName(column) })),
        html("td", {}, percent(most / asked)),
        html("td", {}, percent(wrong[level])),
      );
    });
    const head = [
      t("explore.level"),
      t("explore.level_plays"),
      t("explore.level_share"),
      t("explore.wrong"),
    ];
    this.#levels.replaceChildren(
      html("h2", {}, t("explore.levels")),
      html(
        "table",
        {},
        html("thead", {}, html("tr", {}, ...head.map((text) => html("th", { scope: "col" }, text)))),
        html("tbody", {}, ...rows),
      ),
      html("p", { class: "study-hint" }, t("explore.levels_text", { count: asked })),
    );
    this.#levels.hidden = false;
  }

  /** @param {ColumnView} view */
  #row({ column, text, outcome, is_best: isBest }) {
    const replies = html("span", { class: "explore-replies" }, "…");
    const element = html(
      "li",
      { class: `is-${outcome ?? "unknown"}${isBest ? " is-best" : ""}` },
      html(
        "button",
        { type: "button", class: "explore-move", on: { click: () => this.#walk(column) } },
        html("span", { class: "study-line-column" }, columnName(column)),
        html("span", { class: "explore-words" }, html("b", {}, text), replies),
      ),
    );
    return { element, replies };
  }
}

/** A position as the core's questions name it. @param {PositionQuery} query */
function placeOf({ start, moves, width, height }) {
  return { rows: start || null, moves, width, height };
}

/** What the levels play, and how often that gives something away; null if hardly any of their games came here.
 * @param {ReturnType<typeof placeOf>} place @param {AnalysisView} view
 * @returns {Promise<{ asked: number, counts: number[][], plays: number[], wrong: number[] } | null>} */
async function levelsAt(place, view) {
  const found = await askWhole("explore.levels", { ...place, text: await levelsText() });
  if (!found) return null;
  const keeping = await askWhole("explore.keeping", { scores: scoresOf(view) });
  const { asked, counts } = found;
  return { ...found, wrong: await askWhole("explore.wrong", { asked, counts, keeping }) };
}

/** @param {number} share */
function percent(share) {
  return share.toLocaleString(language, { style: "percent" });
}

/** The map of the first moves, loaded when somebody wants to see it. It zooms where it is opened by itself. */
function openingMap() {
  const picture = html("img", { class: "explore-map", alt: t("explore.map_alt") });
  const link = html("a", { class: "button", href: MAP, target: "_blank" }, t("explore.map_open"));
  const load = () => picture.setAttribute("src", MAP);
  return html(
    "details",
    { class: "card", on: { toggle: load } },
    html("summary", {}, t("explore.map")),
    html("p", {}, t("explore.map_text")),
    picture,
    html("div", { class: "actions" }, link),
  );
}
