"""The recorded answers that the core in WebAssembly is held to are those of the native core."""

from __future__ import annotations

import json

from page.record_answers import FILE, answers, position_answers

from fourcast import Solver
from fourcast.game import Game


def test_the_recorded_answers_are_those_of_the_native_core() -> None:
    solver = Solver(book=None)
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    assert len(recorded) > 60
    for each in recorded:
        position = each["position"]
        game = Game(position["moves"], width=position["width"], height=position["height"])
        expected = position_answers(game)
        if not game.position.is_over:
            expected = answers(game, solver, with_reason="explanation" in each)
        assert json.loads(json.dumps(expected)) == each, (
            "record them again: tools/page/record_answers.py"
        )
