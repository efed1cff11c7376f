"""Connections that want too much: each limit, against a server on a real socket."""

from __future__ import annotations

import asyncio
import itertools
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from fourcast.errors import FourcastError
from fourcast.web.app import create_app
from fourcast.web.routes import pages
from fourcast.web.serve import Server, listen, serve
from fourcast.web.server import connections, limits
from fourcast.web.server.connections import Door
from fourcast.web.server.limits import Buckets
from fourcast.web.server.logs import LOGGING, Rarely
from fourcast.web.server.self_check import prove_limits
from fourcast.web.settings import Settings
from tests.web.conftest import SOON_S, running

HEAD = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n"


class Served:
    """A server on a thread of this process."""

    def __init__(self, server: Server, port: int) -> None:
        self.server = server
        self.port = port

    @property
    def door(self) -> Door:
        door: Door = self.server.config.http_protocol_class.door  # type: ignore[attr-defined]
        return door

    def open(self, data: bytes = b"") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), SOON_S)
        client.sendall(data)
        return client

    def wait(self, number: int) -> None:
        """Wait until the server has this many connections."""
        end_s = time.monotonic() + SOON_S
        while len(self.door) != number:
            assert time.monotonic() < end_s, f"{len(self.door)} connections, not {number}"
            time.sleep(0.005)


@contextmanager
def serving(settings: Settings) -> Iterator[Served]:
    listener = listen("127.0.0.1", 0)
    server = Server(create_app(settings), replace(settings, shutdown_s=1))
    with running(server, listener):
        yield Served(server, listener.getsockname()[1])


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    with serving(settings) as served:
        yield served


