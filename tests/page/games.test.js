import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clearStorage } from "./browser.js";
import { formatTime, leftOf } from "../../src/fourcast/web/page/static/js/game/clocks.js";
import { addArchive, archiveText } from "../../src/fourcast/web/page/static/js/games/archive.js";
import { nextLevel, tallyOf } from "../../src/fourcast/web/page/static/js/games/tally.js";
import {
  keepGame,
  myGame,
  myGames,
  setPref,
} from "../../src/fourcast/web/page/static/js/shell/prefs.js";

const game = (id, more = {}) => ({
  id: `game-number-${id}`,
  token: "a-secret",
  sides: [1],
  names: ["Ada", "Level 3"],
  players: [null, "level-3"],
  place: { start: "", moves: "4455", width: 7, height: 6 },
  board: "",
  over: true,
  result: { winner: 1, termination: "four in a row" },
  when: 1000 + id,
  ...more,
});

beforeEach(() => {
  setPref("games", null);
  clearStorage();
});

test("a clock shows minutes, and tenths of a second in the last ten", () => {
  const times = [3_723_000, 300_000, 299_999, 10_000, 9_999, 450, 0];
  const shown = ["1:02:03", "5:00", "4:59", "0:10", "0:09.9", "0:00.4", "0:00.0"];
  assert.deepEqual(times.map(formatTime), shown);
});

test("a clock runs by the server's time, for one side, and stops at nothing", () => {
  const clock = { left_ms: [5000, 7000], since_ms: 100_000, running: 2 };
  assert.equal(leftOf(clock, 1, 103_000), 5000);
  assert.equal(leftOf(clock, 2, 103_000), 4000);
  assert.equal(leftOf(clock, 2, 99_000), 7000);
  assert.equal(leftOf(clock, 2, 200_000), 0);
  assert.equal(leftOf({ ...clock, since_ms: null }, 2, 103_000), 7000);
});

test("scores are by level, and the next level is the one above the highest that was beaten", () => {
  const games = [
    game(1),
    game(2, { result: { winner: 2, termination: "resignation" } }),
    game(3, { players: [null, "level-1"], result: { winner: null, termination: "full board" } }),
    game(4, { sides: [1, 2] }),
    game(5, { result: null }),
    game(6, { players: [null, "mcts"] }),
  ];
  const tally = tallyOf(games);
  assert.deepEqual(tally, [
    [1, { won: 0, drawn: 1, lost: 0 }],
    [3, { won: 1, drawn: 0, lost: 1 }],
  ]);
  assert.equal(nextLevel(tally), 4);
  assert.equal(nextLevel(tally.slice(0, 1)), null);
  assert.equal(nextLevel([[10, { won: 1, drawn: 0, lost: 0 }]]), null);
});

test("games move by a file, which adds what is new and keeps what is newer", async () => {
  for (const each of [game(1), game(2)]) keepGame(each.id, each);
  const text = archiveText();
  setPref("games", null);
  keepGame(game(2).id, game(2, { when: 5000, names: ["Ada", "newer"] }));
  assert.equal(await addArchive(text), 1);
  assert.equal(myGames().length, 2);
  assert.deepEqual(myGame(game(1).id).names, ["Ada", "Level 3"]);
  assert.deepEqual(myGame(game(2).id).names, ["Ada", "newer"]);
  assert.equal(await addArchive(text), 0);
});

test("games by other rules move, too", async () => {
  const place = { start: "..../..../..../....:pop", moves: "12p1", width: 4, height: 4 };
  const text = JSON.stringify({ format: "fourcast-games", games: [game(1, { place })] });
  assert.equal(await addArchive(text), 1);
  assert.deepEqual(myGame(game(1).id).place, place);
});

test("a file of somebody else adds games in the form of games only", async () => {
  for (const text of ["", "null", "[]", "{not JSON", '{"format": "other", "games": []}']) {
    assert.equal(await addArchive(text), null);
  }
  const bad = [
    null,
    7,
    { ...game(1), id: "../x" },
    { ...game(1), token: "<b>" },
    { ...game(1), sides: [3] },
    { ...game(1), names: ["x".repeat(1000), ""] },
    { ...game(1), names: [{}, ""] },
    { ...game(1), place: { start: "", moves: "<i>", width: 7, height: 6 } },
    { ...game(1), place: { start: "", moves: "44", width: 1e9, height: 6 } },
    { ...game(1), place: null },
    { ...game(1), when: "yesterday" },
  ];
  const text = JSON.stringify({ format: "fourcast-games", version: 1, games: bad });
  assert.equal(await addArchive(text), 0);
  assert.deepEqual(myGames(), []);
  const odd = { ...game(1), result: { winner: 5, termination: "magic" }, board: "<svg>", extra: "x" };
  await addArchive(JSON.stringify({ format: "fourcast-games", games: [odd] }));
  const { result, board, extra, over } = myGame(game(1).id);
  assert.deepEqual([result, board, extra, over], [null, "", undefined, false]);
});
