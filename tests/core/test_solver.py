"""The solver is exact: known scores, plain minimax, and what all scores must satisfy."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast import (
    Analysis,
    FinishedGameError,
    IllegalMoveError,
    InvalidPositionError,
    Limit,
    Position,
    Solver,
)
from fourcast._core import feature_names
from tests.model import Model

DATA = Path(__file__).resolve().parent.parent / "fixtures"
EASIER_SETS = ["begin-easy", "begin-medium", "end-easy", "middle-easy", "middle-medium"]


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(book=False)


def known_scores(name: str) -> tuple[list[str], list[int]]:
    lines = [line.split() for line in (DATA / f"{name}.txt").read_text().splitlines()]
    return [moves for moves, _ in lines], [int(score) for _, score in lines]


def random_positions(count: int, empties: range, seed: int) -> Iterator[Position]:
    """Unfinished positions of random games, with numbers of empty squares from *empties*."""
    chance = random.Random(seed)
    while count:
        wanted = 42 - chance.choice(empties)
        position = Position()
        while position.ply < wanted and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        if not position.is_over:
            count -= 1
            yield position


# Known scores


@pytest.mark.parametrize("name", [name for name in EASIER_SETS if name != "begin-medium"])
def test_the_scores_of_a_set_are_those_known(name: str, solver: Solver) -> None:
    moves, scores = known_scores(name)
    assert len(moves) == 1000
    assert [result.score for result in solver.solve_many(moves, threads=2)] == scores


def test_the_scores_of_a_part_of_begin_medium_are_those_known(solver: Solver) -> None:
    moves, scores = known_scores("begin-medium")
    results = solver.solve_many(moves[::16], threads=2)
    assert [result.score for result in results] == scores[::16]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["begin-medium", "begin-hard"])
def test_the_scores_of_the_harder_sets_are_those_known(name: str, solver: Solver) -> None:
    moves, scores = known_scores(name)
    assert len(moves) == 1000
    assert [result.score for result in solver.solve_many(moves, threads=2)] == scores


@pytest.mark.slow
def test_the_first_player_wins_with_stone_41() -> None:
    position = Position()
    analysis = Solver(book=False, threads=2).analyze(position)
    assert [line.score for line in analysis] == [-2, -1, 0, 1, 0, -1, -2]
    assert analysis.result.score == 1
    assert analysis.result.plies_to_end == 41
    assert [len(line.variation) for line in analysis] == [40, 42, 42, 41, 42, 42, 40]


@pytest.mark.parametrize(
    ("moves", "score", "plies"),
    [
        ("4455", 18, 3),
        ("44455554221", -15, 2),
        ("76461241141", -1, 30),
        ("21113141657234567765432765432234567765432", 1, 1),  # a win with the last disc
        ("11111122222233333354444445555566666677777", 0, 1),
    ],
)
def test_a_score_and_the_plies_to_the_end_are_those_known(
    moves: str, score: int, plies: int, solver: Solver
) -> None:
    result = solver.solve(Position(moves))
    assert (result.score, result.plies_to_end, result.complete) == (score, plies, True)
    assert solver.score(Position(moves)) == score


def test_rate_moves() -> None:
    """Seed 000: after 0 6 0 5 1 4 1 the winning column 3 is worth 18."""
    position = Position.from_columns([0, 6, 0, 5, 1, 4, 1])
    scores = {line.column: line.score for line in Solver(book=False).analyze(position)}
    assert scores[3] == max(score for score in scores.values() if score is not None) == 18


# What every score must satisfy


def test_a_score_is_that_of_the_mirror_image_and_of_the_best_child(solver: Solver) -> None:
    positions = list(random_positions(5_000, range(1, 24), seed=1))
    scores = [result.score for result in solver.solve_many(positions, threads=2)]
    mirrored = [position.mirror() for position in positions]
    assert [result.score for result in Solver(book=False).solve_many(mirrored, threads=2)] == scores
    children: list[Position] = []
    parents: list[int] = []
    best = [-100] * len(positions)
    for number, position in enumerate(positions):
        for column in position.legal_columns:
            child = position.play(column)
            if child.is_over:
                value = 0 if child.is_draw else (44 - child.ply) // 2
                best[number] = max(best[number], value)
            else:
                children.append(child)
                parents.append(number)
    results = Solver(book=False).solve_many(children, threads=2)
    for number, result in zip(parents, results, strict=True):
        assert result.score is not None
        best[number] = max(best[number], -result.score)
    assert best == scores


def minimax(model: Model) -> int:
    """The score by trying everything, on lists of lists."""
    best = -100
    for column in model.legal_columns:
        model.play(column)
        won = (44 - model.ply) // 2 if model.winner else 0
        score = won if model.is_over else -minimax(model)
        model.columns[column].pop()
        best = max(best, score)
    return best


def test_the_plainest_minimax_finds_the_same(solver: Solver) -> None:
    """A few positions only, for what the C++ tests do with thousands but share the rules for."""
    for position in random_positions(100, range(1, 7), seed=2):
        model = Model()
        model.columns = [
            [position.at(column, row) for row in range(height)]
            for column, height in enumerate(position.heights)
        ]
        assert solver.score(position) == minimax(model), position


@pytest.mark.parametrize("feature", feature_names())
def test_no_score_depends_on_a_feature(feature: str, solver: Solver) -> None:
    positions = list(random_positions(1_000, range(8, 23), seed=3))
    scores = [result.score for result in solver.solve_many(positions)]
    without = Solver(book=False, without=[feature])
    assert [result.score for result in without.solve_many(positions, threads=2)] == scores


def test_an_unknown_feature_is_refused() -> None:
    with pytest.raises(ValueError, match="no feature is called 'magic'; there are table, mirror"):
        Solver(book=False, without=["magic"])


def test_the_smallest_table_gives_the_same_scores() -> None:
    moves, scores = known_scores("middle-medium")
    assert [result.score for result in Solver(book=False, table_mb=1).solve_many(moves)] == scores


# Analyses


def test_an_analysis_is_consistent_with_the_scores_and_plays_to_the_end(solver: Solver) -> None:
    for position in random_positions(300, range(1, 25), seed=4):
        analysis = solver.analyze(position)
        result = analysis.result
        assert result.complete
        assert [line.column for line in analysis] == list(position.legal_columns)
        scores = [line.score for line in analysis if line.score is not None]
        assert result.score == max(scores) == solver.score(position)
        solved = solver.solve(position)
        assert solved.best_columns == result.best_columns
        assert list(result.best_columns or ()) == [
            line.column for line in analysis if line.score == result.score
        ]
        for line in analysis:
            end = position.play(*line.variation)
            assert end.is_over
            assert line.variation[0] == line.column
            winner = 0 if end.winner is None else 1 if end.winner == position.turn else -1
            assert line.score == winner * ((44 - end.ply) // 2)


# Lines of best play


def random_position(chance: random.Random, width: int, height: int, empties: int) -> Position:
    """A position with this number of empty squares from random moves that complete no four."""
    while True:
        position = Position(width=width, height=height)
        while width * height - position.ply > empties:
            children = [child for child in position.children().values() if not child.is_over]
            if not children:
                break
            position = chance.choice(children)
        else:
            return position


def lines_of(analysis: Analysis) -> list[tuple[int, ...]]:
    return [line.variation for line in analysis]


def check_lines(analysis: Analysis, plain: Solver) -> None:
    """Each move of each line keeps the score, by a solver that solves every position by itself."""
    for line in analysis:
        position, expected = line.position, line.score
        assert expected is not None
        for column in line.variation:
            position, expected = position.play(column), -expected
            score = position.final_score if position.is_over else plain.score(position)
            assert score == expected, line
        assert position.is_over


@pytest.mark.parametrize(
    ("width", "height", "most_empties"),
    [(7, 6, 26), (4, 4, 16), (5, 4, 20), (6, 5, 24), (4, 9, 24), (8, 7, 20), (9, 12, 14), (25, 4, 14)],
)
def test_every_move_of_a_line_keeps_the_score(width: int, height: int, most_empties: int) -> None:
    """On boards without a book."""
    chance = random.Random(f"{width}x{height}")
    solver, plain = Solver(book=None, table_mb=1), Solver(book=None)
    for number in range(most_empties):
        position = random_position(chance, width, height, 1 + number)
        check_lines(solver.analyze(position), plain)


def test_a_line_through_the_book_keeps_the_score_and_is_the_one_without_a_book() -> None:
    chance = random.Random(5)
    solver, plain = Solver(), Solver(book=None)
    for empties in (32, 31, 30, 29):
        position = random_position(chance, 7, 6, empties)
        analysis = solver.analyze(position)
        check_lines(analysis, plain)
        assert lines_of(plain.analyze(position)) == lines_of(analysis)


def test_a_line_depends_on_the_position_alone() -> None:
    """Not on the table, its size, the threads, or the features of the search."""
    chance = random.Random(6)
    positions = [random_position(chance, 7, 6, 2 + number % 28) for number in range(56)]
    cold = [Solver(book=None, table_mb=1).analyze(position) for position in positions]
    warm = Solver(book=None)
    warm.solve_many(positions)
    others = [warm, Solver(), *(Solver(book=None, threads=threads) for threads in (2, 4))]
    others += [Solver(book=None, without=[feature]) for feature in ("learned_order", "lookahead")]
    for solver in others:
        for position, expected in zip(positions, cold, strict=True):
            assert lines_of(solver.analyze(position)) == lines_of(expected), position
    for threads in (1, 2, 4):
        found = Solver(book=None).analyze_many(positions[::-1], threads=threads)[::-1]
        assert found == cold


def test_the_rest_of_a_line_is_the_line_after_its_first_move(solver: Solver) -> None:
    for position in random_positions(50, range(2, 22), seed=7):
        for line in solver.analyze(position):
            if len(line.variation) > 1:
                rest = line.variation[1:]
                assert rest in lines_of(solver.analyze(position.play(line.column))), position


@pytest.mark.parametrize(("width", "height"), [(7, 6), (6, 4), (5, 5), (9, 8)])
def test_the_mirror_image_has_the_mirrored_lines(width: int, height: int) -> None:
    chance = random.Random(8)
    solver = Solver(book=None)
    for number in range(60):
        position = random_position(chance, width, height, 1 + number % 20)
        assert solver.analyze(position.mirror()) == solver.analyze(position).mirrored()


def test_a_symmetrical_position_has_mirrored_lines_on_both_sides() -> None:
    """All but that of the middle column: its line has to leave the middle on one side."""
    for moves in ("", "4", "4444"):
        analysis = Solver().analyze(Position(moves))
        assert analysis.lines[:3] == analysis.mirrored().lines[:3]


def test_only_the_outcome_is_cheaper_and_right() -> None:
    moves, scores = known_scores("begin-medium")
    full = Solver(book=False).solve_many(moves[:30], threads=2)
    results = Solver(book=False).solve_many(moves[:30], threads=2, outcome_only=True)
    words = {1: "win", 0: "draw", -1: "loss"}
    for result, score in zip(results, scores, strict=False):
        assert result.outcome == words[(score > 0) - (score < 0)]
        assert result.complete
        assert result.lower <= score <= result.upper
    assert sum(result.nodes for result in results) < sum(result.nodes for result in full) / 2


# What can be given


def test_positions_come_as_strings_positions_or_bitboards(solver: Solver) -> None:
    moves, scores = known_scores("end-easy")
    positions = [Position(text) for text in moves]
    boards = np.array([position.bitboards for position in positions], dtype=np.uint64)
    as_given: list[object] = [moves, positions, boards, iter(positions), boards[::-1][::-1]]
    for given in as_given:
        assert [result.score for result in solver.solve_many(given)] == scores
    assert solver.solve_many([]) == []


def test_strings_and_bitboards_can_be_of_other_sizes(solver: Solver) -> None:
    position = Position("1234", width=5, height=5)
    boards = np.array([position.bitboards], dtype=np.uint64)
    score = solver.score(position)
    assert [r.score for r in solver.solve_many(["1234"], width=5, height=5)] == [score]
    assert [r.score for r in solver.solve_many(boards, width=5, height=5)] == [score]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("4455", TypeError, r"not one move string: write \['4455'\]$"),
        (4455, TypeError, "a list of Positions or move strings, or an array, not 4455"),
        ([4], TypeError, "a Position or a move string"),
        ([None], TypeError, "a Position or a move string"),
        (["4", "8"], ValueError, "'8' at place 1"),
        (["1111111"], IllegalMoveError, "full"),
        (["1212121"], FinishedGameError, "the game is over"),
        (np.zeros((2, 2)), TypeError, "of uint64"),
        (np.zeros((2, 3), dtype=np.uint64), TypeError, "shape"),
        (np.zeros(4, dtype=np.uint64), TypeError, "shape"),
        (np.array([[2, 0]], dtype=np.uint64), InvalidPositionError, "floats"),
        (np.array([[1 << 60, 0]], dtype=np.uint64), InvalidPositionError, "board"),
    ],
)
def test_what_is_no_position_is_refused(
    given: object, error: type[Exception], words: str, solver: Solver
) -> None:
    with pytest.raises(error, match=words):
        solver.solve_many(given)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((None,), r"^position must be a Position or a str of moves, for example '44', not NoneType$"),
        (([3, 3],), r"^position must be a Position or a str of moves, for example '44', not list$"),
        ((Position(), 5), "^limit must be a Limit or None, not int$"),
    ],
)
def test_a_call_about_one_position_says_in_a_sentence_what_it_takes(
    arguments: tuple[Any, ...], words: str, solver: Solver
) -> None:
    methods: list[Any] = [solver.solve, solver.analyze]
    if len(arguments) == 1:
        methods.append(solver.score)
    for method in methods:
        with pytest.raises(TypeError, match=words):
            method(*arguments)


def test_what_is_no_stop_token_is_refused_in_a_sentence(solver: Solver) -> None:
    methods: list[Any] = [solver.solve, solver.analyze]
    for method in methods:
        with pytest.raises(TypeError, match=r"^stop must be a StopToken or None, not bool$"):
            method(Position(), stop=True)


@pytest.mark.parametrize("moves", ["1212121", "111111222222333333544444455555666666777777"])
def test_a_finished_game_is_refused(moves: str, solver: Solver) -> None:
    position = Position(moves)
    for method in (solver.solve, solver.score, solver.analyze):
        with pytest.raises(FinishedGameError, match="the game is over"):
            method(position)
    with pytest.raises(FinishedGameError):
        solver.solve_many([Position(), position])


@pytest.mark.parametrize(
    "call",
    [
        "Solver(table_mb=0)",
        "Solver(table_mb='64')",
        "Solver(threads=0)",
        "Solver(threads=1000)",
        "Solver(threads=1.5)",
        "Solver().solve('4458')",
        "Solver().solve(None)",
        "Solver().solve(Position(), 5)",
        "Solver().solve_many([], threads=0)",
        "Limit(time_s=0)",
        "Limit(time_s=-1)",
        "Limit(time_s=float('nan'))",
        "Limit(time_s='1')",
        "Limit(time_s=True)",
        "Limit(nodes=0)",
        "Limit(nodes=2.5)",
    ],
)
def test_a_wrong_option_is_refused(call: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        eval(call, {"Limit": Limit, "Position": Position, "Solver": Solver})


# Several threads


def test_8_threads_solve_1000_positions_each_on_one_solver() -> None:
    solver = Solver(book=False, table_mb=1)
    moves, scores = known_scores("middle-easy")
    wrong = []

    def work(start: int) -> None:
        for i in range(1000):
            at = (start * 125 + i) % 1000
            if solver.score(Position(moves[at])) != scores[at]:
                wrong.append(moves[at])

    threads = [threading.Thread(target=work, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_two_threads_on_one_position_find_the_same() -> None:
    solver = Solver(book=False, threads=2)
    moves, scores = known_scores("begin-medium")
    for text, score in zip(moves[:40], scores, strict=False):
        assert solver.score(Position(text)) == score


def test_one_thread_takes_the_same_nodes_every_time() -> None:
    moves, _ = known_scores("middle-medium")

    def nodes() -> list[int]:
        solver = Solver(book=False, table_mb=8)
        return [solver.solve(Position(text)).nodes for text in moves[:200]]

    assert nodes() == nodes()


def test_a_solver_is_as_good_as_new_when_cleared() -> None:
    solver = Solver(book=False)
    position = Position("4444442")
    first = solver.solve(position, best_columns=False).nodes
    assert solver.solve(position, best_columns=False).nodes < first
    solver.clear()
    assert solver.solve(position, best_columns=False).nodes == first
