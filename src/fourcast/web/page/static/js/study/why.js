// "Why?": the reason for a result, or what a move does to it, in words and with marks on the board.

import { announce } from "../shell/announce.js";
import { isAbort } from "../backend/api.js";
import { ask } from "../backend/backend.js";
import { Latest } from "../backend/latest.js";
import { button, html, iconButton } from "../elements/dom.js";
import { legendOf, turnOf } from "../board/marks.js";
import { pointing } from "../board/pointing.js";
import { columnName, playerName, withMoves } from "../words/names.js";
import { queryOf } from "../backend/positions.js";
import { t } from "../words/text.js";
import { describeDelay, describeError, listMoves } from "../words/words.js";
import { Challenge } from "./challenge.js";
import { easelOf } from "./easel.js";

/**
 * @typedef {object} Picture Marks that can be drawn.
 * @property {PositionQuery} query the position that is explained
 * @property {MarksView} marks
 * @property {PositionQuery | null} start where the claim can be played against, if there is one
 * @property {HTMLButtonElement} toggle
 * @property {HTMLElement} legend
 */
/** @typedef {{ query: PositionQuery, column: number | null, isQuiet: boolean, hasInstead?: boolean }} Question */

// A first answer soon; where it has no reason yet, the server looks for longer.
const PATIENCE_S = [2, 10];
const SHORT = 6; // moves that a caption lists
const SETTLE_MS = 120; // stepping quickly through a game asks for no move that is only passed

let count = 0;

export class Why {
  #easel;
  #keepsBoard;
  #onClose;
  #challenge;
  /** @type {Question | null} */
  #question = null;
  #request = new Latest();
  #timer = 0;
  /** @type {Picture[]} */
  #pictures = [];
  /** @type {Picture | null} What is on the board. */
  #drawn = null;
  /** @type {Picture | null} What is played against. */
  #played = null;
  #owner = () => this.#showDrawn(null);
  #title;
  #head;
  #content = html("div.why-content");
  element = html("section.why", { hidden: true });

  /** *keepsBoard*: somebody plays on *board*, and another position takes its place only when they ask for that.
   * @param {Board} board
   * @param {{ heading?: "h3" | "h4", keepsBoard?: boolean, onClose?: () => void }} options */
  constructor(board, { heading = "h4", keepsBoard = false, onClose = () => {} } = {}) {
    const id = `why-${++count}`;
    this.#title = html(heading, { id, class: "why-title", tabindex: "-1" });
    this.element.setAttribute("aria-labelledby", id);
    this.#easel = easelOf(board);
    this.#keepsBoard = keepsBoard;
    this.#onClose = onClose;
    this.#challenge = new Challenge(this.#easel, { onLeave: () => this.#left() });
    this.#head = html(
      "div.why-head",
      this.#title,
      iconButton("close", t("why.close"), () => this.close({ isAsked: true })),
    );
    this.element.append(this.#head, this.#content);
    this.element.addEventListener("keydown", (event) => {
      const isMeant = event.key === "Escape" && !this.#head.hidden && !this.#challenge.isOpen;
      if (isMeant) this.close({ isAsked: true });
    });
  }

  get isOpen() {
    return this.#question !== null;
  }

  /** Say why *query* is won, lost or drawn. @param {PositionQuery} query */
  explainPosition(query) {
    this.#open({ query, column: null, isQuiet: false }, t("analysis.why"));
  }

  /** Say what *column* does to the result of *query*. *isQuiet*: nobody has asked, the words just appear.
   * *hasInstead*: also what would have been better. @param {PositionQuery} query @param {number} column */
  explainMove(query, column, { isQuiet = false, hasInstead = true } = {}) {
    this.#open({ query, column, isQuiet, hasInstead }, t("why.column", { column: columnName(column) }));
  }

  /** Take everything away; if somebody *isAsked*, they are told and the focus goes where it came from. */
  close({ isAsked = false } = {}) {
    if (!this.isOpen) return;
    this.#stop();
    this.#question = null;
    this.element.hidden = true;
    this.#content.replaceChildren();
    if (isAsked) this.#onClose();
  }

  /** Give the board back; the words stay. */
  clearBoard() {
    this.#challenge.stop();
    this.#easel.clear(this.#owner);
    this.#showDrawn(null);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#request.stop();
    this.element.removeAttribute("aria-busy");
    this.#clear();
  }

