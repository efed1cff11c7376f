"""The evaluations and searches in C++ against the plainest Python that says the same."""

from __future__ import annotations

import itertools
import pickle
import random
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import (
    FinishedGameError,
    OptionError,
    Position,
    Streaks,
    evaluate,
    perft,
    player,
    playouts,
    rate_columns,
    streaks,
)
from fourcast._core import look_ahead, plies_to_end, search_tree, win_sets
from tests.strategies import positions

Square = tuple[int, int]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def fours(width: int, height: int) -> Iterator[frozenset[Square]]:
    for column, row, (across, up) in itertools.product(range(width), range(height), DIRECTIONS):
        line = [(column + step * across, row + step * up) for step in range(4)]
        if all(0 <= c < width and 0 <= r < height for c, r in line):
            yield frozenset(line)


def win_sets_of(position: Position, who: int) -> list[frozenset[Square]]:
    """Seed 001's win sets of one side: none contains another."""
    squares = list(itertools.product(range(position.width), range(position.height)))
    own = {square for square in squares if position.at(*square) == who}
    other = {square for square in squares if position.at(*square) == 3 - who}
    sets = {
        four - own for four in fours(position.width, position.height) if four & own and not four & other
    }
    return [one for one in sets if not any(two < one for two in sets)]


def winsets_of(position: Position, who: int) -> int:
    """Seed 001's evaluation of one side."""
    total = 0
    for missing in win_sets_of(position, who):
        average = Fraction(sum(row + 1 for _, row in missing), len(missing))
        weight = {1: 50, 2: 10, 3: 1}[len(missing)]
        total += int(weight * position.height / average * 1000)
    return total


def lines(position: Position) -> Iterator[str]:
    """Every row, column and diagonal as a text of 1, 2 and dots."""
    for column, row, (across, up) in itertools.product(
        range(position.width), range(position.height), DIRECTIONS
    ):
        if 0 <= column - across < position.width and 0 <= row - up < position.height:
            continue
        text = ""
        while 0 <= column < position.width and 0 <= row < position.height:
            text += ".12"[position.at(column, row)]
            column, row = column + across, row + up
        yield text


def runs_of(position: Position, who: int) -> Iterator[tuple[int, int | None]]:
    """The length of each run where there is room for a four, and its open ends; None if it has a gap."""
    for line in lines(position):
        for stretch in line.split(str(3 - who)):
            if len(stretch) < 4:
                continue
            for run in re.finditer(f"{who}+", stretch):
                yield len(run[0]), (run.start() > 0) + (run.end() < len(stretch))
            for gap in re.finditer(rf"(?=(?<!{who})({who}+)\.({who}+))", stretch):
                yield len(gap[1] + gap[2]), None


def streaks_of(position: Position, who: int) -> int:
    """Seed 004's evaluation of one side, with texts and patterns."""
    total = 0
    for length, ends in runs_of(position, who):
        if ends is None:
            total += 10 if length == 2 else 200
        else:
            total += {1: 0, 2: [0, 10, 100][ends], 3: [0, 200, 2000][ends]}[length]
    return total


@settings(max_examples=200)
@given(positions().filter(lambda position: position.winner is None))
def test_evaluations_are_those_of_plain_sets_and_texts(position: Position) -> None:
    other = 3 - position.turn
    winsets = winsets_of(position, position.turn) - winsets_of(position, other)
    assert evaluate(position, "winsets") == winsets
    streaks = streaks_of(position, position.turn) - streaks_of(position, other)
    assert evaluate(position, "streaks") == streaks
    assert evaluate(position, "none") == 0


def streak_counts_of(position: Position, who: int) -> Streaks:
    """The streaks of one side, with texts and patterns."""
    found: Counter[str] = Counter()
    for length, ends in runs_of(position, who):
        if ends is None:
            found["split_twos" if length == 2 else "split_threes"] += 1
        elif length >= 4:
            found["fours"] += 1
        elif length > 1:
            number = {2: "twos", 3: "threes"}[length]
            found[f"{number}_{('one_end', 'two_ends')[ends - 1]}"] += 1
    return Streaks(**found)


@settings(max_examples=200)
@given(positions())
def test_streaks_are_counted_by_kind_for_each_side(position: Position) -> None:
    for who in (1, 2):
        assert streaks(position, who) == streak_counts_of(position, who)
        assert (streaks(position, who).fours > 0) == (position.winner == who)
    assert streaks(position) == streaks(position, position.turn)


