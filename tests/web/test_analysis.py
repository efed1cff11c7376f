"""Many askers, few threads: what is shared, remembered, refused and stopped."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvicorn
from fastapi import FastAPI

from fourcast import Game, Position, Solver
from fourcast._core import Rules
from fourcast.web.app import create_app
from fourcast.web.server.analysis import Analyst
from fourcast.web.server.pool import BusyError, Client, GoneError, Job, Pool
from fourcast.web.settings import Settings
from tests.web.conftest import SOON_S, running

T = TypeVar("T")

HARD = Position(width=10, height=9)  # nobody has ever solved it
HARD_QUERY = "width=10&height=9&time_s=60"
LATE = Position("7422341735647741166133573473242566")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


async def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON_S
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.005)


class Asker:
    """Somebody who asks and may leave."""

    def __init__(self, ask: Callable[[Client], Coroutine[Any, Any, Any]]) -> None:
        self.has_left = False
        self.task = asyncio.create_task(ask(Client(self._is_gone)))

    async def _is_gone(self) -> bool:
        return self.has_left

    async def leave(self) -> None:
        self.has_left = True
        with pytest.raises(GoneError):
            await self.task


@pytest.fixture
def analyst() -> Iterator[Analyst]:
    analyst = Analyst(workers=2, queue=2)
    yield analyst
    analyst.close()


def asks(analyst: Analyst, position: Position, time_s: float = 60) -> Asker:
    return Asker(lambda client: analyst.analyze(position, time_s, client))


# ---- What is shared and remembered -------------------------------------------------------------------


def test_a_position_and_its_mirror_image_are_solved_once(analyst: Analyst) -> None:
    position = Position("336455621341726653")
    finding = run(analyst.analyze(position))
    mirrored = run(analyst.analyze(position.mirror()))
    assert run(analyst.analyze(position)) == finding
    assert analyst.solves == 1
    for answer, asked in ((finding, position), (mirrored, position.mirror())):
        expected = Solver().analyze(asked)
        assert answer.position == asked
        assert answer.score == expected.score
        for line, wanted in zip(answer, expected, strict=True):
            assert (line.column, line.lower, line.upper) == (wanted.column, wanted.lower, wanted.upper)
            assert line.variation[0] == line.column
            assert asked.play(*line.variation).is_over


def test_two_orders_of_moves_are_solved_once(analyst: Analyst) -> None:
    one, other = Position("336455621341726653"), Position("643355621341726653")
    assert run(analyst.analyze(one)) == run(analyst.analyze(other))
    assert analyst.solves == 1


def test_a_review_is_made_once(analyst: Analyst) -> None:
    game = Game("1213141", width=4, height=4)
    assert run(analyst.review(game)) is run(analyst.review(Game("1213141", width=4, height=4)))
    assert analyst.solves == 1


def test_what_was_not_finished_is_worked_on_again(analyst: Analyst) -> None:
    assert not run(analyst.analyze(HARD, 0.05)).complete
    assert not run(analyst.analyze(HARD, 0.05)).complete
    assert analyst.solves == 2


def test_scores_whose_lines_were_cut_short_are_not_remembered(
    analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = Solver().analyze(LATE, variations=False)
    assert cut.complete
    with monkeypatch.context() as patched:
        patched.setattr(analyst._solver, "analyze", lambda *_, **__: cut)
        assert run(analyst.analyze(LATE)) == cut
    for line in run(analyst.analyze(LATE)):
        assert LATE.play(*line.variation).is_over


def test_what_was_found_for_one_who_left_is_not_remembered(
    analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The review may lack a reason, the explanation a better claim."""
    game = Game("1213141", width=4, height=4)
    whole = run(analyst.review(game))
    has_begun = threading.Event()
    leaves = threading.Event()

    def stopped(*_: object, **__: object) -> object:
        has_begun.set()
        assert leaves.wait(SOON_S)
        return whole

    async def ask() -> None:
        asker = Asker(lambda client: analyst.review(Game("121314", width=4, height=4), 60, client))
        await until(has_begun.is_set)
        await asker.leave()
        leaves.set()
        await until(lambda: analyst.pool.running == 0)

    with monkeypatch.context() as patched:
        patched.setattr("fourcast.web.server.analysis.review", stopped)
        run(ask())
    assert run(analyst.review(Game("121314", width=4, height=4))) != whole


