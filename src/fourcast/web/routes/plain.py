"""What the routes without state have in common: the query that names a position, and plain refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from fourcast._core import Position
from fourcast.errors import FourcastError, OptionError
from fourcast.game import Game
from fourcast.notation import quote
from fourcast.render.catalogue import languages, speaking, texts_of
from fourcast.web.games.rules import RefusedError, make_game
from fourcast.web.schemas import ErrorView, Height, Moves, RulesText, Start, Width
from fourcast.web.server.addresses import client_address
from fourcast.web.server.pool import BusyError, Client, GoneError
from fourcast.web.server.refusals import refusal

__all__ = [
    "REFUSALS",
    "PlainRoute",
    "check_fair",
    "client_of",
    "in_language",
    "read_query",
    "validation_error",
]

REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorView, "description": "400: what was asked for cannot be, with the reason"},
    503: {"model": ErrorView, "description": "too much to do; Retry-After says when to come back"},
}


class PlainRoute(APIRoute):
    """A route that refuses with a sentence: 400 for what was asked, 503 for when."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler, which raises none of our errors."""
        handle = super().get_route_handler()

        async def handle_plainly(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                return refusal(request, 400, validation_error(error))
            except (BusyError, GoneError):
                raise  # which the app answers
            except RefusedError as error:
                return refusal(request, error.status, error)
            except FourcastError as error:
                return refusal(request, 400, error)

        return handle_plainly


def asker(request: Request) -> str:
    """Return the address that a request counts for."""
    return client_address(request.scope, trust_proxy=request.app.state.settings.trust_proxy)


def client_of(request: Request) -> Client:
    """Return who waits for the answer to a request."""
    return Client(request.is_disconnected, asker(request))


def check_fair(request: Request, position: Position) -> None:
    """Raise `RefusedError` if whoever asks about *position* is playing it, with a clock."""
    if request.app.state.games.hub.is_playing(asker(request), position):
        raise RefusedError(403, "error.fair_play")


async def in_language(
    lang: Annotated[
        str, Query(max_length=8, description=f"the language of sentences: {', '.join(languages())}")
    ] = "en",
    colors: Annotated[
        str, Query(max_length=20, description="the colors by which sentences call the sides")
    ] = "red-yellow",
) -> AsyncIterator[None]:
    """Let the sentences of an answer be in the language, and about the colors, that a query names."""
    if lang not in languages():
        facts = {"names": ", ".join(languages()), "given": quote(lang)}
        raise OptionError("error.no_language", facts=facts)
    first, _, second = colors.partition("-")
    if not {f"color.{first}", f"color.{second}"} <= texts_of("page").keys():
        raise OptionError("error.cannot_be", facts={"what": "colors", "given": quote(colors)})
    with speaking(lang, (first, second)):
        yield


async def read_query(
    moves: Annotated[Moves, Query()] = "",
    width: Annotated[Width, Query()] = 7,
    height: Annotated[Height, Query()] = 6,
    start: Annotated[Start, Query()] = "",
    rules: Annotated[RulesText, Query()] = "",
) -> Game:
    """Return the game that a query describes."""
    return make_game(moves, width=width, height=height, start=start, rules=rules)


def validation_error(error: RequestValidationError) -> FourcastError:
    """Return what is wrong with a request: the first of what was found."""
    first = error.errors()[0]
    kind = first["type"]
    code = f"error.invalid.{kind}"  # by pydantic's name of what is wrong
    if code not in texts_of("errors"):
        code = "error.invalid.unreadable"
    context = {name: value for name, value in first.get("ctx", {}).items() if name != "error"}
    names = [str(part) for part in first["loc"][1:] if isinstance(part, str)]
    where: object = {"pattern": "error.invalid.sent", "facts": {}}
    if names and kind != "json_invalid":
        where = _sendable(".".join(names)[:60])
    facts = {"where": where, "why": {"pattern": code, "facts": context}}
    given = first.get("input")
    if kind in ("missing", "json_invalid") or not isinstance(given, str | int | float):
        return FourcastError("error.invalid", facts=facts)
    return FourcastError("error.invalid_given", facts={**facts, "given": _sendable(quote(given))})


def _sendable(text: str) -> str:
    """Return *text* without half characters: a key of the client's own may hold one."""
    return text.encode("utf-8", "backslashreplace").decode()
