// The Train page: what is due and how it goes; the cards and new puzzles one after the other; the mistakes of
// a game; and the attempts as a file for the terminal.

import { pageAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { ask, askWhole } from "../backend/backend.js";
import { button, html } from "../elements/dom.js";
import { colorName } from "../words/names.js";
import { boardAddress, queryOf, upTo } from "../backend/positions.js";
import { STANDARD, isSameSize } from "../words/sizes.js";
import { isError } from "../study/review-parts.js";
import { stateOf } from "../study/board-state.js";
import { rich, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { SIZES, puzzleText, repertoireText } from "./collection.js";
import { Exercise } from "./exercise.js";
import { History, HistoryError, MOST_LETTERS } from "./history.js";
import { judged } from "./judge.js";
import { ratingPlot } from "./plot.js";
import { themeName } from "./said.js";
import { Standing, saveHistory, writeDown } from "./standing.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/** @typedef {import("./history.js").Training} Training */
/** @typedef {import("./collection.js").Player} Player */
/** @typedef {{ puzzle: Puzzle, card: string | null, label: string, isOnly?: boolean }} Question */

const NEW = 5; // puzzles after the cards that are due
const WEAKEST = 3; // themes that are named
const REVIEW_S = 60;

/** Draw the page into *root*. @param {HTMLElement} root */
export function trainPage(root) {
  document.title = t("train.page_title");
  new TrainPage(root).start();
}

class TrainPage {
  #history = new History();
  #standing = new Standing(this.#history);
  #exercise = new Exercise({
    onAnswered: (answer) => this.#answered(answer),
    onNext: () => this.#next(),
  });
  /** @type {AsyncGenerator<Question> | null} */
  #questions = null;
  /** @type {AsyncGenerator<Question> | null} Those of which the next one is on its way. */
  #asked = null;
  #round = { asked: 0, solved: 0 };
  #label = html("p", { class: "train-label" });
  #now = html(
    "section",
    { class: "card puzzle-standing", "aria-label": t("puzzle.standing") },
    this.#label,
  );
  #home = html("div", { class: "train-home" });
  #status = html("div", { class: "train-status" });
  #openings = html("div", { class: "train-openings" });
  #message = html("p", { class: "train-message", tabindex: "-1", hidden: true });
  #fileNews = html("p", { class: "study-hint train-news" });
  #work;
  /** @type {import("../backend/positions.js").PositionQuery | null} The game whose mistakes are trained. */
  #game = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    const side = html(
      "div",
      { class: "study-side" },
      this.#now,
      this.#exercise.explanation,
      html(
        "div",
        { class: "actions puzzle-leave" },
        button(t("train.stop"), () => this.#finish(), { picture: "close" }),
      ),
      html("p", { class: "keys" }, t("puzzle.keys")),
    );
    this.#work = html(
      "div",
      { class: "study-page puzzle-page", hidden: true },
      this.#exercise.main,
      side,
    );
    root.replaceChildren(
      html("h1", { class: "visually-hidden" }, t("nav.train")),
      this.#message,
      this.#home,
      this.#work,
    );
  }

  start() {
    const query = new URLSearchParams(window.location.search);
    this.#drawHome();
    if (query.get("moves")) this.#trainMistakes(query);
  }

  // ---- What there is to do -----------------------------------------------------------------------

  async #drawHome() {
    const training = await this.#history.readable();
    const { cards } = training;
    const due = training.due.length;
    const known = cards.filter((each) => each.is_known).length;
    const figure = (/** @type {number} */ count, /** @type {string} */ words) =>
      html("li", {}, html("b", {}, count), ` ${words}`);
    const begin = button(t("train.start"), () => this.#begin(this.#training()), {
      kind: "primary large",
    });
    this.#status.replaceChildren(
      html(
        "ul",
        { class: "train-figures" },
        figure(due, t("train.due")),
        figure(cards.length - due - known, t("train.resting")),
        figure(known, t("train.known")),
      ),
      html("p", { class: "study-hint" }, t("train.round", { due, count: NEW })),
      begin,
      this.#nextDue(training),
    );
    this.#home.replaceChildren(
      card("train-today", t("train.today"), this.#status),
      card("train-progress", t("train.progress"), ...this.#progress(training)),
      card(
        "train-openings",
        t("train.openings"),
        html("p", {}, t("train.openings_text")),
        this.#openings,
      ),
      card("train-file", t("train.file"), ...this.#files(training)),
      card("train-how", t("train.how"), html("p", {}, t("train.how_text"))),
    );
    this.#standing.update();
    await this.#drawOpenings();
  }

  /** What is seen and what is due of both repertoires. */
  async #drawOpenings() {
    const row = async (/** @type {Player} */ player) => {
      const { cards, seen, due } = await this.#repertoireOf(player, 0);
      const who = colorName(player === "first" ? 1 : 2);
      const begin = () => this.#begin(this.#repertoire(player));
      return html(
        "li",
        {},
        button(t("train.learn_side", { who }), begin, { "data-side": player }),
        html("span", {}, t("train.seen", { count: seen, cards, due: due.length })),
      );
    };
    try {
      const rows = await Promise.all([row("first"), row("second")]);
      this.#openings.replaceChildren(html("ul", { class: "train-sides" }, ...rows));
    } catch {
      this.#openings.replaceChildren(html("p", { class: "study-hint" }, t("train.openings_missing")));
    }
  }

  /** When the next card is due, if none is now. @param {Training} training */
  #nextDue({ next_due: next, due }) {
    if (next === null || due.length) return "";
    const when = new Date(next).toLocaleDateString(document.documentElement.lang, {
      dateStyle: "medium",
    });
    return html("p", { class: "study-hint" }, t("train.next_due", { when }));
  }

  /** @param {Training} training */
  #progress({ strengths, themes }) {
    const weak = themes.filter(({ solved, tried }) => solved < tried).slice(0, WEAKEST);
    const records = weak.map(({ theme, solved, tried }) => {
      const address = pageAddress("puzzles", new URLSearchParams({ theme }));
      return html(
        "li",
        {},
        html("a", { href: address }, themeName(theme)),
        ` ${t("train.record", { solved, tried })}`,
      );
    });
    return [
      this.#standing.element,
      ratingPlot(strengths.map(([rating]) => rating)),
      html("h3", {}, t("train.weak")),
      records.length
        ? html("ul", { class: "train-weak" }, ...records)
        : html("p", { class: "study-hint" }, t("train.no_weak")),
    ];
  }

  /** @param {Training} training */
  #files({ answered: { length: count } }) {
    const file = html("input", {
      type: "file",
      id: "train-import",
      accept: ".jsonl,application/jsonl,application/x-ndjson,text/plain",
      on: { change: () => this.#import(file) },
    });
    const command = html("code", {}, "fourcast train --import training.jsonl");
    return [
      html("p", {}, t("train.attempts", { count })),
      html(
        "div",
        { class: "actions" },
        button(t("train.export"), () => saveHistory(this.#history), { "aria-disabled": String(!count) }),
        html("label", { class: "button study-file", for: "train-import" }, t("train.import"), file),
      ),
      html("p", { class: "study-hint" }, ...rich("train.file_text", { command })),
      this.#fileNews,
    ];
  }

  /** @param {HTMLInputElement} input */
  async #import(input) {
    const file = input.files?.[0];
    if (!file) return;
    this.#fileNews.textContent = await this.#take(file);
    announce(this.#fileNews.textContent);
    await this.#drawHome();
    this.#home.querySelector("#train-import")?.parentElement?.scrollIntoView({ block: "nearest" });
  }

  /** Add the attempts of a file; returns what came of it. @param {File} file */
  async #take(file) {
    const { name } = file;
    if (file.size > MOST_LETTERS) return t("train.import_large", { name });
    try {
      return t("train.imported", { name, count: await this.#history.merge(await file.text()) });
    } catch (error) {
      if (error instanceof HistoryError) return t("train.import_bad", { name, line: error.line });
      throw error;
    }
  }

  // ---- A round -----------------------------------------------------------------------------------

  /** The cards that are due, then new puzzles, every other one of the weakest theme. */
  async *#training() {
    const { due } = await this.#history.readable();
    for (const [index, { puzzle, box }] of due.entries()) {
      const label = t("train.card_label", { number: index + 1, count: due.length });
      const hasOthers = SIZES.some((size) => isSameSize(size, puzzle));
      const text = hasOthers ? await puzzleText(puzzle) : null;
      const request = { puzzle, box, text, chances: [Math.random(), Math.random()] };
      yield { puzzle: await askWhole("card.question", request), card: puzzle.id, label };
    }
    const text = await puzzleText(STANDARD);
    const { themes } = await this.#history.readable();
    const weakest = themes.find(({ solved, tried }) => solved < tried)?.theme ?? null;
    for (let number = 0; number < NEW; number += 1) {
      const { strengths, tried } = await this.#history.readable();
      const [rating] = strengths[strengths.length - 1];
      const theme = number % 2 === 0 ? weakest : null;
      const wanted = { rating, theme, without: tried, chance: Math.random() };
      const puzzle = await askWhole("puzzles.pick", { text, ...wanted });
      const label = t("train.new_label", { number: number + 1, count: NEW });
      if (puzzle) yield { puzzle, card: null, label };
    }
  }

  /** What is due of a repertoire, and up to *count* new cards. @param {Player} player @param {number} count */
  async #repertoireOf(player, count) {
    const cards = await askWhole("repertoire.read", { text: await repertoireText(player) });
    const text = (await this.#history.readable()).answered.length ? this.#history.text : "";
    return askWhole("repertoire", { cards, text, now: Date.now(), count });
  }

  /** The cards of a repertoire that are due, then new ones. @param {Player} player */
  async *#repertoire(player) {
    const { cards: count, due, fresh } = await this.#repertoireOf(player, NEW);
    for (const { puzzle, mirrored, card: name, number } of [...due, ...fresh]) {
      const label = t("train.opening_label", { number, count });
      const isMirrored = name !== null && Math.random() < 0.5;
      yield { puzzle: isMirrored ? mirrored : puzzle, card: name, label, isOnly: true };
    }
  }

  /** @param {URLSearchParams} query */
  async #trainMistakes(query) {
    const { start, moves, width, height } = stateOf(window.location.search);
    this.#game = { start, moves, width, height };
    const numbers = (query.get("mistakes") ?? "").split(".").filter((each) => /^\d{1,3}$/.test(each));
    await this.#begin(this.#mistakes(this.#game, numbers.map(Number)));
  }

  /** The mistakes of a game as exercises; all of them if none are named.
   * @param {import("../backend/positions.js").PositionQuery} game @param {number[]} named */
  async *#mistakes(game, named) {
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
      const { tried } = await this.#history.readable();
      yield { puzzle, card: tried.includes(puzzle.id) ? puzzle.id : null, label };
    }
  }

  /** @param {AsyncGenerator<Question>} questions */
  async #begin(questions) {
    this.#questions = questions;
    this.#round = { asked: 0, solved: 0 };
    this.#message.hidden = true;
    this.#home.hidden = true;
    this.#now.append(this.#standing.element);
    this.#work.hidden = false;
    this.#exercise.reserve(this.#game ?? STANDARD);
    await this.#next();
    this.#exercise.focus();
  }

  async #next() {
    const questions = this.#questions;
    if (!questions || this.#asked === questions) return;
    this.#asked = questions;
    this.#label.textContent = t("train.loading");
    this.#exercise.clear();
    try {
      const { value, done } = await questions.next();
      if (this.#questions !== questions) return; // another round has begun, or none
      if (done || !value) {
        this.#finish();
        return;
      }
      this.#label.textContent = value.label;
      this.#standing.update();
      const { puzzle, card: name, isOnly } = value;
      await this.#exercise.ask(puzzle, { card: name, next: t("train.next"), isOnly });
    } catch (error) {
      if (this.#questions !== questions) return;
      this.#finish(describeError(error instanceof Error ? error.message : error));
    } finally {
      if (this.#asked === questions) this.#asked = null;
    }
  }

  /** @param {import("./exercise.js").Answer} answer */
  async #answered(answer) {
    this.#round.asked += 1;
    this.#round.solved += answer.solved && !answer.hints ? 1 : 0;
    const { strengths } = await this.#history.readable();
    await writeDown(this.#history, answer);
    this.#standing.update(strengths[strengths.length - 1][0]);
  }

  /** Back to the overview, with what came of it. @param {string} [problem] */
  #finish(problem = "") {
    this.#questions = null;
    this.#exercise.clear();
    const { asked, solved } = this.#round;
    const text = problem || t("train.done", { solved, count: asked });
    this.#message.replaceChildren(text);
    if (this.#game) {
      const back = boardAddress(this.#game, undefined, { review: true });
      this.#message.append(" ", html("a", { href: back }, t("train.to_review")));
    }
    this.#message.hidden = false;
    this.#work.hidden = true;
    this.#home.hidden = false;
    this.#drawHome();
    this.#message.focus();
  }
}

/** The numbers of the moves that changed the result. @param {import("../backend/positions.js").PositionQuery} game */
async function mistakesOf(game) {
  /** @type {ReviewView} */
  const review = await ask("/api/review", { ...queryOf(game), time_s: REVIEW_S });
  return review.moves.filter(isError).map(({ number }) => number);
}

/** @param {string} id @param {string} title @param {(Node | string)[]} content */
function card(id, title, ...content) {
  return html(
    "section",
    { class: "card", "aria-labelledby": id },
    html("h2", { id }, title),
    ...content,
  );
}
