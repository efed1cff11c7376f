import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { remaining, runs, turnOf } from "../../src/fourcast/web/page/static/js/board/marks.js";

const marks = (more) => ({
  width: 4,
  height: 2,
  rows: "..../XOX.",
  player: 2,
  played: [],
  gets: [],
  leaves: [],
  pairs: [],
  frozen: [],
  wins: [],
  line: [],
  groups: [],
  ...more,
});

test("the side to move follows from the discs", () => {
  assert.equal(turnOf(marks()), 2);
  assert.equal(turnOf(marks({ rows: "..../XO.." })), 1);
  assert.equal(turnOf(marks({ rows: "..../...." })), 1);
});

test("columns side by side are outlined together", () => {
  assert.deepEqual(runs([4, 1, 0, 6, 5]), [
    [0, 1],
    [4, 6],
  ]);
  assert.deepEqual(runs([]), []);
});

test("marks on squares that are taken are gone, and so is a pair that has lost one", () => {
  const shown = marks({
    played: [[0, 0]],
    gets: [
      [0, 1],
      [1, 1],
    ],
    leaves: [[3, 0]],
    pairs: [
      [
        [1, 1],
        [2, 1],
      ],
      [
        [2, 1],
        [3, 1],
      ],
    ],
    frozen: [[0, 1]],
    wins: [
      [0, 1],
      [2, 1],
    ],
    groups: [[0, 1]],
  });
  const cells = [
    [1, 2, 1, 2],
    [1, 0, 0, 0],
  ];
  const left = remaining(shown, cells);
  assert.deepEqual(left.gets, [[1, 1]]);
  assert.deepEqual(left.leaves, []);
  assert.equal(left.pairs.length, 2);
  assert.deepEqual(left.frozen, []);
  assert.deepEqual(left.wins, [[2, 1]]);
  assert.deepEqual([left.played, left.line], [[], []]);
  assert.deepEqual(left.groups, [[0, 1]]);
  cells[1][2] = 1;
  assert.deepEqual(remaining(shown, cells).pairs, []);
});
