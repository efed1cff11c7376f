"""Try to stop a server and to cheat in a match, on this machine only, and say which doors are closed.

    python tools/attack/attack.py                   each door by itself, then all at once: six minutes
    python tools/attack/attack.py heads pictures    some of them
    python tools/attack/attack.py --churn 600       games come and go for ten minutes: the memory after

Every server is started here, on a loopback address with a database of its own, and ended here; the
number of connections and requests is bounded. Attackers and other people have different addresses of
127.0.0.0/8, as Linux lets them. The exit status is the number of open doors.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import attack_arena  # noqa: F401, registers its attacks
import attack_third  # noqa: F401
from target import (
    DOORS,
    UPGRADE,
    Door,
    Server,
    ask,
    dial,
    door,
    flood,
    hang_up,
    is_closed,
    new_game,
    serving,
    watch,
)
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fourcast import Position
from fourcast.notation import format_moves

HARD = "width=10&height=9"  # a board that nobody has solved
LATE = "7422341735647741166133573473242566"  # a position that is solved in a millisecond
GENEROUS = {
    f"FOURCAST_{name}": "1000000"
    for name in ("REQUESTS_PER_S", "REQUEST_BURST", "GAMES_PER_MINUTE", "GAME_BURST")
}


# ---- The doors: each returns what is wrong, or nothing -----------------------------------------------


async def hold_connections(begin: bytes) -> str | None:
    with serving() as server:
        streams = await flood(server, 400, begin)
        for _ in range(5):
            status, _ = await ask(server, "/healthz", "127.0.0.2")
            if status != 200:
                return f"with 400 connections of one address, another one gets {status}"
        if not server.has_logged("its address has as many as it may have"):
            return "400 connections of one address, and nothing in the log"
        closing = [asyncio.ensure_future(is_closed(reader)) for reader, _ in streams]
        _, open_ones = await asyncio.wait(closing, timeout=20)
        hang_up(streams)
        if open_ones:
            return f"{len(open_ones)} connections are open after 20 s"
        return None if server.has_logged("did not arrive in time") else "nothing in the log"


@door
async def heads() -> str | None:
    """400 heads that never end."""
    return await hold_connections(b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ")


@door
async def silence() -> str | None:
    """400 connections that never speak."""
    return await hold_connections(b"")


@door
async def header_bytes() -> str | None:
    """50 MB in one header, and 50 MB of headers."""
    with serving() as server:
        before = server.memory_mb
        for part in (b"y" * 100_000, b"x: y\r\n" * 16_000):
            reader, writer = await dial(server)
            writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ")
            sent = 0
            with contextlib.suppress(OSError):
                while sent < 50_000_000:
                    writer.write(part)
                    await writer.drain()
                    sent += len(part)
            answer = b""
            with contextlib.suppress(OSError):
                answer = await asyncio.wait_for(reader.read(1000), 10)
            writer.close()
            if answer and b" 431 " not in answer:
                return f"the answer is {answer[:20]!r}"
            if sent >= 50_000_000:
                return "all of it was read"
        grown = server.memory_mb - before
        return f"{grown:.0f} MB kept" if grown > 20 else None


@door
async def pipeline() -> str | None:
    """200,000 requests on one connection whose answers nobody reads."""
    with serving() as server:
        before = server.memory_mb
        reader, writer = await dial(server)
        writer.write(f"GET /api/analysis?{HARD}&time_s=60 HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        with contextlib.suppress(OSError):
            for _ in range(200):
                writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n" * 1000)
                await asyncio.wait_for(writer.drain(), 10)
        try:
            await asyncio.wait_for(is_closed(reader), 20)
        except asyncio.TimeoutError:
            return "the connection is still open"
        finally:
            writer.close()
        grown = server.memory_mb - before
        return f"{grown:.0f} MB kept" if grown > 40 else None


@door
async def spellings() -> str | None:
    """Made-up spellings of the names of files."""
    with serving(**GENEROUS) as server:
        for _ in range(20):
            await ask(server, "/static/style.css")
        before = server.memory_mb
        for number in range(1000):
            status, _ = await ask(server, f"/static/{'./' * (number % 90)}js/../style.css?{number}")
            if status == 200:
                return "a made-up name is served"
        grown = server.memory_mb - before
        return f"{grown:.0f} MB kept" if grown > 10 else None


@door
async def board_sizes() -> str | None:
    """Analyses on boards of all sizes."""
    sizes = [(w, h) for w in range(4, 26) for h in range(4, 32) if w * (h + 1) <= 128]
    with serving(**GENEROUS) as server:
        for width, height in sizes[:8]:
            await ask(server, f"/api/analysis?width={width}&height={height}&time_s=0.2")
        before = server.memory_mb
        for width, height in sizes:
            await ask(server, f"/api/analysis?width={width}&height={height}&time_s=0.2")
        grown = server.memory_mb - before
        return f"{grown:.0f} MB kept after {len(sizes)} sizes" if grown > 150 else None


async def crowd_out(paths: Sequence[str], others: Sequence[tuple[str, str]]) -> str | None:
    """One address asks for *paths* again and again, *others* (address, path) once for theirs."""
    is_over = False

    async def insist(path: str) -> None:
        while not is_over:
            await ask(server, path)
            await asyncio.sleep(0.05)

    with serving() as server:
        greedy = [asyncio.ensure_future(insist(path)) for path in paths]
        await asyncio.sleep(1)
        statuses: Counter[int] = Counter()
        for address, path in others:
            status, _ = await ask(server, path, address)
            statuses[status] += 1
        is_over = True  # up to Python 3.11, `wait_for` forgets a cancellation that meets an answer
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
        if statuses[200] != len(others):
            return f"the answers to others are {dict(statuses)}"
        return None


@door
async def analyses() -> str | None:
    """30 analyses of one address."""
    others = [
        (f"127.0.1.{number}", f"/api/analysis?moves={LATE[: -1 - number]}") for number in range(1, 12)
    ]
    return await crowd_out(
        [f"/api/analysis?{HARD}&time_s=60&moves={n // 6 + 1}{n % 6 + 1}" for n in range(30)], others
    )


@door
async def pictures() -> str | None:
    """20 animations of one address."""
    others = [(f"127.0.1.{n}", f"/api/picture.png?moves={LATE[:n]}") for n in range(1, 11)]
    games = [long_game(random.Random(seed)) for seed in range(20)]
    return await crowd_out(
        [f"/api/animation.gif?width=12&height=9&moves={game}" for game in games], others
    )


def long_game(chance: random.Random) -> str:
    """The moves of a long game on a large board."""
    position, columns = Position(width=12, height=9), []
    while not position.is_over:
        columns.append(chance.choice(list(position.legal_columns)))
        position = position.play(columns[-1])
    return format_moves(columns)


@door
async def spectators() -> str | None:
    """500 spectators of one game, from three addresses."""
    with serving() as server:
        ticket = await new_game(server, "127.0.0.2")
        game_id = ticket["game"]["id"]
        crowd: list[ClientConnection] = []
        for address in ("127.6.6.1", "127.6.6.2", "127.6.6.3"):
            opening = (watch(server, game_id, address) for _ in range(170))
            crowd += await asyncio.gather(*opening)
        await asyncio.sleep(2)
        player = None
        try:
            player = await watch(server, game_id, "127.0.0.2", ticket["token"])
            message = json.loads(await asyncio.wait_for(player.recv(), 20))
            return None if message["sides"] == [1, 2] else "the player only watches"
        except (InvalidStatus, ConnectionClosed) as refused:
            return f"the player is refused: {refused}"
        finally:
            for live in (*crowd, *([player] if player else [])):
                live.transport.abort()


@door
async def clock() -> str | None:
    """A server that wakes up 400 days ahead."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder)
        for _ in range(20):
            await new_game(server, "127.0.0.2")
        server.close()
        setup = "import time; real = time.time_ns; time.time_ns = lambda: real() + 400 * 86400 * 10**9"
        server = Server(folder, setup)
        for _ in range(30):
            await asyncio.sleep(0.1)
        server.close()
        with contextlib.closing(sqlite3.connect(folder / "games.db")) as database:
            (left,) = database.execute("SELECT count(*) FROM games").fetchone()
        return None if left == 20 else f"{20 - left} of 20 games are deleted"


