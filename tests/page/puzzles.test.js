import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { clearStorage, keepText } from "./browser.js";
import { load } from "../../src/fourcast/web/page/static/js/core/index.js";
import {
  acceptedColumns,
  columnsFromCenter,
  exerciseOf,
  startOf,
  tryColumn,
} from "../../src/fourcast/web/page/static/js/train/attempt.js";
import {
  cardsOf,
  dueCards,
  isKnown,
  questionOf,
  themeRecords,
} from "../../src/fourcast/web/page/static/js/train/cards.js";
import { readCollection } from "../../src/fourcast/web/page/static/js/train/collection.js";
import { unpacked } from "../../src/fourcast/web/page/static/js/train/files.js";
import {
  exploreMove,
  mostTesting,
  ordersOf,
} from "../../src/fourcast/web/page/static/js/train/explore.js";
import {
  History,
  HistoryError,
  formatHistory,
  parseHistory,
  streakOf,
  strengthsOf,
} from "../../src/fourcast/web/page/static/js/train/history.js";
import {
  THEMES,
  idOf,
  mirrored,
  parsePuzzle,
  puzzleFromJson,
  puzzleToJson,
} from "../../src/fourcast/web/page/static/js/train/puzzle.js";
import { levelChoices, wrongShare } from "../../src/fourcast/web/page/static/js/train/levels.js";
import {
  repertoireOf,
  repertoireQuestions,
} from "../../src/fourcast/web/page/static/js/train/repertoire.js";
import { questionText, themeSentence } from "../../src/fourcast/web/page/static/js/train/said.js";
import { loadTrainingTexts } from "../../src/fourcast/web/page/static/js/words/text.js";

// What fourcast.puzzles answers; tools/page/record_puzzles.py has recorded it.
const recorded = JSON.parse(readFileSync("tests/fixtures/puzzle-answers.json", "utf8"));
const shipped = readFileSync("src/fourcast/puzzles/shipped/7x6.puzzles.gz");
const puzzleFile = await unpacked(shipped);
const core = await load();

/** The core as the page asks it; with a count of the positions solved. */
const judge = {
  solved: 0,
  position: (query) => core.position(query),
  solve: (query) => {
    judge.solved += 1;
    return core.analyze(query, { variations: false });
  },
};

const files = new Map([
  ["text-train-en.json", "build/page/text-train-en.json"],
  ["7x6.levels.json", "src/fourcast/study/shipped/7x6.levels.json"],
  ["first.repertoire", "src/fourcast/puzzles/shipped/first.repertoire.gz"],
  ["second.repertoire", "src/fourcast/puzzles/shipped/second.repertoire.gz"],
]);
globalThis.fetch = async (url) => {
  const path = files.get(String(url).split("/").at(-1));
  return new Response(path ? readFileSync(path) : shipped);
};
await loadTrainingTexts();

test("puzzles have the ids, mirror images and JSON that Python gives them", () => {
  for (const { line, mirrored: other, id, width, height } of recorded.puzzles) {
    const puzzle = parsePuzzle(line, { width, height });
    assert.equal(idOf(puzzle), id);
    const image = parsePuzzle(other, { width, height });
    assert.deepEqual(mirrored(puzzle), image);
    assert.equal(idOf(image), id);
    assert.deepEqual(puzzleFromJson(JSON.parse(JSON.stringify(puzzleToJson(puzzle)))), puzzle);
  }
  const letters = Object.entries(recorded.themes).map(([name, [letter]]) => [name, letter]);
  assert.deepEqual([...THEMES], letters);
});

test("questions and themes have Python's words", () => {
  for (const { line, question, width, height } of recorded.puzzles) {
    assert.equal(questionText(parsePuzzle(line, { width, height })), question);
  }
  for (const [name, [, sentence]] of Object.entries(recorded.themes)) {
    assert.equal(themeSentence(name), sentence);
  }
});

test("what is no puzzle is refused", () => {
  const puzzle = puzzleToJson(parsePuzzle("4575274553 w4 434 1 260 90 d", { width: 7, height: 6 }));
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
    assert.throws(() => puzzleFromJson({ ...puzzle, ...part }), TypeError, JSON.stringify(part));
  }
});

test("attempts go as they do in Python, with the same replies", async () => {
  for (const { puzzle, tried, states } of recorded.attempts) {
    let attempt = startOf(puzzleFromJson(puzzle));
    for (const [index, column] of tried.entries()) {
      attempt = await tryColumn(attempt, column, judge);
      const { state, columns } = attempt;
      assert.deepEqual({ state, columns }, states[index], JSON.stringify(puzzle));
    }
  }
});

