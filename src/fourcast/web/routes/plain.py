"""What the routes without state have in common: the query that names a position, and plain refusals."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from fourcast.errors import FourcastError
from fourcast.game import Game
from fourcast.notation import quote
from fourcast.web.pool import BusyError, GoneError
from fourcast.web.schemas import ErrorView, Height, Moves, Start, Width
from fourcast.web.views import make_game

__all__ = ["REFUSALS", "PlainRoute", "read_query"]

CLIENT_GONE = 499
"""What a log shows for a client that left; no client ever sees it."""

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorView, "description": "not a position, or nothing that can be asked of one"},
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
                return _refusal(400, _sentence(error))
            except BusyError as error:
                return _refusal(503, str(error), {"Retry-After": str(error.retry_after_s)})
            except GoneError as error:
                return _refusal(CLIENT_GONE, str(error))
            except FourcastError as error:
                return _refusal(400, str(error))

        return handle_plainly


def read_query(
    moves: Annotated[Moves, Query()] = "",
    width: Annotated[Width, Query()] = 7,
    height: Annotated[Height, Query()] = 6,
    start: Annotated[Start, Query()] = "",
) -> Game:
    """Return the game that a query describes."""
    return make_game(moves, width=width, height=height, start=start)


def _sentence(error: RequestValidationError) -> str:
    """What is wrong with a request, on one line: the first of what was found."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    given = f", not {quote(first['input'])}" if first["type"] != "missing" and "input" in first else ""
    return f"{where}: {str(first['msg'])[:200]}{given}"


def _refusal(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(ErrorView(detail=detail).model_dump(), status, headers)
