// The clocks of a game: what both sides have left, by the server's time.

import { announce } from "../shell/announce.js";
import { html, icon } from "../elements/dom.js";
import { SIDES } from "../words/names.js";
import { play } from "../shell/sound.js";
import { t } from "../words/text.js";

const TICK_MS = 100;
const LOW_MS = 10_000; // or a third of the time for a move, if that is less

/** "4:32", "1:02:03", and tenths of a second in the last ten. @param {number} left_ms */
export function formatTime(left_ms) {
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const seconds = Math.floor(left_ms / 1000);
  if (seconds < 10) return `0:0${(Math.floor(left_ms / 100) / 10).toFixed(1)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = pad(seconds % 60);
  return hours ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** What *side* has left at the moment *now_ms* of the server's clock. @param {ClockView} clock @param {Side} side @param {number} now_ms */
export function leftOf({ left_ms: left, since_ms: since, running }, side, now_ms) {
  const used = running === side && since !== null ? Math.max(0, now_ms - since) : 0;
  return Math.max(0, left[side - 1] - used);
}

export class Clocks {
  #now;
  /** @type {GameState | null} */
  #state = null;
  #timer = 0;
  #warned = -1; // the move for which little time was told
  /** One for each side, to stand beside its name. */
  elements = SIDES.map(() => {
    const text = html("span");
    return {
      text,
      element: html("span.clock", { role: "timer", hidden: true }, icon("hourglass"), text),
    };
  });

  /** @param {() => number} now the server's time, in milliseconds */
  constructor(now) {
    this.#now = now;
  }

  /** @param {Side} side */
  elementOf(side) {
    return this.elements[side - 1].element;
  }

  /** @param {GameState} state */
  draw(state) {
    this.#state = state;
    const isRunning = Boolean(state.game.clock?.running) && !state.game.result;
    if (isRunning && !this.#timer) this.#timer = window.setInterval(() => this.#tick(), TICK_MS);
    if (!isRunning) {
      clearInterval(this.#timer);
      this.#timer = 0;
    }
    for (const side of SIDES) {
      const element = this.elementOf(side);
      element.hidden = !state.game.clock;
      element.setAttribute("aria-label", t("clock.of", { name: state.nameOf(side) }));
    }
    this.#tick();
  }

  #tick() {
    const state = this.#state;
    const clock = state?.game.clock;
    if (!state || !clock) return;
    const now_ms = this.#now();
    const limit_ms = clock.kind === "move" ? Math.min(LOW_MS, (1000 * clock.time_s) / 3) : LOW_MS;
    for (const side of SIDES) {
      const { element, text } = this.elements[side - 1];
      const left_ms = leftOf(clock, side, now_ms);
      const words = formatTime(left_ms);
      if (text.textContent !== words) text.textContent = words;
      const isRunning = clock.running === side && !state.game.result;
      const isLow = left_ms < limit_ms && (isRunning || clock.kind === "game");
      element.classList.toggle("is-running", isRunning);
      element.classList.toggle("is-low", isLow);
      if (isRunning && isLow && left_ms > 0 && state.sides.includes(side)) this.#warn(state, left_ms);
    }
  }

  /** Announce low time, once for each move. @param {GameState} state @param {number} left_ms */
  #warn({ position }, left_ms) {
    if (this.#warned === position.next_ply) return;
    this.#warned = position.next_ply;
    play("notice");
    announce(t("clock.low", { count: Math.ceil(left_ms / 1000) }));
  }
}
