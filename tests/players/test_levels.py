"""How the levels choose, held against plain Python that says the same: same seed, same move."""

from __future__ import annotations

import random

import pytest

from fourcast import Limit, Position, Result, Solver, evaluate, player
from fourcast._core import LookAhead, Strength, look_ahead, one_of
from fourcast.players.level_player import LEVELS
from tests.core.test_solver import random_positions


def model_choice(position: Position, strength: Strength, solver: Solver, chance: random.Random) -> int:
    exact = model_exact(position, strength, solver)
    if exact:
        return chance.choice(exact)
    found = look_ahead(position, strength.depth, "streaks", nodes=60_000, every_column=True)
    judged = {
        column: model_judgment(position, strength, column, found, chance)
        for column in position.legal_columns
    }
    best = max(judged.values())
    return chance.choice([column for column, value in judged.items() if value == best])


def model_exact(position: Position, strength: Strength, solver: Solver) -> tuple[int, ...]:
    if not strength.exact_nodes:
        return ()
    if position.ply == 0:
        return (position.width - 1) // 2, position.width // 2
    share = min(1.0, 42 / (position.width * position.height)) ** 2
    nodes = max(round(strength.exact_nodes * share), 1)
    return tuple(solver.solve(position, Limit(nodes=nodes)).best_columns or ())


def model_judgment(
    position: Position, strength: Strength, column: int, found: LookAhead, chance: random.Random
) -> float:
    value = found.values[column]
    assert value is not None
    size = abs(value) - found.win_base
    if size <= 0:
        return value + chance.gauss(0, strength.noise)
    plies = Result(position, size if value > 0 else -size).plies_to_end
    assert plies is not None
    beyond = plies - strength.certain
    if beyond <= 0 or chance.random() < strength.sight**beyond:
        return value
    after = position.play(column)
    glance = 0 if after.is_over else -evaluate(after, "streaks")
    return glance + chance.gauss(0, strength.noise)


@pytest.mark.parametrize("level", range(1, 11))
def test_a_level_chooses_as_plain_python_does_with_the_same_seed(level: int) -> None:
    chooser = player(f"level-{level}", seed=level)
    chance = random.Random(level)
    solver = Solver(book=False, table_mb=16)
    places = [Position(), Position(width=8, height=7), *random_positions(25, range(1, 34), seed=level)]
    for position in places:
        wanted = model_choice(position, LEVELS[level - 1][1], solver, chance)
        assert chooser.choose(position) == wanted, position


def test_equal_columns_are_weighed_as_random_choices_weighs_them() -> None:
    for position in (Position(), Position(width=4, height=4), Position(width=12, height=8)):
        columns = [0, 1, 3]
        weights = [(1 + min(each, position.width - 1 - each)) ** 2 for each in columns]
        chances = [random.Random(7), random.Random(7)]
        for _ in range(200):
            wanted = chances[0].choices(columns, weights)[0]
            assert one_of(columns, position, chances[1]) == wanted


def test_there_is_no_choice_among_no_columns() -> None:
    for chance in (None, random.Random(1)):
        with pytest.raises(ValueError, match="no column"):
            one_of([], Position(), chance)
