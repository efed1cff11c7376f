"""One address that asks for much, and others that ask for little."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from fourcast import Position
from fourcast.web.games.opponents import Opponents
from fourcast.web.server.addresses import asking
from fourcast.web.server.analysis import Analyst
from fourcast.web.server.pool import BusyError, Client, Job, Pool

T = TypeVar("T")
HARD = Position(width=10, height=9)  # nobody has ever solved it
EASY = Position("7422341735647741166133573473242566")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


class Gate:
    """Work that waits until it is let go, and notes for whom it was done."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.go = threading.Event()

    def work(self, job: Job[str]) -> str:
        while not self.go.wait(0.005):
            if job.is_stopped:
                break
        self.done.append(job.address)
        return job.address


async def ask_many(pool: Pool, gate: Gate, addresses: list[str]) -> list[asyncio.Task[str]]:
    tasks = []
    for number, address in enumerate(addresses):
        tasks.append(
            asyncio.create_task(pool.run((address, number), gate.work, Client(address=address)))
        )
        await asyncio.sleep(0)
    return tasks


def test_addresses_take_turns() -> None:
    async def ask() -> list[str]:
        pool, gate = Pool(workers=1, queue=16), Gate()
        tasks = await ask_many(pool, gate, [*"aaaaaa", *"bb", "c"])
        gate.go.set()
        await asyncio.gather(*tasks)
        await asyncio.to_thread(pool.close)
        return gate.done

    assert "".join(run(ask())) == "abcabaaaa"


def test_a_full_queue_makes_room_for_an_address_that_has_less_in_it() -> None:
    async def ask() -> tuple[Counter[str], int]:
        pool, gate = Pool(workers=2, queue=8), Gate()
        greedy = await ask_many(pool, gate, ["greedy"] * 30)
        others = await ask_many(pool, gate, [f"other {number}" for number in range(6)])
        gate.go.set()
        results = await asyncio.gather(*greedy, *others, return_exceptions=True)
        await asyncio.to_thread(pool.close)
        refused = [result for result in results if isinstance(result, BusyError)]
        return Counter(gate.done), len(refused)

    done, refused = run(ask())
    assert [done[f"other {number}"] for number in range(6)] == [1] * 6
    assert done["greedy"] == 30 - refused
    assert 2 <= done["greedy"] <= 4


def test_an_address_that_asks_again_and_again_does_not_push_others_out() -> None:
    async def ask() -> list[object]:
        pool, gate = Pool(workers=1, queue=4), Gate()
        others = await ask_many(pool, gate, ["b", "c", "d"])
        greedy = await ask_many(pool, gate, ["greedy"] * 50)
        gate.go.set()
        results: list[object] = await asyncio.gather(*others, return_exceptions=True)
        await asyncio.gather(*greedy, return_exceptions=True)
        await asyncio.to_thread(pool.close)
        return results

    assert run(ask()) == ["b", "c", "d"]


def test_work_that_two_addresses_wait_for_is_not_given_up_for_one_of_them() -> None:
    async def ask() -> list[object]:
        pool, gate = Pool(workers=1, queue=2), Gate()
        first = await ask_many(pool, gate, ["greedy", "greedy", "greedy"])
        joined = asyncio.create_task(pool.run(("greedy", 2), gate.work, Client(address="b")))
        await asyncio.sleep(0)
        other = await ask_many(pool, gate, ["c"])
        gate.go.set()
        results: list[object] = await asyncio.gather(joined, *other, return_exceptions=True)
        await asyncio.gather(*first, return_exceptions=True)
        await asyncio.to_thread(pool.close)
        return results

    joined, other = run(ask())
    assert joined == "greedy"
    assert isinstance(other, BusyError)


def test_while_others_wait_an_address_has_one_analysis_at_a_time() -> None:
    """Of two that run for a minute the second is ended at once, and answers with what it has."""

    async def ask() -> None:
        analyst = Analyst(workers=2, queue=4)
        tasks = [
            asyncio.create_task(analyst.analyze(HARD.play(column), 60, Client(address="greedy")))
            for column in range(2)
        ]
        while analyst.pool.running < 2:
            await asyncio.sleep(0.01)
        found = await asyncio.wait_for(analyst.analyze(EASY, 10, Client(address="other")), 4)
        assert found.score == 1
        assert [task.done() for task in tasks].count(True) == 1
        await asyncio.to_thread(analyst.close)
        for answer in await asyncio.gather(*tasks):
            assert answer.lower < answer.upper

    run(ask())


