"""The third round: one kind of attack more for each part, besides those behind the tables of limits.

Attacks on files of the community game and on the WebAssembly core need a repository or a page: they are
tests, which a door here runs by name.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import attack_arena
import target

ROOT = Path(__file__).resolve().parents[2]


async def tested(*names: str) -> str | None:
    """Run some tests; return the last line of a failure."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", *names]
    ran = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    return None if ran.returncode == 0 else ran.stdout.strip().rpartition("\n")[2]


# ---- The wire ----------------------------------------------------------------------------------------


@target.door
async def half_closed() -> str | None:
    """Clients that send a request, close their half of the connection and wait."""
    with target.serving() as server:
        slow = b"GET /api/analysis?width=10&height=9&time_s=60 HTTP/1.1\r\nhost: localhost\r\n\r\n"
        part = b"POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"
        streams = [*await target.flood(server, 50, slow), *await target.flood(server, 50, part)]
        for _, writer in streams:
            with contextlib.suppress(OSError):
                writer.write_eof()
        return await all_closed(streams, 10) or await is_healthy(server)


@target.door
async def unanswered_closes() -> str | None:
    """WebSockets that are told to close and never do, nor read."""
    with target.serving() as server:
        hello = b"\r\n\x81\x83\0\0\0\0[1]"  # which is no hello
        head = target.UPGRADE.format("abcdefghijkl").encode()
        streams = await target.flood(server, 100, head + hello)
        return await all_closed(streams, 45) or await is_healthy(server)


@target.door
async def other_protocols() -> str | None:
    """HTTP/2, TLS, a proxy's CONNECT, upgrades to something else, and `Expect`, a hundred of each."""
    begins = [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9),
        bytes.fromhex("1603010200010001fc0303") + bytes(512),
        b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
        b"POST /api/games HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
        b"content-length: 9\r\n\r\n",
        b"GET http://169.254.169.254/ HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"TRACE / HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer secret\r\n\r\n",
    ]
    with target.serving() as server:
        for begin in begins:
            reader, writer = await target.dial(server)
            writer.write(begin)
            with contextlib.suppress(asyncio.TimeoutError, OSError):
                answer = await asyncio.wait_for(reader.read(4096), 3)
                if b"secret" in answer or b"SSH" in answer or b" 500 " in answer[:20]:
                    return f"{begin[:20]!r}: {answer[:60]!r}"
            writer.close()
        streams = [stream for begin in begins for stream in await target.flood(server, 30, begin)]
        wrong = await all_closed(streams, 45) or await is_healthy(server)
        return wrong or ("a traceback in the log" if server.has_logged("Traceback") else None)


async def all_closed(
    streams: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]], time_s: float
) -> str | None:
    closing = [asyncio.ensure_future(target.is_closed(reader)) for reader, _ in streams]
    _, open_ones = await asyncio.wait(closing, timeout=time_s)
    target.hang_up(streams)
    return f"{len(open_ones)} of {len(streams)} are open after {time_s:g} s" if open_ones else None


async def is_healthy(server: target.Server) -> str | None:
    status, _ = await target.ask(server, "/healthz", "127.0.0.2")
    return None if status == 200 else f"another one gets {status}"


# ---- Fairness ----------------------------------------------------------------------------------------


@target.door
async def watched_computers() -> str | None:
    """100 games of one address in which two computers play, because a socket watches each."""
    seats = {
        "first": {"kind": "computer", "player": "perfect"},
        "second": {"kind": "computer", "player": "perfect"},
    }
    with target.serving() as server:
        sockets = []
        for _ in range(100):
            _, answer = await target.ask(server, "/api/games", body=seats | {"width": 8, "height": 7})
            sockets.append(await target.watch(server, json.loads(answer)["game"]["id"], target.ATTACKER))
        await asyncio.sleep(2)
        mine = {"first": {"kind": "computer", "player": "level-5"}, "second": {"kind": "me"}}
        begin_s = time.monotonic()
        status, answer = await target.ask(server, "/api/games", "127.0.0.2", mine)
        if status != 201:
            return f"another one gets {status}"
        path = f"/api/games/{json.loads(answer)['game']['id']}"
        while json.loads((await target.ask(server, path, "127.0.0.2"))[1])["is_thinking"]:
            if time.monotonic() - begin_s > 30:
                break
            await asyncio.sleep(0.05)
        waited_s = time.monotonic() - begin_s
        for socket in sockets:
            socket.transport.abort()
        print(f"    another one waits {waited_s:.2f} s for the computer")
        return f"another one waits {waited_s:.1f} s" if waited_s > 3 else None


# ---- The sandbox -------------------------------------------------------------------------------------


def taken(program: str) -> str | None:
    with attack_arena.programs() as folder:
        return attack_arena.taken(folder, program, 1500)


@target.door
async def files_without_content() -> str | None:
    """Files, folders and links in /tmp that hold nothing, until the kernel has no memory left."""
    return await asyncio.to_thread(taken, "empty-files")


@target.door
async def pipes() -> str | None:
    """Pipes with the largest buffers that there are, full."""
    return await asyncio.to_thread(taken, "pipes")


