// The Puzzles page: one puzzle after the other, by theme and by rating, of the day, or by its id.

import { pageAddress } from "../backend/addresses.js";
import { askWhole } from "../backend/backend.js";
import { html } from "../elements/dom.js";
import { STANDARD, formatSize, isSameSize, parseSize } from "../words/sizes.js";
import { t } from "../words/text.js";
import { SIZES, puzzleText } from "./collection.js";
import { Exercise } from "./exercise.js";
import { History } from "./history.js";
import { isTheme, themeName } from "./said.js";
import { Standing, writeDown } from "./standing.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/**
 * @typedef {object} Wish What somebody wants to solve.
 * @property {import("../words/sizes.js").Size} size
 * @property {string | null} theme
 * @property {number | null} rating as strong as they are, if it is null
 * @property {string | null} id
 * @property {boolean} daily
 */

const RATINGS = Array.from({ length: 14 }, (_, index) => 100 * (index + 2));
const MOST_RATING = 3000;
const DAY_MS = 86_400_000;

/** Draw the page into *root*. @param {HTMLElement} root */
export function puzzlesPage(root) {
  document.title = t("puzzle.page_title");
  new PuzzlesPage(root).start();
}

class PuzzlesPage {
  #history = new History();
  #standing = new Standing(this.#history);
  #exercise = new Exercise({
    onAnswered: (answer) => this.#answered(answer),
    onNext: () => this.#next(),
  });
  /** @type {Wish} */
  #wish = wishOf(window.location.search);
  #asked = 0;
  #about = html("div", { class: "puzzle-about" });
  #theme = html("select", { id: "puzzle-theme", on: { change: () => this.#chosen() } });
  #rating = html("select", { id: "puzzle-rating", on: { change: () => this.#chosen() } });
  #size = html("select", { id: "puzzle-size", on: { change: () => this.#chosen() } });

  /** @param {HTMLElement} root */
  constructor(root) {
    root.replaceChildren(
      html(
        "div",
        { class: "study-page puzzle-page" },
        html("h1", { class: "visually-hidden" }, t("nav.puzzles")),
        this.#exercise.main,
        html(
          "div",
          { class: "study-side" },
          html(
            "section",
            { class: "card puzzle-standing", "aria-label": t("puzzle.standing") },
            this.#about,
            this.#standing.element,
          ),
          this.#exercise.explanation,
          this.#choices(),
        ),
      ),
    );
    this.#exercise.reserve(this.#wish.size);
    window.addEventListener("popstate", () => {
      this.#wish = wishOf(window.location.search);
      this.start();
    });
  }

  #choices() {
    const field = (/** @type {string} */ label, /** @type {HTMLSelectElement} */ select) =>
      html("label", { class: "field" }, html("span", {}, label), select);
    const daily = pageAddress("puzzles", new URLSearchParams({ daily: "on" }));
    return html(
      "section",
      { class: "card puzzle-choices", "aria-labelledby": "puzzle-choices-title" },
      html("h2", { id: "puzzle-choices-title" }, t("puzzle.choose")),
      field(t("puzzle.theme"), this.#theme),
      field(t("puzzle.rating"), this.#rating),
      field(t("puzzle.size"), this.#size),
      html(
        "div",
        { class: "actions" },
        html("a", { class: "button", href: daily }, t("puzzle.daily")),
        html("a", { class: "button", href: pageAddress("train") }, t("nav.train")),
      ),
      html("p", { class: "keys" }, t("puzzle.keys")),
    );
  }

  /** Show what the address asks for. */
  async start() {
    this.#standing.update();
    this.#fillChoices();
    const { id, daily, size } = this.#wish;
    if (id === null && !daily) {
      await this.#next();
      return;
    }
    await this.#ask(
      async () => {
        const text = await puzzleText(daily ? STANDARD : size);
        if (daily) return askWhole("puzzles.daily", { text, day: Math.floor(Date.now() / DAY_MS) });
        return askWhole("puzzles.find", { text, id });
      },
      t("puzzle.no_such", { id: id ?? "" }),
    );
  }

  async #next() {
    const { size, theme, rating } = this.#wish;
    this.#wish = { ...this.#wish, id: null, daily: false };
    await this.#ask(async () => {
      const [text, { strengths, tried }] = await Promise.all([
        puzzleText(size),
        this.#history.readable(),
      ]);
      const level = rating ?? strengths[strengths.length - 1][0];
      const wanted = { rating: level, theme, without: tried, chance: Math.random() };
      return askWhole("puzzles.pick", { text, ...wanted });
    }, t("puzzle.none_of_theme"));
  }

  /** @param {() => Promise<Puzzle | null>} choose @param {string} none what to say if there is none */
  async #ask(choose, none) {
    this.#asked += 1;
    const number = this.#asked;
    this.#exercise.clear();
    try {
      const puzzle = await choose();
      if (number !== this.#asked) return;
      if (puzzle) await this.#show(puzzle);
      else this.#exercise.complain(none);
    } catch (error) {
      if (number !== this.#asked) return;
      this.#exercise.complain(t("puzzle.not_loaded"));
      throw error;
    }
  }

  /** @param {Puzzle} puzzle */
  async #show(puzzle) {
    const { id } = puzzle;
    const address = addressOf({ ...this.#wish, id });
    // Who has tried it before does not gain by it again: it counts as a repetition.
    const isKnown = (await this.#history.readable()).tried.includes(id);
    const { daily } = this.#wish;
    this.#about.replaceChildren(
      html(
        "h2",
        {},
        daily ? t("puzzle.daily") : t("puzzle.puzzle"),
        " ",
        html("a", { class: "puzzle-id", href: address }, id),
      ),
      html(
        "p",
        { class: "puzzle-difficulty" },
        t("puzzle.difficulty", { rating: puzzle.rating, error: puzzle.error }),
        isKnown && html("span", {}, ` ${t("puzzle.tried_before")}`),
      ),
    );
    if (!daily) window.history.replaceState(null, "", address);
    this.#standing.update();
    await this.#exercise.ask(puzzle, { card: isKnown ? id : null });
  }

  /** @param {import("./exercise.js").Answer} answer */
  async #answered(answer) {
    const { strengths } = await this.#history.readable();
    await writeDown(this.#history, answer);
    this.#standing.update(strengths[strengths.length - 1][0]);
  }

  #chosen() {
    const size = parseSize(this.#size.value);
    const theme = this.#theme.value || null;
    const rating = this.#rating.value ? Number(this.#rating.value) : null;
    this.#wish = { size, theme, rating, id: null, daily: false };
    this.#next();
  }

  #fillChoices() {
    const { size, theme, rating } = this.#wish;
    const option = (
      /** @type {string} */ value,
      /** @type {string} */ text,
      /** @type {boolean} */ selected,
    ) => html("option", { value, selected }, text);
    askWhole("themes", null).then((/** @type {{ name: string }[]} */ themes) =>
      this.#theme.replaceChildren(
        option("", t("puzzle.any_theme"), theme === null),
        ...themes.map(({ name }) => option(name, themeName(name), name === theme)),
      ),
    );
    const ratings = rating === null || RATINGS.includes(rating) ? RATINGS : [rating, ...RATINGS];
    this.#rating.replaceChildren(
      option("", t("puzzle.my_rating"), rating === null),
      ...ratings.map((each) => option(String(each), String(each), each === rating)),
    );
    this.#size.replaceChildren(
      ...SIZES.map((each) =>
        option(formatSize(each), formatSize(each).replace("x", " × "), isSameSize(each, size)),
      ),
    );
  }
}

/** @param {string} search @returns {Wish} */
function wishOf(search) {
  const query = new URLSearchParams(search);
  const theme = query.get("theme");
  const rating = query.get("rating") ?? "";
  const size = SIZES.find((each) => formatSize(each) === query.get("size")) ?? STANDARD;
  return {
    size,
    theme: theme !== null && isTheme(theme) ? theme : null,
    rating: /^\d{1,4}$/.test(rating) ? Math.min(Number(rating), MOST_RATING) : null,
    id: query.get("id"),
    daily: query.has("daily"),
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
