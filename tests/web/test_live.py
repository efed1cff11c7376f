"""Live games: sockets in the process, and against a real server."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fourcast.render.catalogue import texts_of
from fourcast.web.app import create_app
from fourcast.web.schemas import LiveMessage
from fourcast.web.server.live import Connection
from fourcast.web.settings import Settings
from tests.web.people import ME, Player, computer, friends, new_game
from tests.web.server import Server
from tests.web.test_limits import WRONG_ORIGINS


def hello(socket: WebSocketTestSession, token: str | None = None) -> dict[str, Any]:
    socket.send_text(json.dumps({"token": token} if token else {}))
    return dict(socket.receive_json())


def listen(client: TestClient, game_id: str, **headers: str) -> WebSocketTestSession:
    """Return a socket of a game; the test client by itself would call the server by a wrong name."""
    return client.websocket_connect(f"ws://localhost/api/games/{game_id}/live", headers=headers)


def until(socket: WebSocketTestSession, key: str, value: object) -> dict[str, Any]:
    """Return the first state in which the game has *value* for *key*."""
    while True:
        game = socket.receive_json()["game"]
        if game[key] == value:
            return dict(game)


# ---- In the process


def test_both_players_hear_of_every_move_at_once(client: TestClient) -> None:
    ada, bo = friends(client)
    with listen(client, ada.id) as one, listen(client, ada.id) as other:
        assert hello(one, ada.token)["sides"] == [1]
        assert hello(other, bo.token)["sides"] == [2]
        seq = ada.move(3)["seq"]
        for player_socket in (one, other):
            assert until(player_socket, "seq", seq)["position"]["moves"] == "4"
        seq = bo.act("offer-draw")["seq"]
        assert until(one, "seq", seq)["offers"]["draw"] == 2


def test_who_is_there_is_seen_by_the_others(client: TestClient) -> None:
    ada, bo = friends(client)
    with listen(client, ada.id) as one:
        state = hello(one, ada.token)
        assert state["type"] == "state"
        assert state["game"]["first"]["is_connected"] is True
        assert state["game"]["second"]["is_connected"] is False
        with listen(client, ada.id) as other:
            hello(other, bo.token)
            with listen(client, ada.id) as watching:
                assert hello(watching)["sides"] == []
                game = until(one, "spectators", 1)
                assert game["second"]["is_connected"] is True
            until(one, "spectators", 0)
        game = one.receive_json()["game"]
        while game["second"]["is_connected"]:
            game = one.receive_json()["game"]
        assert game["seq"] == ada.game()["seq"]  # nothing of the game itself has changed
    assert ada.game()["first"]["is_connected"] is False


def test_a_wrong_secret_only_watches(client: TestClient) -> None:
    ada, _ = friends(client)
    with listen(client, ada.id) as other:
        assert hello(other, "w" * 43)["sides"] == []


def test_the_computers_move_arrives_by_itself(client: TestClient) -> None:
    me = new_game(client, ME, computer("level-2"))
    with listen(client, me.id) as live:
        hello(live, me.token)
        me.move(3)
        while live.receive_json()["game"]["position"]["ply"] < 2:
            pass


def test_two_computers_play_on_while_somebody_looks(client: TestClient) -> None:
    game = new_game(client, computer("winning"), computer("random"))
    assert game.sides == []
    time.sleep(0.1)
    assert game.moves() == ""
    with listen(client, game.id) as live:
        state = hello(live)
        while not state["game"]["result"]:
            state = live.receive_json()
    assert state["game"]["position"]["ply"] >= 7


def test_the_rematch_is_announced(client: TestClient) -> None:
    ada, bo = friends(client)
    bo.act("resign")
    with listen(client, ada.id) as live:
        hello(live, ada.token)
        bo.act("offer-rematch")
        game = ada.act("accept-rematch")
        assert until(live, "seq", game["seq"])["rematch_id"] == game["rematch_id"]


def test_a_game_that_is_not_there_closes_the_socket_and_says_so(client: TestClient) -> None:
    with listen(client, "abcdefghijkl") as live:
        live.send_text("{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            live.receive_json()
    assert closed.value.code == 4404
    assert closed.value.reason == "error.unknown_game"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", 1008),
        ("null", 1008),
        ("[]", 1008),
        ("{", 1008),
        ('{"token": 5}', 1008),
        ('{"token": "short"}', 1008),
        ('{"token": "' + "a" * 65 + '"}', 1008),
        ('{"move": 3}', 1008),
        ("[" * 1000, 1008),
        ("\ud83c\udf55" * 300, 1008),
        ("x" * 2000, 1009),
        (b"\x00\x01", 1003),
    ],
)
def test_a_broken_hello_closes_the_socket(client: TestClient, message: str | bytes, code: int) -> None:
    ada, _ = friends(client)
    with listen(client, ada.id) as live:
        if isinstance(message, str):
            live.send_text(message.encode("utf-16", "surrogatepass").decode("utf-16"))
        else:
            live.send_bytes(message)
        with pytest.raises(WebSocketDisconnect) as closed:
            live.receive_json()
    assert closed.value.code == code
    assert (closed.value.reason or "") in texts_of("errors", "de")


def test_after_hello_only_the_server_speaks(client: TestClient) -> None:
    ada, _ = friends(client)
    with listen(client, ada.id) as live:
        hello(live, ada.token)
        live.send_text("{}")
        with pytest.raises(WebSocketDisconnect) as closed:
            until(live, "seq", None)
    assert closed.value.code == 1008


def test_who_says_nothing_is_shown_out(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcast.web.routes.games.HELLO_S", 0.05)
    ada, _ = friends(client)
    with listen(client, ada.id) as live, pytest.raises(WebSocketDisconnect) as closed:
        live.receive_json()
    assert closed.value.code == 1008


@pytest.mark.parametrize("origin", WRONG_ORIGINS)
def test_a_page_of_another_site_opens_no_socket(client: TestClient, origin: str) -> None:
    ada, _ = friends(client)
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        listen(client, ada.id, origin=origin),
    ):
        pass
    assert closed.value.code == 1008


LIMITS = [{"max_sockets": 3}, {"sockets_per_address": 3}, {"sockets_per_game": 3}]


@pytest.mark.parametrize("limit", LIMITS)
def test_spectators_are_no_more_than_there_may_be(settings: Settings, limit: dict[str, int]) -> None:
    app = create_app(replace(settings, **limit))  # type: ignore[arg-type]
    with TestClient(app, base_url="http://localhost") as client, ExitStack() as stack:
        ada, _ = friends(client)
        for _ in range(3):
            hello(stack.enter_context(listen(client, ada.id)))
        with listen(client, ada.id) as live:
            live.send_text("{}")
            with pytest.raises(WebSocketDisconnect) as closed:
                live.receive_json()
        assert closed.value.code == 1013
        stack.close()
        with listen(client, ada.id) as again:
            hello(again)


@pytest.mark.parametrize("limit", LIMITS)
def test_players_always_get_in_and_a_spectator_makes_room(
    settings: Settings, limit: dict[str, int]
) -> None:
    app = create_app(replace(settings, **limit))  # type: ignore[arg-type]
    with TestClient(app, base_url="http://localhost") as client, ExitStack() as stack:
        ada, bo = friends(client)
        crowd = [stack.enter_context(listen(client, ada.id)) for _ in range(3)]
        for spectator in crowd:
            hello(spectator)
        for player in (ada, bo):
            live = stack.enter_context(listen(client, ada.id))
            assert hello(live, player.token)["sides"] == player.sides
        seq = ada.move(3)["seq"]
        assert until(live, "seq", seq)["spectators"] == 1
        assert until(crowd[0], "seq", seq)["spectators"] == 1
        for spectator in crowd[1:]:
            with pytest.raises(WebSocketDisconnect) as closed:
                until(spectator, "seq", None)
            assert closed.value.code == 1013
        assert len(app.state.games.hub) == 3


def test_sockets_that_say_nothing_keep_no_player_out(settings: Settings) -> None:
    app = create_app(replace(settings, max_sockets=3, sockets_per_game=3))
    with TestClient(app, base_url="http://localhost") as client, ExitStack() as stack:
        ada, _ = friends(client)
        for _ in range(20):
            stack.enter_context(listen(client, ada.id))
        assert hello(stack.enter_context(listen(client, ada.id)), ada.token)["sides"] == [1]


def test_an_address_has_so_many_sockets_that_say_nothing_and_no_more(settings: Settings) -> None:
    app = create_app(replace(settings, sockets_per_address=3))
    with TestClient(app, base_url="http://localhost") as client, ExitStack() as stack:
        ada, _ = friends(client)
        for _ in range(3):
            stack.enter_context(listen(client, ada.id))
        with pytest.raises(WebSocketDisconnect), listen(client, ada.id):
            pass


def test_every_message_is_as_described(app: FastAPI, client: TestClient) -> None:
    """`LiveMessage` is the one description of what the socket sends; the API's describes it, too."""
    ada, _ = friends(client)
    with listen(client, ada.id) as live:
        message = hello(live, ada.token)
    assert set(message) == set(LiveMessage.model_fields)
    assert LiveMessage.model_validate(message).sides == [1]
    schemas = app.openapi()["components"]["schemas"]
    assert set(schemas["LiveMessage"]["properties"]) == set(message)
    assert "LiveHello" in schemas


