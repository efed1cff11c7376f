import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { describeSpectators } from "../../src/fourcast/web/page/static/js/game/invitation.js";
import { GameState } from "../../src/fourcast/web/page/static/js/game/state.js";

const person = (name) => ({ kind: "person", name, player: null, is_connected: true });
const computer = { kind: "computer", name: "level-3", player: "level-3", is_connected: true };
const open = { kind: "open", name: "", player: null, is_connected: false };

function stateOf({
  first = person("Ada"),
  second = person(""),
  sides = [1],
  result = null,
  ...game
} = {}) {
  const position = { moves: "445", turn: 2, is_over: false };
  const titles = new Map([["level-3", "Level 3"]]);
  return new GameState({ first, second, result, position, spectators: 0, ...game }, sides, titles);
}

test("people go by their names, else by their colors on one screen and as guests elsewhere, and the computer by its title", () => {
  assert.deepEqual(
    [1, 2].map((side) => stateOf().nameOf(side)),
    ["Ada", "Guest"],
  );
  assert.equal(stateOf({ is_local: true }).nameOf(2), "Yellow");
  assert.equal(stateOf({ second: computer }).nameOf(2), "Level 3");
});

test("whose move it was follows from who is to move", () => {
  assert.deepEqual(
    [0, 1, 2].map((index) => stateOf().moverOf(index)),
    [1, 2, 1],
  );
});

test("a browser may move for its own sides only", () => {
  assert.equal(stateOf({ sides: [1] }).isMyTurn, false);
  assert.equal(stateOf({ sides: [2] }).isMyTurn, true);
  assert.equal(stateOf({ sides: [1, 2] }).isMyTurn, true);
  assert.equal(stateOf({ sides: [2], result: { winner: 1 } }).isMyTurn, false);
});

test("a game waits for a friend if the free seat is to move", () => {
  const waiting = stateOf({ second: open });
  assert.equal(waiting.openSide, 2);
  assert.equal(waiting.host, 1);
  assert.equal(waiting.isWaiting, true);
  assert.equal(stateOf({ first: open, second: person("Bo"), sides: [2] }).isWaiting, false);
});

test("the headline is told from where one sits", () => {
  const result = { winner: 1 };
  assert.equal(stateOf({ result, sides: [1] }).headline, "You win");
  assert.equal(stateOf({ result, sides: [2] }).headline, "You lose");
  assert.equal(stateOf({ result, sides: [] }).headline, "Ada wins");
  assert.equal(stateOf({ result, sides: [1, 2] }).headline, "Ada wins");
  assert.equal(stateOf({ result: { winner: null } }).headline, "Draw");
});

test("spectators are counted without oneself", () => {
  assert.equal(describeSpectators(stateOf()), "");
  assert.equal(describeSpectators(stateOf({ spectators: 1 })), "1 person is watching.");
  assert.equal(describeSpectators(stateOf({ sides: [], spectators: 1 })), "You are watching.");
  assert.equal(
    describeSpectators(stateOf({ sides: [], spectators: 3 })),
    "You are watching, with 2 other people.",
  );
});
