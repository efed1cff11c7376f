"""What the routes without state have in common: the query that names a position, and plain refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from fourcast.errors import FourcastError, OptionError
from fourcast.game import Game
from fourcast.notation import quote
from fourcast.render.catalogue import languages, speaking
from fourcast.web.games.rules import make_game
from fourcast.web.schemas import ErrorView, Height, Moves, Start, Width
from fourcast.web.server.addresses import client_address
from fourcast.web.server.pool import BusyError, GoneError

__all__ = ["REFUSALS", "PlainRoute", "asker", "in_language", "read_query", "validation_sentence"]

CLIENT_GONE = 499
"""What a log shows for a client that left; no client ever sees it."""

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
                return _refusal(400, validation_sentence(error))
            except BusyError as error:
                return _refusal(503, str(error), {"Retry-After": str(error.retry_after_s)})
            except GoneError as error:
                return _refusal(CLIENT_GONE, str(error))
            except FourcastError as error:
                return _refusal(400, str(error))

        return handle_plainly


def asker(request: Request) -> str:
    """Return the address that a request counts for."""
    return client_address(request.scope, trust_proxy=request.app.state.settings.trust_proxy)


async def in_language(
    lang: Annotated[
        str, Query(max_length=8, description=f"the language of sentences: {', '.join(languages())}")
    ] = "en",
) -> AsyncIterator[None]:
    """Let the sentences of an answer be in the language that a query names."""
    if lang not in languages():
        raise OptionError(f"lang must be one of {', '.join(languages())}, not {quote(lang)}")
    with speaking(lang):
        yield


async def read_query(
    moves: Annotated[Moves, Query()] = "",
    width: Annotated[Width, Query()] = 7,
    height: Annotated[Height, Query()] = 6,
    start: Annotated[Start, Query()] = "",
) -> Game:
    """Return the game that a query describes."""
    return make_game(moves, width=width, height=height, start=start)


# pydantic's names of what can be wrong -> our words for it; {} are filled from its context.
_WRONG = {
    "bool_type": "must be true or false",
    "extra_forbidden": "is not known",
    "finite_number": "must be a finite number",
    "float_parsing": "must be a number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "json_invalid": "is not JSON",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "missing": "is missing",
    "model_attributes_type": "must be a JSON object",
    "string_pattern_mismatch": "must be one that this server gave out",
    "string_too_long": "must have at most {max_length} characters",
    "string_type": "must be a text",
}


def validation_sentence(error: RequestValidationError) -> str:
    """Return what is wrong with a request, on one line: the first of what was found."""
    first = error.errors()[0]
    kind = first["type"]
    words = _WRONG.get(kind, "cannot be read").format_map(first.get("ctx", {}))
    names = [str(part) for part in first["loc"][1:] if isinstance(part, str)]
    where = ".".join(names)[:60] if names and kind != "json_invalid" else "what was sent"
    given = first.get("input")
    if kind in ("missing", "json_invalid") or not isinstance(given, str | int | float):
        return _sendable(f"{where} {words}")
    return _sendable(f"{where} {words}, not {quote(given)}")


def _sendable(text: str) -> str:
    """Return *text* without half characters: a key of the client's own may hold one."""
    return text.encode("utf-8", "backslashreplace").decode()


def _refusal(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(ErrorView(detail=detail).model_dump(), status, headers)
