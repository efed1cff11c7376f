import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { clearStorage, keepText } from "./browser.js";
import { load } from "../../src/fourcast/web/page/static/js/core/index.js";
import { unpacked } from "../../src/fourcast/web/page/static/js/train/collection.js";
import { History, HistoryError } from "../../src/fourcast/web/page/static/js/train/history.js";
import { judged } from "../../src/fourcast/web/page/static/js/train/judge.js";
import { queryAfter } from "../../src/fourcast/web/page/static/js/train/puzzle.js";
import { spoken, themeSentence } from "../../src/fourcast/web/page/static/js/train/said.js";
import { loadTrainingTexts } from "../../src/fourcast/web/page/static/js/words/text.js";

// What fourcast.puzzles answers; tools/page/record_puzzles.py has recorded it.
const recorded = JSON.parse(readFileSync("tests/fixtures/puzzle-answers.json", "utf8"));
const shipped = readFileSync("src/fourcast/puzzles/shipped/7x6.puzzles.gz");
const text = await unpacked(shipped);
const core = await load();
const ask = (question, request) => core.ask(question, request);

/** How many positions were solved. */
let solved = 0;
const find = (query) => {
  solved += 1;
  return core.analyze(query, { variations: false });
};
/** A question about an attempt, as the page asks it. */
const judgedAttempt = (question, { puzzle, columns }, more = {}) =>
  judged(question, { puzzle, columns, ...more }, queryAfter(puzzle, []), { ask, find });
const parse = (line, size = { width: 7, height: 6 }) => ask("puzzle.parse", { line, ...size });

globalThis.fetch = async () => new Response(readFileSync("build/page/text-train-en.json"));
await loadTrainingTexts();

test("puzzles have the ids, mirror images, questions and JSON that Python gives them", async () => {
  for (const { line, mirrored: other, id, width, height, question } of recorded.puzzles) {
    const puzzle = await parse(line, { width, height });
    assert.equal(puzzle.id, id);
    const facts = await ask("puzzle", puzzle);
    assert.deepEqual(facts.puzzle, puzzle);
    assert.deepEqual(facts.mirrored, await parse(other, { width, height }));
    assert.equal(spoken(facts.task), question);
    assert.equal(await ask("puzzle.format", puzzle), line);
  }
});

test("themes have Python's letters and words", async () => {
  const letters = Object.entries(recorded.themes).map(([name, [letter]]) => ({ name, letter }));
  assert.deepEqual(await ask("themes", null), letters);
  for (const [name, [, sentence]] of Object.entries(recorded.themes)) {
    assert.equal(themeSentence(name), sentence);
  }
});

test("what is no puzzle is refused", async () => {
  const puzzle = await parse("4575274553 w4 434 1 260 90 d");
  const wrong = [
    { moves: "48" },
    { moves: "x" },
    { moves: 4 },
    { goal: "lose" },
    { solution: [] },
    { solution: [3, 2] },
    { solution: [7] },
    { solution: "343" },
    { tempting: 3 },
    { tempting: -1 },
    { ending: "" },
    { rating: "260" },
    { rating: 1e9 },
    { themes: "d" },
    { themes: Array(41).fill("defuse") },
    { width: 0 },
    { width: 200 },
    { height: 1.5 },
  ];
  for (const part of wrong) {
    const refused = { code: "error.puzzle" };
    await assert.rejects(ask("puzzle", { ...puzzle, ...part }), refused, JSON.stringify(part));
  }
});

test("attempts go as they do in Python, with the same replies", async () => {
  for (const { puzzle, tried, states } of recorded.attempts) {
    let columns = [];
    for (const [index, column] of tried.entries()) {
      const found = await judgedAttempt("puzzle.try", { puzzle, columns }, { column });
      assert.deepEqual(found, states[index], JSON.stringify(puzzle));
      ({ columns } = found);
    }
  }
});

test("a solution that is followed is not computed again", async () => {
  const puzzle = await parse("4575274553 w4 434 1 260 90 d");
  solved = 0;
  const { columns } = await judgedAttempt("puzzle.try", { puzzle, columns: [] }, { column: 3 });
  const { state } = await judgedAttempt("puzzle.try", { puzzle, columns }, { column: 3 });
  assert.deepEqual([state, solved], ["solved", 0]);
  const { accepted } = await judgedAttempt("puzzle.accepted", { puzzle, columns: [] });
  assert.deepEqual([accepted, solved], [[3], 1]);
});

test("the mistakes of a game become the exercises that Python makes of them", async () => {
  for (const { moves, exercises } of recorded.mistakes) {
    const exerciseOf = async (number) => {
      const request = { game: moves, width: 7, height: 6, number };
      const query = { start: "", moves: moves.slice(0, number - 1), width: 7, height: 6 };
      return (await judged("puzzle.exercise", request, query, { ask, find })).puzzle;
    };
    assert.ok(exercises.length);
    for (const exercise of exercises) {
      assert.deepEqual(await exerciseOf(exercise.moves.length + 1), exercise);
    }
    assert.equal(await exerciseOf(moves.length), null, "the last move won");
  }
});