@door
async def forwarded() -> str | None:
    """One person behind a proxy, with a new port or a new address of the same /64 each time."""
    settings = {"FOURCAST_REQUEST_BURST": "20", "FOURCAST_REQUESTS_PER_S": "0.1"}
    with serving(FOURCAST_TRUST_PROXY="yes", **settings) as server:
        for pattern in ("1.2.3.4:{}", "[2001:db8::{}]:443", "2001:db8:0:1::{}"):
            statuses: Counter[int] = Counter()
            for number in range(40):
                header = f"x-forwarded-for: {pattern.format(1000 + number)}\r\n"
                statuses[(await ask(server, "/api/position", headers=header))[0]] += 1
            if statuses[429] < 15:
                return f"{pattern}: {dict(statuses)}"
    return None


@door
async def databases() -> str | None:
    """Addresses of databases that are wrong."""
    command = [sys.executable, "-m", "fourcast", "serve", "--port", "0", "--database"]
    for url in (
        "mysql://me:hidden@host/games",
        "postgresql+nodriver://me:hidden@host/games",
        "postgresql://me:hidden@host:port/games",
        "postgresql://me:hidden@127.0.0.1:1/games",
        "sqlite:///",
        "",
        ":memory:",
    ):
        try:
            ran = await asyncio.to_thread(
                subprocess.run, [*command, url], capture_output=True, text=True, timeout=30, check=False
            )
        except subprocess.TimeoutExpired:
            return f"{url!r} is served"
        if ran.returncode != 2 or "Traceback" in ran.stderr or "hidden" in ran.stderr:
            return f"{url!r}: {ran.stderr[-200:]}"
        if len(ran.stderr.strip().splitlines()) != 1:
            return f"{url!r} takes more than a line: {ran.stderr}"
    return None


