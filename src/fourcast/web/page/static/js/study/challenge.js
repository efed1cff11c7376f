// "Try to break it": somebody plays against a reason, and the board answers as the reason says.

import { announce } from "../shell/announce.js";
import { isAbort } from "../backend/api.js";
import { ask } from "../backend/backend.js";
import { Latest } from "../backend/latest.js";
import { button, hasModifier, html, setDisabled } from "../elements/dom.js";
import { legendOf, remaining } from "../board/marks.js";
import { columnName, otherSide, playerName } from "../words/names.js";
import { queryOf } from "../backend/positions.js";
import { afterDrop } from "../elements/setup.js";
import { t } from "../words/text.js";
import { describeDelay, describeError } from "../words/words.js";

/** @typedef {import("./easel.js").Easel} Easel */
/** @typedef {{ query: PositionQuery, marks: MarksView }} Reason A claim about *query*, and what it draws. */

export class Challenge {
  #easel;
  #onLeave;
  /** @type {Reason | null} */
  #reason = null;
  /** @type {{ replies: string, view: FollowedView }[]} What has been on the board, the last is. */
  #steps = [];
  #request = new Latest();
  /** Somebody else draws on the board. */
  #owner = () => this.isOpen && this.stop();
  #status = html("p.challenge-status");
  #hint = html("p.challenge-hint");
  #legend = html("div.why-legend");
  #back = button(t("challenge.back"), () => this.#goTo(this.#steps.length - 1), {
    kind: "small",
    picture: "back",
  });
  #restart = button(t("challenge.restart"), () => this.#goTo(1), { kind: "small", picture: "again" });
  element = html(
    "div.challenge",
    { role: "group", "aria-label": t("challenge.title"), hidden: true },
    this.#hint,
    this.#status,
    html(
      "div.why-actions",
      this.#back,
      this.#restart,
      button(t("challenge.leave"), () => this.#leave(), { kind: "small", picture: "close" }),
    ),
    this.#legend,
  );

  /** @param {Easel} easel @param {{ onLeave: () => void }} listeners */
  constructor(easel, { onLeave }) {
    this.#easel = easel;
    this.#onLeave = onLeave;
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen && !hasModifier(event)) this.#leave();
    });
  }

  get isOpen() {
    return this.#reason !== null;
  }

  /** Begin at the position that the reason is about. @param {Reason} reason */
  async start(reason) {
    this.stop();
    this.#reason = reason;
    this.#easel.hold(this.#owner);
    this.element.hidden = false;
    this.#status.textContent = "";
    this.#hint.textContent = "";
    for (const each of [this.#back, this.#restart]) setDisabled(each, true);
    await this.#ask("");
    if (this.isOpen) this.#easel.focus();
  }

  /** Give the board back. */
  stop() {
    this.#request.stop();
    this.#reason = null;
    this.#steps = [];
    this.element.hidden = true;
    this.#easel.clear(this.#owner);
  }

  #leave() {
    this.stop();
    announce(t("challenge.left"));
    this.#onLeave();
  }

  /** @param {string} replies */
  async #ask(replies) {
    const reason = this.#reason;
    if (!reason) return;
    try {
      const query = { ...queryOf(reason.query), player: reason.marks.player, replies };
      /** @type {FollowedView} */
      const view = await this.#request.ask((signal) => ask("/api/follow", query, { signal }));
      this.#steps.push({ replies, view });
      this.#show();
    } catch (error) {
      if (isAbort(error)) return;
      this.#show(); // without the disc that was not answered
      this.#tell(describeDelay(error) ?? describeError(error));
    }
  }

  /** @param {number} column */
  #reply(column) {
    const step = this.#steps.at(-1);
    if (!step || !this.#reason || this.#request.isOpen || step.view.state !== "open") return;
    const { position } = step.view;
    const turn = otherSide(step.view.player);
    const after = afterDrop({ ...position, turn }, column);
    this.#easel.show(this.#owner, after, remaining(this.#reason.marks, after.cells), { turn });
    this.#ask(step.replies + columnName(column));
  }

  /** Show the step with that number, from 1, and forget those after it. @param {number} count */
  #goTo(count) {
    if (count < 1 || count >= this.#steps.length) return;
    this.#request.stop();
    this.#steps.length = count;
    this.#show();
  }

  #show() {
    const step = this.#steps.at(-1);
    if (!step || !this.#reason) return;
    const { view, replies } = step;
    const [player, opponent] = [playerName(view.player), playerName(otherSide(view.player))];
    const isOpen = view.state === "open";
    const marks = remaining(this.#reason.marks, view.position.cells);
    this.#easel.show(this.#owner, view.position, isOpen ? marks : null, {
      turn: otherSide(view.player),
      onColumn: isOpen ? (column) => this.#reply(column) : null,
    });
    this.#legend.replaceChildren(...(isOpen ? [legendOf({ ...marks, legend: view.legend })] : []));
    const goal = view.goal === "win" ? "challenge.stop_win" : "challenge.beat";
    this.#hint.textContent = isOpen ? t(goal, { player, opponent }) : t("challenge.not_broken");
    let text = view.text;
    if (replies) text = t("challenge.reply", { opponent, column: replies.at(-1) ?? "", text });
    if (view.state === "won") text = t("challenge.won", { text, player, number: view.position.ply });
    if (!replies) announce(this.#hint.textContent ?? "");
    this.#tell(text.trim() || t("challenge.to_move", { opponent }));
    this.element.dataset.state = view.state;
    setDisabled(this.#back, this.#steps.length < 2);
    setDisabled(this.#restart, this.#steps.length < 2);
  }

  /** @param {string} text */
  #tell(text) {
    this.#status.textContent = text;
    announce(text);
  }
}
