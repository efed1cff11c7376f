import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clearStorage } from "./browser.js";
import {
  colorName,
  columnName,
  columnOf,
  moveString,
  moverOf,
  otherSide,
  sideKey,
} from "../../src/fourcast/web/page/static/js/words/names.js";
import { setPref } from "../../src/fourcast/web/page/static/js/shell/prefs.js";

beforeEach(() => {
  clearStorage();
  setPref("colors", null);
});

test("columns are called 1 to 9 and then by letters, and found by their names", () => {
  assert.equal(columnName(0), "1");
  assert.equal(columnName(9), "a");
  for (let column = 0; column < 25; column += 1) assert.equal(columnOf(columnName(column)), column);
  assert.equal(columnOf("A"), 9);
  assert.equal(moveString([0, 3, 9]), "14a");
});

test("what is no column's name is none", () => {
  for (const name of ["0", "", "12", "Enter", "é", " "]) assert.equal(columnOf(name), -1, name);
});

test("sides take turns", () => {
  assert.equal(otherSide(otherSide(1)), 1);
  assert.deepEqual([sideKey(1), sideKey(2)], ["first", "second"]);
  // Red is to move after two moves: red made the first of them.
  assert.deepEqual(
    [0, 1, 2].map((index) => moverOf(index, 2, 1)),
    [1, 2, 1],
  );
  // A line that begins with yellow's move.
  assert.deepEqual(
    [0, 1, 2].map((index) => moverOf(index, 0, 2)),
    [2, 1, 2],
  );
});

test("the colors are red and yellow, or red and blue if the person chose them", () => {
  assert.deepEqual([colorName(1), colorName(2)], ["Red", "Yellow"]);
  setPref("colors", "blue");
  assert.deepEqual([colorName(1), colorName(2)], ["Red", "Blue"]);
  setPref("colors", "plaid");
  assert.equal(colorName(2), "Yellow");
});