def test_no_more_is_remembered_than_there_is_room_for() -> None:
    analyst = Analyst(workers=1, remembered=2)
    positions = [LATE, *(LATE.play(column) for column in LATE.legal_columns)]
    try:
        for position in (*positions[:3], positions[2], positions[1]):
            run(analyst.analyze(position))
        assert analyst.solves == 3
        run(analyst.analyze(positions[0]))  # which was asked for longest ago
        assert analyst.solves == 4
    finally:
        analyst.close()


def test_all_who_ask_for_the_same_at_once_wait_for_one_solve(analyst: Analyst) -> None:
    async def ask() -> None:
        position = Position("44444253")
        answers = await asyncio.gather(
            *(analyst.analyze(position, 60) for _ in range(20)),
            *(analyst.analyze(position.mirror(), 60) for _ in range(20)),
        )
        assert analyst.solves == 1
        assert len({answer.score for answer in answers}) == 1
        assert answers[0].complete

    run(ask())


# ---- What is stopped ---------------------------------------------------------------------------------


def test_a_solve_goes_on_until_the_last_who_waits_has_left(analyst: Analyst) -> None:
    async def ask() -> None:
        first, second = asks(analyst, HARD), asks(analyst, HARD)
        await until(lambda: analyst.pool.running == 1)
        await first.leave()
        await asyncio.sleep(0.2)
        assert (analyst.pool.running, second.task.done()) == (1, False)
        await second.leave()
        await until(lambda: analyst.pool.running == 0)

    run(ask())


def test_a_task_that_is_cancelled_stops_its_solve(analyst: Analyst) -> None:
    async def ask() -> None:
        asker = asks(analyst, HARD)
        await until(lambda: analyst.pool.running == 1)
        asker.task.cancel()
        await until(lambda: analyst.pool.running == 0)

    run(ask())


@pytest.mark.parametrize("kind", ["a review", "an analysis of PopOut"])
def test_other_work_is_stopped_too(analyst: Analyst, kind: str) -> None:
    work: dict[str, Callable[[Client], Coroutine[Any, Any, Any]]] = {
        "a review": partial(analyst.review, Game("5555", width=10, height=9), 60),
        "an analysis of PopOut": partial(analyst.analyze_popout, Position(rules=Rules(pop=True)), 60),
    }

    async def ask() -> None:
        asker = Asker(work[kind])
        await until(lambda: analyst.pool.running == 1)
        await asker.leave()
        await until(lambda: analyst.pool.running == 0)

    run(ask())


def test_no_stop_is_lost_however_soon_it_comes(analyst: Analyst) -> None:
    """Among them those that come between the start of a job and the start of its search."""

    async def ask() -> None:
        chance = random.Random(1)
        for _ in range(150):
            asker = asks(analyst, HARD)
            await asyncio.sleep(chance.choice([0, 0, 0.0001, 0.0003, 0.001]))
            asker.task.cancel()
            with suppress(asyncio.CancelledError, BusyError):
                await asker.task
        await until(lambda: analyst.pool.running + analyst.pool.waiting == 0)
        assert (await analyst.analyze(LATE)).complete

    run(ask())


def test_an_end_of_the_server_ends_every_solve() -> None:
    async def ask() -> None:
        analyst = Analyst(workers=2, queue=2)
        running = [asks(analyst, HARD), asks(analyst, HARD.play(0))]
        queued = asks(analyst, HARD.play(1))
        await until(lambda: (analyst.solves, analyst.pool.waiting) == (2, 1))  # both have begun
        start = time.monotonic()
        await asyncio.to_thread(analyst.close)
        assert time.monotonic() - start < SOON_S
        for asker in running:  # who has waited gets what was proven
            assert not (await asker.task).complete
        with pytest.raises(BusyError):
            await queued.task
        with pytest.raises(BusyError):
            await analyst.analyze(LATE)

    run(ask())


