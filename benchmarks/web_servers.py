"""Several servers on one PostgreSQL, on this machine: live games while servers are killed.

    make bench-web ARGS="--servers 4"

Each game has two players on sockets, each at a server chosen by chance, and a move every 5 s. After a
third of the time one server is killed (`kill -9`) and started again 3 s later; after two thirds, the
same happens to PostgreSQL. A player whose server does not answer goes to another one, as a proxy would
send them, and repeats the move until it is acknowledged. In the end every acknowledged move has to be in
the database, and every move has to have arrived at the other player.

With --rolling all servers are restarted instead, one after the other, by SIGTERM.

Run by web.py.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from fourcast import Position
from fourcast.notation import format_column
from tests.web.postgresql import PostgreSql
from tests.web.server import Server

RESTART_S = 3.0
AFTER_KILL_S = 8.0
"""Deliveries that begin so soon after a kill are listed by themselves."""
ARRIVE_S = 30.0
"""A move that has not arrived after this time is lost."""
LIMITS = {
    "FOURCAST_SOCKETS_PER_ADDRESS": "100000",
    "FOURCAST_CONNECTIONS_PER_ADDRESS": "100000",
    "FOURCAST_MAX_GAMES": "1000000",
}


class Figures:
    """What was measured, by kind."""

    def __init__(self) -> None:
        self.times_s: dict[str, list[float]] = defaultdict(list)
        self.counts: Counter[str] = Counter()


class Site:
    """The servers, and when they were hurt."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.servers = servers
        self.hurt_s: list[float] = []

    def is_hurt(self, moment_s: float) -> bool:
        """Whether something has just been killed or started."""
        return any(0 <= moment_s - hurt_s < AFTER_KILL_S for hurt_s in self.hurt_s)


class Client:
    """A player: a socket and a connection for requests, at one server until that fails."""

    def __init__(self, site: Site, chance: random.Random, figures: Figures) -> None:
        self._site, self._chance, self._figures = site, chance, figures
        self._server = chance.choice(site.servers)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.ply = -1
        self.arrived = asyncio.Condition()

    def _go_elsewhere(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None
        others = [server for server in self._site.servers if server is not self._server]
        self._server = self._chance.choice(others or [self._server])

    async def ask(self, path: str, body: object, token: str = "") -> Any:
        """Repeat a request until it is answered by something else than a passing trouble."""
        content = json.dumps(body).encode()
        pause_s = 0.1
        while True:
            try:
                status, answer = await asyncio.wait_for(self._ask(path, content, token), 10)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                self._go_elsewhere()
                status = 0
            if status in (200, 201):
                return json.loads(answer)
            if status not in (0, 429, 503):
                self._figures.counts[f"status {status}"] += 1
                return json.loads(answer) if status == 409 else None
            self._figures.counts["repeated requests"] += 1
            await asyncio.sleep(pause_s * self._chance.uniform(0.5, 1.5))
            pause_s = min(1.0, 2 * pause_s)

    async def _ask(self, path: str, content: bytes, token: str) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._server.port)
        reader, writer = self._streams
        lines = [f"POST {path} HTTP/1.1", f"host: 127.0.0.1:{self._server.port}"]
        lines += ["content-type: application/json", f"content-length: {len(content)}"]
        lines += [f"authorization: Bearer {token}"] if token else []
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next(int(line[15:]) for line in head if line.startswith("content-length:"))
        return int(head[0].split()[1]), await reader.readexactly(length)

    async def watch(self, game_id: str, token: str) -> None:
        """Follow a game until cancelled, through another server when one is lost."""
        lost_s = None
        while True:
            url = f"ws://127.0.0.1:{self._server.port}/api/games/{game_id}/live"
            try:
                async with connect(url, compression=None, ping_interval=None, proxy=None) as socket:
                    await socket.send(json.dumps({"token": token}))
                    while True:
                        message = json.loads(await socket.recv())
                        if lost_s is not None:
                            self._figures.times_s["socket back"].append(time.perf_counter() - lost_s)
                            lost_s = None
                        async with self.arrived:
                            self.ply = max(self.ply, message["game"]["position"]["ply"])
                            self.arrived.notify_all()
            except (OSError, WebSocketException, asyncio.TimeoutError):
                lost_s = lost_s or time.perf_counter()
                self._figures.counts["sockets lost"] += 1
                self._go_elsewhere()
                await asyncio.sleep(self._chance.uniform(0.4, 0.6))  # as the page does

    async def wait_for(self, ply: int) -> float:
        """Return when the disc before *ply* has been seen."""
        async with self.arrived:
            await self.arrived.wait_for(lambda: self.ply >= ply)
        return time.perf_counter()


