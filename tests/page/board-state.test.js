import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { ApiError } from "../../src/fourcast/web/page/static/js/backend/api-error.js";
import {
  describeStanding,
  draftInstead,
  emptyState,
  stateOf,
} from "../../src/fourcast/web/page/static/js/study/board-state.js";

test("an address names a state of the board", () => {
  assert.deepEqual(stateOf(""), emptyState({ width: 7, height: 6 }));
  assert.deepEqual(stateOf("?moves=4455&at=2"), {
    start: "",
    moves: "4455",
    width: 7,
    height: 6,
    at: 2,
  });
  assert.deepEqual(stateOf("?width=5&height=4"), emptyState({ width: 5, height: 4 }));
  const start = "..../..../..../XO..";
  assert.deepEqual(stateOf(`?start=${start}`), { start, moves: "", width: 4, height: 4, at: 0 });
});

test("nonsense in an address is left to the server, or passed over", () => {
  assert.equal(stateOf("?at=99&moves=44").at, 2);
  assert.equal(stateOf("?at=-1&moves=44").at, 2);
  assert.equal(stateOf("?width=1e3").width, 7);
  assert.equal(stateOf("?start=nonsense").start, "nonsense");
});

test("a grid that is no position yet is a draft; other refusals are refusals", () => {
  const state = { ...emptyState({ width: 4, height: 4 }), start: "..../..../..../XX.." };
  const draft = draftInstead(state, new ApiError(400, "red has too many"));
  assert.equal(draft.problem, "Red has too many.");
  assert.equal(describeStanding(draft), "Not a position yet: 2 red, 0 yellow.");
  assert.equal(draftInstead(state, new ApiError(0, "")), null);
  assert.equal(draftInstead({ ...state, moves: "1" }, new ApiError(400, "")), null);
  assert.equal(draftInstead({ ...state, start: "nonsense" }, new ApiError(400, "")), null);
});