@settings(max_examples=200)
@given(positions())
def test_win_sets_are_those_of_the_plain_model_the_smallest_first(position: Position) -> None:
    for who in (1, 2):
        found = win_sets(position, who)
        assert sorted(map(len, found)) == list(map(len, found))
        assert sorted(map(sorted, found)) == sorted(map(sorted, win_sets_of(position, who)))
    assert win_sets(position) == win_sets(position, position.turn)


@given(positions())
def test_a_mirror_image_has_the_same_streaks_and_evaluations(position: Position) -> None:
    mirrored = position.mirror()
    assert streaks(mirrored, 1) == streaks(position, 1)
    for evaluation in ("winsets", "streaks"):
        assert evaluate(mirrored, evaluation) == evaluate(position, evaluation)


def test_streaks_are_a_value_with_names() -> None:
    found = streaks(Position("44665"), 1)
    assert found == Streaks(threes_two_ends=1)
    assert eval(repr(found)) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert found._asdict()["threes_two_ends"] == 1


NOT_A_POSITION = r"position must be a Position or a str of moves, for example '44', not"


@pytest.mark.parametrize(
    ("function", "arguments", "error", "complaint"),
    [
        (streaks, [None], TypeError, NOT_A_POSITION),
        (streaks, [b"4455", 1], TypeError, NOT_A_POSITION),
        (streaks, [Position(), 0], OptionError, "player must be from 1 to 2, not 0"),
        (streaks, [Position(), 10**100], OptionError, "player must be from 1 to 2"),
        (streaks, [Position(), "1"], TypeError, "player must be an int"),
        (evaluate, [None, "streaks"], TypeError, NOT_A_POSITION),
        (perft, [None, 3], TypeError, NOT_A_POSITION),
        (playouts, [44, 3], TypeError, NOT_A_POSITION),
        (look_ahead, [None, 3], TypeError, NOT_A_POSITION),
        (search_tree, [None], TypeError, NOT_A_POSITION),
        (evaluate, [Position(), None], TypeError, "evaluation must be a str"),
        (evaluate, [Position(), "best"], OptionError, "winsets or streaks, not 'best'"),
        (evaluate, [Position(), "\ud800"], OptionError, r"streaks, not '\\ud800'"),
        (evaluate, [Position(), "x" * 10**7], OptionError, "10000000 characters"),
        (rate_columns, [None], TypeError, NOT_A_POSITION),
    ],
    ids=range(15),
)
def test_what_cannot_be_evaluated_is_refused(
    function: Any, arguments: list[object], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        function(*arguments)


def test_a_game_that_is_won_is_worth_more_than_any_streaks_and_has_no_columns_to_rate() -> None:
    assert evaluate(Position("1212121"), "streaks") == -(10**12) - 18
    with pytest.raises(FinishedGameError, match="the game is over"):
        rate_columns(Position("1212121"))


@given(positions().filter(lambda position: not position.is_over))
def test_a_column_is_rated_by_the_score_of_a_win_at_once(position: Position) -> None:
    left = position.width * position.height - position.ply
    won = [position.can_play(c) and position.play(c).winner for c in range(position.width)]
    assert rate_columns(position) == [(left + 1) // 2 if winner else 0 for winner in won]


@pytest.mark.parametrize(
    ("diagram", "worth"),
    [
        ("XX.....", 10),  # at the edge: one open end
        (".XX....", 100),
        (".XXX...", 2000),
        ("XXX....", 200),
        ("XX.X...", 10 + 200),  # a gap: two with one open end, and three with one
        ("X.X....", 10),
        ("OXX.O..", 0),  # no room for a four
        ("OXXX...", 200),
    ],
)
def test_streaks_at_edges_and_with_gaps(diagram: str, worth: int) -> None:
    """Of one row alone, by hand; the other lines are taken off."""
    cells = [{".": 0, "X": 1, "O": 2}[cell] for cell in diagram]
    text = "".join(map(str, cells)).replace("0", ".")
    total = 0
    for stretch in text.split("2"):
        if len(stretch) >= 4:
            total += _row_worth(stretch)
    assert total == worth


def _row_worth(stretch: str) -> int:
    class Row:
        width, height = len(stretch), 1

        @staticmethod
        def at(column: int, _row: int) -> int:
            return 0 if stretch[column] == "." else int(stretch[column])

    return streaks_of(Row, 1)  # type: ignore[arg-type]


def plain_negamax(position: Position, depth: int, evaluation: str) -> int:
    if position.winner or position.is_full or depth == 0:
        return 0 if position.is_draw else evaluate(position, evaluation)  # type: ignore[arg-type]
    return max(
        -plain_negamax(position.play(column), depth - 1, evaluation) for column in position.legal_columns
    )


@pytest.mark.parametrize("evaluation", ["none", "winsets", "streaks"])
def test_the_search_finds_all_best_columns_of_plain_minimax(evaluation: str) -> None:
    chance = random.Random(evaluation)
    for _ in range(25):
        position = Position()
        for _ in range(chance.randrange(25)):
            if not position.is_over:
                position = position.play(chance.choice(tuple(position.legal_columns)))
        if position.is_over:
            continue
        found = look_ahead(position, 3, evaluation, threads=2)  # type: ignore[arg-type]
        values = {
            column: -plain_negamax(position.play(column), found.depth - 1, evaluation)
            for column in position.legal_columns
        }
        best = max(values.values())
        assert list(found.best_columns) == [column for column, value in values.items() if value == best]


def test_values_of_the_depth_player_are_22_less_the_stones_of_the_winner() -> None:
    found = look_ahead(Position("445566"), 5, every_column=True)
    assert found.values[2] == found.values[6] == 22 - 4
    assert found.depth == 1
    lost = look_ahead(Position("44556"), 4, every_column=True)
    assert max(value for value in lost.values if value is not None) == -18


def test_the_quicker_win_and_the_slower_loss_are_preferred() -> None:
    # First has two ways to win: at once in column 3, or later.
    assert player("depth", depth=7).choose(Position.from_columns([0, 6, 0, 5, 1, 4, 1])) == 3
    chance, told = random.Random(3), 0
    while told < 5:  # all is lost, and some moves lose later than others
        position = Position()
        for _ in range(14):
            if not position.is_over:
                position = position.play(chance.choice(tuple(position.legal_columns)))
        if position.is_over:
            continue
        found = look_ahead(position, 6, every_column=True)
        ends = {
            column: plies_to_end(position, value, 0)
            for column, value in enumerate(found.values)
            if value
        }
        if len(ends) == len(position.legal_columns) and len(set(ends.values())) > 1:
            lost = max(value for value in found.values if value is not None) < 0
            told += lost
            chosen = player("depth", depth=6).choose(position)
            assert not lost or ends[chosen] == max(ends.values())


@given(positions().filter(lambda position: not position.is_over), st.integers(1, 3))
@settings(max_examples=30)
def test_threads_change_nothing_of_the_answer(position: Position, depth: int) -> None:
    one = look_ahead(position, depth, "winsets")
    two = look_ahead(position, depth, "winsets", threads=3)
    assert (one.best_columns, one.depth) == (two.best_columns, two.depth)


def test_a_search_of_a_finished_game_is_refused() -> None:
    over = Position("1212121")
    with pytest.raises(FinishedGameError):
        look_ahead(over, 4)
    with pytest.raises(FinishedGameError):
        search_tree(over)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"depth": 0}, "depth must be from 1"),
        ({"depth": True}, "depth must be an int"),
        ({"depth": 4, "evaluation": "good"}, "evaluation must be none, winsets or streaks"),
        ({"depth": 4, "time_s": 0}, "time_s must be more than 0"),
        ({"depth": 4, "time_s": "1"}, "time_s must be a number"),
        ({"depth": 4, "threads": 0}, "threads must be from 1"),
        ({"depth": 4, "every_column": 1}, "every_column must be a bool"),
    ],
)
def test_wrong_options_are_refused(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises((TypeError, ValueError), match=complaint):
        look_ahead(Position(), **arguments)  # type: ignore[arg-type]


def test_winning_move_ratings_for_connect_four() -> None:
    """Seed 000: the winning column is worth 18, all others 0."""
    position = Position.from_columns([0, 6, 0, 5, 1, 4, 1])
    assert rate_columns(position) == [0, 0, 0, 18, 0, 0, 0]
    assert player("rated").choose(position) == 3


def test_winsets_opens_in_the_center() -> None:
    assert player("winsets").choose(Position()) == 3
    assert player("winsets").choose(Position("1")) == 3
    assert player("winsets").choose(Position(width=8, height=5)) == 4


def test_a_value_tells_when_the_game_ends() -> None:
    for moves, plies in (("445566", 1), ("44556", 2)):
        position = Position(moves)
        found = look_ahead(position, 4, "streaks")
        value = max(value for value in found.values if value is not None)
        assert plies_to_end(position, value, found.win_base) == plies


@pytest.mark.slow
@pytest.mark.parametrize("name", ["winsets", "streaks", "depth", "mcts"])
def test_seed_001s_player_and_its_kin_beat_the_random_one_in_49_of_50(name: str) -> None:
    from fourcast import Match

    for seed in range(3):
        results = Match(name, "random", games=50, opening_plies=0, seed=seed).run()
        assert sum(record.winner == name for record in results.records) >= 49