class Game:
    """Two people who play one game after the other."""

    def __init__(self, site: Site, number: int, pause_s: float, figures: Figures) -> None:
        self._chance = random.Random(number)
        self._site, self._pause_s, self._figures = site, pause_s, figures
        self.acknowledged: dict[str, str] = {}

    async def run(self, end_s: float) -> None:
        """Play until the clock shows *end_s*."""
        while time.perf_counter() < end_s:
            await self._play(end_s)

    async def _play(self, end_s: float) -> None:
        one, other = (Client(self._site, self._chance, self._figures) for _ in range(2))
        ticket = await one.ask("/api/games", {"first": {"kind": "me"}, "second": {"kind": "friend"}})
        game_id, tokens = ticket["game"]["id"], [ticket["token"]]
        secret = f"{self._chance.getrandbits(250):043x}"[:43]
        joined = await other.ask(f"/api/games/{game_id}/join", {"name": "B", "token": secret})
        tokens.append(joined["token"])
        watching = [
            asyncio.create_task(client.watch(game_id, token))
            for client, token in zip((one, other), tokens, strict=True)
        ]
        try:
            position, moves = Position(), ""
            self.acknowledged[game_id] = ""
            await asyncio.gather(one.wait_for(0), other.wait_for(0))
            while not position.is_over and time.perf_counter() < end_s:
                await asyncio.sleep(self._chance.uniform(0.5, 1.5) * self._pause_s)
                column = self._chance.choice(list(position.legal_columns))
                mover, waiting = ((one, other), (other, one))[position.ply % 2]
                begin_s = time.perf_counter()
                arrives = asyncio.create_task(waiting.wait_for(position.ply + 1))
                body = {"column": column, "ply": position.ply}
                token = tokens[position.ply % 2]
                await mover.ask(f"/api/games/{game_id}/moves", body, token)
                moves += format_column(column)
                self.acknowledged[game_id] = moves
                is_hurt = self._site.is_hurt(begin_s)
                kind = " after a kill" if is_hurt else ""
                self._figures.times_s[f"move{kind}"].append(time.perf_counter() - begin_s)
                try:
                    arrived_s = await asyncio.wait_for(arrives, ARRIVE_S)
                    self._figures.times_s[f"delivery{kind}"].append(arrived_s - begin_s)
                except asyncio.TimeoutError:
                    self._figures.counts["moves that did not arrive"] += 1
                position = position.play(column)
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)


async def hurt(site: Site, postgresql: PostgreSql, seconds: float) -> None:
    """Kill a server, and later the database."""
    await asyncio.sleep(seconds / 3)
    print(f"    {seconds / 3:.0f} s: kill -9 of a server", flush=True)
    site.hurt_s.append(time.perf_counter())
    await asyncio.to_thread(site.servers[0].kill)
    await asyncio.sleep(RESTART_S)
    await asyncio.to_thread(site.servers[0].start)
    site.hurt_s.append(time.perf_counter())  # its games come back to it
    await asyncio.sleep(max(0.0, seconds / 3 - RESTART_S))
    print(f"    {2 * seconds / 3:.0f} s: kill -9 of PostgreSQL", flush=True)
    site.hurt_s.append(time.perf_counter())
    await asyncio.to_thread(postgresql.kill)
    await asyncio.sleep(RESTART_S)
    await asyncio.to_thread(postgresql.start)
    site.hurt_s.append(time.perf_counter())


async def restart(site: Site, seconds: float) -> None:
    """Restart one server after the other, as an administrator does: each ends by itself (SIGTERM)."""
    for number, server in enumerate(site.servers, start=1):
        await asyncio.sleep(seconds / (len(site.servers) + 1))
        print(f"    restart of server {number}", flush=True)
        site.hurt_s.append(time.perf_counter())
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        site.hurt_s.append(time.perf_counter())


