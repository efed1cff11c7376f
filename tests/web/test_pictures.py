"""Pictures and game files over HTTP, looked at pixel by pixel."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import resvg_py
from fastapi.testclient import TestClient
from PIL import Image, ImageChops, ImageFont

from fourcast import Game, Position
from fourcast.render import svg
from fourcast.web.app import create_app
from fourcast.web.page import pictures
from fourcast.web.settings import Settings

WON = "4444453525523"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = tmp_path_factory.mktemp("pictures") / "games.db"
    settings = Settings(
        database_url=f"sqlite:///{database}", requests_per_s=1e6, request_burst=1_000_000
    )
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client


COLORS = [color.removeprefix("#") for color in (*svg.COLORS, "#f6f8fa")]


def color_at(picture: Image.Image, square: tuple[int, int], height: int, scale: int = 1) -> str:
    """The color between the middle of a square and the edge of its disc, where no mark is."""
    box = svg.square_box(*square, height)
    place = ((box.x + 32) * scale, (box.y + 32 + 19) * scale)
    pixel = picture.convert("RGBA").getpixel(place)
    assert isinstance(pixel, tuple)
    near = {
        name: sum(abs(int(hex_[i : i + 2], 16) - pixel[i // 2]) for i in (0, 2, 4))
        for name, hex_ in zip(("first", "second", "empty"), COLORS, strict=True)
    }
    return min(near, key=lambda name: near[name])


def shown(picture: Image.Image, position: Position, scale: int = 1) -> list[list[int]]:
    """The grid that a picture shows, as rows from the bottom."""
    numbers = {"empty": 0, "first": 1, "second": 2}
    return [
        [
            numbers[color_at(picture, (column, row), position.height, scale)]
            for column in range(position.width)
        ]
        for row in range(position.height)
    ]


def grid(position: Position) -> list[list[int]]:
    return position.to_grid(order="rows", top_first=False)


def light_pixels(picture: Image.Image, column: int, height: int, scale: int = 1) -> int:
    """How much is written below a column."""
    x, y = (part * scale for part in svg.name_place(column, height))
    name = (
        picture.convert("RGBA")
        .convert("L")
        .crop((x - 20 * scale, y - 18 * scale, x + 20 * scale, y + 2 * scale))
    )
    return sum(name.histogram()[200:])


# ---- SVG and PNG -------------------------------------------------------------------------------------


def test_the_svg_is_that_of_the_library(client: TestClient) -> None:
    answer = client.get("/api/picture.svg", params={"moves": WON})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text == svg.board(Position(WON), last=2)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_png_shows_every_stone(client: TestClient, scale: int) -> None:
    answer = client.get("/api/picture.png", params={"moves": WON, "scale": str(scale)})
    assert answer.headers["content-type"] == "image/png"
    picture = Image.open(io.BytesIO(answer.content))
    assert picture.size == (468 * scale, 438 * scale)
    assert shown(picture, Position(WON), scale) == grid(Position(WON))


def test_the_corners_of_a_png_are_round() -> None:
    picture = Image.open(io.BytesIO(pictures.png(Game()))).convert("RGBA")
    corners = [(0, 0), (467, 0), (0, 437), (467, 437)]
    assert [picture.getpixel(corner) for corner in corners] == [(0, 0, 0, 0)] * 4


@pytest.mark.parametrize(("width", "height"), [(7, 6), (25, 4), (4, 31), (9, 7)])
def test_the_columns_have_their_names_without_any_font_on_the_machine(
    width: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """resvg is told to use none of them (see below), and Pillow's own is inside of it."""

    original = ImageFont.truetype

    def truetype(font: object, *rest: Any, **options: Any) -> Any:
        assert not isinstance(font, str | Path), "a font of the machine was asked for"
        return original(font, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageFont, "truetype", truetype)
    picture = Image.open(io.BytesIO(pictures.png(Game(width=width, height=height))))
    for column in range(width):
        assert light_pixels(picture, column, height) > 10


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_picture_put_together_from_squares_is_that_of_the_whole_svg(scale: int) -> None:
    """But for the names, and for what rounding does."""
    document = svg.board(Position(WON), last=2)
    whole = resvg_py.svg_to_bytes(svg_string=document, skip_system_fonts=True, zoom=scale)
    expected = Image.open(io.BytesIO(whole)).convert("RGBA")
    drawn = pictures._draw(Position(WON), 2, scale)
    above_names = (0, 0, expected.width, svg.name_place(0, 6)[1] * scale - 20 * scale)
    difference = ImageChops.difference(drawn.crop(above_names), expected.crop(above_names))
    assert max(high for _, high in difference.getextrema()) < 16  # type: ignore[misc]
    corner = (0, drawn.height - 20, 20, drawn.height)
    assert drawn.crop(corner).tobytes() == expected.crop(corner).tobytes()