def read_all(client: socket.socket) -> bytes:
    """Everything that the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while chunk := client.recv(65536):
            received += chunk
    return received


def wait_for_rest(served: Served) -> None:
    """Wait until no analysis runs: those of connections that are gone are not worked on any more."""
    end_s = time.monotonic() + SOON_S
    while served.server._app.state.analysis.pool.running:
        assert time.monotonic() < end_s
        time.sleep(0.01)


def read_answer(client: socket.socket) -> bytes:
    """The head of one answer."""
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = client.recv(4096)
        assert chunk, received
        received += chunk
    return received


# ---- Time


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"GET /healthz HTT",
        HEAD,
        HEAD + b"x: " + b"y" * 1000,
        b"\r\n\r\n",
    ],
)
def test_a_head_that_does_not_end_is_given_up(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, begin: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.2)
    with served.open(begin) as client:
        start_s = time.monotonic()
        assert read_all(client) == b""
        assert time.monotonic() - start_s < SOON_S / 2
    served.wait(0)
    assert "did not arrive in time" in caplog.text


def test_a_head_in_drops_has_no_more_time(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.3)
    with served.open(HEAD) as client:
        start_s = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() - start_s < SOON_S:
                client.sendall(b"x: y\r\n")
                time.sleep(0.02)
        assert time.monotonic() - start_s < SOON_S / 2


@pytest.mark.parametrize("path", [b"/api/games", b"/healthz"])
def test_a_body_that_does_not_end_is_given_up(
    served: Served, monkeypatch: pytest.MonkeyPatch, path: bytes
) -> None:
    monkeypatch.setattr(connections, "BODY_S", 0.3)
    head = b"POST " + path + b" HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{"
    with served.open(head) as client:
        start_s = time.monotonic()
        read_all(client)
        assert time.monotonic() - start_s < SOON_S / 2
    served.wait(0)


def test_a_connection_without_requests_is_closed_after_a_while(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcast.web.serve.IDLE_S", 1.0)
    with serving(settings) as served, served.open(HEAD + b"\r\n") as client:
        assert b"200 OK" in read_answer(client)
        start_s = time.monotonic()
        read_all(client)
        assert time.monotonic() - start_s < SOON_S / 2


def test_a_request_that_takes_its_time_to_be_answered_has_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HEAD_S", "BODY_S", "IDLE_S"):
        monkeypatch.setattr(connections, name, 0.1)
    query = b"width=10&height=9&time_s=0.8"
    with served.open(b"GET /api/analysis?" + query + b" HTTP/1.1\r\nhost: localhost\r\n\r\n") as client:
        assert b"200 OK" in read_answer(client)


def test_a_client_that_does_not_read_the_answer_is_cut_off(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(connections, "UNREAD_S", 0.3)
    (tmp_path / "large").write_bytes(b"x" * 20_000_000)
    monkeypatch.setitem(pages._FILES, "large", pages._File(tmp_path / "large"))
    request = b"GET /static/large HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.settimeout(SOON_S)
        client.connect(("127.0.0.1", served.port))
        client.sendall(request)
        served.wait(1)
        served.wait(0)
    assert "does not read" in caplog.text


# ---- Size


def test_a_head_that_is_too_large_is_431(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    for junk in (b"x: " + b"y" * 20_000, b"x: y\r\n" * 4_000, b"\r\n" * 10_000):
        with served.open() as client:
            with suppress(OSError):
                client.sendall(HEAD + junk if junk[:1] != b"\r" else junk)
            answer = read_all(client)
        assert answer.startswith(b"HTTP/1.1 431 "), answer
        assert b"16384 bytes" in answer
    assert "too large" in caplog.text


def test_a_long_address_is_431_as_well(served: Served) -> None:
    with served.open() as client:
        with suppress(OSError):
            client.sendall(b"GET /" + b"a" * 30_000)
        assert read_all(client).startswith(b"HTTP/1.1 431 ")


def test_a_head_just_small_enough_is_read(served: Served) -> None:
    filler = connections.MAX_HEAD_BYTES - len(HEAD) - len(b"x: \r\n\r\n")
    with served.open(HEAD + b"x: " + b"y" * filler + b"\r\n\r\n") as client:
        assert b"200 OK" in read_answer(client)


def test_a_large_head_makes_no_large_server(served: Served) -> None:
    """Of 100 MB in one header value the server reads 16 KB."""
    sent = 0
    with served.open(HEAD + b"x: ") as client, suppress(OSError):
        while sent < 100_000_000:
            sent += client.send(b"y" * 1_000_000)
    assert sent < 50_000_000


def test_requests_with_bodies_on_one_connection_are_all_read(served: Served) -> None:
    """A body is not mistaken for a head, however the pieces arrive."""
    body = b'{"diagram": "4455", "width": 7, "height": 6}' + b" " * 30_000
    request = (
        b"POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        b"content-length: " + str(len(body)).encode() + b"\r\n\r\n" + body
    )
    with served.open() as client:
        for _ in range(5):
            client.sendall(request)
            answer = read_answer(client)
            assert b"200 OK" in answer
            head, _, rest = answer.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            while len(rest) < length:
                rest += client.recv(65536)


def test_a_few_requests_at_once_are_answered_in_order(served: Served) -> None:
    paths = [b"/healthz", b"/api/position?moves=4", b"/api/position?moves=44", b"/healthz"]
    requests = [b"GET " + path + b" HTTP/1.1\r\nhost: localhost\r\n" for path in paths]
    requests[-1] += b"connection: close\r\n"
    with served.open(b"".join(request + b"\r\n" for request in requests)) as client:
        answer = read_all(client)
    assert answer.count(b"HTTP/1.1 200 OK") == 4
    assert answer.index(b'"moves":"4"') < answer.index(b'"moves":"44"')


def test_requests_without_end_that_wait_for_one_answer_are_not_kept(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    slow = b"GET /api/analysis?width=10&height=9&time_s=60 HTTP/1.1\r\nhost: localhost\r\n\r\n"
    sent = 0
    with served.open(slow) as client, suppress(OSError):
        while sent < 50_000_000:
            sent += client.send((HEAD + b"\r\n") * 1000)
    assert sent < 20_000_000
    served.wait(0)
    assert "too many requests at once" in caplog.text
    wait_for_rest(served)


# ---- WebSockets

LIVE = b"/api/games/abcdefghijkl/live"
UPGRADE = (
    b"GET " + LIVE + b" HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
FRAMES = {"pong": 0x8A, "ping": 0x89, "continuation": 0x00}


def frame(first: int, size: int = 0) -> bytes:
    """A frame of a client, masked with zeros."""
    return bytes([first, 0x80 | size, 0, 0, 0, 0]) + b"x" * size


def open_socket(served: Served, *more: bytes) -> socket.socket:
    client = served.open(UPGRADE + b"".join(more) + b"\r\n")
    assert b" 101 " in read_answer(client)
    return client


@pytest.mark.parametrize("kind", FRAMES)
def test_a_websocket_that_sends_frame_after_frame_is_cut_off(
    served: Served, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Each small frame costs as much as a large one: bytes are counted before they are parsed."""
    with open_socket(served) as client:
        if kind == "continuation":
            client.sendall(frame(0x01))
        with suppress(ConnectionError):
            for _ in range(50):
                client.sendall(frame(FRAMES[kind]) * 2_000)
        read_all(client)
    served.wait(0)
    assert "its WebSocket sends too much" in caplog.text


