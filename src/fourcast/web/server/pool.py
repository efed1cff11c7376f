"""Work that takes time, off the event loop: on a few threads, shared fairly.

A *job* is one piece of work on one thread. As many run as there are threads, and some more may wait;
beyond that `BusyError` is raised. Clients that ask for what is already being worked on wait for the same
job, and a job that nobody waits for any more is stopped.

While others wait, an address gets one job at a time: addresses take turns, a second job that runs for
the same address is asked to come to an end and answers with what it has, and when the queue is full the
address with the most waiting jobs gives up one of them. A job that has run for long gives way, too.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from fourcast.errors import FourcastError

__all__ = ["NOBODY", "BusyError", "Client", "GoneError", "Job", "Pool", "step_back"]

T = TypeVar("T")

LOOK_AGAIN_S = 0.1
"""How often to look whether the client is still there, and whether others wait."""

NICE = 10
"""The priority of threads that work in the background."""


class BusyError(FourcastError):
    """So much work is waiting that more would not be done in a sensible time."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("error.server_busy", facts={})
        self.retry_after_s = retry_after_s


class GoneError(FourcastError):
    """The client has gone, and there is nobody to answer."""

    def __init__(self) -> None:
        super().__init__("the client closed the connection")


@dataclass(frozen=True)
class Client:
    """Somebody who waits for an answer."""

    is_gone: Callable[[], Awaitable[bool]] | None = None
    """Tells whether they have left; None if nobody looks."""
    address: str = ""


NOBODY = Client()


class Job(Generic[T]):
    """One piece of work for *address*. The work itself has to heed `is_stopped`."""

    def __init__(self, key: Hashable, address: str, work: Callable[[Job[T]], T]) -> None:
        self.key = key
        self.address = address
        self.work = work
        self.future: Future[T | None] = Future()
        self.addresses: set[str] = set()
        self.waiting = 0
        self.began: float | None = None
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._end: Callable[[], object] = lambda: None

    @property
    def is_stopped(self) -> bool:
        """Whether the work is to come to an end, with whatever it has."""
        return self._stopped.is_set()

    def stop_with(self, end: Callable[[], object]) -> None:
        """Have *end* called by a stop, or now if the job is stopped already."""
        with self._lock:
            self._end = end
            if self.is_stopped:
                end()

    def stop(self) -> None:
        """Ask the work to come to an end."""
        with self._lock:
            self._stopped.set()
            self._end()