test("a solution that is followed is not computed again", async () => {
  const puzzle = parsePuzzle("4575274553 w4 434 1 260 90 d", { width: 7, height: 6 });
  judge.solved = 0;
  const attempt = await tryColumn(startOf(puzzle), 3, judge);
  assert.equal((await tryColumn(attempt, 3, judge)).state, "solved");
  assert.equal(judge.solved, 0);
  assert.deepEqual(await acceptedColumns(startOf(puzzle), judge), [3]);
});

test("the mistakes of a game become the exercises that Python makes of them", async () => {
  for (const { moves, exercises } of recorded.mistakes) {
    const game = { start: "", moves, width: 7, height: 6 };
    assert.ok(exercises.length);
    for (const exercise of exercises) {
      const found = await exerciseOf(game, exercise.moves.length + 1, judge);
      assert.deepEqual(puzzleToJson(found), exercise);
    }
    assert.equal(await exerciseOf(game, moves.length, judge), null, "the last move won");
  }
});

test("the puzzle of the day is the one of `fourcast puzzle --daily`", async () => {
  const collection = readCollection(puzzleFile);
  for (const [day, id] of Object.entries(recorded.daily)) {
    assert.equal(idOf(collection.daily(new Date(`${day}T23:59:59Z`))), id);
  }
});

test("puzzles are chosen from those that Python chooses from", async () => {
  const collection = readCollection(puzzleFile);
  for (const { rating, theme, without, ids } of recorded.near) {
    const found = collection.near(rating, { theme, without: new Set(without) });
    assert.deepEqual(found.map(idOf), ids);
    assert.ok(ids.includes(idOf(collection.pick(rating, { theme, without: new Set(without) }))));
  }
  assert.equal(collection.find(recorded.puzzles[0].id).moves, recorded.puzzles[0].line.split(" ")[0]);
  assert.equal(collection.find("aaaaaaaa"), null);
});

test("a file is read, be it packed or not, and another one is refused", async () => {
  const plain = new TextEncoder().encode("# fourcast puzzles 1 7x6 x\n4575274553 w4 434 1 260 90 d\n");
  assert.equal(readCollection(await unpacked(plain)).count, 1);
  assert.throws(() => readCollection("<html>"));
  await assert.rejects(unpacked(shipped.subarray(0, 1000)));
});

test("a history says the same as in Python: rating, streak, cards, themes", () => {
  for (const { file, now, strengths, streak, cards, due, themes } of recorded.histories) {
    const answered = parseHistory(file);
    const found = strengthsOf(answered);
    assert.equal(found.length, strengths.length);
    found.forEach(({ rating, deviation, volatility }, index) => {
      [rating, deviation, volatility].forEach((value, part) => {
        assert.ok(Math.abs(value - strengths[index][part]) < 1e-8, `${value} ${strengths[index]}`);
      });
    });
    assert.equal(streakOf(answered), streak);
    const kept = [...cardsOf(answered)].map(([id, card]) => ({
      id,
      box: card.box,
      due: new Date(card.due).toISOString().replace(".000Z", "+00:00"),
      known: isKnown(card),
    }));
    assert.deepEqual(kept, cards);
    const waiting = dueCards(answered, Date.parse(now)).map(({ puzzle }) => idOf(puzzle));
    assert.deepEqual(waiting, due);
    const records = themeRecords(answered).map(({ theme, tried, solved }) => [theme, tried, solved]);
    assert.deepEqual(records, themes);
  }
});

test("a history is written letter for letter as the terminal writes it", () => {
  for (const { file } of recorded.histories) assert.equal(formatHistory(parseHistory(file)), file);
});

test("a history grows in the browser, and takes in that of the terminal once", () => {
  clearStorage();
  const [{ file }, { file: second }] = recorded.histories;
  const history = new History();
  const count = file.split("\n").length - 2;
  assert.equal(history.merge(file), count);
  assert.equal(history.text, file);
  assert.equal(history.merge(file), 0);
  const other = new History(); // another window
  const { puzzle } = history.answered[0];
  other.add({ puzzle, solved: true, hints: 0, card: null }, Date.parse("2030-01-01T00:00:00.9Z"));
  assert.equal(history.answered.length, count + 1);
  assert.ok(history.text.startsWith(file) && history.text.includes('"2030-01-01T00:00:00+00:00"'));
  history.merge(second);
  const times = history.answered.map(({ when }) => when);
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(formatHistory(parseHistory(history.text)), history.text);
});

