"""Boards with marks, drawn by every renderer from the same value."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from fourcast import Explanation, Position, Solver, explain
from fourcast.render.legend import legend
from fourcast.render.marked import marked_png, marked_svg
from fourcast.render.text import block_width, marked_board, side_by_side
from fourcast.study.marks import Marks
from tests.render.golden import FOLDER, MISTAKE, NAMES, POSITIONS, golden_files

SPACE = "{http://www.w3.org/2000/svg}"
SOLVER = Solver()
CLASSES = {"gets": "gets", "leaves": "leaves", "frozen": "frozen", "line": "line", "played": "played"}


@pytest.fixture(scope="module")
def explanations() -> dict[str, Explanation]:
    return {name: explain(position, solver=SOLVER) for name, position in POSITIONS.items()}


def all_marks(explanations: dict[str, Explanation]) -> list[Marks]:
    return [
        found.marks(number) for found in explanations.values() for number in range(len(found.claims))
    ]


@pytest.mark.parametrize("name", [*POSITIONS, MISTAKE])
def test_explanations_read_and_look_as_they_did_when_they_were_looked_at(name: str) -> None:
    """`python -m tests.render.golden` writes them again."""
    for file, content in golden_files(name, SOLVER).items():
        assert (FOLDER / file).read_text("utf-8") == content, file


def test_there_is_no_golden_file_too_many() -> None:
    stems = {re.sub(r"-\d$", "", path.stem) for path in FOLDER.iterdir()}
    assert stems == {*POSITIONS, MISTAKE}


def test_every_mark_is_in_the_picture_and_explained_below_it(
    explanations: dict[str, Explanation],
) -> None:
    for marks in all_marks(explanations):
        root = ET.fromstring(marked_svg(marks))
        found = [part.get("class") for part in root.iter()]
        for kind, name in CLASSES.items():
            hidden = set(marks.wins) if kind in ("gets", "leaves") else set()
            assert found.count(name) == len(set(getattr(marks, kind)) - hidden)
        assert found.count("win") == len(marks.wins)
        assert found.count("pair") == 2 * len(marks.pairs)
        texts = [text.text for text in root.iter(f"{SPACE}text") if text.get("class") == "legend"]
        assert texts == [words for _, words in legend(marks, NAMES)]


def test_names_and_colors_are_those_of_the_game(explanations: dict[str, Explanation]) -> None:
    marks = explanations["plan"].marks()
    picture = marked_svg(marks, names=("<Ada>", "Grace & co"), colors=("#123456", "#abcdef"))
    root = ET.fromstring(picture)
    assert "Grace &amp; co gets it" in picture
    assert {part.get("fill") for part in root.iter() if part.get("class") == "gets"} == {"#abcdef"}
    assert {part.get("fill") for part in root.iter() if part.get("class") == "leaves"} == {"#123456"}


def test_a_png_has_the_size_of_the_svg_and_its_marks(explanations: dict[str, Explanation]) -> None:
    for name in ("plan", "small-board", "groups"):
        marks = explanations[name].marks()
        root = ET.fromstring(marked_svg(marks))
        picture = Image.open(io.BytesIO(marked_png(marks, scale=2)))
        assert picture.size == (2 * int(root.get("width", 0)), 2 * int(root.get("height", 0)))
        x, y = 10 + 64 * 0 + 32, 10 + 64 * (marks.position.height - 1) + 32
        assert picture.convert("RGB").getpixel((2 * x, 2 * y)) != (87, 96, 106)


@pytest.mark.parametrize("style", ["ascii", "discs"])
def test_colors_change_nothing_but_colors_on_a_marked_board(
    explanations: dict[str, Explanation], style: str
) -> None:
    for marks in all_marks(explanations):
        plain = marked_board(marks, NAMES, style=style)  # type: ignore[arg-type]
        colored = marked_board(marks, NAMES, style=style, color=True)  # type: ignore[arg-type]
        assert "\x1b" not in plain
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain
        if style == "ascii":
            assert plain.isascii()
        widths = {block_width(line) for line in plain.splitlines()[1 : marks.position.height + 1]}
        assert len(widths) == 1, "all rows are equally wide"
        for kind, words in legend(marks, NAMES):
            assert any(line.endswith(words) for line in plain.splitlines()), kind


def test_letters_stand_for_the_stones_that_the_players_have() -> None:
    marks = explain(Position("14642545655244774665"), solver=SOLVER).marks()
    swapped = marked_board(marks, ("O", "X"), red=2)
    assert swapped.splitlines()[1] == "6  x x / O a x /"


def test_blocks_stand_side_by_side_however_wide_their_letters_are() -> None:
    assert side_by_side("\N{LARGE RED CIRCLE}\nab", "c\nd", gap=1) == "\N{LARGE RED CIRCLE} c\nab d"
