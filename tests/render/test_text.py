from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import Position
from fourcast.render.text import Style, best_style, board, can_color
from tests.strategies import SIZES, positions

STYLES: list[Style] = ["ascii", "discs"]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def display_width(text: str) -> int:
    """Columns that a terminal needs for *text*; the two discs are the only wide characters we print."""
    return sum(2 if character in "🔴🟡" else 1 for character in text)


def without_color(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_discs_are_drawn_as_in_seed_000_red_first() -> None:
    assert board(Position("44"), style="discs") == "\n".join(
        [
            "[ 1  2  3  4  5  6  7]",
            "(.. .. .. .. .. .. ..)",
            "(.. .. .. .. .. .. ..)",
            "(.. .. .. .. .. .. ..)",
            "(.. .. .. .. .. .. ..)",
            "(.. .. .. 🟡 .. .. ..)",
            "(.. .. .. 🔴 .. .. ..)",
        ]
    )


def test_letters_are_drawn_like_the_diagram_of_a_position() -> None:
    position = Position("4453")
    names, *rows = board(position).splitlines()
    assert names == " 1 2 3 4 5 6 7"
    assert [row.strip() for row in rows] == str(position).splitlines()


def test_the_last_move_stands_in_brackets() -> None:
    assert board(Position("44"), last=3).splitlines()[-2:] == [" . . .[O]. . .", " . . . X . . ."]
    assert board(Position("1"), last=0, style="discs").splitlines()[-1] == "[🔴].. .. .. .. .. ..)"
    assert board(Position("7"), last=6, style="discs").splitlines()[-1] == "(.. .. .. .. .. ..[🔴]"


def test_every_stone_of_every_four_stands_between_stars() -> None:
    row = board(Position("4455667"), last=6, style="discs").splitlines()[-1]
    assert row == "(.. .. ..*🔴*🔴*🔴[🔴]"
    column = board(Position("1212121")).splitlines()
    assert [line[:3] for line in column] == [" 1 ", " . ", " . ", "*X*", "*X*", "*X*", "*X*"]


def test_a_stone_that_makes_two_fours_marks_both() -> None:
    position = Position("112233556677" + "4")
    assert board(position, last=3).splitlines()[-1] == "*X*X*X[X]X*X*X*"


@given(positions(), st.data())
def test_all_lines_are_equally_wide_whatever_is_marked(position: Position, data: st.DataObject) -> None:
    last = data.draw(st.none() | st.integers(0, position.width - 1))
    discs = board(position, style="discs", last=last).splitlines()
    assert {display_width(line) for line in discs} == {3 * position.width + 1}
    letters = board(position, style="ascii", last=last).splitlines()
    assert {len(re.sub(r"[\]*]$", "", line)) for line in letters} == {2 * position.width}
    assert len(discs) == len(letters) == position.height + 1


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("style", STYLES)
def test_the_name_of_a_column_stands_above_its_squares(width: int, height: int, style: Style) -> None:
    for column in range(width):
        position = Position(width=width, height=height).play(column)
        names, *rows = board(position, style=style).splitlines()
        disc = re.search("[X🔴]", rows[-1])
        assert disc is not None
        cell_width = 2 if style == "discs" else 1
        place = display_width(rows[-1][: disc.start()]) + cell_width - 1
        assert names[place] == "123456789abcdefghijklmnop"[column]


@given(positions(), st.sampled_from(STYLES))
def test_colors_change_nothing_but_colors(position: Position, style: Style) -> None:
    plain = board(position, style=style, last=0)
    colored = board(position, style=style, last=0, color=True)
    assert "\x1b" not in plain
    assert colored != plain
    assert without_color(colored) == plain
    assert all(line.count("\x1b") % 2 == 0 for line in colored.splitlines())


@pytest.mark.parametrize(
    ("environ", "terminal", "pipe"),
    [
        ({}, True, False),
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colors_come_only_where_they_work_and_are_wanted(
    environ: dict[str, str], terminal: bool, pipe: bool
) -> None:
    assert can_color(Terminal(), environ) is terminal
    assert can_color(io.StringIO(), environ) is pipe


def test_discs_are_drawn_only_where_they_can_be_shown() -> None:
    latin = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    unicode = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert best_style(unicode, {}) == "discs"
    assert best_style(latin, {}) == "ascii"
    assert best_style(unicode, {"TERM": "dumb"}) == "ascii"
    assert best_style(unicode, {"TERM": "linux"}) == "ascii"