def processor_s(process: int) -> float:
    """The processor time of a process, in seconds; 0 if it has ended. Linux only."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


async def measure(
    arguments: argparse.Namespace, site: Site, postgresql: PostgreSql
) -> tuple[Figures, list[Game], list[float]]:
    gc.freeze()
    figures = Figures()
    arrival_s = max(5.0, arguments.games / 100)
    end_s = time.perf_counter() + arrival_s + arguments.seconds
    games = [Game(site, number, arguments.pause_s, figures) for number in range(arguments.games)]
    tasks = []
    for game in games:
        tasks.append(asyncio.create_task(game.run(end_s)))
        await asyncio.sleep(0.8 * arrival_s / len(games))
    await asyncio.sleep(max(0.0, end_s - arguments.seconds - time.perf_counter()))
    figures.times_s.clear()
    figures.counts.clear()
    used = [[server.process.pid for server in site.servers], postgresql.processes()]
    before_s = {process: processor_s(process) for some in used for process in some}
    trouble = restart(site, arguments.seconds) if arguments.rolling else None
    if arguments.kills and not arguments.rolling:
        trouble = hurt(site, postgresql, arguments.seconds)
    killing = asyncio.create_task(trouble) if trouble else None
    await asyncio.gather(*tasks)
    if killing:
        await killing
    spent_s = [sum(max(0.0, processor_s(each) - before_s[each]) for each in some) for some in used]
    return figures, games, spent_s


def count_lost(games: Sequence[Game], address: str) -> tuple[int, int]:
    """Compare what was acknowledged with what the database has: games, and moves that are missing."""
    stored: dict[str, str] = defaultdict(str)
    with psycopg.connect(address) as connection:
        for game_id, column in connection.execute(
            "SELECT game_id, col FROM moves ORDER BY game_id, number"
        ):
            stored[game_id] += format_column(column)
    lost = total = 0
    for game in games:
        for game_id, moves in game.acknowledged.items():
            total += 1
            lost += not stored[game_id].startswith(moves)
    return total, lost


def run(arguments: argparse.Namespace) -> None:
    """Measure and print a table."""
    postgresql = PostgreSql()
    address = postgresql.new_database()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stack.callback(postgresql.close)
        servers = []
        for number in range(arguments.servers):
            (Path(folder) / str(number)).mkdir()
            settings = LIMITS | ({"FOURCAST_REDIS_URL": arguments.redis} if arguments.redis else {})
            servers.append(stack.enter_context(Server(Path(folder) / str(number), address, **settings)))
        figures, games, spent_s = asyncio.run(measure(arguments, Site(servers), postgresql))
        total, lost = count_lost(games, address)
    seconds = arguments.seconds
    print(f"\n{arguments.games} live games on {arguments.servers} servers, {seconds:g} s\n")
    print("| what | number | per s | p50 ms | p99 ms | longest ms |\n|-|-|-|-|-|-|")
    for kind, times in sorted(figures.times_s.items()):
        times.sort()
        parts = [times[min(len(times) - 1, int(part * len(times)))] for part in (0.5, 0.99, 1)]
        cells = [
            f"{len(times)}",
            f"{len(times) / seconds:.1f}",
            *(f"{1000 * part:.1f}" for part in parts),
        ]
        print(f"| {kind} | {' | '.join(cells)} |")
    moves = sum(len(times) for kind, times in figures.times_s.items() if kind.startswith("move"))
    print(f"\ngames with an acknowledged move that the database does not have: {lost} of {total}")
    missing = figures.counts.pop("moves that did not arrive", 0)
    print(f"moves that did not arrive: {missing}")
    refused = any(name.startswith("status") for name in figures.counts)
    print("; ".join(f"{name}: {number}" for name, number in figures.counts.items()) or "no trouble")
    if not arguments.rolling:  # which replaces all servers
        for name, each_s in zip(("servers", "database"), spent_s, strict=True):
            each_ms = 1000 * each_s / max(1, moves)
            print(f"processor time of the {name}: {each_s:.1f} s, {each_ms:.2f} ms a move")
        print("(of processes that were not killed)" if arguments.kills else "")
    sys.exit(1 if lost or missing or refused else 0)