@pytest.mark.parametrize("workers", [1, 2])
def test_others_get_their_answers_while_one_address_asks_for_thirty_analyses(workers: int) -> None:
    async def ask() -> tuple[list[object], int]:
        analyst = Analyst(workers=workers, queue=16)
        analyst.pool.fair_s = 0.3
        greedy = [
            asyncio.create_task(analyst.analyze(HARD.play(one, two), 60, Client(address="greedy")))
            for one in range(6)
            for two in range(5)
        ]
        await asyncio.sleep(0.1)
        others = [
            analyst.analyze(EASY.play(column), 10, Client(address=f"other {column}"))
            for column in EASY.legal_columns
        ]
        answers: list[object] = await asyncio.gather(*others, return_exceptions=True)
        await asyncio.to_thread(analyst.close)
        results = await asyncio.gather(*greedy, return_exceptions=True)
        return answers, sum(isinstance(result, BusyError) for result in results)

    answers, refused = run(ask())
    assert answers
    assert [answer for answer in answers if isinstance(answer, BaseException)] == []
    assert refused >= 10


def test_a_job_that_a_thread_begins_with_late_has_all_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of a low priority may wait for a processor: that is no time in which they have worked."""
    work = Pool._work

    def late(self: Pool, job: Job[Any]) -> None:
        time.sleep(0.5)
        work(self, job)

    monkeypatch.setattr(Pool, "_work", late)

    async def ask() -> list[int]:
        pool = Pool(workers=1, queue=1, fair_s=0.1)
        asked = [pool.run(number, lambda _: 1, Client(address=f"{number}")) for number in range(2)]
        answers = await asyncio.gather(*asked)
        await asyncio.to_thread(pool.close)
        return answers

    assert run(ask()) == [1, 1]


# ---- The computer's moves


async def choose_many(opponents: Opponents, addresses: list[str]) -> None:
    async def choose(address: str) -> None:
        asking.set(address)
        await opponents.choose("random", Position())

    tasks = []
    for address in addresses:
        tasks.append(asyncio.create_task(choose(address)))
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)


def test_a_hundred_games_of_one_address_do_not_delay_the_computers_move_in_anothers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    shares: dict[str, float] = {}

    def choose(self: Opponents, *question: Any) -> int:
        address = question[-1]
        if not done:
            time.sleep(0.5)  # until all of them wait
        shares.setdefault(address, self._share_s(address))
        done.append(address)
        return 3

    async def ask() -> None:
        opponents = Opponents(1, 1.0)
        await choose_many(opponents, [*["greedy"] * 100, "a", "b"])
        await asyncio.to_thread(opponents.close)

    monkeypatch.setattr(Opponents, "_choose", choose)
    run(ask())
    assert len(done) == 102
    # At most one of the greedy's before each of theirs; and theirs has its time.
    assert done.index("a") <= 2
    assert done.index("b") <= 4
    assert (shares["a"], shares["b"]) == (0.25, 1.0)  # three addresses on one thread, then two


def test_a_second_choice_of_an_address_keeps_its_thread_for_half_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So a move in another person's game begins within that time, before any crowd is known as one."""
    shares: dict[str, list[float]] = {"greedy": [], "other": []}
    asked_all = threading.Event()

    def choose(self: Opponents, *question: Any) -> int:
        address = question[-1]
        shares[address].append(self._share_s(address))
        assert asked_all.wait(30)
        return 3

    async def ask() -> None:
        opponents = Opponents(3, 1.0)
        asked = []
        for number, address in enumerate(("greedy", "other", "greedy"), start=1):
            asked.append(asyncio.create_task(choose_many(opponents, [address])))
            while sum(map(len, shares.values())) < number:
                await asyncio.sleep(0.01)
        asked_all.set()
        await asyncio.gather(*asked)
        await asyncio.to_thread(opponents.close)

    monkeypatch.setattr(Opponents, "_choose", choose)
    run(ask())
    assert shares == {"greedy": [1.0, 0.5], "other": [1.0]}
