// What a person does with a game.

import { focusColumn } from "../board/input.js";
import { gamePage as gameAddress } from "../backend/addresses.js";
import { postJson } from "../backend/api.js";
import { LiveGame } from "../backend/live-game.js";
import { boardAddress } from "../backend/positions.js";
import { movesIn } from "../core/rules.js";
import {
  getPref,
  keepGame,
  keepText,
  keptText,
  myGame,
  newToken,
  parsed,
  setPref,
} from "../shell/prefs.js";
import { startReview } from "../study/review.js";
import { tried } from "../words/words.js";
import { draw, drawStudy } from "./game-draw.js";
import { Hint } from "./hint.js";
import { startBy } from "./new-game.js";
import { isMeant, wantsWarning } from "./warning.js";

/** @param {GamePage} page @param {number} column */
export async function move(page, column) {
  let { state } = page;
  if (!state?.isMyTurn || page.pending || page.isAsking || page.stepper.isPast) return;
  const { position } = state;
  if (state.isAgainstComputer && !state.game.clock && wantsWarning()) {
    page.isAsking = true;
    draw(page);
    const isPlayed = await isMeant(position, column);
    page.isAsking = false;
    draw(page);
    // News of the connection may have come meanwhile; the move is for the board it was chosen on.
    ({ state } = page);
    if (!isPlayed || !state?.isMyTurn || state.position.diagram !== position.diagram) return;
  }
  send(page, { column, ply: position.next_ply, seq: state.game.seq });
}

/** @param {GamePage} page @param {import("../backend/live-game.js").Move} sent */
async function send(page, sent) {
  page.pending = sent;
  page.sent_ms = performance.now();
  keepPending(page, sent);
  draw(page);
  await tried(page.parts.error, () => page.live.move(sent));
  keepPending(page, null);
  if (!page.held) page.pending = null; // else its disc stays until that state, which has it, is shown
  draw(page);
}

/** Send what was on its way when the page was loaded again. @param {GamePage} page @param {GameState} state */
export function resend(page, state) {
  const kept = parsed(keptText(`move.${page.id}`, "sessionStorage"));
  if (kept && kept.ply === state.position.next_ply && state.isMyTurn) send(page, kept);
  else keepPending(page, null);
}

/** Keep the move that is on its way for the case that the page is loaded again meanwhile.
 * @param {GamePage} page @param {import("../backend/live-game.js").Move | null} sent */
function keepPending({ id }, sent) {
  keepText(`move.${id}`, sent && JSON.stringify(sent), "sessionStorage");
}

/** @param {GamePage} page @param {ActionKind} kind @param {Side} [side] */
export function act(page, kind, side) {
  // What was meant for another position is not done.
  const seq = kind === "undo" || kind === "redo" ? page.state?.game.seq : null;
  return tried(page.parts.error, () => page.live.act(kind, { side, seq }));
}

/** @param {GamePage} page @param {string} name */
export function join(page, name) {
  const { board, id, live, parts } = page;
  if (!(live instanceof LiveGame)) return; // nobody joins a game without a server
  setPref("name", name);
  // The browser chooses the secret: if the answer is lost on the way, joining again is no second person.
  const slot = `join.${id}`;
  const token = getPref(slot) ?? newToken();
  setPref(slot, token);
  return tried(parts.error, async () => {
    /** @type {Ticket} */
    const ticket = await postJson(`${live.path}/join`, { name, token });
    keepGame(id, { token: ticket.token, sides: ticket.sides, when: Date.now() });
    setPref(slot, null);
    live.useTicket(ticket);
    parts.root.scrollIntoView({ block: "start" }); // the form was in front of the board, or behind it
    focusColumn(board, Math.floor((ticket.game.position.width - 1) / 2));
  });
}

/** @param {GamePage} page */
export function showHint(page) {
  const { state } = page;
  if (!page.hint) {
    page.hint = new Hint(page.board);
    page.parts.hint.append(page.hint.element);
  }
  if (state?.isMyTurn && !page.stepper.isPast) page.hint.show(state.position);
}

/** @param {GamePage} page @param {number | null} [at] the move at which it opens, if it is not the one that decided */
export function openReview(page, at = null) {
  const { state } = page;
  if (!state) return;
  startReview(page.review, state.position, at, state.mySide);
  drawStudy(page, state);
}

/** Step through a line of best play on the free board. @param {GamePage} page @param {string} moves @param {number} count */
export function toBoard({ board: { position } }, moves, count) {
  if (!position) return;
  const line = { ...position, moves: position.moves + moves };
  window.location.assign(boardAddress(line, movesIn(position).length + count, { analysis: true }));
}

/** Play another level, on the same side of the same board. @param {GamePage} page @param {HTMLButtonElement} control @param {number} level */
export async function toLevel({ parts, state }, control, level) {
  if (!state) return;
  const { width, height } = state.position;
  /** @param {Side} side @returns {Seat} */
  const seat = (side) =>
    side === state.mySide
      ? { kind: "me", name: state.seatOf(side).name ?? "" }
      : { kind: "computer", player: `level-${level}` };
  const problem = await startBy(control, { first: seat(1), second: seat(2), width, height });
  parts.error.textContent = problem;
}

/** @param {GamePage} page */
export function toRematch({ id, state }) {
  const rematch = state?.game.rematch_id;
  if (!rematch) return;
  const token = myGame(id)?.token;
  if (token) keepGame(rematch, { token, when: Date.now() });
  window.location.assign(gameAddress(rematch));
}
