"""Each theme on a puzzle that has it, and on one that looks like it."""

from __future__ import annotations

import pytest

from fourcast import Position, Solver
from fourcast.puzzles.themes import THEMES, Solved, themes_of


def columns(text: str) -> tuple[int, ...]:
    return tuple(int(each) - 1 for each in text)


def solved(moves: str, solution: str, goal: str = "win", **more: object) -> Solved:
    return Solved(Position(moves), columns(solution), goal, **more)  # type: ignore[arg-type]


DOUBLE = solved("3156724137125226", "343", tempting=4)
STACK = solved("4753452525545241", "133", tempting=5)
FORCE = solved("542517525346", "43342", tempting=0)
OPENING = solved("47534521", "4", "keep win", tempting=2, after_mistake=True)

EXAMPLES = {
    "double threat": (DOUBLE, STACK),
    "stacked threats": (STACK, DOUBLE),
    "forcing line": (FORCE, STACK),  # which takes two moves only
    "odd threat": (solved("2523432237443373", "4", "keep win", tempting=6), OPENING),
    "even threat": (solved("66454156446576244", "5", "keep win", tempting=1), OPENING),
    "do not play below": (solved("4567233324431226114571", "44311", "keep win", tempting=4), DOUBLE),
    "defuse": (solved("54425475571475244757271", "2", "keep win", tempting=0), OPENING),
    "sacrifice": (solved("533546536335665", "444", tempting=5), STACK),
    "block with tempo": (solved("323315211564547341", "64665", "keep win", tempting=4), STACK),
    "quiet move": (solved("5114353344543641", "3", "keep win", tempting=3), STACK),
    "only-move draw": (solved("35434421411655354", "5", "keep draw", tempting=1), OPENING),
    "key square": (solved("1542155373253", "2", "keep win"), STACK),
    "break the plan": (solved("463134424673441663633511257167555", "522", "break"), DOUBLE),
    "opening trap": (OPENING, solved("47534521", "4", "keep win", tempting=2)),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_theme_is_told_by_its_predicate(name: str) -> None:
    has_it, looks_like_it = EXAMPLES[name]
    assert THEMES[name].holds(has_it)
    assert not THEMES[name].holds(looks_like_it)
    assert name in themes_of(has_it)


def test_an_odd_threat_is_the_first_players_and_an_even_one_the_seconds() -> None:
    """The other parity does not help: whoever waits gets the other square of the column."""
    useless = solved("551552634746672132", "3", "keep win")
    assert any(row % 2 == 1 for _, row in useless.first.new_threats)
    assert useless.player == 1
    assert not THEMES["even threat"].holds(useless)
    odd, _ = EXAMPLES["odd threat"]
    even, _ = EXAMPLES["even threat"]
    assert (odd.player, even.player) == (1, 2)


def test_zugzwang_is_found_at_the_end_of_the_game() -> None:
    """Second fills the other columns, until first has to play below a four in column 5."""
    position = Position("47161242773411322363233414427")
    best = Solver().analyze(position).best_line
    assert best
    line = best.variation
    end = position.play(*line)
    assert (end.ply, end.winner, line[-2:]) == (38, position.turn, (4, 4))
    assert THEMES["zugzwang"].holds(Solved(position, line[:1], "keep win", line[1:]))
    assert not THEMES["zugzwang"].holds(Solved(position, line[:1], "keep win"))


def test_every_theme_has_an_example_and_a_letter_of_its_own() -> None:
    assert set(EXAMPLES) | {"zugzwang"} == set(THEMES)
    assert len({theme.letter for theme in THEMES.values()}) == len(THEMES)
