"""Games: made, joined, played, watched."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypeVar

import anyio
from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ValidationError
from starlette.websockets import WebSocketDisconnect

from fourcast.web.games import rules as games
from fourcast.web.games.rules import Record, RefusedError
from fourcast.web.games.service import GameService
from fourcast.web.schemas import (
    Action,
    ConflictView,
    ErrorView,
    GameView,
    JoinRequest,
    LiveHello,
    MoveRequest,
    NewGame,
    Side,
    Ticket,
)
from fourcast.web.server.addresses import client_address
from fourcast.web.server.live import Connection, FullError
from fourcast.web.views import game_view

__all__ = [
    "GameId",
    "NeededToken",
    "Token",
    "follow",
    "hello_of",
    "refusals",
    "router",
]

ConnectionT = TypeVar("ConnectionT", bound=Connection)
Hello = TypeVar("Hello", bound=BaseModel)

HELLO_S = 10.0
"""How long a client may take to say who it is."""
MAX_HELLO = 1_024
"""Characters of the longest message that is read from a socket."""

router = APIRouter(prefix="/api/games", tags=["games"])

GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{10,32}$", description="the name of a game")]


class _Bearer(HTTPBearer):
    """A player's secret. One class for both kinds: each dependency of a dependency takes its time."""

    def __init__(self, *, is_needed: bool) -> None:
        text = "a player's secret, the `token` of the ticket"
        super().__init__(auto_error=False, scheme_name="HTTPBearer", description=text)
        self._is_needed = is_needed

    async def __call__(self, request: Request) -> str | None:  # type: ignore[override]
        """Return the secret of a request."""
        found = await super().__call__(request)
        if found is None and self._is_needed:
            raise RefusedError(401, "error.needs_secret")
        return found.credentials if found else None


# Asynchronous though it waits for nothing: a plain function would be called on another thread.
async def _service(request: Request) -> GameService:
    service: GameService = request.app.state.games
    return service


Token = Annotated[str | None, Depends(_Bearer(is_needed=False))]
NeededToken = Annotated[str, Depends(_Bearer(is_needed=True))]
Service = Annotated[GameService, Depends(_service)]


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what the description of the API says of some statuses."""
    words = {
        400: "what was asked for is not possible",
        401: "a player's secret is needed",
        403: "the secret is not that of a player of this game",
        404: "there is no such game",
        409: "it does not fit the game as it is now, which comes along as `game`",
        503: "too much to do; `Retry-After` says when to come back",
    }
    models = {409: ConflictView}
    return {
        status: {"model": models.get(status, ErrorView), "description": words[status]}
        for status in statuses
    }


def _answer(service: GameService, record: Record) -> Response:
    return Response(service.hub.render(record), media_type="application/json")


def _ticket(service: GameService, record: Record, token: str) -> Ticket:
    connected, spectators = service.hub.presence(record.id)
    notice = service.hub.notice
    game = game_view(record, connected=connected, spectators=spectators, notice=notice)
    return Ticket(game=game, token=token, sides=games.sides_of(record, token))


def _sides(record: Record, token: str) -> list[Side]:
    sides = games.sides_of(record, token)
    if not sides:
        raise RefusedError(403, "error.players_only")
    return sides


@router.post("", status_code=201, responses=refusals(400))
async def make_game(new: NewGame, service: Service) -> Ticket:
    """Make a game. The ticket holds the maker's secret, which is not shown again."""
    token = games.new_token()
    return _ticket(service, await service.add(games.new_game(new, token)), token)


@router.get("/{game_id}", response_model=GameView, responses=refusals(404))
async def get_game(game_id: GameId, service: Service) -> Response:
    """Return a game as everybody may see it."""
    return _answer(service, await service.get(game_id))


@router.post("/{game_id}/join", responses=refusals(400, 404, 409))
async def join_game(game_id: GameId, who: JoinRequest, token: Token, service: Service) -> Ticket:
    """Take the open seat. A player that has a seat already gets the ticket again."""
    if token and games.sides_of(record := await service.get(game_id), token):
        return _ticket(service, record, token)
    secret = who.token or games.new_token()
    record = await service.change(game_id, lambda record: games.join(record, who.name, secret))
    return _ticket(service, record, secret)


@router.post("/{game_id}/moves", response_model=GameView, responses=refusals(400, 401, 403, 404, 409))
async def play_move(
    game_id: GameId, move: MoveRequest, token: NeededToken, service: Service
) -> Response:
    """Play a disc. Of several moves for one ply one counts; repeating that one is harmless."""
    record = await service.change(
        game_id, lambda record: games.play(record, _sides(record, token), move)
    )
    return _answer(service, record)