@door
async def two_servers() -> str | None:
    """A second server on one file of SQLite."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        try:
            Server(Path(name)).close()
        except SystemExit as refused:
            return None if "another server runs on" in str(refused) else str(refused)
        finally:
            server.close()
    return "it starts"


# ---- The second round: WebSockets, fairness, the database, the limits of the system

FRAMES = {  # masked with zeros: what is sent first, and then again and again
    "pong": (b"", b"\x8a\x80\0\0\0\0"),
    "ping": (b"", b"\x89\x80\0\0\0\0"),
    "large ping": (b"", b"\x89\xfd\0\0\0\0" + b"x" * 125),
    "continuation": (b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"),
}
FLOOD_S = 8.0


async def send_frames(server: Server, game_id: str, kind: str, end_s: float) -> int:
    """Open a WebSocket again and again that sends one kind of frame and reads nothing."""
    first, again = FRAMES[kind]
    sent = 0
    while time.monotonic() < end_s:
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            reader, writer = await dial(server)
            try:
                writer.write(UPGRADE.format(game_id).encode() + b"\r\n")
                await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
                writer.write(b"\x81\x82\0\0\0\0{}" + first)
                while time.monotonic() < end_s:
                    writer.write(again * (60_000 // len(again)))
                    await asyncio.wait_for(writer.drain(), 5)
                    sent += 60_000
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.02)
    return sent


async def healthz_times(server: Server, end_s: float) -> list[float]:
    """How long /healthz takes for another address."""
    times = []
    while time.monotonic() < end_s:
        begin_s = time.perf_counter()
        status, _ = await ask(server, "/healthz", "127.0.0.3")
        times.append(time.perf_counter() - begin_s if status == 200 else 1e9)
        await asyncio.sleep(0.01)
    return times


class Target:
    """A server as another process knows it."""

    def __init__(self, port: int) -> None:
        self.port = port


async def send_all_kinds(server: Any, end_s: float, game_id: str) -> None:
    """Two sockets for each kind of frame."""
    kinds = [*FRAMES, *FRAMES]
    sent = await asyncio.gather(*(send_frames(server, game_id, kind, end_s) for kind in kinds))
    print(f"    {sum(sent) / 1e6:.0f} MB of frames sent by {len(kinds)} WebSockets")


async def pour_chunks(server: Any, end_s: float) -> None:
    """The body of a refused request, in pieces of a byte."""
    head = b"POST /api/games HTTP/1.1\r\nhost: evil\r\ntransfer-encoding: chunked\r\n\r\n"
    while time.monotonic() < end_s:
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            _, writer = await dial(server)
            try:
                writer.write(head)
                while time.monotonic() < end_s:
                    writer.write(b"1\r\nx\r\n" * 10_000)
                    await asyncio.wait_for(writer.drain(), 5)
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.02)


async def reconnect(server: Any, end_s: float) -> None:
    """Open WebSockets and drop them."""
    while time.monotonic() < end_s:
        streams = await flood(server, 20, UPGRADE.format("abcdefghijkl").encode() + b"\r\n")
        await asyncio.sleep(0.02)
        hang_up(streams)


def attack_from_elsewhere(name: str, port: int, seconds: float, *more: str) -> None:
    """The process of the attackers."""
    attacks = {attack.__name__: attack for attack in (send_all_kinds, pour_chunks, reconnect)}
    asyncio.run(attacks[name](Target(port), time.monotonic() + seconds, *more))


def slack(calm: Sequence[float]) -> float:
    """How much later than a quiet machine this one may be: busy ones are late without an attack, too."""
    return max(1.0, percentile(calm, 0.99) / 0.01)


async def others_wait(server: Server, attack: str, *more: str) -> str | None:
    """Measure /healthz for another address, and the memory of the server, under an attack."""
    calm = await healthz_times(server, time.monotonic() + 2)
    before_mb = server.memory_mb
    attackers = multiprocessing.get_context("spawn").Process(
        target=attack_from_elsewhere, args=(attack, server.port, FLOOD_S + 1, *more)
    )
    attackers.start()
    await asyncio.sleep(1)
    times = await healthz_times(server, time.monotonic() + FLOOD_S)
    await asyncio.to_thread(attackers.join)
    grown_mb = server.memory_mb - before_mb
    for name, some in (("without", calm), ("under the flood", times)):
        p50, p99, most = (percentile(some, part) * 1000 for part in (0.5, 0.99, 1.0))
        print(f"    /healthz {name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, max {most:.1f} ms")
    print(f"    memory {grown_mb:+.1f} MB")
    if percentile(times, 0.99) > 0.1 * slack(calm) or max(times) > 0.5 * slack(calm):
        return "others wait"
    return f"{grown_mb:.0f} MB kept" if grown_mb > 20 else None


@door
async def frames() -> str | None:
    """Eight WebSockets of one spectator that send tiny frames."""
    with serving() as server:
        ticket = await new_game(server, "127.0.0.2")
        return await others_wait(server, "send_all_kinds", ticket["game"]["id"])


@door
async def chunks() -> str | None:
    """Bodies of refused requests, in pieces of a byte."""
    with serving() as server:
        return await others_wait(server, "pour_chunks")


@door
async def reconnects() -> str | None:
    """WebSockets that are opened and dropped as fast as one address can."""
    with serving() as server:
        return await others_wait(server, "reconnect")


@door
async def refused_upgrades() -> str | None:
    """WebSockets whose heads only the second parser refuses."""
    kinds = ["x: " + "y" * 9_000 + "\r\n", "x: y\r\n" * 200, "content-length: 5\r\n"]
    heads = [UPGRADE.format("abcdefghijkl") + more + "\r\n" for more in kinds]
    with serving() as server:
        streams = [stream for head in heads for stream in await flood(server, 50, head.encode())]
        closing = [asyncio.ensure_future(is_closed(reader)) for reader, _ in streams]
        _, open_ones = await asyncio.wait(closing, timeout=15)
        hang_up(streams)
        return f"{len(open_ones)} of {len(streams)} are open after 15 s" if open_ones else None


@door
async def pipelined_upgrades() -> str | None:
    """WebSockets on connections whose last request is not answered."""
    with serving() as server:
        slow = f"GET /api/analysis?{HARD}&time_s=60 HTTP/1.1\r\nhost: localhost\r\n\r\n"
        streams = await flood(server, 50, (slow + UPGRADE.format("abcdefghijkl") + "\r\n").encode())
        closing = [asyncio.ensure_future(is_closed(reader)) for reader, _ in streams]
        _, open_ones = await asyncio.wait(closing, timeout=10)
        hang_up(streams)
        if open_ones:
            return f"{len(open_ones)} of {len(streams)} are open after 10 s"
        return "a traceback in the log" if server.has_logged("Traceback") else None


@door
async def computer_games() -> str | None:
    """100 games of one address in which the computer thinks."""
    seats = {"first": {"kind": "computer", "player": "perfect"}, "second": {"kind": "me"}}
    board = {"width": 8, "height": 7}
    with serving() as server:
        await asyncio.gather(*(ask(server, "/api/games", body=seats | board) for _ in range(100)))
        seats["first"]["player"] = "level-5"
        begin_s = time.monotonic()
        status, answer = await ask(server, "/api/games", "127.0.0.2", seats)
        if status != 201:
            return f"another one gets {status}"
        path = f"/api/games/{json.loads(answer)['game']['id']}"
        while json.loads((await ask(server, path, "127.0.0.2"))[1])["is_thinking"]:
            if time.monotonic() - begin_s > 60:
                return "another one waits for more than a minute"
            await asyncio.sleep(0.05)
        waited_s = time.monotonic() - begin_s
        print(f"    another one waits {waited_s:.2f} s for the computer")
        return f"another one waits {waited_s:.1f} s" if waited_s > 3 else None


@door
async def locked_database() -> str | None:
    """A database that another process has locked, and a shutdown meanwhile."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name), FOURCAST_SHUTDOWN_S="5")
        try:
            ticket = await new_game(server, "127.0.0.2")
            path = f"/api/games/{ticket['game']['id']}/moves"
            with contextlib.closing(
                sqlite3.connect(Path(name) / "games.db", isolation_level=None)
            ) as other:
                other.execute("BEGIN IMMEDIATE")
                begin_s = time.monotonic()
                body = {"column": 3, "ply": 0}
                asking = [ask(server, path, "127.0.0.2", body, token=ticket["token"]) for _ in range(9)]
                statuses = {status for status, _ in await asyncio.gather(*asking)}
                waited_s = time.monotonic() - begin_s
                if statuses != {503} or waited_s > 5:
                    return f"a move is {statuses} after {waited_s:.1f} s"
                begin_s = time.monotonic()
                server.process.terminate()
                await asyncio.to_thread(server.process.wait, 30)
                ended_s = time.monotonic() - begin_s
                return f"it ends after {ended_s:.1f} s" if ended_s > 6 else None
        finally:
            server.close()