def test_whenever_the_end_comes_who_asks_gets_an_answer_or_a_refusal() -> None:
    """Also between the moments at which a thread takes a job and begins with it."""

    async def ask() -> None:
        chance = random.Random(2)
        for _ in range(20):
            analyst = Analyst(workers=1, queue=1, table_mb=1)
            asker = asks(analyst, HARD)
            await asyncio.sleep(chance.choice([0, 0, 0.0001, 0.0003, 0.001]))
            await asyncio.to_thread(analyst.close)
            try:
                assert not (await asker.task).complete
            except BusyError:
                continue

    run(ask())


def test_a_job_that_has_run_for_long_gives_way_to_those_who_wait() -> None:
    async def ask() -> None:
        analyst = Analyst(workers=1, queue=2)
        analyst.pool.fair_s = 0.2
        long = asks(analyst, HARD)
        await until(lambda: analyst.solves == 1)
        await asyncio.sleep(0.4)
        assert not long.task.done()  # nobody waits
        assert (await analyst.analyze(LATE)).complete
        assert not (await long.task).complete
        analyst.close()

    run(ask())


# ---- What is refused ---------------------------------------------------------------------------------


def test_beyond_the_queue_there_is_no_waiting(analyst: Analyst) -> None:
    async def ask() -> None:
        askers = [asks(analyst, HARD.play(column)) for column in range(4)]
        await until(lambda: (analyst.pool.running, analyst.pool.waiting) == (2, 2))
        with pytest.raises(BusyError) as refused:
            await analyst.analyze(LATE)
        assert refused.value.retry_after_s >= 1
        again = asks(analyst, HARD.play(0))  # what is being worked on can be joined
        await asyncio.sleep(0.05)
        assert not again.task.done()
        await askers[3].leave()  # and one that leaves the queue makes room at once
        late = asyncio.create_task(analyst.analyze(LATE))
        for asker in [*askers[:3], again]:
            await asker.leave()
        assert (await late).complete

    run(ask())


def test_work_that_fails_fails_for_those_who_wait_and_frees_its_place() -> None:
    async def ask() -> None:
        pool = Pool(workers=1, queue=0)

        def fail(_: Job[int]) -> int:
            time.sleep(0.1)
            raise ArithmeticError("as it happens")

        for _ in range(2):
            answers = await asyncio.gather(
                pool.run("x", fail), pool.run("x", fail), return_exceptions=True
            )
            assert [type(answer) for answer in answers] == [ArithmeticError] * 2
        assert await pool.run("y", lambda _: 3) == 3
        pool.close()

    run(ask())


# ---- A real server and real sockets ------------------------------------------------------------------


class Served:
    """A server in a thread of this process, so that a test can look into it."""

    def __init__(self, app: FastAPI, server: uvicorn.Server, port: int) -> None:
        self.app, self.server, self.port = app, server, port

    @property
    def pool(self) -> Pool:
        analyst: Analyst = self.app.state.analysis
        return analyst.pool

    def get(self, path: str) -> tuple[int, dict[str, str], Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            headers = {key.lower(): value for key, value in answer.getheaders()}
            return answer.status, headers, json.loads(answer.read())
        finally:
            connection.close()

    def ask(self, path: str) -> socket.socket:
        """Send a request and do not wait for its answer."""
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        return client

    def wait(self, running: int, waiting: int = 0) -> None:
        end = time.monotonic() + SOON_S
        while (found := (self.pool.running, self.pool.waiting)) != (running, waiting):
            assert time.monotonic() < end, f"{found}, not {(running, waiting)}"
            time.sleep(0.01)


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    app = create_app(
        Settings(
            database_url=f"sqlite:///{folder}/games.db", requests_per_s=1e6, request_burst=1_000_000
        )
    )
    config = uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=1)
    listener = config.bind_socket()
    server = uvicorn.Server(config)
    with running(server, listener):
        yield Served(app, server, listener.getsockname()[1])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as served:
        yield served


