"""The web app under load, on this machine: live games, analysts, and a look at /healthz all the while.

Three runs, each against its own server process with a fresh database:

1. 200 live games of two players each, all with open sockets, and 50 analysts who step through positions
   and have the server analyze them;
2. the same games while 16 analyses run without end: what do the players notice?
3. the games and analysts of the first run, whose pages analyze by themselves, as the page does by
   default: the server is asked for the positions only, and its load falls.

    make bench-web ARGS="--seconds 20"
    make bench-web ARGS="--servers 4"     several servers on one PostgreSQL, see web_servers.py

The clients run on the same cores as the server, so their work is part of what is measured. A 503 with
`Retry-After` is not an error: the server says that its queue is full. Before each run the lateness of an
idle process is measured: on a machine that is busy with other things no server can answer sooner.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from positions import random_moves
from websockets.asyncio.client import ClientConnection, connect

from fourcast import Position

HARD = ["", "5", "55", "54", "56", "53", "57", "555", "554", "553", "552", "544", "545", "4", "44", "45"]
"""Moves on a board of 9x7, none of which is solved in minutes."""

Who = Literal["server", "endless", "page"]
"""Who analyzes: the server, the server without an end, or the page of who asks."""

ARRIVAL_S = 5.0
"""In which all the games begin, before anything is measured."""


@dataclass
class Figures:
    """What was measured: times by kind, and what went wrong."""

    times_s: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    busy: int = 0
    server_s: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Take in what another process has measured."""
        for kind, times in other.times_s.items():
            self.times_s[kind] += times
        self.busy += other.busy
        self.errors += other.errors


