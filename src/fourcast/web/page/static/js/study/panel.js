// Analysis at hand: what every column is worth, the bar, lines of best play on the board, threats.
//
// Here are what the panel knows, how it is built, and its switches. panel-ask.js asks the page's core, or the
// server; panel-show.js shows what they say.

import { pressFigure, setFigures } from "../board/board.js";
import { announce } from "../shell/announce.js";
import { Latest } from "../backend/latest.js";
import { button, html, oncePerFrame, setDisabled, setLabel } from "../elements/dom.js";
import { getPref, setPref } from "../shell/prefs.js";
import { t } from "../words/text.js";
import { figureOf } from "./analysis.js";
import { Bar } from "./bar.js";
import { LinePlayer } from "./line.js";
import { ask, askServer, begin, stop } from "./panel-ask.js";
import { choose, closeReason, explain, point, showSolving, showThreats } from "./panel-show.js";
import { Why } from "./why.js";

/** @typedef {"analysis" | "threats"} Wish */
/**
 * @typedef {object} Panel
 * @property {Board} board where figures, lines and marks are shown
 * @property {string | null} game the id of the game whose panel this is; null is the free board
 * @property {(moves: string, count: number) => void} onLine told to go that many moves of a line
 * @property {() => void} onOver asked for the reason of a game that is over, which its review tells
 * @property {Record<Wish, boolean>} wants where the switches stand
 * @property {boolean} isLocked whether fair play forbids all of it
 * @property {Shown | null} position what is analyzed
 * @property {AnalysisView | null} analysis what is known of the position
 * @property {number | null} pointed the column that is pointed at or has the focus
 * @property {number | null} chosen the column whose line stays on the board until it is chosen again
 * @property {Latest} request the question that is open: one at a time
 * @property {number} attempt how many answers were incomplete
 * @property {"server" | null} from who is asked, if it is not the page's own core
 * @property {boolean} isWaiting for the server to have time, or for the network
 * @property {Set<number>} timers what is to be done later, unless another position comes first
 * @property {{ text: string, kind: "done" | "bounds" | "solving" | "busy" | "offline" | "error" }} status
 *   how far the answer is
 * @property {string} offer the label of the button that asks again; empty if there is none
 * @property {boolean} offersServer whether the server may know more
 * @property {HTMLElement | null} asker the button that a reason was asked for with
 * @property {LinePlayer} line plays lines on the board
 * @property {Why} reason says why
 * @property {Bar} bar who is ahead
 * @property {ReturnType<typeof makeParts>} parts the elements on the page
 * @property {() => void} redraw draws what has changed, with the next frame
 */

/**
 * On the free board both switches stay as they were left. In a *game*, which is its id, they are off at
 * first, and stay as they were left there only. *onChange* is called when a switch was used.
 * @param {HTMLElement} element @param {Board} board
 * @param {{ game?: string | null, onChange?: () => void, onLine: Panel["onLine"], onOver: Panel["onOver"] }} options
 * @returns {Panel}
 */
export function makePanel(element, board, { game = null, onChange = () => {}, onLine, onOver }) {
  const bar = new Bar();
  const reason = new Why(board, {
    heading: "h3",
    onClose: () => {
      closeReason(panel);
      panel.asker?.focus();
    },
  });
  const parts = makeParts(bar, {
    onSwitch: (name) => {
      toggle(panel, name);
      onChange();
    },
    onWhy: () => (panel.position?.is_over ? onOver() : explain(panel, parts.whyButton, null)),
    onAgain: () => ask(panel),
    onServer: () => askServer(panel),
  });
  /** @type {Panel} */
  const panel = {
    ...{ board, game, onLine, onOver, bar, reason, parts },
    ...{ wants: keptWishes(game), isLocked: false },
    ...{ position: null, analysis: null, pointed: null, chosen: null },
    ...{ request: new Latest(), attempt: 0, from: null, isWaiting: false, timers: new Set() },
    ...{ status: { text: "", kind: "done" }, offer: "", offersServer: false, asker: null },
    line: new LinePlayer(board),
    redraw: oncePerFrame(() => draw(element, panel)),
  };
  element.classList.add("card", "study-panel");
  element.setAttribute("aria-labelledby", parts.title.id);
  const { analysis, threats } = parts.switches;
  element.replaceChildren(
    html("div.study-switches", parts.title, analysis, threats, parts.whyButton),
    parts.why,
    reason.element,
    parts.findings,
    parts.threats,
  );
  board.onFigure = (column) => point(panel, column);
  board.onFigureChosen = (column) => choose(panel, column);
  window.addEventListener("online", () => panel.isWaiting && ask(panel));
  return panel;
}

/** @param {Bar} bar
 * @param {{ onSwitch: (name: Wish) => void, onWhy: () => void, onAgain: () => void, onServer: () => void }} listeners */
