// The Puzzles page: one puzzle after the other, by theme and by rating, of the day, by its id, or a storm.

import { pageAddress } from "../backend/addresses.js";
import { askWhole } from "../backend/backend.js";
import { card, html } from "../elements/dom.js";
import { copyButton } from "../elements/copy.js";
import { field, optionsOf } from "../elements/fields.js";
import { ratingText } from "./standing.js";
import { STANDARD, formatSize, isSameSize, parseSize } from "../words/sizes.js";
import { t } from "../words/text.js";
import { SIZES, puzzleText } from "./collection.js";
import { askPuzzle, clearExercise, complain, reserveExercise } from "./exercise.js";
import { findPuzzle, makePractice, pickPuzzle } from "./practice.js";
import { isTheme, spoken, themeChoices } from "./said.js";
import { answeredInStorm, nextOfStorm, startStorm, stopStorm } from "./storm.js";

/**
 * @typedef {object} Wish What somebody wants to solve.
 * @property {Size} size
 * @property {string | null} theme
 * @property {number | null} rating what fits the person, if it is null
 * @property {string | null} id
 * @property {boolean} daily
 * @property {boolean} storm
 */
/**
 * @typedef {object} PuzzlesPage
 * @property {Wish} wish what the address or the choices ask for
 * @property {number} asked counts the questions: only the last one matters
 * @property {import("./storm.js").Storm | null} storm
 * @property {import("./practice.js").Practice} practice
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 */

const RATINGS = Array.from({ length: 14 }, (_, index) => 100 * (index + 2));
const MOST_RATING = 3000;
const DAY_MS = 86_400_000;

/** Draw the page into *root*. @param {HTMLElement} root */
export function puzzlesPage(root) {
  document.title = t("puzzle.page_title");
  const parts = makeParts(() => choose(page));
  const listeners = {
    onAnswered: () => drawRecord(page),
    onNext: () => (page.storm ? nextOfStorm(page.storm) : next(page)),
    onQuick: (/** @type {boolean} */ solved) => page.storm && answeredInStorm(page.storm, solved),
  };
  const practice = makePractice(listeners, parts.about, choices(parts));
  /** @type {PuzzlesPage} */
  const page = { wish: wishOf(window.location.search), asked: 0, storm: null, practice, parts };
  root.replaceChildren(html("h1.visually-hidden", t("nav.puzzles")), practice.page);
  reserveExercise(practice.exercise, page.wish.size);
  window.addEventListener("popstate", () => {
    page.wish = wishOf(window.location.search);
    open(page);
  });
  open(page);
}

/** @param {() => void} onChosen */
function makeParts(onChosen) {
  const select = (/** @type {string} */ id) => html("select", { id, on: { change: onChosen } });
  return {
    about: html("div.puzzle-about"),
    record: html("div.puzzle-record"),
    theme: select("puzzle-theme"),
    rating: select("puzzle-rating"),
    size: select("puzzle-size"),
  };
}

/** @param {ReturnType<typeof makeParts>} parts */
function choices({ theme, rating, size }) {
  const link = (/** @type {string} */ name, /** @type {string} */ label) => {
    const href = pageAddress("puzzles", new URLSearchParams({ [name]: "on" }));
    return html("a.button", { href }, label);
  };
  const train = html("a.button", { href: pageAddress("train") }, t("nav.train"));
  const ways = [link("daily", t("puzzle.daily")), link("storm", t("storm.title")), train];
  const element = card(
    "puzzle-choices-title",
    t("puzzle.choose"),
    field(t("puzzle.theme"), theme),
    field(t("puzzle.rating"), rating),
    field(t("puzzle.size"), size),
    html("div.actions", ...ways),
    html("p.keys", t("puzzle.keys")),
  );
  element.classList.add("puzzle-choices");
  return element;
}

/** Show what the address asks for. @param {PuzzlesPage} page */
async function open(page) {
  const { practice, wish } = page;
  practice.standing.update();
  fillChoices(page);
  if (page.storm) stopStorm(page.storm);
  page.storm = null;
  if (wish.storm) {
    page.parts.about.replaceChildren(
      html("h2", t("storm.title")),
      html("p.puzzle-difficulty", t("storm.text")),
    );
    page.storm = startStorm(practice.exercise);
  } else if (wish.daily) await ask(page, dailyPuzzle, "");
  else if (wish.id === null) await next(page);
  else await ask(page, () => findPuzzle(wish), t("puzzle.no_such", { id: wish.id }));
}

function today() {
  return Math.floor(Date.now() / DAY_MS);
}

async function dailyPuzzle() {
  return askWhole("puzzles.daily", { text: await puzzleText(STANDARD), day: today() });
}

/** @param {PuzzlesPage} page */
async function next(page) {
  page.wish = { ...page.wish, id: null, daily: false };
  await ask(page, () => pickPuzzle(page.practice, page.wish), t("puzzle.none_of_theme"));
}