class Http:
    """One connection that is kept open: a client of few lines, which takes little from the server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: object = None, token: str = ""
    ) -> tuple[int, bytes, dict[str, str]]:
        """Return the status, the body and the headers of the answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self._port}"]
        if body is not None:
            lines += ["content-type: application/json", f"content-length: {len(content)}"]
        if token:
            lines.append(f"authorization: Bearer {token}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        answer = await reader.readexactly(int(headers.get("content-length", 0)))
        return int(head[0].split()[1]), answer, headers

    def close(self) -> None:
        """Hang up; the next question opens a new connection."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


# ---- Live games --------------------------------------------------------------------------------------


class Duel:
    """Two players who play one game after the other against each other, with sockets open."""

    def __init__(self, port: int, pause_s: float, figures: Figures, chance: random.Random) -> None:
        self._port = port
        self._pause_s = pause_s
        self.figures = figures
        self._chance = chance
        self._http = [Http(port), Http(port)]

    async def run(self, end_s: float) -> None:
        """Play until the clock shows *end_s*."""
        try:
            while time.perf_counter() < end_s:
                await self._game(end_s)
        except (OSError, asyncio.IncompleteReadError) as error:
            self.figures.errors[f"connection: {type(error).__name__}"] += 1

    async def _game(self, end_s: float) -> None:
        seats = {"first": {"kind": "me", "name": "A"}, "second": {"kind": "friend"}}
        status, answer, _ = await self._http[0].ask("POST", "/api/games", seats)
        if status != 201:
            self.figures.errors[f"new game: {status}"] += 1
            return
        ticket = json.loads(answer)
        game_id = ticket["game"]["id"]
        _, answer, _ = await self._http[1].ask("POST", f"/api/games/{game_id}/join", {"name": "B"})
        tokens = [ticket["token"], json.loads(answer)["token"]]
        async with self._watch(game_id, tokens[0]) as one, self._watch(game_id, tokens[1]) as other:
            position = Position()
            while not position.is_over and time.perf_counter() < end_s:
                await asyncio.sleep(self._chance.uniform(0.5, 1.5) * self._pause_s)
                mover = position.turn - 1
                column = self._chance.choice(list(position.legal_columns))
                waiting = (other, one)[mover]
                await self._move(game_id, mover, tokens[mover], column, position.ply, waiting)
                position = position.play(column)

    async def _move(
        self, game_id: str, mover: int, token: str, column: int, ply: int, waiting: ClientConnection
    ) -> None:
        begin_s = time.perf_counter()
        arrives = asyncio.create_task(self._arrival(waiting, ply + 1))
        move = {"column": column, "ply": ply}
        status, _, _ = await self._http[mover].ask("POST", f"/api/games/{game_id}/moves", move, token)
        self.figures.times_s["move"].append(time.perf_counter() - begin_s)
        if status != 200:
            self.figures.errors[f"move: {status}"] += 1
        try:
            arrived_s = await asyncio.wait_for(arrives, 10)
            self.figures.times_s["live delivery"].append(arrived_s - begin_s)
        except Exception as error:
            self.figures.errors[f"live delivery: {type(error).__name__}"] += 1

    @contextlib.asynccontextmanager
    async def _watch(self, game_id: str, token: str) -> Any:
        url = f"ws://127.0.0.1:{self._port}/api/games/{game_id}/live"
        async with connect(url, compression=None, ping_interval=None) as socket:
            await socket.send(json.dumps({"token": token}))
            yield socket

    @staticmethod
    async def _arrival(socket: ClientConnection, ply: int) -> float:
        wanted = f'"ply":{ply},'
        while wanted not in str(await socket.recv()):
            pass
        return time.perf_counter()


async def play_games(port: int, games: int, pause_s: float, seconds: float) -> Figures:
    """Play for *seconds*, counted from when all games are live."""
    gc.freeze()  # a pause of this process is none of the server's
    arriving, figures = Figures(), Figures()
    end_s = time.perf_counter() + ARRIVAL_S + seconds
    duels = [Duel(port, pause_s, arriving, random.Random(number)) for number in range(games)]
    playing = []
    for duel in duels:
        playing.append(asyncio.create_task(duel.run(end_s)))
        await asyncio.sleep(0.8 * ARRIVAL_S / games)  # people do not all come in the same moment
    await asyncio.sleep(max(0.0, end_s - seconds - time.perf_counter()))
    for duel in duels:
        duel.figures = figures
    await asyncio.gather(*playing)
    figures.errors += arriving.errors
    return figures


# ---- Analysts and the look at /healthz ---------------------------------------------------------------


async def analyze(port: int, number: int, who: Who, end_s: float, figures: Figures) -> None:
    chance = random.Random(1000 + number)
    http = Http(port)
    what = "position" if who == "page" else "analysis"
    while time.perf_counter() < end_s:
        if who == "endless":
            moves = HARD[number % len(HARD)] + chance.choice("123456789") + chance.choice("123456789")
            query = f"moves={moves}&width=9&height=7&time_s=10"
        else:
            await asyncio.sleep(chance.uniform(0.5, 1.5))
            query = f"moves={random_moves(chance, 12, 30)}"
        begin_s = time.perf_counter()
        try:
            status, _, headers = await http.ask("GET", f"/api/{what}?{query}")
        except (OSError, asyncio.IncompleteReadError) as error:
            figures.errors[f"{what}: {type(error).__name__}"] += 1
            http.close()
            continue
        if status == 503 and "retry-after" in headers:
            figures.busy += 1
            await asyncio.sleep(0.5 if who == "endless" else float(headers["retry-after"]))
        elif status != 200:
            figures.errors[f"{what}: {status}"] += 1
        else:
            figures.times_s[what].append(time.perf_counter() - begin_s)


async def look_at_health(port: int, end_s: float, figures: Figures) -> None:
    http = Http(port)
    while time.perf_counter() < end_s:
        begin_s = time.perf_counter()
        status, _, _ = await http.ask("GET", "/healthz")
        figures.times_s["healthz"].append(time.perf_counter() - begin_s)
        if status != 200:
            figures.errors[f"healthz: {status}"] += 1
        await asyncio.sleep(0.05)


def observe(port: int, analysts: int, who: Who, seconds: float, pipe: Connection) -> None:
    """The process of the analysts; it hands back its figures through *pipe*."""

    async def run() -> Figures:
        gc.freeze()
        figures = Figures()
        await asyncio.sleep(ARRIVAL_S)
        end_s = time.perf_counter() + seconds
        jobs = [analyze(port, number, who, end_s, figures) for number in range(analysts)]
        await asyncio.gather(look_at_health(port, end_s, figures), *jobs)
        return figures

    figures = asyncio.run(run())
    figures.times_s = dict(figures.times_s)
    pipe.send(figures)


# ---- The server and the report -----------------------------------------------------------------------


@contextlib.contextmanager
def server() -> Iterator[tuple[int, int]]:
    """A server process with limits that one address cannot reach; yields its port and its id."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "FOURCAST_REQUESTS_PER_S": "1000000",
            "FOURCAST_REQUEST_BURST": "1000000",
            "FOURCAST_GAMES_PER_MINUTE": "1000000",
            "FOURCAST_GAME_BURST": "1000000",
            "FOURCAST_SOCKETS_PER_ADDRESS": "100000",
            "FOURCAST_CONNECTIONS_PER_ADDRESS": "100000",
        }
        command = [sys.executable, "-m", "fourcast", "serve", "--port", "0"]
        command += ["--database", f"{folder}/games.db"]
        with open(f"{folder}/log", "wb") as log:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True
            )
        try:
            assert process.stdout
            line = process.stdout.readline()
            address = re.search(r":(\d+)/", line)
            if not address:
                raise SystemExit(f"the server did not start: {line}")
            yield int(address[1]), process.pid
        finally:
            process.terminate()
            process.wait(30)


