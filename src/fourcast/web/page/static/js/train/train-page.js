// The Train page: what is due and how it goes; the cards and new puzzles one after the other; the mistakes of
// a game; and the attempts as a file for the terminal.

import { pageAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { ask, askWhole } from "../backend/backend.js";
import { button, card, html } from "../elements/dom.js";
import { fileButton } from "../elements/fields.js";
import { colorName } from "../words/names.js";
import { boardAddress, queryOf, upTo } from "../backend/positions.js";
import { STANDARD, isSameSize } from "../words/sizes.js";
import { isError } from "../study/review-parts.js";
import { stateOf } from "../study/board-state.js";
import { rich, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { SIZES, puzzleText, textOf } from "./collection.js";
import { askPuzzle, clearExercise, reserveExercise } from "./exercise.js";
import { HistoryError, MOST_LETTERS } from "./history.js";
import { judged } from "./judge.js";
import { ratingPlot } from "./plot.js";
import { makePractice, pickPuzzle } from "./practice.js";
import { themeName } from "./said.js";
import { saveHistory } from "./standing.js";

/** @typedef {import("./history.js").Training} Training */
/** @typedef {import("./collection.js").Player} Player */
/** @typedef {{ puzzle: Puzzle, card: string | null, label: string, isOnly?: boolean }} Question */
/**
 * @typedef {object} TrainPage
 * @property {AsyncGenerator<Question> | null} questions those of the round; null outside of one
 * @property {AsyncGenerator<Question> | null} asked those of which the next one is on its way
 * @property {{ asked: number, solved: number }} round what came of it so far
 * @property {PositionQuery | null} game the game whose mistakes are trained
 * @property {import("./practice.js").Practice} practice
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 */

const NEW = 5; // puzzles after the cards that are due
const WEAKEST = 3; // themes that are named
const REVIEW_S = 60;

/** Draw the page into *root*. @param {HTMLElement} root */
export function trainPage(root) {
  document.title = t("train.page_title");
  const parts = makeParts();
  const listeners = {
    onAnswered: (/** @type {import("./exercise.js").Answer} */ { solved, hints }) => {
      page.round.asked += 1;
      page.round.solved += solved && !hints ? 1 : 0;
    },
    onNext: () => next(page),
  };
  const stop = button(t("train.stop"), () => finish(page), { picture: "close" });
  const leave = html("div.actions.puzzle-leave", stop);
  const keys = html("p.keys", t("puzzle.keys"));
  const practice = makePractice(listeners, parts.label, leave, keys);
  /** @type {TrainPage} */
  const page = {
    ...{ questions: null, asked: null, round: { asked: 0, solved: 0 }, game: null, practice, parts },
  };
  practice.page.hidden = true;
  const title = html("h1.visually-hidden", t("nav.train"));
  root.replaceChildren(title, parts.message, parts.home, practice.page);
  drawHome(page);
  if (new URLSearchParams(window.location.search).get("moves")) trainMistakes(page);
}

function makeParts() {
  return {
    label: html("p.train-label"),
    home: html("div.train-home"),
    openings: html("div.train-openings"),
    message: html("p.train-message", { tabindex: "-1", hidden: true }),
    fileNews: html("p.study-hint.train-news"),
  };
}

// ---- What there is to do -----------------------------------------------------------------------------

/** @param {TrainPage} page */
async function drawHome(page) {
  const { practice, parts } = page;
  const training = await practice.history.readable();
  const { cards } = training;
  const due = training.due.length;
  const known = cards.filter((each) => each.is_known).length;
  const figure = (/** @type {number} */ count, /** @type {string} */ words) =>
    html("li", html("b", count), ` ${words}`);
  const figures = [
    figure(due, t("train.due")),
    figure(cards.length - due - known, t("train.resting")),
    figure(known, t("train.known")),
  ];
  const start = button(t("train.start"), () => begin(page, dueAndNew(page)), { kind: "primary large" });
  const status = [
    html("ul.train-figures", ...figures),
    html("p.study-hint", t("train.round", { due, count: NEW })),
    start,
    nextDue(training),
  ];
  parts.home.replaceChildren(
    card("train-today", t("train.today"), html("div.train-status", ...status)),
    card("train-progress", t("train.progress"), ...progress(practice.standing.element, training)),
    card("train-openings", t("train.openings"), html("p", t("train.openings_text")), parts.openings),
    card("train-file", t("train.file"), ...files(page, training)),
    card("train-how", t("train.how"), html("p", t("train.how_text"))),
  );
  practice.standing.update();
  await drawOpenings(page);
}

/** What is seen and what is due of both repertoires. @param {TrainPage} page */
async function drawOpenings(page) {
  const row = async (/** @type {Player} */ player) => {
    const { cards, seen, due } = await repertoireOf(page, player, 0);
    const who = colorName(player === "first" ? 1 : 2);
    const learn = button(t("train.learn_side", { who }), () => begin(page, repertoire(page, player)), {
      "data-side": player,
    });
    const count = { count: seen, cards, due: due.length };
    return html("li", learn, html("span", t("train.seen", count)));
  };
  const { openings } = page.parts;
  try {
    const rows = await Promise.all([row("first"), row("second")]);
    openings.replaceChildren(html("ul.train-sides", ...rows));
  } catch {
    openings.replaceChildren(html("p.study-hint", t("train.openings_missing")));
  }
}

/** When the next card is due, if none is now. @param {Training} training */
function nextDue({ next_due: time, due }) {
  if (time === null || due.length) return "";
  const { lang } = document.documentElement;
  const when = new Date(time).toLocaleDateString(lang, { dateStyle: "medium" });
  return html("p.study-hint", t("train.next_due", { when }));
}

/** @param {HTMLElement} standing @param {Training} training */
function progress(standing, { strengths, themes }) {
  const weak = themes.filter(({ solved, tried }) => solved < tried).slice(0, WEAKEST);
  const records = weak.map(({ theme, solved, tried }) => {
    const address = pageAddress("puzzles", new URLSearchParams({ theme }));
    const link = html("a", { href: address }, themeName(theme));
    return html("li", link, ` ${t("train.record", { solved, tried })}`);
  });
  return [
    standing,
    ratingPlot(strengths.map(([rating]) => rating)),
    html("h3", t("train.weak")),
    records.length ? html("ul.train-weak", ...records) : html("p.study-hint", t("train.no_weak")),
  ];
}

/** @param {TrainPage} page @param {Training} training */
function files(page, { answered: { length: count } }) {
  const command = html("code", "fourcast train --import training.jsonl");
  const save = button(t("train.export"), () => saveHistory(page.practice.history), {
    "aria-disabled": String(!count),
  });
  const kinds = ".jsonl,application/jsonl,application/x-ndjson,text/plain";
  const take = fileButton("train-import", t("train.import"), kinds, (file) => importFile(page, file));
  return [
    html("p", t("train.attempts", { count })),
    html("div.actions", save, take),
    html("p.study-hint", ...rich("train.file_text", { command })),
    page.parts.fileNews,
  ];
}

/** @param {TrainPage} page @param {File} file */
async function importFile(page, file) {
  const { fileNews, home } = page.parts;
  fileNews.textContent = await takeFile(page, file);
  announce(fileNews.textContent);
  await drawHome(page);
  home.querySelector("#train-import")?.parentElement?.scrollIntoView({ block: "nearest" });
}

/** Add the attempts of a file; returns what came of it. @param {TrainPage} page @param {File} file */
async function takeFile({ practice }, file) {
  const { name } = file;
  if (file.size > MOST_LETTERS) return t("train.import_large", { name });
  try {
    return t("train.imported", { name, count: await practice.history.merge(await file.text()) });
  } catch (error) {
    if (error instanceof HistoryError) return t("train.import_bad", { name, line: error.line });
    throw error;
  }
}

// ---- A round -----------------------------------------------------------------------------------------

/** The cards that are due, then new puzzles, every other one of the weakest theme. @param {TrainPage} page */
async function* dueAndNew({ practice }) {
  const { due } = await practice.history.readable();
  for (const [index, { puzzle, box }] of due.entries()) {
    const label = t("train.card_label", { number: index + 1, count: due.length });
    const hasOthers = SIZES.some((size) => isSameSize(size, puzzle));
    const text = hasOthers ? await puzzleText(puzzle) : null;
    const request = { puzzle, box, text, chances: [Math.random(), Math.random()] };
    yield { puzzle: await askWhole("card.question", request), card: puzzle.id, label };
  }
  const { themes } = await practice.history.readable();
  const weakest = themes.find(({ solved, tried }) => solved < tried)?.theme ?? null;
  for (let number = 0; number < NEW; number += 1) {
    const puzzle = await pickPuzzle(practice, { theme: number % 2 === 0 ? weakest : null });
    const label = t("train.new_label", { number: number + 1, count: NEW });
    if (puzzle) yield { puzzle, card: null, label };
  }
}

/** What is due of a repertoire, and up to *count* new cards.
 * @param {TrainPage} page @param {Player} player @param {number} count */
async function repertoireOf({ practice: { history } }, player, count) {
  const cards = await askWhole("repertoire.read", { text: await textOf(`${player}.repertoire`) });
  const text = (await history.readable()).answered.length ? history.text : "";
  return askWhole("repertoire", { cards, text, now: Date.now(), count });
}

/** The cards of a repertoire that are due, then new ones. @param {TrainPage} page @param {Player} player */
async function* repertoire(page, player) {
  const { cards: count, due, fresh } = await repertoireOf(page, player, NEW);
  for (const { puzzle, mirrored, card: name, number } of [...due, ...fresh]) {
    const label = t("train.opening_label", { number, count });
    const isMirrored = name !== null && Math.random() < 0.5;
    yield { puzzle: isMirrored ? mirrored : puzzle, card: name, label, isOnly: true };
  }
}

/** Train the mistakes of the game in the address. @param {TrainPage} page */
async function trainMistakes(page) {
  const { search } = window.location;
  const { start, moves, width, height } = stateOf(search);
  page.game = { start, moves, width, height };
  const named = (new URLSearchParams(search).get("mistakes") ?? "").split(".");
  const numbers = named.filter((each) => /^\d{1,3}$/.test(each)).map(Number);
  await begin(page, mistakes(page, page.game, numbers));
}

/** The mistakes of a game as exercises; all of them if none are named.
 * @param {TrainPage} page @param {PositionQuery} game @param {number[]} named */
async function* mistakes({ practice }, game, named) {
  if (game.start) throw new Error(t("train.no_start"));
  const all = named.length ? named : await mistakesOf(game);
  const numbers = all.filter((number) => number >= 1 && number <= game.moves.length);
  if (!numbers.length) throw new Error(t("train.no_mistakes"));
  for (const [index, number] of numbers.entries()) {
    const { moves, width, height } = game;
    const request = { game: moves, width, height, number };
    const { puzzle } = await judged("puzzle.exercise", request, upTo(game, number - 1));
    const label = t("train.mistake_label", { number: index + 1, count: numbers.length, move: number });
    if (!puzzle) continue;
    const { tried } = await practice.history.readable();
    yield { puzzle, card: tried.includes(puzzle.id) ? puzzle.id : null, label };
  }
}

/** @param {TrainPage} page @param {AsyncGenerator<Question>} questions */
async function begin(page, questions) {
  const { practice, parts } = page;
  page.questions = questions;
  page.round = { asked: 0, solved: 0 };
  parts.message.hidden = true;
  parts.home.hidden = true;
  practice.now.append(practice.standing.element);
  practice.page.hidden = false;
  reserveExercise(practice.exercise, page.game ?? STANDARD);
  await next(page);
  practice.exercise.question.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/** @param {TrainPage} page */
async function next(page) {
  const { questions, practice, parts } = page;
  if (!questions || page.asked === questions) return;
  page.asked = questions;
  parts.label.textContent = t("train.loading");
  clearExercise(practice.exercise);
  try {
    const { value, done } = await questions.next();
    if (page.questions !== questions) return; // another round has begun, or none
    if (done || !value) {
      finish(page);
      return;
    }
    const { puzzle, card: name, label, isOnly } = value;
    parts.label.textContent = label;
    practice.standing.update();
    await askPuzzle(practice.exercise, puzzle, { card: name, next: t("train.next"), isOnly });
  } catch (error) {
    if (page.questions !== questions) return;
    finish(page, describeError(error instanceof Error ? error.message : error));
  } finally {
    if (page.asked === questions) page.asked = null;
  }
}

/** Back to the overview, with what came of it. @param {TrainPage} page @param {string} [problem] */
function finish(page, problem = "") {
  const { round, practice, parts, game } = page;
  page.questions = null;
  clearExercise(practice.exercise);
  const text = problem || t("train.done", { solved: round.solved, count: round.asked });
  parts.message.replaceChildren(text);
  if (game) {
    const back = boardAddress(game, undefined, { review: true });
    parts.message.append(" ", html("a", { href: back }, t("train.to_review")));
  }
  parts.message.hidden = false;
  practice.page.hidden = true;
  parts.home.hidden = false;
  drawHome(page);
  parts.message.focus();
}

/** The numbers of the moves that changed the result. @param {PositionQuery} game */
async function mistakesOf(game) {
  /** @type {ReviewView} */
  const review = await ask("/api/review", { ...queryOf(game), time_s: REVIEW_S });
  return review.moves.filter(isError).map(({ number }) => number);
}
