"""Answers are values: what they mean, how they compare, and that they survive a journey."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings

from fourcast import (
    Analysis,
    Columns,
    IllegalMoveError,
    Limit,
    Line,
    Playouts,
    Position,
    Result,
    Solver,
)
from tests.strategies import positions

LATE = Position("7422341735647741166133573473242566")
SOLVER = Solver()
RESULT = SOLVER.solve(LATE)
ANALYSIS = SOLVER.analyze(LATE)
UNKNOWN = SOLVER.analyze(Position("12", width=8, height=8), Limit(nodes=1))
VALUES: list[Any] = [
    Limit(),
    Limit(time_s=0.1, nodes=5),
    Columns(),
    Columns([3, 1]),
    Playouts(1, 2, 3, 50),
    RESULT,
    UNKNOWN.result,
    Result(Position(), -3, 5, complete=True),
    Result.of_finished(Position("1212121")),
    *ANALYSIS,
    Line(Position(width=9, height=12), 8, -5, 5, variation=[8, 8]),
    ANALYSIS,
    UNKNOWN,
    Analysis(Position("1212121"), []),
]
ANSWERS = [value for value in VALUES if isinstance(value, (Result, Line, Analysis))]


# What every value does


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_survives_pickle_copy_and_json(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(value, protocol))
        assert type(twin) is type(value)
        assert (twin, hash(twin)) == (value, hash(value))
    assert copy.copy(value) == copy.deepcopy(value) == value
    text = json.dumps(value.to_json(), allow_nan=False)
    assert type(value).from_json(json.loads(text)) == value


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_differs_from_all_others_and_cannot_be_changed(value: Any) -> None:
    assert sum(value == other for other in VALUES) == 1
    assert value != 3
    assert value is not None
    names = [name for name in dir(type(value)) if not name.startswith("_")]
    assert names
    for name in [*names, "anything"]:
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_what_a_value_shows_can_be_evaluated_but_for_an_analysis(value: Any) -> None:
    names = {
        each.__name__: each for each in (Analysis, Columns, Limit, Line, Playouts, Position, Result)
    }
    if isinstance(value, Analysis):
        assert repr(value).startswith("<Analysis of Position")
    else:
        assert eval(repr(value), names) == value


@pytest.mark.parametrize("value", ANSWERS, ids=lambda value: type(value).__name__)
def test_mirrored_twice_is_the_same_and_once_is_about_the_mirror_image(value: Any) -> None:
    mirrored = value.mirrored()
    assert mirrored.position == value.position.mirror()
    assert (mirrored.lower, mirrored.upper) == (value.lower, value.upper)
    assert mirrored.mirrored() == value


def test_an_analysis_mirrored_is_the_analysis_of_the_mirror_image() -> None:
    mirrored = ANALYSIS.mirrored()
    other = SOLVER.analyze(LATE.mirror(), variations=False)
    assert mirrored.best_columns == other.best_columns
    assert [(line.column, line.score) for line in mirrored] == [
        (line.column, line.score) for line in other
    ]
    for line in mirrored:
        assert LATE.mirror().play(*line.variation).is_over


def test_equality_is_about_what_is_proven_and_not_about_the_effort() -> None:
    assert Result(LATE, 1, nodes=5, time_s=2) == Result(LATE, 1)
    assert Result(LATE, 1) != Result(LATE, 1, complete=False)
    assert Result(LATE, 1) != Result(LATE, 1, best_columns=LATE.legal_columns)
    assert Result(LATE, 1) != Result(LATE.mirror(), 1)
    assert Analysis(LATE, ANALYSIS.lines) == ANALYSIS
    assert Analysis(LATE, reversed(ANALYSIS.lines)) == ANALYSIS


# What a score means


@given(positions())
@settings(max_examples=60, deadline=None)
def test_the_meaning_of_a_score_is_what_play_to_the_end_shows(position: Position) -> None:
    """Plain counting of the discs of a played-out line is the oracle."""
    if position.is_over or position.width * position.height - position.ply > 22:
        return
    analysis = SOLVER.analyze(position)
    for line in analysis:
        end = position.play(*line.variation)
        assert end.is_over
        assert line.winner == end.winner
        assert line.final_ply == end.ply
        assert line.plies_to_end == len(line.variation) == end.ply - position.ply
        winner = 0 if end.winner is None else 1 if end.winner == position.turn else -1
        assert line.outcome == ("draw", "win", "loss")[winner]
        discs = [
            index for index in range(len(line.variation)) if (position.ply + index) % 2 + 1 == end.winner
        ]
        assert line.moves_to_end == (len(discs) if end.winner else None)
        assert line.score == -end.final_score if line.plies_to_end % 2 else line.score == end.final_score
        assert line.score is not None
        assert abs(line.score) <= position.highest_score
    best = analysis.best_line
    assert best is not None
    for name in ("score", "outcome", "winner", "final_ply", "plies_to_end", "moves_to_end", "share"):
        assert getattr(analysis, name) == getattr(best, name) == getattr(analysis.result, name)


def test_wins_in_n_moves_counts_the_stones_of_the_winner() -> None:
    assert Result(Position("4455"), 18).moves_to_end == 2
    assert Result(Position("44455554221"), -15).moves_to_end == 1
    assert Result(Position(), 1).moves_to_end == 21
    assert Result(Position(), 0).moves_to_end is None
    assert Result(Position(), 0).plies_to_end == 42
    assert Result(Position(), 0, 1).moves_to_end is None


def test_a_finished_game_is_lost_for_the_side_that_would_move() -> None:
    lost = Result.of_finished(Position("1212121"))
    assert (lost.score, lost.winner, lost.outcome) == (-18, 1, "loss")
    assert (lost.plies_to_end, lost.moves_to_end, lost.final_ply) == (0, 0, 7)
    assert (lost.share, lost.complete) == (1.0, True)
    drawn = Result.of_finished(Position("111111222222333333544444455555666666777777"))
    assert (drawn.score, drawn.winner, drawn.outcome, drawn.share) == (0, None, "draw", 0.5)
    assert Analysis(Position("1212121"), ()).score == -18
    with pytest.raises(ValueError, match="the game is not over"):
        Result.of_finished(Position())
    with pytest.raises(ValueError, match="the game is not over"):
        _ = Position().final_score


def test_the_highest_score_is_that_of_a_win_with_stone_7() -> None:
    for size in [(7, 6), (5, 5), (4, 4), (9, 12)]:
        empty = Position(width=size[0], height=size[1])
        won = Position("1212121", width=size[0], height=size[1])
        assert empty.highest_score == -won.final_score
        assert UNKNOWN.lower >= -UNKNOWN.position.highest_score


def test_the_share_of_the_bar_grows_with_the_score_and_belongs_to_the_first_player() -> None:
    shares = [Result(Position("44"), score).share for score in range(-18, 19)]
    assert shares == sorted(shares)
    assert len(set(shares)) == len(shares)
    assert shares[18] == 0.5
    assert shares[19] > 0.7
    assert Result(Position("445566"), 18).share == 1.0
    assert Result(Position("4"), 3).share < 0.5 < Result(Position("4"), -3).share
    assert Result(Position(), -5, 5).share == pytest.approx(0.5, abs=0.05)
    for position in (Position(), Position("4")):
        between = Result(position, 0, 3).share
        ends = [Result(position, 0).share, Result(position, 3).share]
        assert min(ends) < between < max(ends)


def test_outcome_and_winner_are_known_as_soon_as_the_bounds_tell() -> None:
    assert Result(Position("4"), 1, 5).outcome == "win"
    assert Result(Position("4"), 1, 5).winner == 2
    assert Result(Position("4"), -5, -1).winner == 1
    for lower, upper in [(-1, 1), (0, 1), (-1, 0)]:
        assert Result(Position(), lower, upper).outcome is None
        assert Result(Position(), lower, upper).winner is None


def test_the_best_columns_proven_so_far_are_those_that_nothing_can_beat() -> None:
    position = Position("44")
    bounds = {0: (-2, 3), 1: (3, 5), 2: (3, 3), 3: (1, 3), 4: (-4, -1), 5: (0, 2), 6: (0, 0)}
    analysis = Analysis(position, [Line(position, column, *bounds[column]) for column in bounds])
    assert analysis.best_columns is None
    assert analysis.best_line is None
    assert (analysis.lower, analysis.upper, analysis.complete) == (3, 5, False)
    assert list(analysis.proven_best_columns) == [1]
    assert ANALYSIS.proven_best_columns == ANALYSIS.best_columns


def test_the_best_line_is_the_one_nearest_to_the_center() -> None:
    for width, expected in [(7, 3), (8, 3)]:
        position = Position(width=width)
        lines = [Line(position, column, 0) for column in range(width)]
        best = Analysis(position, random.Random(1).sample(lines, width)).best_line
        assert best is not None
        assert best.column == expected
    assert Position(width=8).columns_from_center == (3, 4, 2, 5, 1, 6, 0, 7)
    assert Position("1" * 6).columns_from_center == (3, 2, 4, 1, 5, 0, 6)


# What is refused


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        ("Result(Position(), 19)", ValueError, "no score from 19 to 19 is possible here"),
        ("Result(Position('12121234'), 18)", ValueError, "from -17 to 17"),
        ("Result(Position(), -18, 18).complete or Result(Position(), 2, 1)", ValueError, "exceed"),
        ("Result(Position(), 1.5)", TypeError, "lower must be an int, not float"),
        ("Result(Position(), True)", TypeError, "lower must be an int, not bool"),
        ("Result(Position(), None)", TypeError, "lower"),
        ("Result(Position(), 10**50)", ValueError, "lower must be from"),
        ("Result(Position(), 1, complete=1)", TypeError, "complete must be a bool"),
        ("Result(Position(), 1, best_columns=[7])", ValueError, "can be played"),
        ("Result(Position(), 1, best_columns=[])", ValueError, "must not be empty"),
        ("Result(Position(), 1, best_columns='3')", TypeError, "best_columns"),
        ("Result(Position(), 1, nodes=-1)", ValueError, "nodes"),
        ("Result(Position(), 1, time_s=float('nan'))", ValueError, "time_s"),
        ("Result(Position(), 1, time_s=float('inf'))", ValueError, "time_s"),
        ("Result(Position('1212121'), 0)", ValueError, "possible"),
        ("Line(Position(), 7, 0)", ValueError, "there is no column 7"),
        ("Line(Position('111111'), 0, 0)", IllegalMoveError, "full"),
        ("Line(Position(), 3, 0, variation=[2])", ValueError, "begin with the column"),
        ("Line(Position('111111'), 1, 0, variation=[1, 0])", ValueError, "full"),
        ("Line(Position(), 3, 0, variation=iter(int, 1))", ValueError, "variation"),
        ("Line(Position('445566'), 2, 0)", ValueError, "possible after a disc in column 3"),
        ("Analysis(Position(), [])", ValueError, "a line for each column"),
        ("Analysis(Position(), [None])", TypeError, "a Line, not NoneType"),
        ("Analysis(Position(), None)", TypeError, "iterable"),
        ("Analysis(Position('4'), [Line(Position(), 3, 0)])", ValueError, "another position"),
        ("Analysis(Position(), [Line(Position(), 3, 0)] * 7)", ValueError, "two lines"),
        ("Columns([25])", ValueError, "from 0 to 24"),
        ("Columns([-1])", ValueError, "from 0 to 24"),
        ("Columns('12')", TypeError, "iterable of ints"),
        ("Columns([1.0])", TypeError, "an int"),
        ("Playouts(first_wins=-1)", ValueError, "first_wins"),
        ("Playouts(first_wins=2**70)", ValueError, "first_wins"),
        ("Limit(time_s=10**400)", ValueError, "too large"),
    ],
)
def test_a_value_that_cannot_be_is_refused(call: str, error: type[Exception], words: str) -> None:
    names = {
        each.__name__: each for each in (Analysis, Columns, Limit, Line, Playouts, Position, Result)
    }
    with pytest.raises(error, match=words):
        eval(call, names)


def test_json_that_is_damaged_is_refused_in_one_sentence() -> None:
    good = ANALYSIS.to_json()
    all_changes: list[dict[str, Any]] = [
        {"width": None},
        {"width": 3},
        {"first": "1"},
        {"first": -1},
        {"columns": None},
        {"columns": []},
        {"columns": [1]},
        {"columns": {}},
        {"score": 17},
        {"outcome": "nonsense"},
        {"moves_to_end": 40},
        {"best_columns": [0, 1, 2]},
        {"complete": "yes"},
        {"nodes": -5},
        {"time_s": "1"},
    ]
    for changes in all_changes:
        with pytest.raises((TypeError, ValueError)) as refusal:
            Analysis.from_json({**good, **changes})
        assert "\n" not in str(refusal.value)
    not_dicts: list[Any] = [None, [], "text", 5]
    for value in not_dicts:
        with pytest.raises(TypeError, match="must be a dict"):
            Analysis.from_json(value)


def test_json_may_name_the_position_by_its_moves_and_have_more_fields() -> None:
    text = {"moves": "4455", "width": 7, "height": 6, "lower": 18, "upper": 18, "comment": [1]}
    assert Result.from_json(text) == Result(Position("4455"), 18)


def test_the_json_of_an_analysis_speaks_the_vocabulary_of_the_api() -> None:
    analysis = ANALYSIS.to_json()
    assert {"score", "lower", "upper", "outcome", "winner", "plies_to_end", "moves_to_end"} < set(
        analysis
    )
    assert {"first", "second", "width", "height", "best_columns", "complete", "nodes"} < set(analysis)
    assert [column["name"] for column in analysis["columns"]] == [
        str(column["column"] + 1) for column in analysis["columns"]
    ]
    assert Line(Position(width=12), 11, 0).to_json()["name"] == "c"


def test_json_and_pickles_of_version_0_2_can_be_read() -> None:
    """Their bitboards are integers; the texts are what 0.2.0 wrote."""
    json_text = (
        '{"first": 1, "second": 20282409603651670423947251286016, "width": 9, "height": 12, '
        '"score": null, "lower": -3, "upper": 5, "outcome": null, "winner": null, "plies_to_end": null, '
        '"moves_to_end": null, "best_columns": null, "complete": false, "nodes": 0, "time_s": 0.0}'
    )
    expected = Result(Position("19", width=9, height=12), -3, 5)
    assert Result.from_json(json.loads(json_text)) == expected
    pickled = (
        b"\x80\x02cfourcast._core\nResult\nq\x00)\x81q\x01}q\x02(X\x05\x00\x00\x00firstq\x03K\x01"
        b"X\x06\x00\x00\x00secondq\x04M\x00\x04X\x05\x00\x00\x00widthq\x05K\tX\x06\x00\x00\x00heightq\x06K\t"
        b"X\x05\x00\x00\x00scoreq\x07NX\x05\x00\x00\x00lowerq\x08J\xfd\xff\xff\xffX\x05\x00\x00\x00upperq\tK\x05"
        b"X\x07\x00\x00\x00outcomeq\nNX\x06\x00\x00\x00winnerq\x0bNX\x0c\x00\x00\x00plies_to_endq\x0cN"
        b"X\x0c\x00\x00\x00moves_to_endq\rNX\x0c\x00\x00\x00best_columnsq\x0eNX\x08\x00\x00\x00completeq\x0f\x89"
        b"X\x05\x00\x00\x00nodesq\x10K\x00X\x06\x00\x00\x00time_sq\x11G\x00\x00\x00\x00\x00\x00\x00\x00ub."
    )
    assert pickle.loads(pickled) == Result(Position("12", width=9, height=9), -3, 5)


def test_bitboards_in_json_are_strings_of_digits() -> None:
    """JavaScript's numbers end at 53 bits."""
    position = Position("19", width=9, height=12)
    for answer in (Result(position, 0), Line(position, 3, 0)):
        written = answer.to_json()
        assert [written["first"], written["second"]] == [str(bits) for bits in position.bitboards]
    for wrong in ("", "-1", "1.5", "0x1", " 1", "\u0661", str(2**128), -1, 1.5, True, [1]):
        with pytest.raises((TypeError, ValueError), match="first"):
            Result.from_json({**Result(position, 0).to_json(), "first": wrong})


def test_a_result_and_an_analysis_print_what_a_person_would_say() -> None:
    solver = Solver()
    assert str(solver.solve("4455")).startswith(
        "X, to move, wins in 2 moves (score 18).\nBest: columns 3"
    )
    assert "  3   18           |=========  wins in 2 moves, best\n" in str(solver.analyze("4455"))
    assert str(Result.of_finished(Position("1212121"))).startswith("X has won.")
    assert "is not decided yet" in str(Solver(book=False).solve("", Limit(nodes=100)))
