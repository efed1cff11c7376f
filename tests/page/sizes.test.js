import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { about } from "../../src/fourcast/web/page/static/js/shell/about.js";
import {
  formatSize,
  parseSize,
  sizeProblem,
} from "../../src/fourcast/web/page/static/js/words/sizes.js";

test("every size that is offered is a board", () => {
  for (const size of about.sizes) {
    assert.equal(sizeProblem(parseSize(size)), "");
    assert.equal(formatSize(parseSize(size)), size);
  }
});

test("a size that is too large or too small is refused in words for people", () => {
  const large = "This size is too large: at most 25 columns, fewer for tall boards.";
  for (const size of ["26x4", "7x32", "25x25", "13x9"]) {
    assert.equal(sizeProblem(parseSize(size)), large, size);
  }
  const small = "A board has at least 4 columns and 4 rows.";
  for (const size of ["3x6", "4x0", "NaNx4", "-7x6"]) {
    assert.equal(sizeProblem(parseSize(size)), small, size);
  }
});
