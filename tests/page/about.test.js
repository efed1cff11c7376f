import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./browser.js";
import { about } from "../../src/fourcast/web/static/js/about.js";
import { formatSize, isDrawable, parseSize } from "../../src/fourcast/web/static/js/sizes.js";

const { schemas } = JSON.parse(readFileSync("build/page/openapi.json", "utf-8")).components;

test("the page's limits are those of the server", () => {
  const { width, height, moves } = schemas.NewGame.properties;
  assert.deepEqual([about.min_width, about.max_width], [width.minimum, width.maximum]);
  assert.deepEqual([about.min_height, about.max_height], [height.minimum, height.maximum]);
  assert.equal(about.max_moves, moves.maxLength);
  assert.equal(about.max_name, schemas.Seat.properties.name.maxLength);
  assert.equal(about.max_text, schemas.Pasted.properties.diagram.maxLength);
});

test("the page has a sign for every verdict, and for no other", () => {
  const [{ enum: verdicts }] = schemas.MoveReviewView.properties.verdict.anyOf;
  assert.deepEqual(Object.keys(about.verdicts), verdicts);
});

test("every size that is offered can be drawn, and none that is too large", () => {
  for (const size of about.sizes) {
    assert.ok(isDrawable(parseSize(size)));
    assert.equal(formatSize(parseSize(size)), size);
  }
  for (const size of ["3x6", "26x4", "7x32", "0x0", "NaNx4"]) {
    assert.ok(!isDrawable(parseSize(size)), size);
  }
});
