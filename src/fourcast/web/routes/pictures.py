"""Positions and games to take away: pictures, an animation, a game file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from fourcast.game import Game
from fourcast.web.page import pictures
from fourcast.web.routes.plain import REFUSALS, PlainRoute, client_of, read_query
from fourcast.web.schemas import Name

__all__ = ["router"]

router = APIRouter(route_class=PlainRoute, responses=REFUSALS, tags=["pictures"])

GameQuery = Annotated[Game, Depends(read_query)]

# The same query is the same picture as long as this version runs.
_KEEP = {"Cache-Control": "public, max-age=3600"}


def _as(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """What the description of the API says of an answer that is not JSON."""
    return {200: {"content": {kind: {} for kind in media_types}, "description": "the file"}}


@router.get("/api/picture.svg", response_class=Response, responses=_as("image/svg+xml"))
async def get_svg(game: GameQuery) -> Response:
    """Return a position as SVG."""
    return _file(pictures.svg(game).encode(), "image/svg+xml", "svg")


@router.get("/api/picture.png", response_class=Response, responses=_as("image/png"))
async def get_png(
    request: Request,
    game: GameQuery,
    scale: Annotated[int, Query(ge=1, le=3, description="a square has 64 times as many pixels")] = 2,
) -> Response:
    """Return a position as PNG."""
    picture = await _drawn(request, ("png", scale), game, lambda: pictures.png(game, scale=scale))
    return _file(picture, "image/png", "png")


@router.get("/api/animation.gif", response_class=Response, responses=_as("image/gif"))
async def get_gif(request: Request, game: GameQuery) -> Response:
    """Return all positions of the moves as an animated GIF."""
    picture = await _drawn(request, ("gif",), game, lambda: pictures.animation(game))
    return _file(picture, "image/gif", "gif")


@router.get("/api/game-file", response_class=Response, responses=_as("text/plain", "application/json"))
async def get_game_file(
    game: GameQuery,
    first: Annotated[Name, Query()] = "",
    second: Annotated[Name, Query()] = "",
    format_: Annotated[Literal["text", "json"], Query(alias="format")] = "text",
) -> Response:
    """Return the moves as a game file, to be kept and opened again."""
    game.first, game.second = first, second
    if format_ == "json":
        return _file(game.to_json().encode(), "application/json", "json", is_kept=False)
    return _file(game.to_text().encode(), "text/plain; charset=utf-8", "txt", is_kept=False)


async def _drawn(
    request: Request, kind: tuple[object, ...], game: Game, draw: Callable[[], bytes]
) -> bytes:
    key = (*kind, game.start, game.columns)
    picture: bytes = await request.app.state.drawing.run(key, lambda _: draw(), client_of(request))
    return picture


def _file(content: bytes, media_type: str, suffix: str, *, is_kept: bool = True) -> Response:
    """Return a file; a game file is saved by the browser, a picture is shown first."""
    how = "inline" if is_kept else "attachment"
    headers = {"Content-Disposition": f'{how}; filename="connect-four.{suffix}"'}
    return Response(content, media_type=media_type, headers=headers | (_KEEP if is_kept else {}))