@router.post("/{game_id}/actions", response_model=GameView, responses=refusals(401, 403, 404, 409))
async def act(game_id: GameId, action: Action, token: NeededToken, service: Service) -> Response:
    """Resign, offer or answer a draw, a take back or a rematch; undo and redo in a local game.

    `claim` the game if the other player has left.
    """
    away_s = {side: service.hub.away_s(game_id, side) for side in (1, 2)}

    def rule(record: Record) -> Record:
        sides = _sides(record, token)
        return games.act(record, sides, action, away_s=away_s[3 - sides[0]])

    return _answer(service, await service.change(game_id, rule))


@router.get(
    "/{game_id}/file",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {}, "application/json": {}}, "description": "a game file"},
        **refusals(404),
    },
)
async def download(
    game_id: GameId,
    service: Service,
    file_format: Annotated[Literal["text", "json"], Query(alias="format")] = "text",
) -> Response:
    """Return a game as a file that fourcast reads: names, time stamps, result."""
    game = (await service.get(game_id)).game
    is_json = file_format == "json"
    name = f"connect-four-{game_id}.{'json' if is_json else 'txt'}"
    return Response(
        game.to_json() if is_json else game.to_text(),
        media_type="application/json" if is_json else "text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


# ---- Live --------------------------------------------------------------------------------------------


class ByeError(Exception):
    """The connection is to be closed; *reason* is a name of the message catalog."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@router.websocket("/{game_id}/live")
async def live(websocket: WebSocket, game_id: GameId) -> None:
    """Tell a client of every change, from its hello until it goes."""
    service: GameService = websocket.app.state.games

    def enter(address: str) -> Connection:
        connection = Connection(websocket, game_id, address)
        service.hub.enter(connection)
        return connection

    async def admit(connection: Connection) -> None:
        hello = await hello_of(websocket, LiveHello)
        record = await service.get(game_id)
        service.hub.admit(record, connection, games.sides_of(record, hello.token))

    await follow(websocket, enter, admit, service.hub.leave)


async def follow(
    websocket: WebSocket,
    enter: Callable[[str], ConnectionT],
    admit: Callable[[ConnectionT], Awaitable[None]],
    leave: Callable[[ConnectionT], None],
) -> None:
    """Tell a client what its connection is told, until it goes.

    *enter* counts it by its address, *admit* hears who it is, and *leave* counts it no longer.
    """
    trust_proxy = websocket.app.state.settings.trust_proxy
    try:
        connection = enter(client_address(websocket.scope, trust_proxy=trust_proxy))
    except FullError:
        await websocket.close(1013)  # try again later; before accept, this is a plain 403
        return
    try:
        await websocket.accept()
        await admit(connection)
        await _send_until_gone(websocket, connection)
    except ByeError as bye:
        await _close(websocket, bye.code, bye.reason)
    except RefusedError as error:
        await _close(websocket, 4404, str(error.code))
    except FullError:
        await _close(websocket, 1013, "error.live_full")
    except (WebSocketDisconnect, asyncio.TimeoutError, OSError):
        pass  # gone, or as good as gone: nothing can be said any more
    finally:
        leave(connection)


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(Exception):
        await websocket.close(code, reason)


async def _send_until_gone(websocket: WebSocket, connection: Connection) -> None:
    """Send what the connection is told until the client has gone. Raises `ByeError` or `FullError`."""
    sending = asyncio.create_task(connection.send_all())
    reading = asyncio.create_task(_read_nothing(websocket))
    try:
        done, _ = await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (sending, reading):
            task.cancel()
        done, _ = await asyncio.wait((sending, reading))
        for task in done:
            # A message may fail at this very moment; asyncio complains of errors that nobody asks for.
            if not task.cancelled():
                task.exception()


async def hello_of(websocket: WebSocket, kind: type[Hello]) -> Hello:
    """Return the first message of a client. Raises `ByeError`."""
    try:
        with anyio.fail_after(HELLO_S):
            return kind.model_validate_json(await _receive_text(websocket))
    except TimeoutError:
        raise ByeError(1008, "error.live_silent") from None
    except ValidationError:
        raise ByeError(1008, "error.live_hello") from None


async def _receive_text(websocket: WebSocket) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    if text is None:
        raise ByeError(1003, "error.live_bytes")
    if len(text) > MAX_HELLO:
        raise ByeError(1009, "error.live_long")
    return text


async def _read_nothing(websocket: WebSocket) -> None:
    await _receive_text(websocket)
    raise ByeError(1008, "error.live_more")