@pytest.mark.parametrize("path", ["analysis", "review"])
def test_a_closed_connection_stops_its_solve(served: Served, path: str) -> None:
    client = served.ask(f"/api/{path}?{HARD_QUERY}&moves=5555")
    served.wait(running=1)
    time.sleep(0.2)
    assert served.pool.running == 1
    client.close()
    served.wait(running=0)
    status, _, view = served.get("/api/analysis?moves=7422341735647741166133573473242566")
    assert (status, view["complete"], view["score"]) == (200, True, 1)


def test_of_two_clients_the_one_that_stays_keeps_the_solve(served: Served) -> None:
    clients = [served.ask(f"/api/analysis?{HARD_QUERY}") for _ in range(2)]
    served.wait(running=1)
    clients[0].close()
    time.sleep(0.5)
    assert served.pool.running == 1
    clients[1].close()
    served.wait(running=0)


def test_when_the_queue_is_full_clients_are_told_when_to_come_back(served: Served) -> None:
    pool = served.pool
    moves = [format(number, "03d").translate(str.maketrans("0", "a")) for number in range(111, 999)]
    clients = [served.ask(f"/api/analysis?{HARD_QUERY}&moves={line}") for line in moves[: pool.workers]]
    served.wait(pool.workers)
    clients += [
        served.ask(f"/api/analysis?{HARD_QUERY}&moves={line}")
        for line in moves[pool.workers : pool.workers + pool.queue]
    ]
    served.wait(pool.workers, pool.queue)
    status, headers, answer = served.get("/api/analysis?moves=7422341735647741166133573473242566")
    assert status == 503
    assert int(headers["retry-after"]) >= 1
    assert answer == {
        "detail": "the server is overloaded at the moment; try again in a few seconds",
        "code": "error.server_busy",
        "facts": {},
    }
    # What is no solving goes on as ever.
    assert served.get("/healthz")[0] == 200
    assert served.get("/api/position?moves=44")[0] == 200
    for client in clients:
        client.close()
    served.wait(0)
    assert served.get("/api/analysis?moves=7422341735647741166133573473242566")[0] == 200


def test_the_server_answers_others_while_it_solves(served: Served) -> None:
    pool = served.pool
    clients = [served.ask(f"/api/analysis?{HARD_QUERY}&moves={line}") for line in ("1", "2", "3", "4")]
    served.wait(pool.workers, max(0, 4 - pool.workers))
    times = []
    for _ in range(20):
        start = time.monotonic()
        assert served.get("/healthz")[0] == 200
        times.append(time.monotonic() - start)
    assert sorted(times)[10] < 1  # a solve that held the event loop would take a minute
    for client in clients:
        client.close()
    served.wait(0)


def test_many_at_once_get_exact_answers_or_are_told_to_come_back(served: Served) -> None:
    chance = random.Random(4)
    asked: list[tuple[str, int | None]] = []
    solver = Solver()
    while len(asked) < 24:
        game = Game()
        while not game.is_over and game.position.ply < 24:
            game.play(chance.choice(tuple(game.position.legal_columns)))
        if not game.is_over:
            asked.append((game.moves, solver.solve(game.position).score))

    def ask(number: int) -> int:
        moves, score = asked[number % len(asked)]
        while True:
            status, headers, view = served.get(f"/api/analysis?moves={moves}&time_s=60")
            if status == 503:
                time.sleep(min(0.2, int(headers["retry-after"])))
                continue
            assert (status, view["complete"], view["score"]) == (200, True, score)
            return number

    with ThreadPoolExecutor(48) as crowd:
        assert list(crowd.map(ask, range(96))) == list(range(96))
    assert served.app.state.analysis.solves <= len(asked)


def test_a_server_that_ends_does_not_wait_for_its_solves(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        client = served.ask(f"/api/analysis?{HARD_QUERY}")
        served.wait(running=1)
        start = time.monotonic()
    assert time.monotonic() - start < SOON_S  # the solve would take a minute
    client.close()