def test_a_slow_reader_gets_the_newest_state_and_not_all_of_them() -> None:
    class SlowSocket:
        def __init__(self) -> None:
            self.sent: list[str] = []

        async def send_text(self, text: str) -> None:
            self.sent.append(text)
            await asyncio.sleep(0.05)

    async def run() -> list[str]:
        slow = SlowSocket()
        connection = Connection(slow, "game", "address")  # type: ignore[arg-type]
        sending = asyncio.create_task(connection.send_all())
        for number in range(1000):
            connection.tell(str(number).encode())
            await asyncio.sleep(0)
        await asyncio.sleep(0.2)
        sending.cancel()
        return slow.sent

    sent = asyncio.run(run())
    assert len(sent) < 10
    assert '"game":999,' in sent[-1]


# ---- A real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("live")) as server:
        yield server


def address_of(server: Server, player: Player) -> str:
    return f"ws://127.0.0.1:{server.port}/api/games/{player.id}/live"


def test_wrong_origins_are_refused_before_the_socket_opens(server: Server) -> None:
    with server.client() as client:
        ada, _ = friends(client)
    for origin in WRONG_ORIGINS:
        headers = {"Origin": origin}
        with pytest.raises(InvalidStatus) as refused:
            connect(address_of(server, ada), additional_headers=headers)
        assert refused.value.response.status_code == 403
    with connect(address_of(server, ada), additional_headers={"Origin": server.url}) as live:
        live.send("{}")
        assert json.loads(live.recv(10))["type"] == "state"


