"""The web app: `create_app()` puts the routes, the guard and the errors together.

>>> from fourcast.web.settings import Settings
>>> create_app(Settings()).title
'fourcast'
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from fourcast import __version__
from fourcast.errors import FourcastError
from fourcast.web.cup import open_cup
from fourcast.web.games.rules import RefusedError
from fourcast.web.games.service import GameService
from fourcast.web.games.store import StoreError
from fourcast.web.page.pictures import drawing_pool
from fourcast.web.rooms.judging import Judge
from fourcast.web.rooms.service import RoomService
from fourcast.web.rooms.views import RoomHello, RoomView
from fourcast.web.routes import cup, games, pages, pictures, positions, rooms, solve
from fourcast.web.routes.plain import validation_error
from fourcast.web.schemas import ConflictView, ErrorView, LiveHello, LiveMessage
from fourcast.web.server.analysis import Analyst
from fourcast.web.server.limits import Guard, Limits
from fourcast.web.server.logs import AccessLog
from fourcast.web.server.metrics import Metrics
from fourcast.web.server.pool import BusyError, GoneError
from fourcast.web.server.refusals import error_view, refusal, speaking_as_asked
from fourcast.web.settings import Settings

__all__ = ["create_app"]

log = logging.getLogger("fourcast.web")

CLIENT_GONE = 499
"""What a log shows for a client that left; no client ever sees it."""

DESCRIPTION = (
    "Connect Four: play, watch, analyze. Columns and rows are counted from 0, row 0 is the bottom; "
    "players are 1, who starts, and 2; move strings count from 1. "
    'An error is {"detail": "a sentence", "code": "its name", "facts": {what fills it}}.'
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the app. Without *settings* they are those of the environment.

    The database is opened when the server starts, not before.
    """
    settings = settings or Settings.from_environment()
    app = FastAPI(
        title="fourcast",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        redirect_slashes=False,
        responses={
            status: {"model": ErrorView, "description": words}
            for status, words in (
                (400, "what was asked for is not possible"),
                (413, "the request is too large"),
                (422, "the request is not as described here"),
                (429, "too many requests; `Retry-After` says when to try again"),
            )
        },
    )
    app.state.settings = settings
    app.state.kept_version = ""  # of the page, whose files are in the database
    app.state.cup = open_cup(settings.cup) if settings.cup else None
    for routes in (games, rooms, cup, positions, solve, pictures, pages):
        app.include_router(routes.router)
    _handle_errors(app)
    _describe_socket(app)
    app.state.limits = Limits(settings)
    app.add_middleware(Guard, settings=settings, limits=app.state.limits)
    app.state.metrics = Metrics()
    app.add_middleware(AccessLog, trust_proxy=settings.trust_proxy, metrics=app.state.metrics)
    return app


def _describe_socket(app: FastAPI) -> None:
    """Add the messages of the socket to the description of the API, which has no place for sockets."""
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        description = describe()
        schemas = description["components"]["schemas"]
        for message in (LiveHello, LiveMessage, RoomHello, RoomView):
            schema = message.model_json_schema(ref_template="#/components/schemas/{model}")
            for name, part in (schema.pop("$defs", {}) | {message.__name__: schema}).items():
                schemas.setdefault(name, part)
        return description

    app.openapi = openapi  # type: ignore[method-assign]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        app.state.games = GameService(app.state.settings, app.state.limits)
        stack.push_async_callback(app.state.games.close)
        app.state.rooms = RoomService(app.state.settings, app.state.games)
        stack.push_async_callback(app.state.rooms.close)
        app.state.analysis = Analyst()
        stack.callback(app.state.analysis.close)
        app.state.judge = Judge()
        stack.callback(app.state.judge.close)
        app.state.drawing = drawing_pool()
        stack.callback(app.state.drawing.close)
        yield


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(RefusedError)
    async def _refused(request: Request, error: RefusedError) -> Response:
        headers = {"www-authenticate": "Bearer"} if error.status == 401 else None
        if error.record is None:
            return refusal(request, error.status, error, headers)
        game = request.app.state.games.hub.render(error.record)
        with speaking_as_asked(request):
            text = ConflictView.text(error_view(error), game)
        return Response(text, error.status, media_type="application/json")

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        return refusal(request, 422, validation_error(error))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and (page := pages.missing_page(request)):
            return page
        said = {
            404: FourcastError("error.no_address", facts={}),
            405: FourcastError("error.no_method", facts={"method": request.method}),
        }
        refused = said.get(error.status_code, FourcastError(str(error.detail)))
        return refusal(request, error.status_code, refused, error.headers)

    @app.exception_handler(SQLAlchemyError)
    @app.exception_handler(StoreError)
    async def _store(request: Request, error: Exception) -> Response:
        log.error("the database does not answer", exc_info=error)
        refused = FourcastError("error.not_stored", facts={})
        return refusal(request, 503, refused, {"retry-after": "1"})

    @app.exception_handler(BusyError)
    async def _busy(request: Request, error: BusyError) -> Response:
        return refusal(request, 503, error, {"retry-after": str(error.retry_after_s)})

    @app.exception_handler(GoneError)
    async def _gone(request: Request, error: GoneError) -> Response:
        return refusal(request, CLIENT_GONE, error)

    @app.exception_handler(FourcastError)
    async def _fourcast(request: Request, error: FourcastError) -> Response:
        return refusal(request, 400, error)

    @app.exception_handler(Exception)
    async def _unforeseen(request: Request, error: Exception) -> Response:
        log.error("unforeseen", exc_info=error, extra={"path": request.url.path})
        return refusal(request, 500, FourcastError("error.went_wrong", facts={}))
