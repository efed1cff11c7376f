"""Puzzles and attempts as values."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

from fourcast import Position, Solver, player
from fourcast.errors import FinishedGameError, IllegalMoveError, OptionError
from fourcast.puzzles import Puzzle, daily, load, mistakes_of, pick
from fourcast.puzzles.puzzle_file import format_puzzle, parse_puzzle
from fourcast.puzzles.rules import best_reply, keeping_columns, playing_on_top_wins
from fourcast.render.said import said_text
from fourcast.study.explore import explore

WIN = parse_puzzle("4753452525545241 w4 133 6 432 105 s")
KEEP = parse_puzzle("35434421411655354 dc 5 2 231 118 w")
BREAK = parse_puzzle("463134424673441663633511257167555 x4 522 - 300 100 x")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def test_a_puzzle_is_a_value() -> None:
    assert pickle.loads(pickle.dumps(WIN)) == WIN
    assert Puzzle.from_json(json.loads(json.dumps(WIN.to_json()))) == WIN
    assert parse_puzzle(format_puzzle(WIN)) == WIN
    assert len({WIN, parse_puzzle(format_puzzle(WIN)), KEEP}) == 2


def test_a_puzzle_and_its_mirror_image_share_their_name_and_nothing_else() -> None:
    mirror = WIN.mirrored()
    assert mirror.id == WIN.id != KEEP.id
    assert mirror.position == WIN.position.mirror() != WIN.position
    assert mirror.mirrored() == WIN


@pytest.mark.parametrize(
    "change",
    [
        {"moves": "9"},
        {"moves": "4444444"},
        {"moves": "1212121"},
        {"solution": []},
        {"solution": [0, 3]},
        {"solution": [7]},
        {"solution": None},
        {"goal": "loss"},
        {"ending": "?"},
        {"tempting": 0},
        {"tempting": 9},
        {"rating": "x"},
        {"width": 1000},
    ],
)
def test_what_is_no_puzzle_is_refused_in_a_sentence(change: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Puzzle.from_json(WIN.to_json() | change)


@pytest.mark.parametrize(
    "line", ["", "44 w4 133 6 432 105", WIN.moves + " y4 133 6 432 105 s", "é" * 99]
)
def test_a_line_that_is_no_puzzle_is_refused(line: str) -> None:
    with pytest.raises(OptionError, match="is not a puzzle"):
        parse_puzzle(line)


def test_the_solution_solves_and_anything_else_fails(solver: Solver) -> None:
    attempt = WIN.start()
    wins = keeping_columns(solver.analyze(WIN.position))
    for column in WIN.position.legal_columns:
        tried = attempt.try_move(column, solver)
        assert tried.state == ("open" if column in wins else "failed")
        assert (tried.columns == ()) == (column in wins and column != WIN.solution[0])
    attempt = attempt.try_move(0, solver)
    assert (attempt.reply, attempt.moves_made) == (2, 1)
    assert attempt.try_move(2, solver).state == "solved"


def test_a_slower_win_is_taken_back_and_costs_nothing(solver: Solver) -> None:
    """One move slower used to be a failure, and cost 400 points of the rating."""
    attempt = WIN.start()
    slower = [
        column
        for column in keeping_columns(solver.analyze(WIN.position))
        if column not in attempt.accepted(solver)
    ]
    assert slower
    for column in slower:
        again = attempt.try_move(column, solver)
        assert again == attempt
        assert again.said
        text = said_text(again.said)
        assert re.fullmatch(rf"Column {column + 1} wins too, in \d+ moves\. Look for .*", text)
        line = next(line for line in solver.analyze(WIN.position) if line.column == column)
        assert f" {line.moves_to_end} moves" in text
    assert again.try_move(WIN.solution[0], solver).state == "open"


def test_a_plan_is_broken_by_any_column_that_still_beats_it(solver: Solver) -> None:
    attempt = BREAK.start()
    for column in BREAK.position.legal_columns:
        expected = "open" if column == BREAK.solution[0] else "failed"
        assert attempt.try_move(column, solver).state == expected
    while attempt.state == "open":
        right = attempt.accepted(solver)
        attempt = attempt.try_move(right[-1], solver)  # the slowest way
    assert attempt.position.winner == BREAK.player
    assert solver.solve(BREAK.position).outcome != "win"  # only the plan loses
    hole = BREAK.start().hole(solver)
    assert hole
    there, answer, better = hole
    before, after = there.position, there.position.play(answer)
    assert solver.solve(after).winner == BREAK.player
    assert solver.solve(before.play(better)).winner != BREAK.player
    assert KEEP.start().hole(solver) is None


def test_any_quickest_move_is_accepted_after_the_first(solver: Solver) -> None:
    double = parse_puzzle("3156724137125226 w4 343 5 364 108 d")  # two threats: the reply blocks one
    attempt = double.start().try_move(2, solver)
    wins = attempt.position.winning_columns()
    assert attempt.accepted(solver) == tuple(wins)
    assert all(attempt.try_move(column, solver).state == "solved" for column in wins)


def test_an_attempt_takes_no_move_that_cannot_be_played() -> None:
    with pytest.raises(IllegalMoveError):
        WIN.start().try_move(7)
    with pytest.raises(TypeError):
        WIN.start().try_move("4")  # type: ignore[arg-type]
    failed = WIN.start().try_move(5)
    with pytest.raises(FinishedGameError, match="failed"):
        failed.try_move(0)


def test_a_better_move_is_any_that_keeps_the_result(solver: Solver) -> None:
    position = Position("445")  # all but columns 3 and 6 lose
    keeping = keeping_columns(solver.analyze(position))
    puzzle = Puzzle("445", "better", (keeping[0],), "choice", tempting=0)
    assert len(keeping) > 1
    states = {column: puzzle.start().try_move(column, solver).state for column in position.legal_columns}
    assert {column for column, state in states.items() if state == "solved"} == set(keeping)


def test_the_opponent_holds_out_as_long_as_possible(solver: Solver) -> None:
    attempt = WIN.start().try_move(0, solver)
    before = WIN.position.play(0)
    assert attempt.reply == best_reply(before, "win", solver)
    assert attempt.reply in (solver.solve(before).best_columns or ())


def test_playing_on_top_is_replayed_against_every_reply(solver: Solver) -> None:
    """The plan is a claim: where it is said to win, the solver agrees."""
    plan = parse_puzzle("54425475571475244757271 kp 2 1 251 116 uq")
    after = plan.position.play(*plan.solution)
    assert playing_on_top_wins(after)
    assert solver.solve(after).winner == plan.player
    assert not playing_on_top_wins(WIN.position.play(5))


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("4753452525545241 w4 133 6 432 105 s", "Red to play and win in 2 moves."),
        ("35434421411655354 dc 5 2 231 118 w", "Yellow to play: only one column keeps the draw."),
        (
            "463134424673441663633511257167555 x4 522 - 300 100 x",
            "Yellow to break the plan and win: Red completes a four, blocks one, or else plays on top.",
        ),
        ("445 bc 3 1 0 0 -", "Yellow to play: find a better move than column 1."),
    ],
)
def test_a_puzzle_says_what_it_asks_for(line: str, question: str) -> None:
    assert parse_puzzle(line).question() == question


@pytest.mark.parametrize("given", [object(), b"44", []])
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (pick, "rating must be a number, not "),
        (daily, "day must be a date, for example "),
        (mistakes_of, "game must be a Game or a str of moves, for example "),
        (explore, "position must be a Position or a str of moves, for example "),
        (player("random").choose, "position must be a Position or a str of moves, for example "),
        (player("level-5").choose, "position must be a Position or a str of moves, for example "),
        (player("perfect").choose, "position must be a Position or a str of moves, for example "),
    ],
)
def test_wrong_types_are_refused_in_a_sentence(
    given: object, call: Callable[[Any], object], words: str
) -> None:
    with pytest.raises(TypeError, match=f"^{words}"):
        call(given)


def test_a_theme_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(OptionError, match=r"no theme is called .*; there are double threat, "):
        load(theme="")
    wrong: tuple[Any, ...] = (3, [])
    for theme in wrong:
        with pytest.raises(TypeError, match="theme must be a str or None, not "):
            load(theme=theme)
