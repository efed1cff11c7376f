// The Train page: what is due and how it goes; the cards and new puzzles one after the other; the mistakes of
// a game; and the attempts as a file for the terminal.

import { pageAddress } from "../backend/addresses.js";
import { announce } from "../shell/announce.js";
import { ask } from "../backend/backend.js";
import { button, html } from "../elements/dom.js";
import { colorName } from "../words/names.js";
import { boardAddress, queryOf } from "../backend/positions.js";
import { STANDARD } from "../words/sizes.js";
import { isError } from "../study/review-parts.js";
import { stateOf } from "../study/board-state.js";
import { rich, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { exerciseOf } from "./attempt.js";
import { cardsOf, dueCards, isKnown, questionOf, weakThemes } from "./cards.js";
import { collectionOf } from "./collection.js";
import { Exercise } from "./exercise.js";
import { History, HistoryError, MOST_LETTERS, strengthsOf } from "./history.js";
import { judge } from "./judge.js";
import { ratingPlot } from "./plot.js";
import { idOf } from "./puzzle.js";
import { repertoireOf, repertoireQuestions, seenOf } from "./repertoire.js";
import { themeName } from "./said.js";
import { Standing, readable, saveHistory, writeDown } from "./standing.js";

/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
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

  #drawHome() {
    const answered = readable(this.#history);
    const now = Date.now();
    const cards = [...cardsOf(answered).values()];
    const due = dueCards(answered, now).length;
    const known = cards.filter(isKnown).length;
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
      this.#nextDue(cards, now),
    );
    this.#home.replaceChildren(
      card("train-today", t("train.today"), this.#status),
      card("train-progress", t("train.progress"), ...this.#progress(answered)),
      card(
        "train-openings",
        t("train.openings"),
        html("p", {}, t("train.openings_text")),
        this.#openings,
      ),
      card("train-file", t("train.file"), ...this.#files()),
      card("train-how", t("train.how"), html("p", {}, t("train.how_text"))),
    );
    this.#standing.update();
    this.#drawOpenings(answered);
  }

  /** What is seen and what is due of both repertoires. @param {import("./history.js").Answered[]} answered */
  async #drawOpenings(answered) {
    const seen = seenOf(answered);
    const row = async (/** @type {import("./repertoire.js").Player} */ player) => {
      const cards = await repertoireOf(player);
      const count = cards.filter((puzzle) => seen.has(idOf(puzzle))).length;
      const { due } = repertoireQuestions(cards, answered, Date.now(), { count: 0 });
      const who = colorName(player === "first" ? 1 : 2);
      const begin = () => this.#begin(this.#repertoire(player));
      return html(
        "li",
        {},
        button(t("train.learn_side", { who }), begin, { "data-side": player }),
        html("span", {}, t("train.seen", { count, cards: cards.length, due: due.length })),
      );
    };
    try {
      const rows = await Promise.all([row("first"), row("second")]);
      this.#openings.replaceChildren(html("ul", { class: "train-sides" }, ...rows));
    } catch {
      this.#openings.replaceChildren(html("p", { class: "study-hint" }, t("train.openings_missing")));
    }
  }

  /** When the next card is due, if none is now. @param {import("./cards.js").Card[]} cards @param {number} now */
  #nextDue(cards, now) {
    const later = cards.filter((each) => !isKnown(each) && each.due > now).map((each) => each.due);
    if (!later.length || cards.some((each) => !isKnown(each) && each.due <= now)) return "";
    const when = new Date(Math.min(...later)).toLocaleDateString(document.documentElement.lang, {
      dateStyle: "medium",
    });
    return html("p", { class: "study-hint" }, t("train.next_due", { when }));
  }

  /** @param {import("./history.js").Answered[]} answered */
  #progress(answered) {
    const ratings = strengthsOf(answered).map(({ rating }) => rating);
    const weak = weakThemes(answered).slice(0, WEAKEST);
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
      ratingPlot(ratings),
      html("h3", {}, t("train.weak")),
      records.length
        ? html("ul", { class: "train-weak" }, ...records)
        : html("p", { class: "study-hint" }, t("train.no_weak")),
    ];
  }

  #files() {
    const file = html("input", {
      type: "file",
      id: "train-import",
      accept: ".jsonl,application/jsonl,application/x-ndjson,text/plain",
      on: { change: () => this.#import(file) },
    });
    const count = readable(this.#history).length;
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
    this.#drawHome();
    this.#home.querySelector("#train-import")?.parentElement?.scrollIntoView({ block: "nearest" });
  }

  /** Add the attempts of a file; returns what came of it. @param {File} file */
  async #take(file) {
    const { name } = file;
    if (file.size > MOST_LETTERS) return t("train.import_large", { name });
    try {
      return t("train.imported", { name, count: this.#history.merge(await file.text()) });
    } catch (error) {
      if (error instanceof HistoryError) return t("train.import_bad", { name, line: error.line });
      throw error;
    }
  }

  // ---- A round -----------------------------------------------------------------------------------

  /** The cards that are due, then new puzzles, every other one of the weakest theme. */
  async *#training() {
    const due = dueCards(readable(this.#history), Date.now());
    for (const [index, each] of due.entries()) {
      const label = t("train.card_label", { number: index + 1, count: due.length });
      yield { puzzle: await questionOf(each), card: idOf(each.puzzle), label };
    }
    const collection = await collectionOf(STANDARD);
    const weak = weakThemes(readable(this.#history)).map(({ theme }) => theme);
    for (let number = 0; number < NEW; number += 1) {
      const answered = readable(this.#history);
      const without = new Set(answered.map(({ puzzle }) => idOf(puzzle)));
      const theme = number % 2 === 0 ? (weak[0] ?? null) : null;
      const { rating = 0 } = strengthsOf(answered).at(-1) ?? {};
      const puzzle = collection.pick(rating, { theme, without });
      const label = t("train.new_label", { number: number + 1, count: NEW });
      if (puzzle) yield { puzzle, card: null, label };
    }
  }

  /** The cards of a repertoire that are due, then new ones. @param {import("./repertoire.js").Player} player */
  async *#repertoire(player) {
    const cards = await repertoireOf(player);
    const numbers = new Map(cards.map((puzzle, index) => [idOf(puzzle), index + 1]));
    const answered = readable(this.#history);
    const { due, fresh } = repertoireQuestions(cards, answered, Date.now(), { count: NEW });
    for (const each of [...due, ...fresh]) {
      const number = numbers.get(idOf(each.puzzle)) ?? 0;
      const label = t("train.opening_label", { number, count: cards.length });
      yield { ...each, label, isOnly: true };
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
      const puzzle = await exerciseOf(game, number, judge);
      const label = t("train.mistake_label", { number: index + 1, count: numbers.length, move: number });
      if (puzzle) yield { puzzle, card: this.#isTried(puzzle) ? idOf(puzzle) : null, label };
    }
  }

  /** @param {Puzzle} puzzle */
  #isTried(puzzle) {
    return readable(this.#history).some((each) => idOf(each.puzzle) === idOf(puzzle));
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
  #answered(answer) {
    const before = strengthsOf(readable(this.#history)).at(-1)?.rating ?? null;
    this.#round.asked += 1;
    this.#round.solved += answer.solved && !answer.hints ? 1 : 0;
    writeDown(this.#history, answer);
    this.#standing.update(before);
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