@door
async def garbage() -> str | None:
    """1,000 requests that are none, and 1,000 too many, and what the log has of them."""
    with serving(FOURCAST_REQUEST_BURST="10", FOURCAST_REQUESTS_PER_S="0.1") as server:
        begin_s = time.monotonic()
        for number in range(1_000):
            reader, writer = await dial(server)
            writer.write(b"no HTTP\r\n\r\n")
            await is_closed(reader)
            writer.close()
            await ask(server, f"/api/position?moves={number % 7 + 1}%0a%1b[31m", "127.6.6.7")
        took_s = time.monotonic() - begin_s
        lines = server.log.read_text().splitlines()
        if any(not line.startswith("{") for line in lines):
            return "a line of the log is no JSON"
        return f"{len(lines)} lines" if len(lines) > 40 + 3 * took_s else None


@door
async def small_limits() -> str | None:
    """A server that may open 64 files, and one that may have 400 MB."""
    for limit in ("ulimit -n 64", "ulimit -v 400000"):
        with tempfile.TemporaryDirectory() as folder:
            serve = f"{sys.executable} -m fourcast serve --port 0 --database {folder}/games.db"
            try:
                ran = await asyncio.to_thread(
                    subprocess.run,
                    ["bash", "-c", f"{limit}; exec {serve}"],
                    capture_output=True,
                    text=True,
                    timeout=30,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return f"{limit}: it starts"
            if ran.returncode != 2 or "and the server needs" not in ran.stderr:
                return f"{limit}: status {ran.returncode}, {ran.stderr[-200:]!r}"
    return None


# ---- All at once -------------------------------------------------------------------------------------


def storm(port: int, seconds: float, names: Sequence[str] = ()) -> None:
    """The process of the attackers: most of the above, again and again; or only some of them."""
    server: Any = Target(port)
    end_s = time.monotonic() + seconds

    async def forever(attack: Callable[[int], Awaitable[object]]) -> None:
        number = 0
        while time.monotonic() < end_s:
            number += 1
            with contextlib.suppress(Exception):
                await asyncio.wait_for(attack(number), max(0.1, end_s - time.monotonic()))
            await asyncio.sleep(0.01)

    async def hold(_: int) -> None:
        streams = await flood(server, 400, b"GET / HTTP/1.1\r\nx: ", "127.6.6.1")
        await asyncio.sleep(5)
        hang_up(streams)

    async def large(_: int) -> None:
        reader, writer = await dial(server, "127.6.6.2")
        writer.write(b"GET / HTTP/1.1\r\nx: " + b"y" * 1_000_000)
        await is_closed(reader)
        writer.close()

    async def pipelined(_: int) -> None:
        reader, writer = await dial(server, "127.6.6.3")
        writer.write(b"GET /api/position HTTP/1.1\r\nhost: localhost\r\n\r\n" * 20_000)
        await is_closed(reader)
        writer.close()

    async def spelled(number: int) -> None:
        await ask(server, f"/static/./js/../style.css?{number}", "127.6.6.4")

    async def analyzed(number: int) -> None:
        path = f"/api/analysis?{HARD}&time_s=60&moves={number % 9 + 1}{number // 9 % 9 + 1}"
        asking = [ask(server, f"{path}{one}", "127.6.6.5") for one in range(1, 10)]
        tasks = [asyncio.ensure_future(each) for each in asking]
        _, waiting = await asyncio.wait(tasks, timeout=2)
        for task in waiting:
            task.cancel()

    async def drawn(number: int) -> None:
        await ask(server, f"/api/animation.gif?moves={LATE[: number % 34]}", "127.6.6.6")

    async def run() -> None:
        attacks = (hold, large, pipelined, spelled, analyzed, drawn)
        some = [attack for attack in attacks if not names or attack.__name__ in names]
        await asyncio.gather(*(forever(attack) for attack in some))

    asyncio.run(run())


def percentile(times: Sequence[float], part: float) -> float:
    """The value below which *part* of the times are."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


Times = dict[str, list[float]]


async def measure(server: Server, seconds: float) -> Times:
    """How long /healthz and a move take for others, and how late this machine wakes up by itself."""
    times: Times = {"healthz": [], "move": [], "wake-up": []}
    ticket = await new_game(server, "127.0.0.2")
    path, ply = f"/api/games/{ticket['game']['id']}", 0
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        begin_s = time.perf_counter()
        await asyncio.sleep(0.02)
        times["wake-up"].append(time.perf_counter() - begin_s - 0.02)
        begin_s = time.perf_counter()
        status, _ = await ask(server, "/healthz", "127.0.0.3")
        times["healthz"].append(time.perf_counter() - begin_s if status == 200 else 1e9)
        begin_s = time.perf_counter()
        body = {"column": ply % 7, "ply": ply}
        status, _ = await ask(server, f"{path}/moves", "127.0.0.2", body, token=ticket["token"])
        times["move"].append(time.perf_counter() - begin_s if status == 200 else 1e9)
        ply += 1
        if ply == 12:
            ticket = await new_game(server, "127.0.0.2")
            path, ply = f"/api/games/{ticket['game']['id']}", 0
    return times


async def all_at_once_times(seconds: float) -> tuple[Times, Times]:
    """Run all attacks at the same time; return what others measure before and meanwhile."""
    with serving() as server:
        calm = await measure(server, min(5.0, seconds))
        attackers = multiprocessing.get_context("spawn").Process(
            target=storm, args=(server.port, seconds + 2)
        )
        attackers.start()
        await asyncio.sleep(2)
        times = await measure(server, seconds)
        await asyncio.to_thread(attackers.join)
    return calm, times


async def all_at_once(seconds: float) -> str | None:
    """All of it at the same time, and what others notice."""
    calm, times = await all_at_once_times(seconds)
    late = []
    for kind, some in times.items():
        p50, p99 = (percentile(some, part) * 1000 for part in (0.5, 0.99))
        quiet = percentile(calm[kind], 0.99) * 1000
        print(f"    {kind}: p50 {p50:.1f} ms, p99 {p99:.1f} ms (without attack {quiet:.1f} ms)")
        if p99 > {"healthz": 50, "move": 100}.get(kind, 1e9) * slack(calm["healthz"]):
            late.append(f"{kind} p99 {p99:.0f} ms")
    return ", ".join(late) or None


# ---- Churn -------------------------------------------------------------------------------------------


async def churn(seconds: float, games: int) -> str | None:
    """Games made, watched, played and left; the memory at the end against that after a tenth."""
    with serving(**GENEROUS) as server:
        begin_s = time.monotonic()
        early_mb = 0.0
        limit = asyncio.Semaphore(20)
        left = 0

        async def play(number: int) -> None:
            nonlocal left
            async with limit:
                with contextlib.suppress(OSError, ConnectionClosed):
                    address = f"127.0.{number % 200}.{number % 99 + 1}"
                    ticket = await new_game(server, address)
                    path, token = f"/api/games/{ticket['game']['id']}", ticket["token"]
                    live = await watch(server, ticket["game"]["id"], address, token)
                    await live.recv()
                    for ply in range(8):
                        body = {"column": (number + ply) % 7, "ply": ply}
                        await ask(server, f"{path}/moves", address, body, token=token)
                    await live.close()
                    left += 1

        tasks = []
        for number in range(games):
            due_s = begin_s + seconds * number / games
            await asyncio.sleep(max(0.0, due_s - time.monotonic()))
            tasks.append(asyncio.create_task(play(number)))
            if not early_mb and number >= games / 10:
                early_mb = server.memory_mb
        await asyncio.gather(*tasks)
        late_mb = server.memory_mb
        print(f"    {left} games in {time.monotonic() - begin_s:.0f} s; memory {early_mb:.1f} MB after")
        print(f"    a tenth of them, {late_mb:.1f} MB at the end ({late_mb / early_mb - 1:+.1%})")
        return None if late_mb <= 1.2 * early_mb else f"memory grows by {late_mb / early_mb - 1:.0%}"


# ---- The report --------------------------------------------------------------------------------------


async def report(name: str, attack: Awaitable[str | None]) -> tuple[str, str | None, float]:
    """Run one attack; return its name, what is wrong, and how long it took."""
    begin_s = time.monotonic()
    print(f"{name} ...")
    try:
        wrong = await attack
    except Exception as error:
        wrong = f"the attack failed: {type(error).__name__}: {error}"
    took_s = time.monotonic() - begin_s
    print(f"    {f'open: {wrong}' if wrong else 'closed'} ({took_s:.0f} s)")
    return name, wrong, took_s


async def run(names: Sequence[str], seconds: float, churn_s: float, games: int) -> int:
    """Run the attacks of these names and print a table of them; return how many doors are open."""
    known: dict[str, Door] = {
        **DOORS,
        "all-at-once": lambda: all_at_once(seconds),
        "churn": lambda: churn(churn_s, games),
    }
    rows = [await report(name, known[name]()) for name in names]
    print("\n| door | what is tried | | s |\n|-|-|-|-|")
    for name, wrong, took_s in rows:
        tried = (DOORS.get(name, globals().get(name.replace("-", "_"))).__doc__ or "").partition("\n")[0]
        print(f"| {name} | {tried} | {f'**open**: {wrong}' if wrong else 'closed'} | {took_s:.0f} |")
    return sum(bool(wrong) for _, wrong, _ in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    known = [*DOORS, "all-at-once", "churn"]
    parser.add_argument("names", nargs="*", metavar="DOOR", help=", ".join(known))
    parser.add_argument("--seconds", type=float, default=20, help="of all at once")
    parser.add_argument("--churn", type=float, metavar="SECONDS", help="churn for so long")
    parser.add_argument("--games", type=int, default=10_000, help="games of the churn")
    arguments = parser.parse_args()
    if wrong := [name for name in arguments.names if name not in known]:
        parser.error(f"there is no {wrong[0]!r}; there are {', '.join(known)}")
    names = arguments.names or (["churn"] if arguments.churn else known[:-1])
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # also in a file
    # Room for the attackers' own sockets.
    if sys.platform == "linux":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the servers are ended then, too
    churn_s = arguments.churn or 600
    sys.exit(asyncio.run(run(names, arguments.seconds, churn_s, arguments.games)))


if __name__ == "__main__":
    main()