  /** Forget what was found. */
  #clear() {
    this.clearBoard();
    this.#pictures = [];
    this.#played = null;
  }

  // ---- Asking ------------------------------------------------------------------------------------

  /** @param {Question} question @param {string} title */
  #open(question, title) {
    this.#stop();
    this.#question = question;
    this.#title.textContent = title;
    this.#head.hidden = question.isQuiet;
    this.element.hidden = false;
    this.#say(t("why.looking"));
    if (question.isQuiet) {
      this.#timer = window.setTimeout(() => this.#ask(question, 0), SETTLE_MS);
      return;
    }
    this.#title.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
    this.#ask(question, 0);
  }

  /** What shows the answer, when it is there.
   * @param {Question} question @param {{ time_s: number }} asked @param {number} attempt @param {AbortSignal} signal */
  async #answer(question, asked, attempt, signal) {
    const { column } = question;
    if (column === null) {
      const reason = await ask("/api/explain", asked, { signal });
      return () => this.#showPosition(question, reason, attempt);
    }
    const move = await ask("/api/explain-move", { ...asked, column }, { signal });
    return () => this.#showMove(question, move, attempt);
  }

  /** @param {Question} question @param {number} attempt */
  async #ask(question, attempt) {
    const { query } = question;
    if (this.#question !== question) return;
    const asked = { ...queryOf(query), time_s: PATIENCE_S[attempt] };
    this.element.setAttribute("aria-busy", "true");
    try {
      const show = await this.#request.ask((signal) => this.#answer(question, asked, attempt, signal));
      this.element.removeAttribute("aria-busy");
      // Somebody who plays against a reason meanwhile is left alone.
      if (this.#challenge.isOpen) return;
      const hadFocus = this.#content.contains(document.activeElement);
      show();
      if (hadFocus) this.#title.focus({ preventScroll: true }); // what had it is gone
    } catch (error) {
      if (isAbort(error)) return;
      this.element.removeAttribute("aria-busy");
      this.#failed(question, error, attempt);
    }
  }

  /** @param {Question} question @param {unknown} error @param {number} attempt */
  #failed(question, error, attempt) {
    const why = describeDelay(error) ?? describeError(error);
    this.#say(
      why,
      this.#again(question, Math.min(attempt + 1, PATIENCE_S.length - 1), t("error.try_again")),
    );
    if (!question.isQuiet) announce(why);
  }

  /** @param {Question} question @param {number} attempt @param {string} label */
  #again(question, attempt, label) {
    const again = () => {
      this.#say(t("why.looking"));
      this.#title.focus({ preventScroll: true });
      this.#ask(question, attempt);
    };
    return html("div.why-actions", button(label, again, { kind: "small", picture: "again" }));
  }

  /** @param {string} text @param {Node[]} more */
  #say(text, ...more) {
    this.#content.replaceChildren(html("p.study-status", text), ...more);
  }

  // ---- Showing -----------------------------------------------------------------------------------

  /** @param {Question} question @param {ExplanationView} view @param {number} attempt */
  #showPosition(question, view, attempt) {
    this.#clear();
    this.#title.textContent = titleOf(view);
    this.#fill(question, this.#reason(question.query, view), {
      views: [view],
      text: view.text,
      attempt,
    });
  }

  /** @param {Question} question @param {MoveExplanationView} view @param {number} attempt */
  #showMove(question, view, attempt) {
    this.#clear();
    const { query } = question;
    const after = (/** @type {number} */ first) => withMoves(query, [first]);
    const [head, ...follows] = view.text.split("\n");
    /** @type {Node[]} */
    const parts = [
      html("p.why-verdict", head),
      ...follows.map((text) => this.#paragraph("p.why-claim", text)),
    ];
    const { reason, better, instead, column } = view;
    const section = (/** @type {string} */ title, /** @type {Node[]} */ content) =>
      html("section.why-part", html("h4", title), ...content);
    if (reason) {
      const title = t("why.after", { column: columnName(column) });
      parts.push(section(title, this.#reason(after(column), reason, { hasIdea: false })));
    }
    if (instead !== null && question.hasInstead) {
      const title = t("why.instead", { column: columnName(instead) });
      // A column that ends the game needs no reason: the last line says that it does.
      const won = [html("p.why-verdict", view.proof.split("\n").at(-1) ?? "")];
      parts.push(section(title, better ? this.#reason(after(instead), better) : won));
    }
    const views = question.hasInstead ? [reason, better] : [reason];
    this.#fill(question, parts, { views, text: view.text, attempt });
  }

  /** @param {Question} question @param {Node[]} parts
   * @param {{ views: (ExplanationView | null)[], text: string, attempt: number }} found */
  #fill(question, parts, { views, text, attempt }) {
    const isOpen = views.some((view) => view && !view.complete && !view.claims.length);
    const goesOn = isOpen && attempt + 1 < PATIENCE_S.length;
    const more = goesOn ? [html("p.study-status", t("why.longer"))] : [];
    this.#content.replaceChildren(...parts, ...more, this.#challenge.element);
    const [first] = this.#pictures;
    // What somebody asked for is shown wherever it is; else only what is about the board that they see.
    const isElsewhereToo = !question.isQuiet && !this.#keepsBoard;
    if (first && (isElsewhereToo || this.#easel.isHere(first.marks))) this.#draw(first);
    if (!question.isQuiet && !goesOn) announce(text);
    if (goesOn) this.#ask(question, attempt + 1);
  }

  /** A text whose squares point at the board. @param {"p.why-claim" | "p.why-step"} kind @param {string} text */
  #paragraph(kind, text) {
    return html(kind, ...pointing(text, () => this.#easel.shown));
  }

  /** An explanation in words, what can be done with each of its claims, and its proof in a fold.
   * *hasIdea*: nobody has said the idea yet.
   * @param {PositionQuery} query @param {ExplanationView} view */
  #reason(query, view, { hasIdea = true } = {}) {
    const [verdict, ...idea] = view.text.split("\n");
    const words = [html("p.why-verdict", verdict)];
    if (hasIdea) words.push(...idea.map((text) => this.#paragraph("p.why-claim", text)));
    if (!view.claims.length) {
      const [marks] = view.marks;
      return marks.line.length ? [...words, this.#picture(query, marks, null)] : words;
    }
    const start = withMoves(query, view.line);
    const proof = view.proof.split("\n").slice(1);
    return [
      ...words,
      ...view.marks.map((marks) => this.#picture(query, marks, start)),
      html(
        "details.why-proof",
        html("summary", t("why.proof")),
        ...proof.map((text) => this.#paragraph("p.why-step", text)),
      ),
    ];
  }

  /** What can be done with a claim. @param {PositionQuery} query @param {MarksView} marks @param {PositionQuery | null} start */
  #picture(query, marks, start) {
    const toggle = button(t("why.show"), () => this.#toggle(picture), {
      kind: "small",
      "aria-pressed": "false",
    });
    const legend = html("div.why-legend", { hidden: true });
    /** @type {Picture} */
    const picture = { query, marks, start, toggle, legend };
    this.#pictures.push(picture);
    const play = start && button(t("challenge.title"), () => this.#play(picture), { kind: "small" });
    return html("div.why-picture", html("div.why-actions", toggle, play), legend);
  }

  // ---- On the board ------------------------------------------------------------------------------

  /** @param {Picture} picture */
  #toggle(picture) {
    if (this.#drawn === picture) this.clearBoard();
    else this.#draw(picture);
  }

  /** @param {Picture} picture */
  async #draw(picture) {
    const { marks, query } = picture;
    this.#showDrawn(picture);
    const columns = marks.played.map(([column]) => column);
    const place = withMoves(query, columns);
    const extra = place.moves.slice(this.#question?.query.moves.length ?? 0);
    const more = extra.length;
    const where = more > SHORT ? t("why.more_moves", { count: more }) : listMoves(extra);
    const caption = t("why.caption", { where, player: playerName(turnOf(marks)) });
    try {
      await this.#easel.draw(this.#owner, marks, place, caption);
    } catch (error) {
      this.#showDrawn(null);
      announce(describeError(error));
    }
  }

  /** Say at the buttons what is on the board. @param {Picture | null} picture */
  #showDrawn(picture) {
    this.#drawn = picture;
    for (const each of this.#pictures) {
      const isDrawn = each === picture;
      each.toggle.setAttribute("aria-pressed", String(isDrawn));
      each.legend.hidden = !isDrawn;
      each.legend.replaceChildren(...(isDrawn ? [legendOf(each.marks)] : []));
    }
  }

  /** @param {Picture} picture */
  #play(picture) {
    const { start, marks, toggle } = picture;
    if (!start) return;
    this.#played = picture;
    toggle.closest(".why-picture")?.append(this.#challenge.element);
    this.#challenge.start({ query: start, marks });
  }

  /** Back from the board to the reason. */
  #left() {
    const picture = this.#played;
    this.#played = null;
    if (!picture || !this.isOpen) return;
    this.#draw(picture);
    const opener = picture.toggle.nextElementSibling;
    if (opener instanceof HTMLElement) opener.focus();
  }
}

/** @param {ExplanationView} view */
function titleOf({ verdict: { outcome, winner } }) {
  if (winner) return t("why.wins", { player: playerName(winner) });
  return t(outcome === "draw" ? "why.draw" : "analysis.why");
}
