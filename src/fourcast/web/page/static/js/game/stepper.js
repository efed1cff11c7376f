// Stepping through a game: the buttons below the board, the list of moves, and what says that the board
// shows an earlier position.

import { announce } from "../shell/announce.js";
import { discIcon } from "../board/disc.js";
import {
  button,
  html,
  icon,
  iconButton,
  isWithin,
  refill,
  setDisabled,
  stepByKey,
} from "../elements/dom.js";
import { movesIn } from "../core/rules.js";
import { colorInside, sideKey } from "../words/names.js";
import { fetchPosition, upTo } from "../backend/positions.js";
import { t } from "../words/text.js";
import { describeError } from "../words/words.js";

const REPLAY_MS = 900; // between two moves

export class Stepper {
  /** @type {GameState | null} */
  #state = null;
  /** @type {number | null} How many moves are to be shown, if it is not all of them. */
  #aim = null;
  /** @type {PositionView | null} The earlier position that is shown. */
  #past = null;
  #on;
  #count = html("span.count");
  #buttons = {
    first: iconButton("first", t("steps.first"), () => this.step(0), "step"),
    back: iconButton("back", t("steps.back"), () => this.step(this.shown - 1), "step"),
    forward: iconButton("forward", t("steps.forward"), () => this.step(this.shown + 1), "step"),
    last: iconButton("last", t("steps.last"), () => this.step(Infinity), "step"),
  };
  #replay = html("button.step", { hidden: true }, icon("play"));
  #timer = 0; // runs while the game is replayed
  element = html(
    "div.steps",
    { role: "group", "aria-label": t("steps.label") },
    this.#buttons.first,
    this.#buttons.back,
    this.#count,
    this.#buttons.forward,
    this.#buttons.last,
    this.#replay,
  );
  list = html("ol.moves");
  overlay = html("p.past", { hidden: true });

  /**
   * *onStep* is called when another position is to be shown. *onJump(number)* may take a step over, as a
   * review does, and then returns true.
   * @param {{ onStep: () => void, onJump: (number: number) => boolean, onProblem: (text: string) => void }} listeners
   */
  constructor(listeners) {
    this.#on = listeners;
    for (const each of Object.values(this.#buttons)) setDisabled(each, true); // until there is a game
    document.addEventListener("keydown", (event) => this.#key(event));
    this.#replay.addEventListener("click", () => (this.#timer ? this.#pause() : this.#play()));
  }

  /** How many moves are on the board. */
  get shown() {
    return this.#aim ?? this.#total;
  }

  /** Whether an earlier position is looked at. */
  get isPast() {
    return this.#aim !== null;
  }

  /** The earlier position that is looked at; null as long as it is on its way. */
  get past() {
    return this.isPast ? this.#past : null;
  }

  get #total() {
    return this.#state?.total ?? 0;
  }

  /** Show one move after the other, from the beginning if all are shown. */
  async #play() {
    const step = async () => {
      const next = this.shown + 1;
      await this.step(next);
      // Somebody may have gone elsewhere meanwhile, or come to the end.
      if (this.#timer && this.shown === next && next < this.#total) {
        this.#timer = window.setTimeout(step, REPLAY_MS);
      } else this.#pause();
    };
    this.#timer = window.setTimeout(step, REPLAY_MS);
    if (this.shown === this.#total) await this.step(0);
    this.#drawReplay();
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#drawReplay();
  }

  #drawReplay() {
    const isOver = Boolean(this.#state?.game.result) && this.#total > 0;
    const label = t(this.#timer ? "steps.pause" : "steps.replay");
    this.#replay.hidden = !isOver;
    this.#replay.setAttribute("aria-label", label);
    this.#replay.title = label;
    this.#replay.replaceChildren(icon(this.#timer ? "pause" : "play"));
  }

  /** Back to the game. */
  reset() {
    this.#aim = null;
    this.#past = null;
  }

  /** Look at *position*, which is one of the game's. @param {PositionView} position */
  lookAt(position) {
    const count = movesIn(position).length;
    this.#aim = count === this.#total ? null : count;
    this.#past = position;
    this.#on.onStep();
  }

  /** Look at the position after *count* moves. @param {number} count */
  async step(count) {
    if (!this.#state) return;
    const target = Math.max(0, Math.min(this.#total, count));
    if (target === this.shown || this.#on.onJump(target)) return;
    this.#aim = target === this.#total ? null : target;
    try {
      const position = await fetchPosition(upTo(this.#state.position, target));
      if (this.shown !== target) return; // somebody stepped on meanwhile
      this.#past = position;
    } catch (error) {
      this.reset();
      this.#on.onProblem(describeError(error));
    }
    this.#on.onStep();
    const total = this.#total;
    announce(this.isPast ? t("steps.after", { number: target, total }) : t("steps.now"));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.defaultPrevented || event.shiftKey) return;
    const own = "input, textarea, select, dialog, summary, [contenteditable], [role=slider]";
    if (isWithin(event, own)) return;
    const isOnBoard = isWithin(event, ".board-columns");
    const more = isOnBoard ? { ArrowUp: this.shown - 1, ArrowDown: this.shown + 1 } : undefined;
    const target = stepByKey(event, this.shown, Infinity, more);
    if (target !== null) this.step(target);
  }

  // ---- Drawing -----------------------------------------------------------------------------------

  /** @param {GameState} state */
  draw(state) {
    this.#state = state;
    const { first, back, forward, last } = this.#buttons;
    for (const element of [first, back]) setDisabled(element, this.shown === 0);
    for (const element of [forward, last]) setDisabled(element, this.shown === this.#total);
    this.#count.textContent = `${this.shown} / ${this.#total}`;
    this.overlay.hidden = !this.isPast;
    const total = this.#total;
    const where = this.shown
      ? t("steps.move", { number: this.shown, total })
      : t("steps.before", { total });
    this.overlay.replaceChildren(
      html("span", where),
      button(t("steps.to_game"), () => this.step(Infinity), { kind: "small" }),
    );
    this.#drawReplay();
    this.#drawList(state);
  }

  /** @param {GameState} state */
  #drawList(state) {
    const { list } = this;
    const items = movesIn(state.position).map((name, index) => this.#item(state, name, index));
    refill(list, items.length ? items : [html("li.none", t("steps.none"))]);
    const current = list.querySelector("[aria-current]");
    const top = current instanceof HTMLElement ? current.offsetTop - list.clientHeight / 2 : 0;
    list.scrollTop = Math.max(0, top);
  }

  /** @param {GameState} state @param {string} name @param {number} index */
  #item(state, name, index) {
    const side = state.moverOf(index);
    const number = index + 1;
    return html(
      "li",
      html(
        "button",
        {
          class: `move ${sideKey(side)}`,
          "aria-label": t("steps.item", { number, color: colorInside(side), column: name }),
          "aria-current": number === this.shown ? "step" : null,
          on: { click: () => this.step(number) },
        },
        html("span.move-number", number),
        discIcon(side),
        html("span.move-column", name),
      ),
    );
  }
}
