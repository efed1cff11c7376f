"""The pages of docs/ show what is."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from fourcast import Game, Position
from fourcast.community.config import Config
from fourcast.community.config import parse as parse_config
from fourcast.community.setup import template
from fourcast.notation import format_json, parse_diagram, parse_json
from fourcast.render.text import board

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "game-files.md").read_text("utf-8")
BLOCKS = [
    block
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    if language in ("", "json")
]


def test_the_examples_of_game_files_are_what_is_written() -> None:
    text, start, game_json, diagram, position_json, _bits = BLOCKS
    assert Game.from_text(text).to_text() == text
    assert Game.from_text(start) == Game("53", start=Position("445"))
    assert Game.from_json(game_json) == Game.from_text(text)
    assert json.loads(Game.from_text(text).to_json()) == json.loads(game_json)
    assert board(parse_diagram(diagram), style="discs", last=6) == diagram.rstrip("\n")
    assert format_json(parse_json(position_json)) == position_json.rstrip("\n")


def test_the_page_on_the_community_game_shows_the_workflow_and_every_setting() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "community.md").read_text("utf-8")
    (workflow,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert workflow == template("workflow.yml").replace("ACTION", "OWNER/fourcast@COMMIT")
    table = dict(re.findall(r"^\| `(\w+)` \| `(.+?)` \|", page, re.MULTILINE))
    settings = "".join(f"{name} = {value}\n" for name, value in table.items())
    assert parse_config(settings) == Config()
    assert {*table, "first", "second"} == set(Config.__dataclass_fields__)


@pytest.mark.parametrize(
    "name", ["evaluation.md", "explain.md", "game-files.md", "how-the-solver-works.md"]
)
def test_the_examples_of_a_page_run(name: str) -> None:
    result = doctest.testfile(str(DOCS / name), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_diagrams_of_how_the_solver_works_are_those_of_its_positions() -> None:
    page = (DOCS / "how-the-solver-works.md").read_text("utf-8")
    for moves in re.findall(r'^>>> (?:position|left) = Position\("(\d+)"\)', page, re.MULTILINE):
        for row in str(Position(moves)).splitlines():
            assert f"\n{row}  " in page, moves
