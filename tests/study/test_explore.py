"""What every move leads to."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, zip_longest

import pytest

from fourcast import Game, Position, Solver, player
from fourcast.errors import FinishedGameError, IllegalMoveError
from fourcast.study.explore import MoveRecord, count_orders, explore, other_orders, records_through
from fourcast.study.level_choices import level_choices


def test_the_replies_that_keep_the_result_are_those_of_the_solver() -> None:
    solver = Solver()
    position = Position("4445523")
    found = explore(position, solver=solver)
    assert [move.column for move in found.moves] == list(position.legal_columns)
    for move in found.moves:
        after = position.play(move.column)
        outcome = solver.solve(after).outcome
        keeping = [line.column for line in solver.analyze(after) if line.outcome == outcome]
        assert list(move.keeping) == keeping
        assert move.traps == len(move.replies) - len(keeping)


def test_the_most_testing_move_keeps_the_result_and_leaves_the_fewest_good_replies() -> None:
    found = explore(Position("44455"))  # lost for the second player
    testing = found.most_testing
    assert testing.column == 4
    assert testing.traps == max(move.traps for move in found.moves) == 5


def test_a_move_that_ends_the_game_has_no_replies() -> None:
    found = explore(Position("445566"))
    win = next(move for move in found.moves if move.column == 2)
    assert (win.replies, win.keeping, win.traps) == ((), (), 0)
    with pytest.raises(FinishedGameError):
        explore(Position("1212121"))


def test_orders_of_moves_are_counted_and_named() -> None:
    """Against all orders of the same discs, tried one by one."""
    for moves in ("4433", "445", "444552", "1234321"):
        position = Position(moves)
        first, second = sorted(moves[::2]), sorted(moves[1::2])
        leading = {
            text
            for one in set(permutations(first))
            for two in set(permutations(second))
            if _leads_to(text := "".join(map("".join, zip_longest(one, two, fillvalue=""))), position)
        }
        assert count_orders(position) == len(leading)
        others = other_orders(position, moves, most=10_000)
        assert {*others, moves} == leading
        assert others == sorted(others)


def _leads_to(moves: str, position: Position) -> bool:
    try:
        return Position(moves) == position
    except IllegalMoveError:
        return False


def test_orders_that_pass_through_a_finished_game_do_not_count() -> None:
    """The disc that completes the four has to be the last one."""
    position = Position("1212121")
    assert position.is_over
    assert count_orders(position) == 1
    assert count_orders(Position("44444455555533333")) is None


def test_my_games_are_counted_by_the_move_and_its_result() -> None:
    games = [
        ("won", Game("4545454")),
        ("mirrored", Game("4343434")),
        ("open", Game("456")),
        ("elsewhere", Game("1")),
        ("other board", Game("44", width=6, height=5)),
    ]
    records = records_through(Position("45"), games)
    assert set(records) == {3, 5}
    record = records[3]
    assert (record.games, record.won, record.drawn, record.lost) == (2, 2, 0, 0)
    assert record.names == ["won", "mirrored"]
    assert records[5] == MoveRecord(games=1, names=["open"])
    assert records_through(Position("4"), games)[2].lost == 1


def test_what_the_levels_play_is_mirrored_with_the_position() -> None:
    here, there = Position("443"), Position("445")
    found, mirrored = level_choices(here), level_choices(there)
    assert found is not None
    assert mirrored is not None
    assert [row[::-1] for row in mirrored.counts] == list(found.counts)
    assert all(sum(row) == found.asked for row in found.counts)
    assert level_choices(Position("44", width=8, height=7)) is None
    assert level_choices(Position("1111122222")) is None


def test_higher_levels_go_wrong_less_often() -> None:
    """Over the positions of the file with up to two discs: a level is asked 30 times in each."""
    solver = Solver()
    wrong = [0.0] * 10
    columns = "1234567"
    for moves in ("", *columns, *(first + second for first in columns for second in columns)):
        found = explore(Position(moves), solver=solver)
        assert found.levels is not None
        shares = found.levels.wrong(found.keeping)
        wrong = [total + share for total, share in zip(wrong, shares, strict=True)]
    assert wrong[0] > wrong[4] > wrong[9]


@pytest.mark.parametrize("moves", ["", "444", "443"])
def test_a_level_plays_as_the_file_says(moves: str) -> None:
    """By the player itself, within what chance allows."""
    position = Position(moves)
    choices = level_choices(position)
    assert choices is not None
    for level in (1, 3, 5):
        agent = player(f"level-{level}", seed=7)
        counts = Counter(agent.choose(position) for _ in range(200))
        for column in range(7):
            expected = choices.counts[level - 1][column] / choices.asked
            assert abs(counts[column] / 200 - expected) < 0.35
