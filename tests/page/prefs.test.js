import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clearStorage, keepText } from "./browser.js";
import {
  dropGame,
  getPref,
  keepGame,
  myGame,
  myGames,
  setPref,
} from "../../src/fourcast/web/page/static/js/shell/prefs.js";

beforeEach(() => {
  setPref("games", null);
  clearStorage();
});

test("a choice is kept until it is forgotten", () => {
  assert.equal(getPref("sound", false), false);
  setPref("sound", true);
  assert.equal(getPref("sound", false), true);
  setPref("sound", null);
  assert.equal(getPref("sound", false), false);
});

test("what the browser cannot keep is remembered as long as the page", () => {
  const { localStorage } = window;
  window.localStorage = undefined;
  try {
    setPref("name", "Ada");
    assert.equal(getPref("name"), "Ada");
  } finally {
    window.localStorage = localStorage;
    setPref("name", null);
  }
});

test("what somebody else has written there breaks nothing", () => {
  keepText("fourcast.name", "{not JSON");
  assert.equal(getPref("name", ""), "");
  for (const text of ["null", "7", '{"id": 1}', '[null, 3, {"id": "x"}, {"token": "y"}]']) {
    keepText("fourcast.games", text);
    assert.deepEqual(myGames(), []);
  }
});

test("games are kept with their tokens, the newest first, and no more than 400", () => {
  keepGame("spectated", { title: "no token, no part in it" });
  assert.equal(myGame("spectated"), null);
  for (let number = 0; number < 405; number += 1) keepGame(`game-${number}`, { token: "secret" });
  keepGame("game-20", { over: true });
  assert.equal(myGames().length, 400);
  assert.deepEqual(myGames()[0], { id: "game-20", token: "secret", over: true });
  assert.equal(myGame("game-0"), null);
  dropGame("game-20");
  assert.equal(myGame("game-20"), null);
  assert.equal(myGames().length, 399);
});
