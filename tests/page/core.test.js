import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import {
  CoreError,
  PLAY_WASM,
  WASM,
  load,
  loadInWorker,
} from "../../src/fourcast/web/page/static/js/core/index.js";
import { Machine, compile } from "../../src/fourcast/web/page/static/js/core/machine.js";
import { Catalogue } from "../../src/fourcast/web/page/static/js/words/patterns.js";
import { saidText } from "../../src/fourcast/web/page/static/js/words/said.js";
import { assertSame } from "./same.js";

const recorded = JSON.parse(readFileSync("tests/fixtures/core-answers.json", "utf8"));
const open = recorded.filter(({ analysis }) => analysis);
const english = JSON.parse(readFileSync("src/fourcast/messages/errors/en.json", "utf8"));
const { say } = new Catalogue(english, "en");
CoreError.words = (code, facts) => saidText(say, { pattern: code, facts }, ["first", "second"]);
const core = await load();
const worker = await loadInWorker();
after(() => worker.close());

/** An answer without what it took. */
const lasting = (answer) => {
  const { nodes, time_s: time, position, ...rest } = answer;
  assert.ok(nodes >= 0 && time >= 0 && position.width > 0);
  return rest;
};

// Weeks of search, so that it is still running whenever a test looks.
const ENDLESS = { width: 9, height: 8 };

test("a position has the same legal columns, threats and squares as in Python", async () => {
  for (const { position } of recorded) assert.deepEqual(await core.position(position), position);
});

test("a position is made from moves, from rows, and from another one by a disc", async () => {
  const { diagram } = await core.position("4455");
  const start = diagram.replaceAll(" ", "").replaceAll("\n", "/");
  const same = await core.position({ start });
  assert.deepEqual([same.diagram, same.start, same.moves, same.turn], [diagram, start, "", 1]);
  const played = await core.play(await core.position({ start, moves: "3" }), 5);
  assert.deepEqual([played.start, played.moves, played.last_move], [start, "36", [5, 0]]);
  assert.equal((await core.play("", 3)).moves, "4");
  const { first, second } = await core.threats("445566");
  assert.deepEqual([first.length, second.length], [2, 2]);
});

test("scores and lines are those of the native core, at all stages and sizes", async () => {
  for (const { position, analysis } of open) {
    assertSame(lasting(await core.analyze(position)), analysis, position.moves);
  }
});

test("the best columns and the score alone are those of the native core", async () => {
  for (const { position, analysis, best_columns: best } of open) {
    const result = await core.solve(position, { best_columns: true });
    assert.deepEqual([result.score, result.best_columns, result.complete], [analysis.score, best, true]);
    const { outcome } = await core.solve(position, { outcome_only: true });
    assert.equal(outcome, analysis.outcome);
  }
});

test("the searches of players and the reasons are those of the native core", async () => {
  for (const { position, look_ahead: ahead, search_tree: tree, explanation } of open) {
    const options = { depth: 3, evaluation: "streaks", every_column: true };
    const { nodes, ...found } = await core.lookAhead(position, options);
    assert.ok(nodes > 0);
    assert.deepEqual(found, ahead);
    assert.deepEqual(await core.searchTree(position, { playouts: 200, seed: 7 }), tree);
    if (!explanation) continue;
    const { verdict, line, claims, complete } = await core.explain(position);
    assertSame({ score: verdict.score, line, claims, complete }, explanation, position.moves);
  }
});

test("in a worker the core answers the same, also several questions at once", async () => {
  const some = open.slice(0, 8);
  const answers = await Promise.all(some.map(({ position }) => worker.analyze(position)));
  answers.forEach((answer, index) => assert.deepEqual(lasting(answer), some[index].analysis));
  assert.deepEqual(await worker.position("4455"), await core.position("4455"));
});

test("an abort ends an analysis at once, and what was found is kept", async () => {
  for (const each of [core, worker]) {
    await each.clear();
    const controller = new AbortController();
    const views = [];
    const onProgress = (view) => {
      views.push(view);
      if (views.length === 2) controller.abort();
    };
    const search = each.analyze(ENDLESS, { signal: controller.signal, onProgress });
    await assert.rejects(search, { name: "AbortError" });
    assert.ok(views.every((view) => !view.complete && view.lower <= view.upper));
    assert.equal((await each.position("4")).ply, 1);
    // Nodes that a short question needs once are in the table when it comes again.
    const place = "444444";
    const first = await each.solve(place, { nodes: 30_000 });
    const again = await each.solve(place, { nodes: 30_000 });
    assert.ok(first.complete ? again.nodes < first.nodes : again.lower >= first.lower);
    await assert.rejects(each.analyze("4455", { signal: AbortSignal.abort() }), { name: "AbortError" });
  }
});

