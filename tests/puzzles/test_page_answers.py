"""The recorded answers that the page's puzzles are held to are those of Python."""

from __future__ import annotations

import json

from page.record_puzzles import FILE, record


def test_the_recorded_answers_about_puzzles_are_those_of_python() -> None:
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    assert len(recorded["attempts"]) > 70
    assert record() == recorded, "record them: tools/page/record_puzzles.py"
