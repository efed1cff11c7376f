import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { ApiError } from "../../src/fourcast/web/page/static/js/backend/api-error.js";
import {
  delayOf,
  describeDelay,
  describeError,
  listColumns,
  listMoves,
  sentence,
} from "../../src/fourcast/web/page/static/js/words/words.js";

test("a sentence begins with a capital letter and ends", () => {
  assert.equal(sentence("column 4 is full"), "Column 4 is full.");
  assert.equal(sentence("Why?"), "Why?");
  assert.equal(sentence("Solving …"), "Solving …");
  assert.equal(sentence(""), "");
});

test("columns are named so that none is taken for a number of two digits", () => {
  assert.equal(listColumns([0]), "column 1");
  assert.equal(listColumns([0, 2]), "columns 1 and 3");
  assert.equal(listColumns([0, 2, 9]), "columns 1, 3 and a");
  assert.equal(listMoves("13"), "1, 3");
});

test("an error is told as a sentence, whatever it is", () => {
  assert.equal(describeError(new ApiError(400, "column 4 is full")), "Column 4 is full.");
  assert.equal(describeError(new TypeError("oh")), "TypeError: oh.");
});

test("only what may pass is waited for, and never for long", () => {
  const busy = new ApiError(503, "", { retryAfter: 4000 });
  assert.equal(describeDelay(busy), "The server is busy with other analyses.");
  assert.equal(delayOf(busy), 60);
  assert.equal(describeDelay(new ApiError(0, "")), "No connection to the server.");
  assert.equal(delayOf(new ApiError(0, "")), 5);
  assert.equal(describeDelay(new ApiError(500, "")), "The server failed.");
  assert.equal(describeDelay(new ApiError(400, "")), null);
  assert.equal(describeDelay(new TypeError("oh")), null);
});