test("the puzzle of the day is the one of `fourcast puzzle --daily`", async () => {
  for (const [date, id] of Object.entries(recorded.daily)) {
    const day = Math.floor(Date.parse(`${date}T23:59:59Z`) / 86_400_000);
    assert.equal((await ask("puzzles.daily", { text, day })).id, id);
  }
});

test("puzzles are chosen from those that Python chooses from", async () => {
  for (const { ids, ...wanted } of recorded.near) {
    const found = await ask("puzzles.near", { text, ...wanted });
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
    );
    const { id } = await ask("puzzles.pick", { text, ...wanted, chance: Math.random() });
    assert.ok(ids.includes(id));
  }
  const [{ id, line }] = recorded.puzzles;
  assert.equal((await ask("puzzles.find", { text, id })).moves, line.split(" ")[0]);
  assert.equal(await ask("puzzles.find", { text, id: "aaaaaaaa" }), null);
});

test("a file is read, be it packed or not, and another one is refused", async () => {
  const plain = new TextEncoder().encode("# fourcast puzzles 1 7x6 x\n4575274553 w4 434 1 260 90 d\n");
  assert.equal((await ask("puzzles.read", { text: await unpacked(plain) })).length, 1);
  await assert.rejects(ask("puzzles.read", { text: "<html>" }), { code: "error.in_line" });
  await assert.rejects(unpacked(shipped.subarray(0, 1000)));
});

test("a history says the same as in Python: rating, streak, cards, themes", async () => {
  for (const { file, now, strengths, streak, cards, due, themes } of recorded.histories) {
    const found = await ask("training", { text: file, now: Date.parse(now) });
    assert.equal(found.strengths.length, strengths.length);
    found.strengths.flat().forEach((value, index) => {
      assert.ok(Math.abs(value - strengths.flat()[index]) < 1e-8, `${value}`);
    });
    assert.equal(found.streak, streak);
    const kept = found.cards.map((card) => ({
      id: card.id,
      box: card.box,
      due: new Date(card.due).toISOString().replace(".000Z", "+00:00"),
      known: card.is_known,
    }));
    assert.deepEqual(kept, cards);
    assert.deepEqual(
      found.due.map(({ puzzle }) => puzzle.id),
      due,
    );
    const records = found.themes.map(({ theme, tried, solved: count }) => [theme, tried, count]);
    assert.deepEqual(records, themes);
  }
});

test("a history is written letter for letter as the terminal writes it", async () => {
  for (const { file } of recorded.histories) {
    assert.deepEqual(await ask("training.merge", { text: "", other: file }), {
      text: file,
      added: file.split("\n").length - 2,
    });
  }
});

test("a history grows in the browser, and takes in that of the terminal once", async () => {
  clearStorage();
  const [{ file }, { file: second }] = recorded.histories;
  const history = new History(ask);
  const count = file.split("\n").length - 2;
  assert.equal(await history.merge(file), count);
  assert.equal(history.text, file);
  assert.equal(await history.merge(file), 0);
  const other = new History(ask); // another window
  const { puzzle } = (await history.training()).answered[0];
  const now = Date.parse("2030-01-01T00:00:00.9Z");
  await other.add({ puzzle, solved: true, hints: 0, card: null }, now);
  assert.equal((await history.training()).answered.length, count + 1);
  assert.ok(history.text.startsWith(file) && history.text.includes('"2030-01-01T00:00:00+00:00"'));
  await history.merge(second);
  const times = (await history.training()).answered.map(({ when }) => when);
  assert.deepEqual(times, times.toSorted());
  const again = await ask("training.merge", { text: "", other: history.text });
  assert.equal(again.text, history.text);
});

test("a history that cannot be read is refused with its line, and what is kept stays", async () => {
  clearStorage();
  const [{ file }] = recorded.histories;
  const lines = file.split("\n");
  const history = new History(ask);
  await history.merge(file);
  const { puzzle } = (await history.training()).answered[0];
  const bad = [
    ["x\ny\n", 1],
    ['{"format":"other"}\n', 1],
    [`${lines[0]}\n{"when":1}\n{}\n`, 2],
    [file.replace('"solved":true', '"solved":1'), null],
    [file.replace("+00:00", ""), 2],
  ];
  for (const [content, line] of bad) {
    const refused = (error) => error instanceof HistoryError && (line === null || error.line === line);
    await assert.rejects(history.merge(content), refused, content.slice(0, 80));
    assert.equal(history.text, file);
  }
  // The worst that a crash can leave.
  assert.equal(await history.merge(`${file}{"when":"2026-`), 0);
  keepText("fourcast.training", "nonsense");
  await assert.rejects(history.training(), HistoryError);
  assert.equal((await history.readable()).answered.length, 0);
  await assert.rejects(history.add({ puzzle, solved: true, hints: 0, card: null }), HistoryError);
  assert.equal(history.text, "nonsense");
});