class Pool:
    """Some threads, and a short queue for them.

    *fair_s* is how long a job may run while others wait; None if the work is short and is not stopped.
    The threads run *in_background*, at a lower priority than the event loop, where the system has
    priorities for threads.
    """

    YOUNG_S = 0.5
    """A second job of an address that has run for less is not stopped: most are done by then."""

    def __init__(
        self, *, workers: int, queue: int, fair_s: float | None = 5.0, in_background: bool = True
    ) -> None:
        self.workers = workers
        self.queue = queue
        self.fair_s = fair_s
        self._executor = ThreadPoolExecutor(
            workers, "fourcast-pool", initializer=step_back if in_background else None
        )
        self._lock = threading.Lock()
        self._running: list[Job[Any]] = []  # the one that began first is first
        self._waiting: list[Job[Any]] = []  # the one that came first is first
        self._by_key: dict[Hashable, Job[Any]] = {}  # those that one can join
        self._turns: dict[str, int] = {}  # of each address here, when it had its last turn
        self._turn = itertools.count(1)
        self._is_closed = False

    @property
    def running(self) -> int:
        """How many jobs are being worked on."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        return len(self._waiting)

    def crowd(self, address: str) -> tuple[int, int]:
        """Return how many jobs *address* has here, and how many addresses have any."""
        with self._lock:
            counts = Counter(job.address for job in (*self._running, *self._waiting))
        return counts[address], len(counts)

    async def run(
        self,
        key: Hashable,
        work: Callable[[Job[T]], T],
        client: Client = NOBODY,
    ) -> T:
        """Return what *work* returns, on a thread of the pool; *key* says what it is.

        Raises `GoneError` if the client has left, and `BusyError` if there is no place in the queue, or
        the pool was closed before the work began. Work that is stopped while somebody waits returns what
        it has; it never returns None.
        """
        # In the context of the one who asks first: the language of sentences, say.
        context = copy_context()
        job: Job[T] = self._join(key, lambda job: context.run(work, job), client.address)
        try:
            # Not cancelled with us: others may wait for it.
            future = asyncio.wrap_future(job.future)
            looks = client.is_gone is not None or self.fair_s is not None
            while not (await asyncio.wait({future}, timeout=LOOK_AGAIN_S if looks else None))[0]:
                if client.is_gone is not None and await client.is_gone():
                    raise GoneError
                self._make_way()
            result = None if future.cancelled() else future.result()
            if result is None:
                raise BusyError(self._retry_after_s())
            return result
        finally:
            self._leave(job)

    def close(self) -> None:
        """Stop all jobs, and wait until they are over. Later ones are refused with `BusyError`."""
        with self._lock:
            self._is_closed = True
            for job in tuple(self._waiting):
                self._remove(job)
            running = tuple(self._running)
        for job in running:
            job.stop()
        self._executor.shutdown()

    # ---- The queue, which is touched with the lock only

    def _join(self, key: Hashable, work: Callable[[Job[T]], T], address: str) -> Job[T]:
        with self._lock:
            job = self._by_key.get(key)
            if job is None:
                job = Job(key, address, work)
                self._admit(job)
                self._by_key[key] = job
                self._waiting.append(job)
                self._start_some()
            job.waiting += 1
            job.addresses.add(address)
            return job

    def _admit(self, job: Job[Any]) -> None:
        """Make a place in the queue for *job*, or raise `BusyError`."""
        if self._is_closed:
            raise BusyError(1)
        if len(self._waiting) < self.queue or len(self._running) < self.workers:
            return
        counts = Counter(waiting.address for waiting in self._waiting if len(waiting.addresses) < 2)
        address, most = counts.most_common(1)[0] if counts else ("", 0)
        if most <= counts[job.address] + 1:
            raise BusyError(self._retry_after_s())
        self._remove(next(other for other in reversed(self._waiting) if other.address == address))

    def _remove(self, job: Job[Any]) -> None:
        """Take a job that has not begun out of the queue: those who wait for it are told."""
        self._waiting.remove(job)
        self._forget(job)
        job.future.cancel()

    def _forget(self, job: Job[Any]) -> None:
        if self._by_key.get(job.key) is job:
            del self._by_key[job.key]

    def _start_some(self) -> None:
        while self._waiting and len(self._running) < self.workers:
            counts = Counter(job.address for job in self._running)
            job = min(
                self._waiting, key=lambda job: (counts[job.address], self._turns.get(job.address, 0))
            )
            self._waiting.remove(job)
            self._running.append(job)
            here = {job.address for job in (*self._running, *self._waiting)}
            self._turns = {address: turn for address, turn in self._turns.items() if address in here}
            self._turns[job.address] = next(self._turn)
            job.future.set_running_or_notify_cancel()
            self._executor.submit(self._work, job)

    # ---- Jobs

    def _work(self, job: Job[Any]) -> None:
        result, failure = None, None
        job.began = time.monotonic()  # a thread may have waited for a processor until now
        try:
            if not job.is_stopped:
                result = job.work(job)
        except BaseException as error:  # raised again where the job is waited for
            failure = error
        with self._lock:
            self._running.remove(job)
            self._forget(job)
            if not self._is_closed:
                self._start_some()
        if failure is not None:
            job.future.set_exception(failure)
        else:
            job.future.set_result(result)

    def _leave(self, job: Job[Any]) -> None:
        with self._lock:
            job.waiting -= 1
            if job.waiting or job.future.done():
                return
            if job in self._waiting:
                self._remove(job)
                return
            self._forget(job)  # nobody may join it any more
        job.stop()

    def _make_way(self) -> None:
        """If others wait, end what has run for long, and what an address has running besides another."""
        now = time.monotonic()
        with self._lock:
            if not self._waiting or self.fair_s is None:
                return
            others = {job.address for job in self._waiting}
            seen: set[str] = set()
            ending = []
            for job in self._running:
                age_s = now - (job.began or now)
                is_second = job.address in seen and bool(others - {job.address})
                seen.add(job.address)
                if age_s > self.fair_s or (is_second and age_s > self.YOUNG_S):
                    ending.append(job)
        for job in ending:
            job.stop()

    def _retry_after_s(self) -> int:
        return 1 + (len(self._running) + len(self._waiting)) // self.workers


def step_back() -> None:
    """Lower the priority of this thread: a long search can wait, a person's click cannot.

    Linux has priorities for single threads; elsewhere they are the process's, and better left alone.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
