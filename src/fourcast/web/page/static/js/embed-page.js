// What other sites show in a frame: a position, or a game to step through. embed.js makes the frame.

import { makeBoard, setEnabled, showPosition } from "./board/board.js";
import { loadAbout } from "./shell/about.js";
import { html } from "./elements/dom.js";
import { Stepper } from "./game/stepper.js";
import { emptyStart, movesIn } from "./core/rules.js";
import { moverOf } from "./words/names.js";
import { boardAddress, fetchPosition } from "./backend/positions.js";
import { describeStanding } from "./study/board-state.js";
import { STANDARD } from "./words/sizes.js";
import { loadTexts, t } from "./words/text.js";
import { describeError } from "./words/words.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const wishes = new URLSearchParams(window.location.search);

/** The board that the address names. @returns {PositionQuery} */
function placeFrom() {
  const size = /^(\d{1,2})x(\d{1,2})$/i.exec(wishes.get("size") ?? "");
  const { width, height } = size ? { width: Number(size[1]), height: Number(size[2]) } : STANDARD;
  const start = wishes.get("start") || emptyStart({ width, height }, wishes.get("rules") ?? "");
  return { start, moves: wishes.get("moves") ?? "", width, height };
}

/** Let the frame be as high as what is in it, and have its name. */
function reportLook() {
  const report = () => {
    const { height } = document.body.getBoundingClientRect();
    const look = { fourcast: "look", height: Math.ceil(height), title: document.title };
    window.parent.postMessage(look, "*");
  };
  new ResizeObserver(report).observe(document.body);
}

/** @param {PositionView} position the last one of the game */
async function showGame(position) {
  const place = html("div");
  const status = html("p.embed-status");
  const problem = html("p", { role: "alert", hidden: true });
  const link = html("a", { target: "_blank", rel: "noopener" }, t("embed.open"));
  const board = makeBoard(place);
  const { turn } = position;
  const total = movesIn(position).length;
  const state = {
    position,
    total,
    game: { result: null }, // which would have it replayed
    moverOf: (/** @type {number} */ index) => moverOf(index, total, turn),
  };
  const stepper = new Stepper({
    onStep: () => draw(),
    onJump: () => false,
    onProblem: (text) => {
      problem.hidden = false;
      problem.textContent = text;
    },
  });
  const draw = () => {
    const shown = stepper.isPast ? stepper.past : position;
    if (!shown) return;
    stepper.draw(/** @type {any} */ (state));
    showPosition(board, shown);
    setEnabled(board, false, shown.turn, t("embed.play_on"));
    status.textContent = describeStanding(shown);
    link.href = boardAddress(position, stepper.shown);
  };
  const foot = html("div.embed-foot", status, wishes.get("link") !== "none" && link);
  const controls = wishes.has("controls") && total > 0 && stepper.element;
  main.replaceChildren(place, ...(controls ? [controls] : []), foot, problem);
  draw();
  const at = /^\d{1,3}$/.exec(wishes.get("at") ?? "");
  if (at) await stepper.step(Number(at[0]));
}

async function show() {
  const theme = wishes.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  reportLook();
  await loadTexts();
  try {
    await loadAbout();
    await showGame(await fetchPosition(placeFrom()));
  } catch (error) {
    main.replaceChildren(html("p", { role: "alert" }, describeError(error)));
  }
}

show();