test("a line that was cut off is left out when the history grows", async () => {
  clearStorage();
  const [{ file }] = recorded.histories;
  keepText("fourcast.training", file.slice(0, -20));
  const history = new History(ask);
  const { answered } = await history.training();
  await history.add({ puzzle: answered[0].puzzle, solved: true, hints: 0, card: null });
  assert.equal((await history.training()).answered.length, answered.length + 1);
});

test("a card asks its puzzle or the mirror image, and after two passes another one of its theme", async () => {
  const puzzle = await parse("4753452525545241 w4 133 6 432 105 s");
  const { mirrored } = await ask("puzzle", puzzle);
  const question = (asked, box, chances) => ask("card.question", { puzzle: asked, box, text, chances });
  assert.deepEqual(await question(puzzle, 1, [0.9, 0.9]), puzzle);
  assert.deepEqual(await question(puzzle, 1, [0.9, 0.1]), mirrored);
  const later = await question(puzzle, 2, [0.9, 0.9]);
  assert.notEqual(later.id, puzzle.id);
  assert.ok(later.themes.includes("stacked threats"));
  assert.ok(Math.abs(later.rating - puzzle.rating) < 50);
  const exercise = { ...puzzle, themes: [] };
  assert.deepEqual(await question(exercise, 5, [0.9, 0.9]), exercise);
});

test("an exploration finds what `fourcast explore` finds", async () => {
  for (const { moves, columns, most_testing: testing } of recorded.explorations) {
    const query = { start: "", moves, width: 7, height: 6 };
    const found = [];
    for (const { column, score } of (await find(query)).columns) {
      const request = { moves, column, score };
      const { said, ...move } = await judged("explore.move", request, query, { ask, find });
      assert.equal(said === null, move.replies.length === 0);
      found.push(move);
    }
    assert.deepEqual(found, columns);
    const best = await ask("explore.testing", { width: 7, moves: found });
    assert.equal(best.most_testing, testing);
  }
});

test("orders of moves and the levels' choices are those of Python", async () => {
  const file = readFileSync("src/fourcast/study/shipped/7x6.levels.json", "utf8");
  for (const { moves, orders, others, levels, wrong } of recorded.openings) {
    const found = await ask("explore.orders", { moves, order: moves, most: 3 });
    assert.deepEqual(found, orders === null ? null : { count: orders, others }, moves);
    const choices = await ask("explore.levels", { moves, text: file });
    if (levels === null) assert.equal(choices, null);
    else {
      assert.deepEqual({ asked: choices.asked, counts: choices.counts }, levels, moves);
      const shares = await ask("explore.wrong", { ...levels, keeping: [3, 4] });
      shares.forEach((share, level) => assert.ok(Math.abs(share - wrong[level]) < 1e-9));
    }
  }
  assert.equal(await ask("explore.levels", { width: 6, height: 5, text: file }), null);
  const full = { moves: "12345671234567123", order: "", most: 3 };
  assert.equal(await ask("explore.orders", full), null);
});

test("a repertoire is taught as in the terminal: what is due, then new cards in their order", async () => {
  const cardsOf = async (side) => {
    const packed = readFileSync(`src/fourcast/puzzles/shipped/${side}.repertoire.gz`);
    return ask("repertoire.read", { text: await unpacked(packed) });
  };
  const cards = await cardsOf("first");
  assert.equal((await cardsOf("second")).length, recorded.repertoire.second.length);
  const now = Date.parse("2026-11-17T00:00:00Z");
  const all = await ask("repertoire", { cards, text: "", now, count: cards.length });
  assert.deepEqual(
    all.fresh.map(({ puzzle }) => [puzzle.id, puzzle.solution[0]]),
    recorded.repertoire.first,
  );
  const puzzles = all.fresh.map(({ puzzle }) => puzzle);
  clearStorage();
  const history = new History(ask);
  const failed = { puzzle: puzzles[0], solved: false, hints: 0, card: null };
  await history.add(failed, now - 3 * 86_400_000);
  await history.add({ ...failed, puzzle: puzzles[2], solved: true }, now - 10);
  const found = await ask("repertoire", { cards, text: history.text, now, count: 3 });
  assert.equal(found.seen, 2);
  const [{ puzzle, card, number }] = found.due;
  assert.deepEqual([found.due.length, puzzle, card, number], [1, puzzles[0], puzzles[0].id, 1]);
  assert.deepEqual(
    found.fresh.map((each) => each.puzzle),
    [puzzles[1], puzzles[3], puzzles[4]],
  );
});
