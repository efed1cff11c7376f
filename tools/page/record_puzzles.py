"""Records what fourcast.puzzles and the explorer answer, in tests/fixtures/puzzle-answers.json.

The page has to come to the same (tests/page/puzzles.test.js), and tests/puzzles/test_page_answers.py
holds Python to it, so that neither can drift away: ids, questions, attempts, puzzles of the day,
ratings, cards, explorations.
"""

from __future__ import annotations

import json
import random
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from fourcast import Game, Position, Solver
from fourcast.puzzles import THEMES, Puzzle, daily, load, mistakes_of
from fourcast.puzzles.cards import cards, due_cards, theme_records
from fourcast.puzzles.collection import near
from fourcast.puzzles.history import History
from fourcast.puzzles.puzzle_file import format_puzzle
from fourcast.puzzles.repertoire import Side, load_repertoire
from fourcast.study.explore import count_orders, explore, other_orders
from fourcast.study.level_choices import level_choices

FILE = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "puzzle-answers.json"
SEED = 20261117
GAMES = ("217127227233267733735414534", "53233651363321727745271166512764")
MOST_EMPTY = 26
"""Squares; positions with more take too long without an opening book."""
EXPLORED = ("7422341735647741166133573473242566", "1464254565524477466", "444475273155")
OPENINGS = ("", "4", "445", "443", "4433", "4343", "4444", "44455253", "12121233", "44444255223311")
DAY = timedelta(days=1)


def some_puzzles(chance: random.Random) -> list[Puzzle]:
    """Return puzzles of all sizes and goals, late enough to be solved in a moment."""
    found = []
    for (width, height), count in (((7, 6), 60), ((6, 5), 12), ((8, 7), 4)):
        latest = [each for each in load(width=width, height=height) if _empty(each) <= MOST_EMPTY]
        found += chance.sample(latest, count)
    return found


def _empty(puzzle: Puzzle) -> int:
    return puzzle.width * puzzle.height - len(puzzle.moves)


def attempt_at(puzzle: Puzzle, solver: Solver, chance: random.Random) -> dict[str, Any]:
    """Try a puzzle: with right columns, which need not be the recorded ones, and with any column."""
    attempt, tried, states = puzzle.start(), [], []
    while attempt.state == "open":
        right = attempt.accepted(solver)
        anything = tuple(attempt.position.legal_columns)
        column = chance.choice(right if chance.random() < 0.8 else anything)
        attempt = attempt.try_move(column, solver)
        tried.append(column)
        states.append({"state": attempt.state, "columns": list(attempt.columns), "said": attempt.said})
    return {"puzzle": puzzle.to_json(), "tried": tried, "states": states}


def history_of(puzzles: list[Puzzle], folder: Path, chance: random.Random) -> dict[str, Any]:
    """Solve and fail puzzles over some months, and see what follows from it."""
    path = folder / f"{chance.random()}.jsonl"
    history = History(path)
    when = datetime(2026, 11, 17, 12, tzinfo=timezone.utc)
    for _ in range(chance.randrange(5, 60)):
        when += chance.choice((DAY / 1000, DAY / 4, DAY, 4 * DAY, 30 * DAY))
        due = due_cards(history.answered, when)
        puzzle = chance.choice(puzzles)
        card = None
        if due and chance.random() < 0.7:
            puzzle, card = due[0].puzzle.mirrored(), due[0].puzzle.id
        hints = chance.choice((0, 0, 0, 0, 1, 2))
        history.add(puzzle, solved=chance.random() < 0.7, hints=hints, card=card, when=when)
    now = when + chance.randrange(100) * DAY
    return {
        "file": path.read_text("ascii"),
        "now": now.isoformat(),
        "strengths": [[each.rating, each.deviation, each.volatility] for each in history.strengths],
        "streak": history.streak,
        "cards": [
            {"id": name, "box": card.box, "due": card.due.isoformat(), "known": card.is_known}
            for name, card in cards(history.answered).items()
        ],
        "due": [card.puzzle.id for card in due_cards(history.answered, now)],
        "themes": [[each.theme, each.tried, each.solved] for each in theme_records(history.answered)],
    }


def record(seed: int = SEED) -> dict[str, Any]:
    """Return all answers, as JSON types."""
    chance = random.Random(seed)
    solver = Solver()
    puzzles = some_puzzles(chance)
    mistakes = {
        moves: [each for each in mistakes_of(Game(moves), solver=solver) if _empty(each) <= MOST_EMPTY]
        for moves in GAMES
    }
    exercises = [each for found in mistakes.values() for each in found]
    tried = frozenset(puzzle.id for puzzle in near(700)[::2])
    with TemporaryDirectory() as folder:
        histories = [history_of(puzzles, Path(folder), chance) for _ in range(6)]
    return {
        "themes": {name: [theme.letter, theme.sentence] for name, theme in THEMES.items()},
        "puzzles": [
            {
                "line": format_puzzle(puzzle),
                "mirrored": format_puzzle(puzzle.mirrored()),
                "width": puzzle.width,
                "height": puzzle.height,
                "id": puzzle.id,
                "question": puzzle.question(),
            }
            for puzzle in puzzles + exercises
        ],
        "attempts": [attempt_at(puzzle, solver, chance) for puzzle in puzzles + exercises],
        "mistakes": [
            {"moves": moves, "exercises": [each.to_json() for each in found]}
            for moves, found in mistakes.items()
        ],
        "daily": {
            str(day): daily(day).id
            for day in (date(2026, 11, 17) + number * 37 * DAY for number in range(20))
        },
        "near": [
            {
                "rating": rating,
                "theme": theme,
                "without": sorted(without),
                "ids": [puzzle.id for puzzle in near(rating, theme=theme, without=without)],
            }
            for rating, theme, without in (
                (700, None, tried),
                (1500.5, "opening trap", frozenset[str]()),
                (250, "double threat", frozenset[str]()),
            )
        ],
        "histories": histories,
        "openings": [opening_of(Position(moves), moves) for moves in OPENINGS],
        "repertoire": {
            side: [[card.id, card.column] for card in load_repertoire(side).cards]
            for side in get_args(Side)
        },
        "explorations": [exploration_of(Position(moves), moves, solver) for moves in EXPLORED],
    }


def opening_of(position: Position, moves: str) -> dict[str, Any]:
    """Return how else a position is reached, and what the levels play there."""
    levels = level_choices(position)
    return {
        "moves": moves,
        "orders": count_orders(position),
        "others": other_orders(position, moves),
        "levels": levels and {"asked": levels.asked, "counts": [list(row) for row in levels.counts]},
        "wrong": levels and list(levels.wrong((3, 4))),
    }


def exploration_of(position: Position, moves: str, solver: Solver) -> dict[str, Any]:
    found = explore(position, solver=solver)
    columns = [move.to_json() for move in found.moves]
    return {"moves": moves, "columns": columns, "most_testing": found.most_testing.column}


def _lines(part: Any) -> str:
    """A line for each item of a list, so that a change of one is seen."""
    if isinstance(part, list):
        return "[\n" + ",\n".join(json.dumps(item, separators=(",", ":")) for item in part) + "\n]"
    return json.dumps(part)


def main() -> None:
    parts = [f"{json.dumps(name)}: {_lines(part)}" for name, part in record().items()]
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
