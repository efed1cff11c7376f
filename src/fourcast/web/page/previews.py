"""What other programs show of a link to a game or a position: a title, a sentence and a picture."""

from __future__ import annotations

import re
from html import escape
from typing import cast
from urllib.parse import urlencode

from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError

from fourcast.errors import FourcastError
from fourcast.game import Game
from fourcast.notation import format_start
from fourcast.render.svg import describe
from fourcast.web.games.rules import RefusedError, make_game
from fourcast.web.games.service import GameService
from fourcast.web.games.store import StoreError
from fourcast.web.schemas import MAX_MOVES, MAX_TEXT

__all__ = ["origin_of", "preview_tags"]

_GAME = re.compile(r"/game/([A-Za-z0-9_-]{10,32})")


async def preview_tags(request: Request) -> str:
    """Return the Open Graph tags for the page of *request*; nothing if it names no position."""
    try:
        title, game = await _named(request)
    except (FourcastError, RefusedError, SQLAlchemyError, StoreError):
        return ""
    if game is None:
        return ""
    last = game.columns[-1] if game.columns else None
    text = describe(game.position, last=last).partition(". ")[0]
    picture = f"{origin_of(request)}/api/picture.png?{urlencode(_query(game))}"
    return _tags(
        {
            "og:type": "website",
            "og:site_name": "fourcast",
            "og:title": title,
            "og:description": f"{text[:1].upper()}{text[1:]}.",
            "og:image": picture,
            "og:image:type": "image/png",
            "twitter:card": "summary_large_image",
        }
    )


async def _named(request: Request) -> tuple[str, Game | None]:
    """Return the title and the game that an address names."""
    if match := _GAME.fullmatch(request.url.path):
        record = await cast(GameService, request.app.state.games).get(match[1])
        names = [chair.name for chair in (record.first, record.second)]
        title = f"{names[0]} against {names[1]}: Connect Four" if all(names) else "Connect Four"
        return title, record.game
    query = {name: request.query_params.get(name, "") for name in ("moves", "start", "at", "rules")}
    sides = [request.query_params.get("width", "7"), request.query_params.get("height", "6")]
    if size := request.query_params.get("size"):
        sides = size.split("x", 1) if "x" in size else [size, ""]
    if not (query["moves"] or query["start"] or query["rules"]) or len(query["moves"]) > MAX_MOVES:
        return "", None
    if len(query["start"]) > MAX_TEXT or not all(re.fullmatch(r"[0-9]{1,2}", side) for side in sides):
        return "", None
    width, height = map(int, sides)
    rules = query["rules"][:40]
    game = make_game(query["moves"], width=width, height=height, start=query["start"], rules=rules)
    if re.fullmatch(r"[0-9]{1,3}", query["at"]):
        game = Game(game.columns[: int(query["at"])], start=game.start)
    return "Connect Four", game


def _query(game: Game) -> dict[str, str | int]:
    """Return what names the position of *game*, as the API takes it."""
    start = game.start
    place: dict[str, str | int] = {"moves": game.moves}
    if rows := format_start(start):
        return {**place, "start": rows}
    return {**place, "width": start.width, "height": start.height}


def origin_of(request: Request) -> str:
    """Return how the outside world calls this server; the guard has checked the name."""
    scheme = request.url.scheme
    if request.app.state.settings.trust_proxy:
        forwarded = request.headers.get("x-forwarded-proto", "")
        scheme = forwarded if forwarded in ("http", "https") else scheme
    return f"{scheme}://{request.url.netloc}"


def _tags(properties: dict[str, str]) -> str:
    lines = (f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items())
    return "\n".join([*lines, ""])