def test_a_large_board_is_not_scaled_beyond_what_anybody_looks_at() -> None:
    picture = Image.open(io.BytesIO(pictures.png(Game(width=4, height=31), scale=3)))
    assert picture.size == svg.board_size(4, 31)[2:]


# ---- GIF ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        {"moves": WON},
        {"moves": "44444432"},  # one column, move after move
        {"moves": "211131416572345677654327654322345677654321"},
        {"moves": "3", "start": "..../..../..../XO.."},
        {"moves": "", "width": "5", "height": "4"},
    ],
)
def test_an_animation_shows_each_position_and_the_last_one_longer(
    client: TestClient, query: dict[str, str]
) -> None:
    answer = client.get("/api/animation.gif", params=query)
    assert answer.headers["content-type"] == "image/gif"
    game = Game(
        query["moves"],
        start=Position("12", width=4, height=4) if "start" in query else None,
        width=int(query["width"]) if "width" in query else None,
        height=int(query["height"]) if "height" in query else None,
    )
    positions = list(game.positions())
    animation = Image.open(io.BytesIO(answer.content))
    assert getattr(animation, "n_frames", 1) == len(positions)
    durations = []
    for number, position in enumerate(positions):
        animation.seek(number)
        durations.append(animation.info["duration"])
        assert shown(animation, position) == grid(position), number
        assert all(light_pixels(animation, column, position.height) > 10 for column in range(4))
    assert durations == [700] * (len(positions) - 1) + [3000]
    if len(positions) > 1:
        assert animation.info["loop"] == 0


def test_only_the_last_stone_of_a_frame_is_marked() -> None:
    game = Game("4444")
    animation = Image.open(io.BytesIO(pictures.animation(game)))
    for ply in range(1, 5):
        animation.seek(ply)
        expected = pictures._opaque(pictures._draw(tuple(game.positions())[ply], 3, 1))
        frame = animation.convert("RGB")
        for row in range(6):
            x, y, width, height = svg.square_box(3, row, 6)
            area = (x, y, x + width, y + height)
            for drawn, wanted in zip(
                frame.crop(area).resize((8, 8)).tobytes(),
                expected.crop(area).resize((8, 8)).tobytes(),
                strict=True,
            ):
                assert abs(drawn - wanted) < 40, (ply, row)


def test_a_long_game_is_a_small_file() -> None:
    game = Game("211131416572345677654327654322345677654321")
    assert len(pictures.animation(game)) < 200_000


# ---- Game files --------------------------------------------------------------------------------------


def test_a_game_file_is_saved_by_the_browser_and_read_back(client: TestClient, tmp_path: Path) -> None:
    query = {"moves": "3", "start": "..../..../..../XO..", "first": "Ada", "second": "Zoë"}
    game = Game("3", start=Position("12", width=4, height=4), first="Ada", second="Zoë")
    for kind, suffix in (("text", "txt"), ("json", "json")):
        answer = client.get("/api/game-file", params=query | {"format": kind})
        assert answer.headers["content-disposition"] == f'attachment; filename="connect-four.{suffix}"'
        (tmp_path / "game").write_bytes(answer.content)
        assert Game.load(tmp_path / "game") == game


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("game-file?first=a%0Ab", "one printable line"),
        ("game-file?first=%E2%80%AEabc", "one printable line"),
        ("game-file?first=" + "a" * 41, "first must have at most 40 characters"),
        ("game-file?format=xml", "format must be 'text' or 'json', not 'xml'"),
        ("picture.png?scale=0", "scale must be at least 1"),
        ("picture.png?scale=99", "scale must be at most 3"),
        ("picture.svg?moves=8", "is not a column"),
        ("animation.gif?moves=4&width=99", "width must be at most 25"),
        ("animation.gif?start=X", "is not supported"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(
    client: TestClient, query: str, complaint: str
) -> None:
    answer = client.get(f"/api/{query}")
    assert answer.status_code == 400
    assert complaint in answer.json()["detail"]


def test_too_many_pictures_at_once_are_refused_and_the_rest_is_drawn(client: TestClient) -> None:
    def ask(number: int) -> int:
        moves = "".join(str(number // 7**place % 7 + 1) for place in range(3))
        answer = client.get("/api/animation.gif", params={"moves": moves, "height": "4"})
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) >= 1
        return answer.status_code

    start = time.monotonic()
    with ThreadPoolExecutor(40) as crowd:
        statuses = set(crowd.map(ask, range(50)))
    assert 200 in statuses
    assert statuses <= {200, 503}
    assert time.monotonic() - start < 60
