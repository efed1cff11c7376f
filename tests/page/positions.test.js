import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

import "./browser.js";
import {
  boardAddress,
  fetchPosition,
  queryOf,
  upTo,
} from "../../src/fourcast/web/page/static/js/backend/positions.js";

const GAME = { start: "", moves: "4455", width: 7, height: 6 };
const START = "..../..../..../XO..";

afterEach(() => mock.restoreAll());

test("an address says nothing that goes without saying", () => {
  assert.deepEqual(queryOf({ ...GAME, moves: "" }), {});
  assert.deepEqual(queryOf(GAME), { moves: "4455" });
  assert.deepEqual(queryOf({ ...GAME, width: 5, height: 4 }), {
    width: "5",
    height: "4",
    moves: "4455",
  });
  assert.deepEqual(queryOf({ start: START, moves: "", width: 4, height: 4 }), { start: START });
});

test("an address names a position, or a move of a longer game", () => {
  assert.equal(boardAddress({ ...GAME, moves: "" }), "/board");
  assert.equal(boardAddress(GAME), "/board?moves=4455");
  assert.equal(boardAddress(GAME, 4), "/board?moves=4455");
  assert.equal(boardAddress(GAME, 0), "/board?moves=4455&at=0");
  assert.equal(boardAddress({ ...GAME, width: 5, height: 4 }), "/board?size=5x4&moves=4455");
  assert.equal(
    boardAddress({ start: START, moves: "12", width: 4, height: 4 }, 1),
    `/board?start=${START}&moves=12&at=1`,
  );
});

test("the first moves of a game are a position of their own", () => {
  assert.deepEqual(upTo({ ...GAME, at: 3, more: true }, 2), { ...GAME, moves: "44" });
  assert.equal(upTo(GAME, Infinity).moves, "4455");
});

test("a position is asked for once", async () => {
  const answers = mock.method(globalThis, "fetch", async (path) => Response.json({ path }));
  const first = await fetchPosition(GAME);
  assert.equal(first.path, "/api/position?moves=4455");
  assert.equal(await fetchPosition({ ...GAME }), first);
  assert.equal(answers.mock.callCount(), 1);
});

test("a refused position is asked for again", async () => {
  const query = { ...GAME, moves: "4444444" };
  const answers = mock.method(globalThis, "fetch", async () =>
    Response.json({ detail: "column 4 is full" }, { status: 400 }),
  );
  for (let time = 0; time < 2; time += 1) {
    await assert.rejects(fetchPosition(query), {
      name: "ApiError",
      status: 400,
      detail: "column 4 is full",
    });
  }
  assert.equal(answers.mock.callCount(), 2);
});
