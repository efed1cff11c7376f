"""The map of an opening."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from fourcast import Position, Solver
from fourcast.errors import FinishedGameError, OptionError
from fourcast.render.opening_map import opening_map
from fourcast.study.opening_tree import opening_tree

SVG = "{http://www.w3.org/2000/svg}"


def test_every_move_is_drawn_below_the_one_before_with_its_outcome() -> None:
    solver = Solver()
    tree = ElementTree.fromstring(opening_map(opening_tree(plies=3, solver=solver)))
    moves = list(tree.iter(f"{SVG}g"))
    assert len(moves) == 7 + 49 + 343
    for group in moves[::13]:
        title = group.findtext(f"{SVG}title") or ""
        text = title.partition(":")[0]
        after = Position(text)
        outcome = solver.solve(after, outcome_only=True).outcome
        winner = {"win": after.turn, "loss": 3 - after.turn, "draw": 0}[str(outcome)]
        assert group.get("data-side") == ("draw", "first", "second")[winner]
        assert group.get("data-column") == text[-1]
        rect, replies = group.find(f"{SVG}rect"), group.findall(f"{SVG}g/{SVG}rect")
        assert rect is not None
        if replies:
            widths = [float(reply.get("width", 0)) for reply in replies]
            assert sum(widths) == pytest.approx(float(rect.get("width", 0)), rel=1e-4)
            assert float(replies[0].get("y", 0)) > float(rect.get("y", 0))


def test_a_map_begins_anywhere_and_says_how_games_end() -> None:
    text = opening_map(opening_tree(Position("121212"), plies=1), names=("A<b>", "B"))
    assert "A&lt;b&gt; completes a four" in text
    assert len(re.findall("<g class='move'", text)) == 7
    calls: list[int] = []
    opening_tree(plies=1, progress=calls.append)
    assert calls == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("plies", [0, 6])
def test_a_map_without_moves_or_with_too_many_is_refused(plies: int) -> None:
    with pytest.raises(OptionError, match="1 to 5 plies"):
        opening_tree(plies=plies)
    with pytest.raises(FinishedGameError):
        opening_tree(Position("1212121"))
