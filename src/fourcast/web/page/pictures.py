"""Positions as PNG and games as animated GIF, drawn from the SVG of `render.svg`.

resvg draws everything except the names of the columns. Pillow writes those: it brings a font, and a
server may have none. No other Python thread runs while resvg draws, so it is given little to do: a board
is assembled from its squares, of which there are only a few different ones.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import resvg_py
from PIL import Image, ImageDraw, ImageFont

from fourcast._core import Position
from fourcast.game import Game
from fourcast.notation import format_column
from fourcast.render.svg import (
    BOARD_COLOR,
    NAME_COLOR,
    NAME_SIZE,
    Box,
    board,
    board_size,
    name_place,
    square_box,
)
from fourcast.web.server.pool import Pool

__all__ = ["animation", "drawing_pool", "png", "svg"]

MOVE_MS, LAST_MS = 700, 3000
"""How long an animation shows each position, and the last one."""
MOST_PIXELS = 2_000_000
_CORNER = 20  # the sides of a corner: more than it is round
_PALETTE = 64  # colors of an animation: a few, and what is between them at the edges


def drawing_pool() -> Pool:
    """Return a pool for drawing. It holds up Python's other threads: one picture at a time, and soon."""
    return Pool(workers=1, queue=16, in_background=False)


def svg(game: Game) -> str:
    """Return where *game* stands as an SVG document."""
    return board(game.position, last=_last(game, len(game.columns)))


def png(game: Game, *, scale: int = 1) -> bytes:
    """Return where *game* stands as a PNG file; a square has 64 * *scale* pixels.

    The scale is smaller if the picture would have more than `MOST_PIXELS`.
    """
    whole = board_size(game.start.width, game.start.height)
    while scale > 1 and whole.width * whole.height * scale**2 > MOST_PIXELS:
        scale -= 1
    picture = _draw(game.position, _last(game, len(game.columns)), scale)
    return _saved(picture.quantize(_PALETTE, Image.Quantize.FASTOCTREE), "PNG", optimize=False)


def animation(game: Game) -> bytes:
    """Return *game* as an animated GIF, from its start to where it stands, again and again."""
    frames = list(_frames(game))
    durations = [MOVE_MS] * (len(frames) - 1) + [LAST_MS]
    return _saved(
        frames[0],
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=durations if len(frames) > 1 else LAST_MS,
        loop=0,
        optimize=False,
    )


def _frames(game: Game) -> Iterator[Image.Image]:
    """Each position of a game; from one to the next only the squares are drawn that change."""
    positions = tuple(game.positions())
    # The last position has every color; only there is a four.
    final = _opaque(_draw(positions[-1], _last(game, len(game.columns)), 1))
    palette = final.quantize(_PALETTE, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    frame = _reduced(_draw(positions[0], None, 1), palette)
    yield frame
    for ply in range(1, len(positions)):
        before, now = positions[ply - 1], positions[ply]
        frame = frame.copy()
        changed = _last_square(game, before, ply - 1) | _last_square(game, now, ply)
        if _last(game, ply) is None:  # a disc was taken out: the others of its column have fallen
            column = game.columns[ply - 1] % now.width
            changed |= {(column, row) for row in range(now.height)}
        for square in changed | set(now.winning_squares):
            box = square_box(*square, now.height)
            patch = _square(now, _last(game, ply), square, 1)
            frame.paste(_reduced(patch, palette), (box.x, box.y))
        yield frame


def _last_square(game: Game, position: Position, ply: int) -> set[tuple[int, int]]:
    """The square of the last disc, which is marked; none at the start."""
    last = _last(game, ply)
    return set() if last is None else {(last, position.heights[last] - 1)}


def _last(game: Game, ply: int) -> int | None:
    """The column of the last disc; None at the start, and after a disc was taken out."""
    last = game.columns[ply - 1] if ply else None
    return None if last is None or last >= game.start.width else last


def _draw(position: Position, last: int | None, scale: int) -> Image.Image:
    whole = board_size(position.width, position.height)
    picture = Image.new("RGBA", (whole.width * scale, whole.height * scale), BOARD_COLOR)
    for x in (0, whole.width - _CORNER):
        for y in (0, whole.height - _CORNER):
            corner = _render(position, last, Box(x, y, _CORNER, _CORNER), scale)
            picture.paste(corner, (x * scale, y * scale))
    for column in range(position.width):
        for row in range(position.height):
            box = square_box(column, row, position.height)
            square = _square(position, last, (column, row), scale)
            picture.paste(square, (box.x * scale, box.y * scale))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(NAME_SIZE * scale)
    for column in range(position.width):
        x, y = name_place(column, position.height)
        place = (x * scale, y * scale)
        pen.text(place, format_column(column), NAME_COLOR, font, anchor="ms")
    return picture


def _square(position: Position, last: int | None, square: tuple[int, int], scale: int) -> Image.Image:
    """One square, drawn when the first of its kind is met."""
    is_newest = last is not None and square == (last, position.heights[last] - 1)
    kind = (position.at(*square), square in position.winning_squares, is_newest, scale)
    if kind not in _squares:
        _squares[kind] = _render(position, last, square_box(*square, position.height), scale)
    return _squares[kind]


_squares: dict[tuple[int, bool, bool, int], Image.Image] = {}
"""All kinds of squares that were drawn so far; there are 9 of each scale."""


def _render(position: Position, last: int | None, part: Box, scale: int) -> Image.Image:
    document = board(position, last=last, part=part)
    drawn = resvg_py.svg_to_bytes(svg_string=document, zoom=scale, skip_system_fonts=True)
    return Image.open(io.BytesIO(drawn)).convert("RGBA")


def _reduced(picture: Image.Image, palette: Image.Image) -> Image.Image:
    return _opaque(picture).quantize(palette=palette, dither=Image.Dither.NONE)


def _opaque(picture: Image.Image) -> Image.Image:
    """Without round corners: a GIF has no half transparent pixels."""
    ground = Image.new("RGB", picture.size, BOARD_COLOR)
    ground.paste(picture, mask=picture)
    return ground


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()
