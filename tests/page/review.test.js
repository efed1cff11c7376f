import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import {
  labelOf,
  lookOf,
  percent,
  signed,
} from "../../src/fourcast/web/page/static/js/study/review-parts.js";
import {
  FOOT,
  HEIGHT,
  LEFT,
  RIGHT,
  Scale,
  TOP,
  leadOf,
} from "../../src/fourcast/web/page/static/js/study/review-scale.js";

const MIDDLE = TOP + (HEIGHT - TOP - FOOT) / 2;

test("a draw stands in the middle, the quickest win of either side at its edge", () => {
  const scale = new Scale([0, 18, -18], 400);
  assert.equal(scale.y(0), MIDDLE);
  assert.equal(scale.y(18), TOP);
  assert.equal(scale.y(-18), HEIGHT - FOOT);
});

test("even the slowest win is well off the middle, and a quicker one farther", () => {
  const scale = new Scale([1, 18], 400);
  assert.ok(MIDDLE - scale.y(1) > 14);
  for (let score = 1; score < 18; score += 1) assert.ok(scale.y(score + 1) < scale.y(score));
  assert.equal(scale.y(-5) - MIDDLE, MIDDLE - scale.y(5));
});

test("moves stand side by side, and each is found where it is drawn", () => {
  const scores = Array(24).fill(null);
  const scale = new Scale(scores, 360);
  assert.equal(scale.x(1), LEFT);
  assert.ok(Math.abs(scale.x(25) - (360 - RIGHT)) < 1e-9);
  for (let number = 1; number <= 24; number += 1) {
    assert.equal(scale.numberAt(scale.x(number) + scale.step / 2), number);
  }
  assert.equal(scale.numberAt(0), 0);
});

test("numbers stand as close as there is room for", () => {
  assert.equal(new Scale(Array(10).fill(0), 400).tick, 1);
  assert.equal(new Scale(Array(42).fill(0), 340).tick, 5);
  assert.equal(new Scale(Array(128).fill(0), 100).tick, 25);
});

test("a game without moves has a scale, too", () => {
  assert.ok(Number.isFinite(new Scale([], 300).x(1)));
});

test("scores and verdicts in words", () => {
  assert.deepEqual([leadOf(3), leadOf(-1), leadOf(0)], ["first", "second", "even"]);
  assert.deepEqual([signed(4), signed(-4), signed(0), signed(null)], ["+4", "−4", "0", "–"]);
  assert.deepEqual([percent(26.666), percent(null)], ["26.7 %", "–"]);
  assert.equal(lookOf("blunder").symbol, "??");
  assert.equal(lookOf(labelOf({ verdict: null, oversight: null })).label, "Not judged");
  assert.equal(lookOf(labelOf({ verdict: "good", oversight: "missed_four" })).symbol, "4!");
});
