import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./browser.js";
import { ApiError } from "../../src/fourcast/web/page/static/js/backend/api-error.js";
import { getJson } from "../../src/fourcast/web/page/static/js/backend/api.js";
import { draftInstead, emptyState } from "../../src/fourcast/web/page/static/js/study/board-state.js";
import { describeError } from "../../src/fourcast/web/page/static/js/words/words.js";

const texts = readFileSync("build/page/text-error-en.json");
const recorded = JSON.parse(readFileSync("tests/fixtures/page-answers.json", "utf8"));

/** How the page says what the server refuses. */
async function saidOf(answer) {
  globalThis.fetch = async (url) =>
    String(url).includes("text-error") ? new Response(texts) : Response.json(answer, { status: 400 });
  const error = await getJson("/api/x").catch((refusal) => refusal);
  assert.ok(error instanceof ApiError);
  return { error, text: describeError(error) };
}

/** *detail* as a sentence of its own. */
const sentence = (detail) => `${detail[0].toUpperCase()}${detail.slice(1).replace(/\.$/, "")}.`;

test("a refusal has no sentence but its own before the texts of errors are loaded", () => {
  const error = new ApiError(400, "column 4 is full", {
    code: "error.column_full",
    facts: { column: 4 },
  });
  assert.equal(describeError(error), "Column 4 is full.");
});

test("what was refused is said by its code, in the words of the catalog", async () => {
  const refusals = recorded.filter(({ status }) => status === 400).map(({ answer }) => answer);
  assert.ok(refusals.length > 5);
  const own = ["error.disc_counts", "error.read_as_diagram"]; // the page says them in another way
  for (const answer of refusals) {
    const { error, text } = await saidOf({ ...answer, detail: "in the words of the server" });
    assert.deepEqual([error.code, error.facts], [answer.code, answer.facts]);
    if (!own.includes(answer.code)) assert.equal(text, sentence(answer.detail));
  }
});

test("players are called by their colors, also within a sentence of a sentence", async () => {
  const players = { one: { player: 1 }, two: { player: 2 } };
  const why = { pattern: "error.disc_counts", facts: { first: 3, second: 0, ...players } };
  const said = "Red has 3 discs and Yellow 0; Red must have as many as Yellow, or one more.";
  const { error, text } = await saidOf({ detail: "", code: why.pattern, facts: why.facts });
  assert.equal(text, said);
  const state = { ...emptyState({ width: 4, height: 4 }), start: "..../..../..../XX.." };
  assert.equal(draftInstead(state, error).problem, said);
  const within = { detail: "", code: "error.read_as_diagram", facts: { why } };
  assert.equal((await saidOf(within)).text, said);
});

test("a code that the page does not know is said in the server's words", async () => {
  const { text } = await saidOf({ detail: "something new", code: "error.of_tomorrow", facts: {} });
  assert.equal(text, "Something new.");
});
