import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import {
  describeBest,
  describeOutcome,
  figureOf,
  pendingFigures,
  shortText,
} from "../../src/fourcast/web/page/static/js/study/analysis.js";

const column = (number, outcome, moves, isBest = false) => ({
  column: number,
  outcome,
  moves_to_end: moves,
  is_best: isBest,
  text:
    { win: `wins in ${moves} moves`, loss: `loses in ${moves} moves`, draw: "draws" }[outcome] ??
    "at least draws",
});

const analysis = (text, columns, more = {}) => ({
  complete: true,
  lower: -1,
  upper: -1,
  text,
  columns,
  best_columns: columns.filter(({ is_best: isBest }) => isBest).map(({ column: number }) => number),
  position: { turn: 2, width: 7, height: 6, start: "" },
  ...more,
});

test("an outcome names the side to move", () => {
  const columns = [column(0, "draw", null, true), column(1, "loss", 3)];
  const view = analysis("draws", columns, { lower: 0, upper: 0 });
  assert.equal(describeOutcome(view), "Yellow draws.");
  assert.equal(describeBest(view), "Best: column 1.");
});

test("where no column is better than another, none is called best", () => {
  const columns = [0, 1, 2].map((number) => column(number, "loss", 1, true));
  const view = analysis("loses in 1 move", columns, { outcome: "loss", moves_to_end: 1 });
  assert.equal(describeOutcome(view), "Yellow loses next move, whatever Yellow plays.");
  assert.equal(describeBest(view), "");
  assert.equal(
    describeOutcome(analysis("loses in 4 moves", columns)),
    "Yellow loses in 4 moves, whatever Yellow plays.",
  );
});

test("the only column is named", () => {
  const view = analysis("loses in 1 move", [column(6, "loss", 1, true)]);
  assert.equal(describeOutcome(view), "Yellow loses in 1 move.");
  assert.equal(describeBest(view), "Best: column 7.");
});

test("what is not solved is not called undecided", () => {
  const view = analysis("is not decided yet", [column(0, null, null)], {
    complete: false,
    lower: -2,
    upper: 3,
  });
  assert.equal(describeOutcome(view), "Not solved yet.");
  assert.equal(describeBest(view), "");
});

test("figures say who wins and how soon", () => {
  const figure = (view) => {
    const { detail, text, tone } = figureOf(view);
    return [detail, text, tone];
  };
  assert.deepEqual(figure(column(0, "win", 5)), ["wins in", "5", "win"]);
  assert.deepEqual(figure(column(0, "loss", null)), ["loses", "…", "loss"]);
  assert.deepEqual(figure(column(0, "draw", null)), ["draw", "=", "draw"]);
  assert.deepEqual(figure(column(0, null, null)), ["", "?", "unknown"]);
  assert.deepEqual(
    pendingFigures([0, 3], [3]).map(({ text, best }) => [text, best]),
    [
      ["…", false],
      ["★", true],
    ],
  );
});

test("a line of the list leaves out the unit", () => {
  assert.equal(shortText(column(0, "win", 5)), "wins in 5");
  assert.equal(shortText(column(0, "draw", null)), "draw");
  assert.equal(shortText(column(0, null, null)), "at least draws");
});