def test_a_message_in_many_pieces_is_not_collected(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """Slowly, within the budget of bytes: the empty pieces of a message would be kept for ever."""
    with open_socket(served) as client:
        client.sendall(frame(0x01) + frame(0x00) * 40)
        read_all(client)
    served.wait(0)
    assert "in too many pieces" in caplog.text


def test_pings_whose_pongs_nobody_reads_end_with_the_budget(served: Served) -> None:
    with open_socket(served) as client, pytest.raises(ConnectionError):
        client.sendall(frame(0x89, 125) * 100_000)
    served.wait(0)


def test_a_websocket_may_answer_pings_for_a_day(served: Served) -> None:
    """Of uvicorn's own, one in 20 s: what a day of them has takes a moment of the budget."""
    with open_socket(served) as client:
        client.sendall(frame(0x8A, 4) * 700)
        client.sendall(frame(0x89, 2))
        assert client.recv(4) == b"\x8a\x02xx"


def test_the_websockets_of_an_address_share_a_budget(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(served.door, "sent", Buckets(1, 20_000))
    piece = frame(0x8A) * 1_000
    with ExitStack() as stack:
        clients = [stack.enter_context(open_socket(served)) for _ in range(6)]
        for client in clients:
            client.sendall(piece)
        served.wait(3)
        assert "the WebSockets of its address send too much" in caplog.text


def test_behind_a_proxy_each_person_has_a_budget_for_websockets(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(replace(settings, trust_proxy=True)) as served, ExitStack() as stack:
        monkeypatch.setattr(served.door, "sent", Buckets(1, 7_000))
        for person in range(3):
            header = b"x-forwarded-for: 1.2.3.%d\r\n" % person
            client = stack.enter_context(open_socket(served, header))
            client.sendall(frame(0x8A) * 1_000 + frame(0x89, 2))
            assert client.recv(4) == b"\x8a\x02xx"
        again = stack.enter_context(open_socket(served, header))
        again.sendall(frame(0x8A) * 1_000)
        assert read_all(again) == b""


@pytest.mark.parametrize(
    "more",
    [b"x: " + b"y" * 9_000 + b"\r\n", b"x: y\r\n" * 200, b"content-length: 5\r\n", b"x: \xff\0\r\n"],
)
def test_an_upgrade_whose_head_the_second_parser_refuses_is_answered(
    served: Served, more: bytes
) -> None:
    with served.open(UPGRADE + more + b"\r\n") as client:
        answer = read_all(client)
    assert answer.startswith(b"HTTP/1.1 4"), answer
    served.wait(0)


def test_an_upgrade_behind_a_request_that_runs_is_refused(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    slow = b"GET /api/analysis?width=10&height=9&time_s=60 HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with served.open(slow + UPGRADE + b"\r\n") as client:
        assert read_all(client) == b""
    served.wait(0)
    wait_for_rest(served)
    assert "before an answer" in caplog.text
    assert "Traceback" not in caplog.text


def test_an_upgrade_after_an_answer_is_a_websocket(served: Served) -> None:
    with served.open(HEAD + b"\r\n") as client:
        assert b"200 OK" in read_answer(client)
        client.sendall(UPGRADE + b"\r\n")
        received = b""
        while b" 101 " not in received:
            received += client.recv(4096)


# ---- The limits themselves


def test_a_server_whose_uvicorn_has_lost_a_limit_does_not_start(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a later version handed data to another method: each limit that is lost is named."""

    async def start() -> None:
        await Server(create_app(settings), settings).startup()

    cases = {
        "data_received": ("bytes of a head", connections.BoundedHttp),
        "handle_websocket_upgrade": ("WebSocket before an answer", connections.BoundedHttp),
        "on_headers_complete": ("requests in a pipeline", connections.BoundedHttp),
        "pause_writing": ("time for reading an answer", connections._Bounded),
    }
    for method, (limit, kind) in cases.items():
        with monkeypatch.context() as patch:
            patch.delattr(kind, method)
            with pytest.raises(FourcastError, match=limit):
                asyncio.run(start())
    with monkeypatch.context() as patch:
        patch.delattr(connections.BoundedWebSocket, "data_received")
        with pytest.raises(FourcastError, match="bytes of a WebSocket, pieces of a message"):
            asyncio.run(start())


def test_the_check_at_the_start_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer that would warn of a connection that was never there, and no task."""
    for name in ("HEAD_S", "BODY_S", "IDLE_S", "UNREAD_S"):
        monkeypatch.setattr(connections, name, 0.01)
    warnings: list[str] = []
    monkeypatch.setattr(connections, "_warn", lambda message, _: warnings.append(message))

    async def check() -> int:
        prove_limits()
        warnings.clear()
        await asyncio.sleep(0.1)
        return len(asyncio.all_tasks())

    assert asyncio.run(check()) == 1
    assert warnings == []


def test_limits_are_proven_on_a_machine_that_takes_a_second_for_each_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=partial(next, itertools.count())))

    async def check() -> None:
        prove_limits()

    asyncio.run(check())


def test_the_versions_of_the_wire_have_an_upper_bound() -> None:
    needed = [Requirement(text) for text in metadata.requires("fourcast") or []]
    bounds = {each.name: {part.operator for part in each.specifier} for each in needed}
    for name in ("uvicorn", "httptools", "websockets"):
        assert {">=", "<"} <= bounds[name], name


# ---- Number


def test_an_address_has_so_many_connections_and_no_more(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(replace(settings, connections_per_address=5)) as served, ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(served.open())
        served.wait(5)
        for _ in range(3):
            with served.open(HEAD + b"\r\n") as client:
                answer = read_all(client)
                assert answer.startswith(b"HTTP/1.1 503 ") or not answer
        assert "its address has as many" in caplog.text
        stack.close()
        served.wait(0)
        with served.open(HEAD + b"\r\n") as client:
            assert b"200 OK" in read_answer(client)


def test_an_address_that_opens_connections_too_fast_is_refused(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """One at a time, so that the number of them is small: each costs more than to refuse it."""
    with serving(replace(settings, request_burst=10, requests_per_s=0.1)) as served:
        answers = []
        for _ in range(20):
            with served.open(b"no HTTP\r\n\r\n") as client:
                answers.append(read_all(client)[9:12])
    assert answers[:10] == [b"400"] * 10
    assert b"400" not in answers[10:]
    assert "opens them too fast" in caplog.text


def test_there_are_so_many_connections_in_all_and_no_more(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(replace(settings, max_connections=10)) as served, ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(served.open())
        served.wait(10)
        with served.open(HEAD + b"\r\n") as client:
            assert b"200 OK" not in read_all(client)
        assert "as many as the server takes" in caplog.text


def test_a_websocket_counts_until_it_ends(settings: Settings) -> None:
    with serving(settings) as served:
        url = f"ws://127.0.0.1:{served.port}/api/games/abcdefghijkl/live"
        with connect(url):
            served.wait(1)
        served.wait(0)
        for _ in range(20):  # refused ones, too
            with pytest.raises(InvalidStatus):
                connect(url, additional_headers={"Origin": "http://evil.example"})
        served.wait(0)


def test_behind_a_proxy_the_limit_is_for_the_person(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(settings, connections_per_address=3, trust_proxy=True)
    slow = b"GET /api/analysis?width=10&height=9&time_s=60&moves=%d HTTP/1.1\r\nhost: localhost\r\n"
    who = b"x-forwarded-for: 1.2.3.4:%d\r\n\r\n"
    quick = b"GET /api/position HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: %s\r\n\r\n"
    with serving(settings) as served, ExitStack() as stack:
        for number in range(3):
            stack.enter_context(served.open(slow % (number + 1) + who % (5000 + number)))
        pool = served.server._app.state.analysis.pool
        end_s = time.monotonic() + SOON_S
        while pool.running + pool.waiting < 3:
            assert time.monotonic() < end_s
            time.sleep(0.01)
        with served.open(quick % b"1.2.3.4:9999") as client:
            assert b" 429 " in read_answer(client)
        with served.open(quick % b"1.2.3.5") as client:
            assert b" 200 OK" in read_answer(client)
    assert "of one address at the same time" in caplog.text


def test_a_body_that_goes_on_after_its_refusal_is_not_read(served: Served) -> None:
    """In pieces of a byte: each takes the parser as long as a large one."""
    head = b"POST /api/games HTTP/1.1\r\nhost: evil.example\r\ntransfer-encoding: chunked\r\n\r\n"
    sent = 0
    with served.open(head) as client, suppress(OSError):
        assert b" 400 " in read_answer(client)
        while sent < 60_000_000:
            sent += client.send(b"1\r\nx\r\n" * 10_000)
    assert sent < 30_000_000
    served.wait(0)


def test_a_shutdown_that_takes_too_long_is_cut_off(settings: Settings) -> None:
    """A database that does not answer, say: `fourcast serve` ends the process then."""
    with serving(settings) as served:
        is_cut_off = threading.Event()
        served.server.cut_off = is_cut_off.set
        writer = served.server._app.state.games._writer
        close = writer.close
        writer.close = lambda: (is_cut_off.wait(SOON_S), close())
        start_s = time.monotonic()
        served.server.should_exit = True
        assert is_cut_off.wait(SOON_S)
        assert time.monotonic() - start_s < SOON_S / 2


def test_with_too_few_files_or_too_little_memory_the_server_says_what_it_needs(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    limits = {resource.RLIMIT_NOFILE: (64, 64), resource.RLIMIT_AS: (400 * 2**20, -1)}
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    with pytest.raises(FourcastError, match=r"open files \(ulimit -n\) is 64, and the server needs 150"):
        Server(create_app(settings), settings)
    with pytest.raises(FourcastError, match=r"memory \(ulimit -v\) is 400 MB, and the server needs"):
        serve(settings, print)


def test_what_is_refused_often_is_logged_once_a_second(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "fourcast")
    door = Door(most=1, per_address=None)
    assert door.enter("a")
    assert not any(door.enter("b") for _ in range(1000))
    assert len(caplog.records) == 1


def test_each_kind_of_warning_is_logged_once_a_second_with_its_number() -> None:
    rarely = Rarely()
    lines = []
    for number in range(1_000):
        for message in ("one kind %s", "another"):
            record = logging.LogRecord("x", logging.WARNING, "", 0, message, (number,), None)
            if rarely.filter(record):
                lines.append((message, vars(record)["times"]))
    assert lines == [("one kind %s", 1), ("another", 1)]
    rarely.INTERVAL_S = 0.0
    assert rarely.filter(record)
    assert vars(record)["times"] == 1_000
    assert all(rarely.filter(logging.makeLogRecord({"levelno": logging.INFO})) for _ in range(9))
    assert LOGGING["loggers"]["uvicorn.error"]["filters"] == ["rarely"]