test("an analysis in many small slices ends like one in a single slice", async () => {
  const machine = new Machine(await compile(WASM));
  let slices = 0;
  for (const { position, analysis } of open) {
    machine.putText(0, position.start);
    machine.putText(1, position.moves);
    machine.call("set_position", position.width, position.height);
    const task = machine.run("start_analysis", true);
    for (let isDone = false, value; !isDone; slices += 1) {
      ({ done: isDone, value } = machine.call("run", task, 100, Infinity));
      assert.ok(value.lower <= analysis.score && analysis.score <= value.upper);
      if (isDone) assert.deepEqual(lasting(value), analysis);
    }
    machine.run("end_task", task);
  }
  assert.ok(slices > 2 * open.length, `${slices} slices of ${open.length} analyses`);
});

test("a limit of nodes or time gives proven bounds", async () => {
  const view = await core.analyze(ENDLESS, { nodes: 2_000 });
  assert.deepEqual([view.complete, view.score, view.columns.length], [false, null, 9]);
  const result = await core.solve(ENDLESS, { time_s: 0.001 });
  assert.ok(!result.complete && result.lower < result.upper);
  // Not even to the end of the first slice, which has 400,000: on a large board that takes seconds.
  assert.ok(result.nodes < 300_000, `${result.nodes} nodes`);
});

test("players choose open columns, and with a seed the same again", async () => {
  const levels = [1, 4, 7, 8, 10].map((level) => `level-${level}`);
  const others = ["random", "winning", "depth", "streaks", "winsets", "mcts", "perfect"];
  for (const player of [...others, ...levels]) {
    for (const { position } of open.slice(0, 4)) {
      const options = { player, playouts: 100, depth: 2, seed: 5 };
      const column = await core.choose(position, options);
      assert.ok(position.legal_columns.includes(column));
      assert.equal(await worker.choose(position, options), column);
    }
  }
  assert.ok([2, 6].includes(await core.choose("445566", { player: "winning" })));
  const endless = await core.choose(ENDLESS, { time_s: 0.01 });
  assert.ok(endless >= 0 && endless < 9);
});

test("a review judges the moves of a game as Python does, and says how far it is", async () => {
  const seen = [];
  const onProgress = ({ judged, moves }) => seen.push([judged, moves]);
  const review = await worker.review({ moves: "1213141", width: 4, height: 4 }, { onProgress });
  assert.deepEqual([review.decisive, review.complete, review.accuracy_first], [6, true, 100]);
  assert.equal(review.accuracy_second.toFixed(1), "26.7");
  const { verdict, best_columns: best, score_before: before, score_after: left } = review.moves[5];
  assert.deepEqual([verdict, best, before, left], ["mistake", [0], 0, -5]);
  assert.deepEqual(seen.at(-1), [7, 7]);
  const none = await core.review("");
  assert.deepEqual(
    [none.moves, none.accuracy_first, none.decisive, none.complete],
    [[], null, null, true],
  );
  const short = await core.review({ moves: "12", ...ENDLESS }, { time_s: 0.01 });
  assert.deepEqual([short.complete, short.decisive, short.moves[0].verdict], [false, null, null]);
});

test("the smaller core plays and solves, and says where explanations are", async () => {
  const player = await load(PLAY_WASM);
  const options = { player: "level-8", seed: 3 };
  assert.equal(await player.choose("4455", options), await core.choose("4455", options));
  assert.equal((await player.solve("4455")).score, 18);
  await assert.rejects(player.explain("4455"), { name: "OptionError", message: /load fourcast\.wasm$/ });
});

test("what is wrong is refused in the core's words, with its data", async () => {
  const cases = [
    ["44444444", "IllegalMoveError", "move 7 of '44444444': column 4 is full"],
    ["48", "InvalidNotationError", "'8' at place 2 of '48' is not a column: they are 1 to 7"],
    [{ start: "XX/.." }, "InvalidPositionError", /^a board of width 2 and height 2 is not supported/],
    [{ width: 7.5 }, "InvalidPositionError", /^a board of width 7.5 and height 6 is not supported/],
    [{ moves: 44 }, "TypeError", "moves must be a string, not 44"],
    [null, "TypeError", "position must be a move string or an object with moves, not null"],
    [{ width: "7" }, "TypeError", "width must be a number, not '7'"],
    ["4".repeat(70_000), "InvalidNotationError", /70000 characters are too many/],
    ["\u{1f600}\ud800", "InvalidNotationError", /is not a column/],
  ];
  for (const each of [core, worker]) {
    for (const [place, name, message] of cases) {
      await assert.rejects(each.position(place), { name, message });
    }
    const data = { name: "IllegalMoveError", column: 3, reason: "full", ply: 6 };
    const said = { code: "error.column_full", facts: { column: "4" } };
    await assert.rejects(each.play("444444", 3), { ...data, ...said });
    await assert.rejects(each.play("", 99), { reason: "off the board", column: 99 });
    await assert.rejects(each.play("", 0.5), { message: "column must be an integer, not 0.5" });
    await assert.rejects(each.analyze("1212121"), { name: "FinishedGameError" });
    await assert.rejects(each.choose("1212121", { player: "random" }), { name: "FinishedGameError" });
  }
});