@target.door
async def ways_out() -> str | None:
    """Inherited files, typing into the terminal, tracing, namespaces, abstract sockets, /proc/1/root."""

    def attack() -> str | None:
        with attack_arena.programs() as folder:
            said = attack_arena.last_words(folder, "attack_ways_out")
            ways = [line for line in said.splitlines() if line.startswith("open:")]
            if "tried everything" not in said:
                return f"it did not try: {said[-200:]}"
            return "; ".join(ways) or None

    return await asyncio.to_thread(attack)


# ---- The store and the log ---------------------------------------------------------------------------


@target.door
async def damaged_databases() -> str | None:
    """24 databases with damaged bytes, or cut off: a sentence, or answers without a traceback."""
    chance = random.Random(20261118)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / "whole"
        whole.mkdir()
        server = target.Server(whole)
        ids = [(await target.new_game(server, "127.0.0.2"))["game"]["id"] for _ in range(30)]
        server.close()
        content = (whole / "games.db").read_bytes()
        for number in range(24):
            damaged = bytearray(content)
            if number % 4 == 0:
                del damaged[chance.randrange(len(damaged)) :]
            else:
                for _ in range(chance.choice((1, 20, 400))):
                    damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            here = folder / str(number)
            here.mkdir()
            (here / "games.db").write_bytes(damaged)
            try:
                server = target.Server(here)
            except SystemExit as refused:
                lines = str(refused).split(": ", 1)[1].strip().splitlines()
                if len(lines) != 1 or "Traceback" in str(refused):
                    return f"number {number}: {refused}"
                continue
            try:
                for game in chance.sample(ids, 5):
                    status, _ = await target.ask(server, f"/api/games/{game}", "127.0.0.2")
                    if status not in (200, 404, 503):
                        return f"number {number}: a game is {status}"
                status, _ = await target.ask(server, "/api/games", "127.0.0.2", target.SEATS)
                if status not in (201, 503):
                    return f"number {number}: a new game is {status}"
                if wrong := await is_healthy(server):
                    return f"number {number}: {wrong}"
            finally:
                server.close()
            shutil.rmtree(here)
    return None


@target.door
async def unread_log() -> str | None:
    """A log that nobody reads: the pipe is full after some requests."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "fourcast",
                "serve",
                "--port",
                "0",
                "--database",
                f"{folder}/games.db",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"FOURCAST_REQUEST_BURST": "100000"},
            text=True,
        )
        try:
            assert process.stdout
            found = re.search(r":(\d+)/", process.stdout.readline())
            if not found:
                return "the server did not start"
            server = target.Server.__new__(target.Server)
            server.port, server.process = int(found[1]), process
            for number in range(3_000):
                try:
                    status, _ = await asyncio.wait_for(target.ask(server, "/api/position?moves=4"), 5)
                except asyncio.TimeoutError:
                    return f"no answer after {number} requests"
                if status != 200:
                    return f"request {number} is {status}"
            process.terminate()
            try:
                await asyncio.to_thread(process.wait, 20)
            except subprocess.TimeoutExpired:
                return "it does not end"
            return None
        finally:
            process.kill()
            process.communicate()


# ---- Limits of the system ----------------------------------------------------------------------------


@target.door
async def small_files() -> str | None:
    """A server whose files may have 256 KB (ulimit -f): moves are refused, and nothing ends."""
    with tempfile.TemporaryDirectory() as folder:
        serve = f"{sys.executable} -m fourcast serve --port 0 --database {folder}/games.db"
        process = subprocess.Popen(
            ["bash", "-c", f"ulimit -f 256; exec {serve} 2>{folder}/log"],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"FOURCAST_GAME_BURST": "100000"},
        )
        try:
            assert process.stdout
            line = process.stdout.readline()
            found = re.search(r":(\d+)/", line)
            if not found:
                words = Path(folder, "log").read_text()
                return None if len(words.strip().splitlines()) == 1 else f"it did not start: {words}"
            server = target.Server.__new__(target.Server)
            server.port, server.process = int(found[1]), process
            statuses = {
                (await target.ask(server, "/api/games", "127.0.0.2", target.SEATS))[0]
                for _ in range(400)
            }
            if not statuses <= {201, 503}:
                return f"new games are {statuses}"
            return "the limit was not reached" if statuses == {201} else await is_healthy(server)
        finally:
            process.terminate()
            process.wait(30)
            process.stdout.close() if process.stdout else None


# ---- The community game, its ledger, and WebAssembly -------------------------------------------------


@target.door
async def comments_of_strangers() -> str | None:
    """The game's own mark in 150 comments of strangers, on somebody else's issue."""
    return await tested("tests/community/test_run.py", "-k", "comments_of_strangers")


@target.door
async def forged_ledgers() -> str | None:
    """Lines exchanged, repeated, cut off or taken from another ledger, and its checksums."""
    return await tested("tests/community/test_ledger.py", "-k", "forged or no_byte")


@target.door
async def wasm_questions() -> str | None:
    """Questions to the core in WebAssembly that nobody would ask: deep, long, wrong in every member."""
    command = [
        f"{Path(sys.executable).parent}/node",
        "--test",
        "--test-name-pattern",
        "hostile questions",
    ]
    ran = await asyncio.to_thread(
        subprocess.run,
        [*command, "tests/page/core.test.js"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    passed = ran.returncode == 0 and "hostile questions" in ran.stdout
    return None if passed else ran.stdout[-300:]
