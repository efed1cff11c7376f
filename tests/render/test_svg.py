from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import pytest
import resvg_py
from hypothesis import given, settings
from PIL import Image

from fourcast import Position
from fourcast.errors import InvalidNotationError
from fourcast.notation import column_names
from fourcast.render import svg
from tests.strategies import positions

SPACE = "{http://www.w3.org/2000/svg}"


def pixels(picture: str) -> Image.Image:
    return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=picture)))).convert("RGBA")


def color_at(image: Image.Image, x: float, y: float) -> str:
    red, green, blue, alpha = image.getpixel((int(x), int(y)))  # type: ignore[misc]
    assert alpha == 255
    return f"#{red:02x}{green:02x}{blue:02x}"


@settings(max_examples=40)
@given(positions())
def test_a_picture_is_sound_xml_with_every_stone(position: Position) -> None:
    root = ET.fromstring(svg.board(position))
    circles = root.findall(f"{SPACE}circle")
    for player, name in ((1, "disc first"), (2, "disc second")):
        discs = sum(row.count(player) for row in position.to_grid(order="rows"))
        assert sum(circle.get("class") == name for circle in circles) == discs
    names = "".join(text.text or "" for text in root.findall(f"{SPACE}text"))
    assert names == column_names(position.width)


def test_the_picture_shows_the_stones_where_they_are() -> None:
    position = Position("4455667")
    image = pixels(svg.board(position, last=6))
    for column in range(7):
        for row in range(6):
            # Between the mark in the middle and the rim.
            x, y = 10 + 64 * column + 32, 10 + 64 * (5 - row) + 32 + 19
            shown = color_at(image, x, y)
            assert shown == ("#f6f8fa", *svg.COLORS)[position.at(column, row)]


def test_the_discs_differ_in_shape_and_not_only_in_color() -> None:
    first, second = (pixels(svg.disc(player, color="#888888")) for player in (1, 2))
    assert color_at(first, 32, 32) != color_at(second, 32, 32)
    assert first.tobytes() != second.tobytes()


@pytest.mark.parametrize("page", ["#ffffff", "#0d1117"])
def test_the_board_stands_out_from_a_light_and_a_dark_page(page: str) -> None:
    """WCAG asks for 3 between parts of a picture."""
    board, empty = svg.BOARD_COLOR, svg._EMPTY
    assert svg.contrast(board, page) >= 2.9
    assert svg.contrast(board, empty) >= 3
    assert svg.contrast(board, "#ffffff") >= 4.5  # the names of the columns
    assert svg.contrast(svg._DARK, empty) >= 3  # the rim of a disc


def test_the_colors_differ_in_lightness_for_people_who_see_no_hues() -> None:
    assert svg.contrast(*svg.COLORS) >= 2.9


@pytest.mark.parametrize("part", ["#cf222e", "#0969da", *svg.COLORS, svg.BOARD_COLOR])
def test_the_ring_around_a_four_is_no_players_color(part: str) -> None:
    assert part != svg._FOUR
    assert svg.contrast(svg._FOUR, svg._DARK) >= 3  # the rim of the disc that it surrounds
    assert svg.contrast(svg._FOUR, svg.BOARD_COLOR) >= 3


@pytest.mark.parametrize("color", ["#fff", "#000000", "#ffd33d", "#123456"])
def test_the_mark_in_a_disc_shows_on_any_color(color: str) -> None:
    image = pixels(svg.disc(2, color=color))
    full = color if len(color) == 7 else "#" + "".join(digit * 2 for digit in color[1:])
    assert svg.contrast(color_at(image, 32, 32), full) >= 3


def test_the_four_and_the_last_stone_are_marked() -> None:
    root = ET.fromstring(svg.board(Position("4455667"), last=6))
    kinds = [circle.get("class") for circle in root.findall(f"{SPACE}circle")]
    assert (kinds.count("four"), kinds.count("last")) == (4, 1)


def test_a_screen_reader_finds_title_and_description() -> None:
    picture = svg.board(Position("4455667"), last=6, names=("cats", "dogs"), title="Game 3", prefix="g3")
    root = ET.fromstring(picture)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "g3-title g3-desc"
    title, description = root.find(f"{SPACE}title"), root.find(f"{SPACE}desc")
    assert title is not None
    assert description is not None
    assert (title.get("id"), title.text) == ("g3-title", "Game 3")
    assert str(description.text).startswith(
        "cats has won with four in a row after 7 moves, cats was last in"
    )


def test_names_and_titles_are_text_and_nothing_else() -> None:
    hostile = "</title><script>alert(1)</script>\0\x1b&"
    root = ET.fromstring(svg.board(Position("4"), names=(hostile, "x"), title=hostile))
    assert not [element for element in root.iter() if "script" in element.tag]


@pytest.mark.parametrize("color", ["red", "#12345", "#ggg", "#fff\n", 'url("x")', ""])
def test_what_is_no_color_is_refused(color: str) -> None:
    with pytest.raises(InvalidNotationError, match="is not a color"):
        svg.board(Position(), colors=(color, "#000"))


def test_a_prefix_that_would_break_out_is_refused() -> None:
    with pytest.raises(InvalidNotationError, match="cannot begin an id"):
        svg.board(Position(), prefix='"><script>')