def test_an_oversized_message_closes_the_socket(server: Server) -> None:
    with server.client() as client:
        ada, _ = friends(client)
    for size in (5_000, 1_000_000):
        with connect(address_of(server, ada)) as live:
            with suppress(ConnectionClosed):
                live.send("x" * size)
            with pytest.raises(ConnectionClosed) as closed:
                live.recv(10)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009


def test_broken_frames_do_not_disturb_the_server(server: Server) -> None:
    with server.client() as client:
        ada, bo = friends(client)
        request = (
            f"GET /api/games/{ada.id}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        for garbage in (b"\xff" * 100, b"\x81\x05hello", b"\x81\xff" + b"\xff" * 12, b"\x00"):
            with socket.create_connection(("127.0.0.1", server.port), 10) as raw:
                raw.sendall(request.encode())
                assert b" 101 " in raw.recv(1000)
                raw.sendall(garbage)
        ada.move(3)
        assert bo.moves() == "4"


def test_a_thousand_requests_that_are_garbage_are_a_few_lines_of_the_log(server: Server) -> None:
    begin_s = time.monotonic()
    for _ in range(1_000):
        with socket.create_connection(("127.0.0.1", server.port), 10) as raw:
            raw.sendall(b"no HTTP\r\n\r\n")
            assert raw.recv(1_000).startswith(b"HTTP/1.1 400 ")
    lines = server.log.read_text().count("Invalid HTTP request")
    assert 1 <= lines <= 1 + time.monotonic() - begin_s


def test_who_reads_nothing_keeps_nobody_waiting(server: Server) -> None:
    """A client that opens a socket and never reads it: others get their states in time."""
    with server.client() as client:
        both = new_game(client, ME, ME)
        with socket.create_connection(("127.0.0.1", server.port), 10) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            raw.sendall(
                f"GET /api/games/{both.id}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            assert b" 101 " in raw.recv(1000)
            raw.sendall(b"\x81\x82\x00\x00\x00\x00{}")  # hello, masked with zeros
            with connect(address_of(server, both)) as live:
                live.send("{}")
                for _ in range(60):
                    both.move(3)
                    seq = both.act("undo")["seq"]
                    while json.loads(live.recv(10))["game"]["seq"] < seq:
                        pass


def test_after_a_lost_connection_everything_is_there_again(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        ada, bo = friends(client)
        ada.move(3)
        with connect(address_of(server, ada)) as live:
            live.send(json.dumps({"token": ada.token}))
            live.recv(10)
            server.kill()
            with pytest.raises(ConnectionClosed):
                list(live)
        server.start()
        bo.move(4)
        with connect(address_of(server, ada)) as live:
            live.send(json.dumps({"token": ada.token}))
            state = json.loads(live.recv(10))
        assert (state["sides"], state["game"]["position"]["moves"]) == ([1], "45")
