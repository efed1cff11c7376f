"""Rooms: opened, joined, played in, watched."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Depends, Request, Response, WebSocket

from fourcast.web.games.rules import Record, RefusedError, new_token
from fourcast.web.page.previews import origin_of
from fourcast.web.rooms.judging import Judge
from fourcast.web.rooms.room import Room, new_room, now_ms, to_csv
from fourcast.web.rooms.service import RoomConnection, RoomService
from fourcast.web.rooms.views import (
    HostAction,
    MemberAction,
    MemberTicket,
    NewRoom,
    RoomAnswer,
    RoomHello,
    RoomJoin,
    RoomTicket,
    RoomView,
)
from fourcast.web.routes.games import GameId, NeededToken, Token, follow, hello_of, refusals
from fourcast.web.routes.plain import client_of

__all__ = ["router"]

router = APIRouter(prefix="/api/rooms", tags=["rooms"])


async def _service(request: Request) -> RoomService:
    service: RoomService = request.app.state.rooms
    return service


Service = Annotated[RoomService, Depends(_service)]


@router.post("", status_code=201, responses=refusals(400))
async def open_room(new: NewRoom, service: Service) -> RoomTicket:
    """Open a room. The ticket has the host's key, which is not shown again."""
    key = new_token()
    room = new_room(new.name, key, width=new.width, height=new.height, rules=new.rules)
    await service.add(room)
    return RoomTicket(room=service.view(room, key), key=key)


@router.get("/{room_id}", responses=refusals(404))
async def get_room(room_id: GameId, token: Token, service: Service) -> RoomView:
    """Return a room as the bearer of a key or token may see it, or anybody without one."""
    return service.view(await service.get(room_id), token)


@router.post("/{room_id}/join", responses=refusals(400, 404, 409))
async def join_room(room_id: GameId, who: RoomJoin, service: Service) -> MemberTicket:
    """Come in under a name. The token of an earlier visit makes somebody the same member again."""
    token = who.token or new_token()
    members: list[str] = []

    def rule(room: Room) -> Sequence[Record]:
        members.append(room.join(who.name, token).id)
        return ()

    room, _ = await service.change(room_id, rule)
    return MemberTicket(room=service.view(room, token), member=members[-1], token=token)


@router.post("/{room_id}/actions", responses=refusals(400, 401, 403, 404, 409, 503))
async def act(
    room_id: GameId, action: MemberAction, token: NeededToken, service: Service, request: Request
) -> RoomAnswer:
    """Seek a game, challenge a member, answer, play the computer, try a task, or leave."""
    at_ms = now_ms()  # judging may have to wait
    item = action.item or ""
    is_right = False
    if action.kind == "solve":
        judge: Judge = request.app.state.judge
        is_right = await judge.is_solved(item, action.answers, client_of(request))

    def rule(room: Room) -> Sequence[Record]:
        member = room.member_of(token)
        kind = action.kind
        if kind == "seek":
            return room.seek(member, action.clock)
        if kind == "play-computer":
            return room.play_computer(member, action.player)
        if kind == "unseek":
            room.unseek(member)
        elif kind == "leave":
            room.leave(member)
        elif kind == "solve":
            room.solve(member, item, is_right=is_right, at_ms=at_ms)
        elif action.member is None:
            raise RefusedError(400, "error.no_member")
        elif kind == "challenge":
            return room.challenge(member, action.member, action.clock)
        else:
            return room.answer(member, action.member, accepts=kind == "accept")
        return ()

    room, made = await service.change(room_id, rule)
    return RoomAnswer(room=service.view(room, token), games=made)


@router.post("/{room_id}/host", responses=refusals(400, 401, 403, 404, 409))
async def host(room_id: GameId, action: HostAction, key: NeededToken, service: Service) -> RoomAnswer:
    """Run an event or a class; the bearer's secret is the host's key."""

    def rule(room: Room) -> Sequence[Record]:
        if not room.is_host(key):
            raise RefusedError(403, "error.host_only")
        kind = action.kind
        if kind == "next-round":
            return room.next_round(action.round)
        if kind == "open-event":
            room.open_event(action.format, action.rounds, action.clock)
        elif kind == "end-event":
            room.end_event()
        elif kind == "decide":
            room.decide(action.game or "", action.winner)
        elif kind == "open-tasks":
            if not action.items:
                raise RefusedError(400, "error.no_task")
            room.open_tasks(action.tasks, action.items)
        elif kind == "start-tasks":
            room.start_tasks()
        elif kind == "end-tasks":
            room.end_tasks()
        else:
            room.leave(room.member(action.member or ""))
        return ()

    room, made = await service.change(room_id, rule)
    return RoomAnswer(room=service.view(room, key), games=made)


@router.get(
    "/{room_id}/{table}.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "a table"}, **refusals(403, 404)},
)
async def table_file(
    room_id: GameId, table: Literal["standings", "games", "tasks"], token: Token, service: Service
) -> Response:
    """Return a table of the room as CSV. That of homework is the host's alone until it is closed."""
    room = await service.get(room_id)
    if table == "tasks" and room.tasks and room.tasks.is_private and not room.is_host(token or ""):
        raise RefusedError(403, "error.host_only")
    text = to_csv(room, table)
    headers = {"content-disposition": f'attachment; filename="{table}-{room_id}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get(
    "/{room_id}/qr.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}, "description": "a picture"}, **refusals(404)},
)
async def qr_code(room_id: GameId, request: Request, service: Service) -> Response:
    """Return the address of a room's page as a QR code."""
    await service.get(room_id)
    code = segno.make(f"{origin_of(request)}/room/{room_id}", error="m", micro=False)
    picture = io.BytesIO()
    # A white ground of its own: cameras want dark on light, also on a dark page.
    code.save(picture, kind="svg", border=3, light="#fff", xmldecl=False, omitsize=True)
    return Response(picture.getvalue(), media_type="image/svg+xml")


@router.websocket("/{room_id}/live")
async def live(websocket: WebSocket, room_id: GameId) -> None:
    """Tell a client of every change of a room, from its hello until it goes."""
    service: RoomService = websocket.app.state.rooms

    async def admit(connection: RoomConnection) -> None:
        hello = await hello_of(websocket, RoomHello)
        service.admit(connection, await service.get(room_id), hello.token, hello.key)

    await follow(websocket, partial(service.enter, websocket, room_id), admit, service.leave)
