// The Explore page: what every move of a position leads to, how easily the opponent goes wrong after it, and
// what the levels play; a click walks on.

import { makeBoard, reserveBoard, setEnabled, setFigures, showPosition } from "../board/board.js";
import { DATA } from "../assets.js";
import { pageAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { isAbort } from "../backend/api.js";
import { askWhole } from "../backend/backend.js";
import { Latest } from "../backend/latest.js";
import { placeRequest } from "../core/place.js";
import {
  button,
  card,
  html,
  iconButton,
  isWithin,
  setDisabled,
  stepByKey,
  tableOf,
} from "../elements/dom.js";
import { form, movesField, submitButton } from "../elements/fields.js";
import { colorName, columnName } from "../words/names.js";
import { boardAddress, pageQuery, upTo } from "../backend/positions.js";
import { afterDrop } from "../elements/setup.js";
import { STANDARD, sizeProblem } from "../words/sizes.js";
import { figureOf, pendingFigures } from "../study/analysis.js";
import { describeStanding, emptyState, positionOf, stateOf } from "../study/board-state.js";
import { language, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { textOf } from "./collection.js";
import { proofOf } from "../study/proof.js";
import { judged, scoresOf, solve } from "./judge.js";
import { spoken } from "./said.js";

/** @typedef {import("../study/board-state.js").State} State */
/**
 * @typedef {object} ExplorePage
 * @property {State} state what is shown
 * @property {State} wanted what was asked for last: the next step is made from there
 * @property {PositionView | null} position the one of that state; the board may be a move ahead of it
 * @property {Latest} request the question that is open: one at a time
 * @property {Board} board
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 */

const ORDERS = 3; // other orders of moves that are shown
const MAP = new URL("map.svg", DATA).href;

/** Draw the page into *root*. @param {HTMLElement} root */
export function explorePage(root) {
  document.title = t("explore.page_title");
  const parts = makeParts({
    again: () => explore(page),
    step: (by) => goTo(page, page.wanted.at + by),
    enter: (moves) => show(page, { ...page.wanted, moves, at: moves.length }),
  });
  const board = makeBoard(parts.host, (column) => walk(page, column));
  board.onFigureChosen = (column) => walk(page, column);
  const empty = emptyState(STANDARD);
  /** @type {ExplorePage} */
  const page = { state: empty, wanted: empty, position: null, request: new Latest(), board, parts };
  root.replaceChildren(
    html("h1.visually-hidden", t("nav.explore")),
    html("div.study-page.explore-page", ...columnsOf(parts)),
  );
  const state = stateOf(window.location.search);
  const { width, height } = state;
  reserveBoard(board, sizeProblem({ width, height }) ? STANDARD : { width, height });
  setFigures(board, []);
  parts.onBoard.href = boardAddress(state, state.at);
  for (const each of [parts.back, parts.forward]) setDisabled(each, true); // until there is a position
  document.addEventListener("keydown", (event) => key(page, event));
  window.addEventListener("popstate", () => openAddress(page));
  openAddress(page);
}

/** @param {{ again: () => void, step: (by: number) => void, enter: (moves: string) => void }} listeners */
function makeParts({ again, step, enter }) {
  const { input: moves, typed } = movesField("explore-moves");
  return {
    moves,
    form: form(
      "study-form",
      () => enter(typed()),
      html("label", { for: moves.id }, t("explore.moves")),
      html("div.study-row", moves, submitButton(t("explore.show"))),
    ),
    host: html("div.study-board"),
    path: html("ol.explore-path", { "aria-label": t("explore.path") }),
    problem: html("p.study-problem", { role: "alert" }),
    status: html("p.study-status"),
    again: button(t("explore.longer"), again, { kind: "small", hidden: true }),
    rows: html("ul.explore-moves"),
    proof: html("p.explore-proof"),
    testing: html("p.explore-testing"),
    orders: html("p.explore-orders"),
    opening: html("p.explore-opening"),
    levels: html("section.card.explore-levels", { hidden: true }),
    back: iconButton("back", t("explore.back"), () => step(-1)),
    forward: iconButton("forward", t("explore.forward"), () => step(1)),
    onBoard: html("a.button", t("explore.on_board")),
  };
}

/** The board with its steps, and what is found beside it. @param {ReturnType<typeof makeParts>} parts */
function columnsOf(parts) {
  const look = { class: "study-steps", role: "group", "aria-label": t("explore.steps") };
  const steps = html("div", look, parts.back, parts.path, parts.forward);
  const { rows, proof, testing, orders, opening, status, again, problem } = parts;
  const actions = html("div.actions", parts.onBoard);
  const entry = { class: "card", "aria-label": t("explore.position") };
  return [
    html("div.study-main", parts.host, html("div.study-below", steps)),
    html(
      "div.study-side",
      card("explore-title", t("explore.title"), opening, rows, proof, testing, orders, status, again),
      parts.levels,
      html("section", entry, parts.form, problem, actions),
      openingMap(),
    ),
  ];
}

// ---- Walking -----------------------------------------------------------------------------------------

/** @param {ExplorePage} page */
async function openAddress(page) {
  if (await show(page, stateOf(window.location.search))) return;
  const problem = page.parts.problem.textContent;
  await show(page, emptyState(STANDARD));
  page.parts.problem.textContent = problem;
}

/** @param {ExplorePage} page @param {number} column */
function walk(page, column) {
  const { moves, at } = page.wanted;
  const { position } = page.board;
  if (!position?.legal_columns.includes(column)) return;
  const name = columnName(column);
  const line = moves[at] === name ? moves : moves.slice(0, at) + name;
  showPosition(page.board, afterDrop(position, column));
  show(
    page,
    { ...page.wanted, moves: line, at: at + 1 },
    t("explore.walked", {
      who: colorName(position.turn),
      column: name,
    }),
  );
}

/** @param {ExplorePage} page @param {number} at */
function goTo(page, at) {
  const { moves } = page.wanted;
  if (at < 0 || at > moves.length || at === page.wanted.at) return;
  show(page, { ...page.wanted, at }, t("explore.walked_to", { at, count: moves.length }));
}

/** Show *state* if there is such a position. @param {ExplorePage} page @param {State} state @param {string} [words] what has happened */
async function show(page, state, words = "") {
  page.wanted = state;
  try {
    const position = await page.request.ask(() => positionOf(state));
    page.state = { ...state, start: position.start, width: position.width, height: position.height };
    page.wanted = page.state;
    page.position = position;
    page.parts.problem.textContent = "";
    showPosition(page.board, position);
    setEnabled(page.board, !position.is_over, position.turn, t("explore.over"));
    drawPath(page);
    if (words) announce(`${words} ${describeStanding(position)}`);
    const query = pageQuery(page.state);
    if (state.at < state.moves.length) query.set("at", String(state.at));
    window.history.replaceState(null, "", pageAddress("explore", query));
    explore(page);
    return true;
  } catch (error) {
    if (isAbort(error)) return true; // something else was asked for
    page.parts.problem.textContent = describeError(error);
    page.wanted = page.state;
    if (page.position) showPosition(page.board, page.position, { animate: false });
    return false;
  }
}

/** @param {ExplorePage} page */
function drawPath(page) {
  const { moves, at } = page.state;
  const step = (/** @type {string} */ text, /** @type {number} */ number) => {
    const look = number === at ? { "aria-current": "step" } : {};
    return html(
      "li",
      button(text, () => goTo(page, number), { kind: "small explore-step", ...look }),
    );
  };
  page.parts.path.replaceChildren(
    step(t("explore.start"), 0),
    ...[...moves].map((name, index) => step(name, index + 1)),
  );
  setDisabled(page.parts.back, at === 0);
  setDisabled(page.parts.forward, at === moves.length);
  // What somebody is typing is left alone.
  if (document.activeElement !== page.parts.moves) page.parts.moves.value = moves.slice(0, at);
  page.parts.onBoard.href = boardAddress(page.state, at);
}

/** @param {ExplorePage} page @param {KeyboardEvent} event */
function key(page, event) {
  if (event.defaultPrevented || isWithin(event, "input, dialog")) return;
  const target = stepByKey(event, page.wanted.at, page.wanted.moves.length);
  if (target !== null) goTo(page, target);
}

// ---- Exploring ---------------------------------------------------------------------------------------

/** Look at every move: what it leads to first, the replies one move after the other. @param {ExplorePage} page */
async function explore(page) {
  page.request.stop();
  const query = upTo(page.state, page.state.at);
  const { position } = page.board;
  const { again, levels, opening, orders, proof, rows, testing } = page.parts;
  for (const each of [opening, orders, proof, rows, testing]) each.replaceChildren();
  levels.hidden = true;
  again.hidden = true;
  if (!position || position.is_over) {
    setFigures(page.board, []);
    page.parts.status.textContent = position ? describeStanding(position) : "";
    return;
  }
  setFigures(page.board, pendingFigures(position.legal_columns));
  page.parts.status.textContent = t("explore.solving");
  try {
    await page.request.ask(async (signal) => {
      showOpening(page, query, signal);
      showOrders(page, query, signal);
      const view = await solve(query, signal);
      signal.throwIfAborted();
      setFigures(page.board, view.columns.map(figureOf));
      showLevels(page, view, signal);
      await lookAtReplies(page, query, view, signal);
    });
  } catch (error) {
    if (isAbort(error)) return;
    page.parts.status.textContent = describeError(error instanceof Error ? error.message : error);
    page.parts.again.hidden = false;
  }
}

/** @param {ExplorePage} page @param {PositionQuery} query @param {AnalysisView} view @param {AbortSignal} signal */
async function lookAtReplies(page, query, view, signal) {
  const rows = view.columns.map((column) => row(page, column));
  page.parts.rows.replaceChildren(...rows.map(({ element }) => element));
  showProof(page, query, rows, signal);
  const found = [];
  for (const [index, { column, score }] of view.columns.entries()) {
    page.parts.status.textContent = t("explore.replies_of", { column: columnName(column) });
    const request = { ...placeRequest(query), column, score };
    const move = await judged("explore.move", request, query, { signal });
    if (signal.aborted) return;
    rows[index].replies.textContent = spoken(move.said);
    found.push(move);
  }
  const { width } = view.position;
  const { most_testing: best } = await askWhole("explore.testing", { width, moves: found });
  if (signal.aborted) return;
  page.parts.status.textContent = "";
  page.parts.testing.textContent = t("explore.most_testing", { column: columnName(best) });
  rows[found.findIndex(({ column }) => column === best)].element.classList.add("is-testing");
}

/** Mark the move that the proof of the whole game makes here.
 * @param {ExplorePage} page @param {PositionQuery} query @param {ReturnType<typeof row>[]} rows @param {AbortSignal} signal */
async function showProof(page, query, rows, signal) {
  const found = await proofOf(query).catch(() => null);
  if (signal.aborted || !found) return;
  const chosen = rows.find(({ column }) => column === found.column);
  chosen?.element.classList.add("is-proof");
  chosen?.words.append(html("span.explore-mark", t("explore.proof_mark")));
  const text = spoken(found.said);
  page.parts.proof.textContent = t("explore.proof", { column: columnName(found.column), text });
}

/** What the opening is called. @param {ExplorePage} page @param {PositionQuery} query @param {AbortSignal} signal */
async function showOpening(page, { start, moves, width, height }, signal) {
  if (start) return;
  const opening = await askWhole("opening", { width, height, game: moves }).catch(() => null);
  if (!signal.aborted && opening) page.parts.opening.textContent = spoken(opening);
}

/** The other orders of moves that lead here. @param {ExplorePage} page @param {PositionQuery} query @param {AbortSignal} signal */
async function showOrders(page, query, signal) {
  const request = { ...placeRequest(query), order: query.moves, most: ORDERS };
  const orders = await askWhole("explore.orders", request).catch(() => null);
  if (signal.aborted || !orders?.others.length) return;
  const { count, others } = orders;
  const shown = others.join(", ");
  const all = count > others.length + 1 ? `${shown}, …` : shown;
  page.parts.orders.textContent = t("explore.orders", { count, others: all });
}

/** What the levels play here, and how often that gives something away.
 * @param {ExplorePage} page @param {AnalysisView} view @param {AbortSignal} signal */
async function showLevels(page, view, signal) {
  const choices = await levelsAt(view).catch(() => null);
  if (signal.aborted || !choices) return;
  const { counts, plays, asked, wrong } = choices;
  const rows = plays.map((column, level) => [
    level + 1,
    t("explore.level_column", { column: columnName(column) }),
    percent(counts[level][column] / asked),
    percent(wrong[level]),
  ]);
  const plain = [t("explore.level"), t("explore.level_plays")];
  page.parts.levels.replaceChildren(
    html("h2", t("explore.levels")),
    tableOf([...plain, t("explore.level_share"), t("explore.wrong")], rows),
    html("p.study-hint", t("explore.levels_text", { count: asked })),
  );
  page.parts.levels.hidden = false;
}

/** @param {ExplorePage} page @param {ColumnView} view */
function row(page, { column, text, outcome, is_best: isBest }) {
  const replies = html("span.explore-replies", "…");
  const words = html("span.explore-words", html("b", text), replies);
  const element = html(
    "li",
    { class: `is-${outcome ?? "unknown"}${isBest ? " is-best" : ""}` },
    html(
      "button.explore-move",
      { on: { click: () => walk(page, column) } },
      html("span.study-line-column", columnName(column)),
      words,
    ),
  );
  return { element, column, words, replies };
}

/** What the levels play, and how often that gives something away; null if hardly any of their games came here.
 * @param {AnalysisView} view
 * @returns {Promise<{ asked: number, counts: number[][], plays: number[], wrong: number[] } | null>} */
async function levelsAt(view) {
  const text = await textOf("7x6.levels.json");
  const found = await askWhole("explore.levels", { ...placeRequest(view.position), text });
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
  const picture = html("img.explore-map", { alt: t("explore.map_alt") });
  const link = html("a.button", { href: MAP, target: "_blank" }, t("explore.map_open"));
  const load = () => picture.setAttribute("src", MAP);
  return html(
    "details.card",
    { on: { toggle: load } },
    html("summary", t("explore.map")),
    html("p", t("explore.map_text")),
    picture,
    html("div.actions", link),
  );
}