def processor_s(process: int) -> float:
    """The processor time of a process and all those it has started, in seconds; Linux only."""
    parents, times = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fields = file.read_text().rpartition(")")[2].split()
            parents[int(file.parent.name)] = int(fields[1])
            times[int(file.parent.name)] = int(fields[11]) + int(fields[12])
    own = {process}
    while more := {each for each, parent in parents.items() if parent in own} - own:
        own |= more
    return sum(times.get(each, 0) for each in own) / os.sysconf("SC_CLK_TCK")


def lateness(seconds: float = 5.0) -> list[float]:
    """How much longer than asked for a process sleeps that does nothing else, sorted."""
    late = []
    end_s = time.perf_counter() + seconds
    while (begin_s := time.perf_counter()) < end_s:
        time.sleep(0.02)
        late.append(time.perf_counter() - begin_s - 0.02)
    return sorted(late)


def measure(arguments: argparse.Namespace, analysts: int, who: Who) -> Figures:
    idle = lateness()
    with server() as (port, process):
        before_s = processor_s(process)
        receiver, sender = multiprocessing.Pipe(duplex=False)
        observer = multiprocessing.get_context("spawn").Process(
            target=observe, args=(port, analysts, who, arguments.seconds, sender)
        )
        observer.start()
        figures = asyncio.run(play_games(port, arguments.games, arguments.pause_s, arguments.seconds))
        figures.add(receiver.recv())
        observer.join()
        figures.server_s = processor_s(process) - before_s
    figures.times_s["idle process, before"] = idle
    return figures


def report(title: str, figures: Figures, seconds: float) -> None:
    print(f"\n{title}\n")
    print("| what | number | per s | p50 ms | p99 ms | longest ms |\n|-|-|-|-|-|-|")
    for kind in ("idle process, before", "move", "live delivery", "analysis", "position", "healthz"):
        times = sorted(figures.times_s.get(kind, []))
        if times:
            cells = [f"{len(times)}", f"{len(times) / seconds:.1f}"]
            cells += [f"{percentile(times, part) * 1000:.1f}" for part in (0.5, 0.99, 1)]
            print(f"| {kind} | {' | '.join(cells)} |")
    kinds = "".join(f"; {kind}: {number}" for kind, number in figures.errors.items())
    print(f"\nerrors: {sum(figures.errors.values())}{kinds}")
    print(f"analyses put off by a full queue (503): {figures.busy}")
    looked_at = sum(len(figures.times_s.get(kind, [])) for kind in ("analysis", "position"))
    each_ms = 1000 * figures.server_s / max(looked_at, 1)
    print(
        f"processor time of the server: {figures.server_s:.1f} s,"
        f" {each_ms:.1f} ms for each position that an analyst looked at"
    )


def percentile(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="of each run")
    parser.add_argument("--games", type=int, help="200; with --servers 1000")
    parser.add_argument("--analysts", type=int, default=50)
    parser.add_argument(
        "--analyses", type=int, default=16, help="that run without an end, in the second"
    )
    parser.add_argument(
        "--pause-s", type=float, help="a player thinks for so long, on average: 2; with --servers 5"
    )
    parser.add_argument(
        "--servers", type=int, help="so many on a PostgreSQL of its own, with kills (web_servers.py)"
    )
    parser.add_argument("--kills", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--rolling", action="store_true", help="with --servers: restart them one by one, and kill none"
    )
    parser.add_argument("--redis", metavar="URL", help="a Redis for the news between the servers")
    parser.add_argument("--only", type=int, choices=(1, 2, 3), help="one of the runs")
    arguments = parser.parse_args()
    print(
        f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"
    )
    arguments.games = arguments.games or (1000 if arguments.servers else 200)
    arguments.pause_s = arguments.pause_s or (5.0 if arguments.servers else 2.0)
    if arguments.servers:
        import web_servers

        web_servers.run(arguments)
        return
    live = f"{arguments.games} live games"
    runs: list[tuple[str, int, Who]] = [
        (f"{live} and {arguments.analysts} analysts", arguments.analysts, "server"),
        (f"{live} while {arguments.analyses} analyses run", arguments.analyses, "endless"),
        (f"{live} and {arguments.analysts} analysts in their pages", arguments.analysts, "page"),
    ]
    for number, (title, analysts, who) in enumerate(runs, start=1):
        if arguments.only in (None, number):
            figures = measure(arguments, analysts, who)
            report(f"{title}, {arguments.seconds:g} s", figures, arguments.seconds)


if __name__ == "__main__":
    main()
