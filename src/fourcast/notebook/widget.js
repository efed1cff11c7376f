// The board of a notebook: the page's own board, with a few buttons. All rules and answers are Python's: what
// somebody does is sent there, and what comes back is drawn.

import { makeBoard, setEnabled, setFigures, showPosition } from "../web/page/static/js/board/board.js";
import { button, html, setDisabled } from "../web/page/static/js/elements/dom.js";
import { about } from "../web/page/static/js/shell/about.js";
import { useTexts } from "../web/page/static/js/words/text.js";

/** A button that asks for something, as the state says whether it can. */
function control(model, kind, label, title) {
  return button(label, () => model.send({ kind }), { title, "aria-label": title, "data-kind": kind });
}

function render({ model, el }) {
  const { texts, ...names } = model.get("words");
  useTexts(texts, "en");
  Object.assign(about, names);
  const root = html("div");
  const status = html("p.status", { "aria-live": "polite" });
  const controls = [
    control(model, "first", "|<", "To the first move"),
    control(model, "back", "<", "One move back"),
    control(model, "forward", ">", "One move forward"),
    control(model, "last", ">|", "To the last move"),
    control(model, "analyze", "Analyze", "Show the exact score of every column"),
    control(model, "new", "New game", "Begin a new game"),
  ];
  const line = html("p.moves");
  const frame = html(
    "div.fourcast-widget",
    root,
    status,
    html("div.controls", ...controls),
    line,
  );
  el.replaceChildren(frame);
  const board = makeBoard(root, (column) => model.send({ kind: "play", column }), root);
  const draw = () => {
    const state = model.get("state");
    showPosition(board, state.position);
    setEnabled(board, state.enabled, state.position.turn, state.status);
    setFigures(board, state.figures);
    status.textContent = state.status;
    line.textContent = state.moves;
    for (const each of controls) setDisabled(each, !state.can.includes(each.dataset.kind));
  };
  model.on("change:state", draw);
  draw();
  return () => model.off("change:state", draw);
}

export default { render };