test("a history that cannot be read is refused with its line, and what is kept stays", () => {
  clearStorage();
  const [{ file }] = recorded.histories;
  const lines = file.split("\n");
  const history = new History();
  history.merge(file);
  const bad = [
    ["x\ny\n", 1],
    ["", null],
    ['{"format":"other"}\n', 1],
    [`${lines[0]}\n{"when":1}\n{}\n`, 2],
    [file.replace('"solved":true', '"solved":1'), null],
    [file.replace("+00:00", ""), null],
  ];
  for (const [text, line] of bad) {
    if (!text) continue;
    const refused = (error) => error instanceof HistoryError && (line === null || error.line === line);
    assert.throws(() => history.merge(text), refused, text.slice(0, 80));
    assert.equal(history.text, file);
  }
  // The worst that a crash can leave.
  assert.equal(history.merge(`${file}{"when":"2026-`), 0);
  keepText("fourcast.training", "nonsense");
  assert.throws(() => history.answered, HistoryError);
  const { puzzle } = parseHistory(file)[0];
  assert.throws(() => history.add({ puzzle, solved: true, hints: 0, card: null }), HistoryError);
  assert.equal(history.text, "nonsense");
});

test("a line that was cut off is left out when the history grows", () => {
  clearStorage();
  const [{ file }] = recorded.histories;
  keepText("fourcast.training", file.slice(0, -20));
  const history = new History();
  const { puzzle } = history.answered[0];
  const count = history.answered.length;
  history.add({ puzzle, solved: true, hints: 0, card: null });
  assert.equal(history.answered.length, count + 1);
  assert.equal(parseHistory(history.text).length, count + 1);
});

test("a card asks its puzzle or the mirror image, and after two passes another one of its theme", async () => {
  const puzzle = parsePuzzle("4753452525545241 w4 133 6 432 105 s", { width: 7, height: 6 });
  assert.deepEqual(await questionOf({ puzzle, box: 1, due: 0 }, () => 0.9), puzzle);
  assert.deepEqual(await questionOf({ puzzle, box: 1, due: 0 }, () => 0.1), mirrored(puzzle));
  const later = await questionOf({ puzzle, box: 2, due: 0 }, () => 0.9);
  assert.notEqual(idOf(later), idOf(puzzle));
  assert.ok(later.themes.includes("stacked threats"));
  assert.ok(Math.abs(later.rating - puzzle.rating) < 50);
  const exercise = { ...puzzle, themes: [] };
  assert.deepEqual(await questionOf({ puzzle: exercise, box: 5, due: 0 }, () => 0.9), exercise);
});

test("an exploration finds what `fourcast explore` finds", async () => {
  for (const { moves, columns, most_testing: testing } of recorded.explorations) {
    const query = { start: "", moves, width: 7, height: 6 };
    const solved = await judge.solve(query);
    const found = [];
    for (const line of solved.columns) found.push(await exploreMove(query, line, judge));
    assert.deepEqual(found, columns);
    assert.equal(mostTesting(found, 7).column, testing);
  }
});

test("orders of moves and the levels' choices are those of Python", async () => {
  for (const { moves, orders, others, levels, wrong } of recorded.openings) {
    const position = await core.position(moves);
    const found = ordersOf(position.cells, moves);
    assert.deepEqual(found, orders === null ? null : { count: orders, others }, moves);
    const choices = await levelChoices(position);
    assert.deepEqual(choices, levels, moves);
    choices?.counts.forEach((_, level) => {
      assert.ok(Math.abs(wrongShare(choices, level, [3, 4]) - wrong[level]) < 1e-9);
    });
  }
  assert.equal(await levelChoices(await core.position({ moves: "", width: 6, height: 5 })), null);
  assert.equal(ordersOf((await core.position("12345671234567123")).cells, ""), null);
});

test("a repertoire is taught as in the terminal: what is due, then new cards in their order", async () => {
  const cards = await repertoireOf("first");
  assert.deepEqual(
    cards.map((puzzle) => [idOf(puzzle), puzzle.solution[0]]),
    recorded.repertoire.first,
  );
  assert.equal((await repertoireOf("second")).length, recorded.repertoire.second.length);
  const now = Date.parse("2026-11-17T00:00:00Z");
  const failed = { puzzle: cards[0], solved: false, hints: 0, card: null, when: now - 3 * 86_400_000 };
  const passed = { puzzle: cards[2], solved: true, hints: 0, card: null, when: now - 10 };
  const options = { count: 3, chance: () => 0.9 };
  const { due, fresh } = repertoireQuestions(cards, [failed, passed], now, options);
  assert.deepEqual(due, [{ puzzle: cards[0], card: idOf(cards[0]) }]);
  assert.deepEqual(
    fresh.map(({ puzzle }) => puzzle),
    [cards[1], cards[3], cards[4]],
  );
});

test("columns are ordered from the center, the left one first", () => {
  assert.deepEqual(columnsFromCenter(7), [3, 2, 4, 1, 5, 0, 6]);
  assert.deepEqual(columnsFromCenter(4), [1, 2, 0, 3]);
});
