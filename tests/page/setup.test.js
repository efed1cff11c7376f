import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import {
  cellsOf,
  countsOf,
  draftOf,
  emptyCells,
  mirrorStart,
  startOf,
  withDisc,
  withoutTop,
} from "../../src/fourcast/web/page/static/js/elements/setup.js";

const SIZE = { width: 5, height: 4 };

test("discs lie on those below them, and none goes into a full column", () => {
  let cells = emptyCells(SIZE);
  for (const player of [1, 2, 2, 1]) cells = withDisc(cells, 2, player);
  assert.equal(startOf(cells), "..X../..O../..O../..X..");
  assert.equal(withDisc(cells, 2, 1), null);
  assert.equal(countsOf(cells), "2 red, 2 yellow");
});

test("the top disc is taken away, and none from an empty column", () => {
  const cells = withDisc(withDisc(emptyCells(SIZE), 0, 1), 0, 2);
  assert.equal(startOf(withoutTop(cells, 0)), "...../...../...../X....");
  assert.equal(withoutTop(cells, 4), null);
});

test("setting a disc leaves the grid it was set on as it was", () => {
  const cells = emptyCells(SIZE);
  withDisc(cells, 1, 1);
  assert.equal(startOf(cells), "");
});

test("a start is read back from what it was written", () => {
  const start = "...../..O../.XX../OXOX.";
  assert.equal(startOf(cellsOf(start)), start);
  assert.equal(mirrorStart(mirrorStart(start)), start);
  assert.equal(mirrorStart(start), "...../..O../..XX./.XOXO");
});

test("what is no start is none", () => {
  for (const text of ["nonsense", "XX/X", "X.\n", "/", "XO/", "x"]) {
    assert.equal(cellsOf(text), null, text);
  }
});

test("a draft can be drawn but not be played on", () => {
  const draft = draftOf(cellsOf("..../..../..../XX.."), "Red has too many.");
  assert.deepEqual([draft.width, draft.height, draft.ply], [4, 4, 2]);
  assert.deepEqual(draft.legal_columns, []);
  assert.equal(draft.text, "Being set up: 2 red, 0 yellow.");
  assert.equal(draft.problem, "Red has too many.");
  assert.equal(draftOf(emptyCells(SIZE)).text, "The board is empty.");
});