/** @param {PuzzlesPage} page @param {() => Promise<Puzzle | null>} find @param {string} none what to say if there is none */
async function ask(page, find, none) {
  const { exercise } = page.practice;
  page.asked += 1;
  const number = page.asked;
  clearExercise(exercise);
  try {
    const puzzle = await find();
    if (number !== page.asked) return;
    if (puzzle) await show(page, puzzle);
    else complain(exercise, none);
  } catch (error) {
    if (number !== page.asked) return;
    complain(exercise, t("puzzle.not_loaded"));
    throw error;
  }
}

/** @param {PuzzlesPage} page @param {Puzzle} puzzle */
async function show(page, puzzle) {
  const { practice, wish, parts } = page;
  const { id, rating, error } = puzzle;
  const address = addressOf({ ...wish, id });
  // A puzzle that was tried before is a repetition: it does not change the rating again.
  const isKnown = (await practice.history.readable()).tried.includes(id);
  const title = wish.daily ? t("puzzle.daily") : t("puzzle.puzzle");
  parts.about.replaceChildren(
    html("h2", title, " ", html("a.puzzle-id", { href: address }, id)),
    html(
      "p.puzzle-difficulty",
      t("puzzle.difficulty", { rating: ratingText(rating, error) }),
      isKnown && html("span", ` ${t("puzzle.tried_before")}`),
    ),
    parts.record,
  );
  drawRecord(page);
  if (!wish.daily) window.history.replaceState(null, "", address);
  practice.standing.update();
  await askPuzzle(practice.exercise, puzzle, { card: isKnown ? id : null });
}

/** How somebody does with the puzzles of the days, and a text to share. @param {PuzzlesPage} page */
async function drawRecord({ wish, practice, parts }) {
  parts.record.replaceChildren();
  if (!wish.daily) return;
  const { text } = practice.history;
  const request = { text, puzzles: await puzzleText(STANDARD), day: today() };
  const { streak, share } = await askWhole("daily.record", request);
  if (!wish.daily || streak === undefined) return; // what is kept cannot be read
  const days = html("p", t("puzzle.days", { count: streak }));
  if (!share) return parts.record.replaceChildren(days);
  const address = new URL(
    pageAddress("puzzles", new URLSearchParams({ daily: "on" })),
    window.location.href,
  );
  const value = `${spoken(share)} ${address}`;
  const shared = html("input", { type: "text", readonly: true, value, "aria-label": t("share.title") });
  const row = html("div.share-row", shared, copyButton(t("copy.copy"), shared));
  parts.record.replaceChildren(days, row);
}

/** @param {PuzzlesPage} page */
function choose(page) {
  const { size, theme, rating } = page.parts;
  const wanted = { size: parseSize(size.value), theme: theme.value || null };
  const level = rating.value ? Number(rating.value) : null;
  page.wish = { ...wanted, rating: level, id: null, daily: false, storm: false };
  if (page.storm) stopStorm(page.storm);
  page.storm = null;
  next(page);
}

/** @param {PuzzlesPage} page */
function fillChoices({ wish, parts }) {
  const { size, theme, rating } = wish;
  themeChoices().then((themes) => fillSelect(parts.theme, themes, theme ?? ""));
  const ratings = rating === null || RATINGS.includes(rating) ? RATINGS : [rating, ...RATINGS];
  const levels = ratings.map((each) => [String(each), String(each)]);
  fillSelect(parts.rating, [["", t("puzzle.my_rating")], ...levels], String(rating ?? ""));
  const sizes = SIZES.map((each) => [formatSize(each), formatSize(each).replace("x", " × ")]);
  fillSelect(parts.size, sizes, formatSize(size));
}

/** @param {HTMLSelectElement} select @param {string[][]} options @param {string} chosen */
function fillSelect(select, options, chosen) {
  select.replaceChildren(...optionsOf(options, chosen));
}

/** @param {string} search @returns {Wish} */
function wishOf(search) {
  const query = new URLSearchParams(search);
  const theme = query.get("theme");
  const rating = query.get("rating") ?? "";
  return {
    size: SIZES.find((each) => formatSize(each) === query.get("size")) ?? STANDARD,
    theme: theme !== null && isTheme(theme) ? theme : null,
    rating: /^\d{1,4}$/.test(rating) ? Math.min(Number(rating), MOST_RATING) : null,
    id: query.get("id"),
    daily: query.has("daily"),
    storm: query.has("storm"),
  };
}

/** @param {Wish} wish */
function addressOf({ size, theme, rating, id, daily }) {
  const query = new URLSearchParams();
  if (id !== null) query.set("id", id);
  if (daily) query.set("daily", "on");
  if (theme !== null) query.set("theme", theme);
  if (rating !== null) query.set("rating", String(rating));
  if (!isSameSize(size, STANDARD)) query.set("size", formatSize(size));
  return pageAddress("puzzles", query);
}