test("options are checked", async () => {
  const refused = (search, name, message) => assert.rejects(search, { name, message });
  await refused(
    core.solve("", { timeS: 1 }),
    "OptionError",
    /^no option is called 'timeS'; there are: /,
  );
  await refused(core.solve("", { time_s: 0 }), "OptionError", "time_s must be more than 0, not 0");
  await refused(core.solve("", { nodes: NaN }), "TypeError", "nodes must be a number, not NaN");
  await refused(core.solve("", { signal: 5 }), "TypeError", "signal must be an AbortSignal, not 5");
  await refused(core.lookAhead("", { depth: 0 }), "OptionError", "depth must be from 1 to 128, not 0");
  await refused(core.lookAhead("", { evaluation: "x" }), "OptionError", /^evaluation must be none, /);
  await refused(core.searchTree("", { seed: -1 }), "OptionError", /^seed must be from 0 to /);
  await refused(core.choose("", { player: "me" }), "UnknownPlayerError", /^no player is called "me"; /);
  await refused(
    load(undefined, { table_mb: 0 }),
    "OptionError",
    "table_mb must be from 1 to 1024, not 0",
  );
  await refused(load(5), "TypeError", /^source must be bytes, /);
  await refused(loadInWorker(undefined, { table: 1 }), "OptionError", /^no option is called 'table'/);
});

test("a book from bytes answers at once, and a damaged one is refused", async () => {
  const book = readFileSync("src/fourcast/book/shipped/7x6-12.book");
  const learned = await loadInWorker(undefined, { book });
  const { score, best_columns: best, nodes } = await learned.analyze("", { variations: false });
  assert.deepEqual([score, best, nodes], [1, [3], 0]);
  await learned.close();
  await assert.rejects(learned.position(""), { message: "the core has been closed" });

  const fresh = await load(undefined, {
    book: book.buffer.slice(book.byteOffset, book.byteOffset + book.length),
  });
  assert.equal((await fresh.solve("4")).score, -1);
  const altered = Uint8Array.from(book);
  altered[5000] ^= 1;
  const message =
    "the given data is not a book: its checksum is wrong, so it has been cut off or altered";
  await assert.rejects(fresh.addBook(altered), { name: "BookError", message });
  await assert.rejects(fresh.addBook(new Uint8Array(3)), /it has 3 bytes, which is too few/);
  await assert.rejects(fresh.addBook("book"), TypeError);
  assert.equal((await fresh.solve("44")).score, 1);
});

test("a core that is closed says so", async () => {
  const closed = await load();
  await closed.close();
  await assert.rejects(closed.position(""), { message: "the core has been closed" });
  assert.ok(new CoreError("OptionError", "error.no_choice") instanceof Error);
});

test("hostile questions are refused, and the core answers the next one as before", async () => {
  const deep = JSON.parse("[".repeat(900) + "]".repeat(900));
  const cycle = {};
  cycle.self = cycle;
  const values = [
    null,
    deep,
    { start: deep },
    { moves: "4".repeat(100_000) },
    { width: 1e308, height: -0 },
    { width: 7.5, height: 6 },
    { moves: "\u0000\ud800" },
    { record: { moves: Array(10_000).fill({ name: "4" }), chairs: [{}, {}] }, sides: [1] },
    { file: "[".repeat(200_000) },
    { text: "{".repeat(200_000), columns: Array(100_000).fill(-1) },
    Array(50_000).fill(null),
    "x".repeat(1_000_000),
  ];
  const questions = [
    "marks",
    "move.describe",
    "game.new",
    "game.play",
    "game.act",
    "game.rematch",
    "read",
    "puzzle.try",
  ];
  let refused = 0;
  for (const question of [...questions, "", "__proto__", "toString", "\u0000", "x".repeat(10_000)]) {
    for (const value of values) {
      try {
        await core.ask(question, value);
      } catch (error) {
        assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), String(error));
        refused += 1;
      }
    }
  }
  assert.ok(refused > 100);
  await assert.rejects(core.ask("explain", cycle), TypeError);
  assert.equal((await core.analyze("4455")).score, (await worker.analyze("4455")).score);
});