function makeParts(bar, { onSwitch, onWhy, onAgain, onServer }) {
  const makeSwitch = (/** @type {Wish} */ name, /** @type {string} */ label) => {
    const look = { role: "switch", class: "study-switch", "aria-checked": "false" };
    return html(
      "button",
      { ...look, "aria-describedby": "study-why", on: { click: () => onSwitch(name) } },
      html("span.study-switch-track", { "aria-hidden": "true" }),
      label,
    );
  };
  const verdict = html("p.study-verdict");
  const status = html("p.study-status");
  const again = button("", onAgain, { kind: "small", hidden: true });
  const server = button(t("analysis.ask_server"), onServer, { kind: "small", hidden: true });
  const estimate = html("p.study-estimate", { hidden: true });
  const lines = html("ol.study-lines", { "aria-label": t("analysis.columns") });
  const state = html("div.study-state", status, again, server);
  const inside = [verdict, bar.element, estimate, state, lines];
  return {
    ...{ verdict, status, again, server, estimate, lines },
    title: html("h2.visually-hidden", { id: "study-title" }, t("analysis.title")),
    why: html("p.study-why", { id: "study-why", hidden: true }),
    whyButton: button(t("analysis.why"), onWhy, {
      kind: "small",
      "aria-describedby": "study-why",
      "aria-disabled": "true", // until there is a position
      "aria-expanded": "false",
    }),
    switches: {
      analysis: makeSwitch("analysis", t("analysis.title")),
      threats: makeSwitch("threats", t("analysis.threats")),
    },
    findings: html("div.study-findings", { hidden: true }, ...inside),
    threats: html("div.study-threats", { hidden: true }),
    steps: html("div.study-line-steps", { role: "group", "aria-label": t("line.steps") }),
  };
}

/** Draw everything but the analysis itself. @param {HTMLElement} element @param {Panel} panel */
function draw(element, panel) {
  const { position, isLocked, parts, status } = panel;
  for (const name of /** @type {Wish[]} */ (["analysis", "threats"])) {
    parts.switches[name].setAttribute("aria-checked", String(panel.wants[name] && !isLocked));
    setDisabled(parts.switches[name], isLocked);
  }
  const isBare = position?.is_over && !position.moves; // there is nothing to be reviewed
  setDisabled(parts.whyButton, isLocked || !position || Boolean(position.isDraft || isBare));
  parts.why.hidden = !isLocked;
  parts.why.textContent = isLocked ? t("analysis.fair_play") : "";
  parts.findings.hidden = !isOn(panel);
  if (parts.status.textContent !== status.text) parts.status.textContent = status.text;
  element.dataset.state = status.kind;
  if (panel.request.isOpen) element.setAttribute("aria-busy", "true");
  else element.removeAttribute("aria-busy");
  parts.again.hidden = !panel.offer;
  setLabel(parts.again, panel.offer);
  parts.server.hidden = !panel.offersServer;
}

/** Take the room of an analysis that is on, before there is a position. @param {Panel} panel */
export function reserve(panel) {
  if (!isOn(panel)) return;
  setFigures(panel.board, []);
  showSolving(panel, null);
  panel.redraw();
}

/** Whether the analysis is on the page. @param {Panel} panel */
export function isOn({ wants, isLocked }) {
  return wants.analysis && !isLocked;
}

/** Switch the analysis on, as a link asks for, which changes nothing for other pages. @param {Panel} panel */
export function switchOn(panel) {
  panel.wants.analysis = true;
  refresh(panel);
}

/** Show *position*. *game* is the game it belongs to, if there is one, and *sides* those of this browser.
 * @param {Panel} panel @param {Shown} position @param {{ game: GameView | null, sides: Side[] }} context */
export function analyze(panel, position, { game, sides } = { game: null, sides: [] }) {
  const isLocked = game !== null && isFairPlay(game) && sides.length > 0;
  const isSame = panel.position?.diagram === position.diagram && isLocked === panel.isLocked;
  Object.assign(panel, { position, isLocked });
  if (!isSame) {
    closeReason(panel);
    refresh(panel);
  }
  // The review may have shown figures of its own meanwhile.
  else if (panel.analysis && !panel.line.isShown) {
    setFigures(panel.board, panel.analysis.columns.map(figureOf));
  }
}

/** @param {Panel} panel @param {Wish} name */
function toggle(panel, name) {
  const { game, wants } = panel;
  if (panel.isLocked) {
    announce(t("analysis.fair_play"));
    return;
  }
  wants[name] = !wants[name];
  if (game) setPref("study.game", { id: game, ...wants });
  else setPref(`study.${name}`, wants[name]);
  refresh(panel);
}

/** Begin with the position again. What is asked for before there is one comes with it. @param {Panel} panel */
function refresh(panel) {
  panel.redraw();
  const { board, parts, position } = panel;
  if (!position) return;
  stop(panel);
  parts.estimate.hidden = true;
  Object.assign(panel, { analysis: null, pointed: null, chosen: null });
  pressFigure(board, null);
  showThreats(panel, position);
  if (isOn(panel)) begin(panel, position);
  else setFigures(board, null);
}

/** What the switches of the free board, or of the *game* of that id, were left at.
 * @param {string | null} game @returns {Record<Wish, boolean>} */
function keptWishes(game) {
  const kept = game ? getPref("study.game") : null;
  const was = (/** @type {Wish} */ name) =>
    game ? kept?.id === game && kept[name] === true : getPref(`study.${name}`) === true;
  return { analysis: was("analysis"), threats: was("threats") };
}

/** Whether two people play each other, both being there, or anybody by the clock. @param {GameView} game */
function isFairPlay({ clock, first, is_local: isLocal, result, second }) {
  const isBetweenPeople = !isLocal && first.kind === "person" && second.kind === "person";
  return !result && (isBetweenPeople || clock !== null);
}
