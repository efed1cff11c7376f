"""Work that takes time, off the event loop: on a few threads, shared by those who want the same.

A *job* is one piece of work on one thread. As many run as there are threads, and some more may wait;
beyond that there is `BusyError`. Who asks for what is being worked on already waits for the same job,
and a job that nobody waits for any more is stopped. A job that has run for long gives way if others
wait: it is asked to come to an end and answers with what it has.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Generic, TypeVar

from fourcast.errors import FourcastError

__all__ = ["BusyError", "GoneError", "Job", "Pool", "core_count"]

T = TypeVar("T")

LOOK_AGAIN_S = 0.1
"""How often to look whether the client is still there, and whether others wait."""
STOP_AGAIN_S = 0.02
"""A stop that comes right before the call that it should end is lost; hence it is repeated."""

_LOWER_PRIORITY = 10


class BusyError(FourcastError):
    """So much work is waiting that more would not be done in a sensible time."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("the server has too much to work on at the moment; try again in a few seconds")
        self.retry_after_s = retry_after_s


class GoneError(FourcastError):
    """Who asked has gone, and there is nobody to answer."""

    def __init__(self) -> None:
        super().__init__("the client closed the connection")


class Job(Generic[T]):
    """One piece of work. The work itself sees to it that `is_stopped` is heeded."""

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self.future: Future[T | None]
        self.waiting = 0
        self.began: float | None = None
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._end_call: Callable[[], object] | None = None

    @property
    def is_stopped(self) -> bool:
        """Whether the work is to come to an end, with whatever it has."""
        return self._stopped.is_set()

    def stop_with(self, end_call: Callable[[], object] | None) -> None:
        """From now on a stop calls *end_call*, which ends what the thread is busy with."""
        with self._lock:
            self._end_call = end_call

    def stop(self) -> None:
        """Ask the work to come to an end."""
        self._stopped.set()
        with self._lock:
            if self._end_call:
                self._end_call()


class Pool:
    """Some threads, and a short queue for them.

    *fair_s* is how long a job may run while others wait; they run *in_background*, at a lower priority
    than the event loop, where the system has that for threads.
    """

    def __init__(
        self, *, workers: int, queue: int, fair_s: float = 5.0, in_background: bool = True
    ) -> None:
        self.workers = workers
        self.queue = queue
        self.fair_s = fair_s
        self._executor = ThreadPoolExecutor(
            workers, "fourcast-pool", initializer=_step_back if in_background else None
        )
        self._lock = threading.Lock()
        self._jobs: set[Job[Any]] = set()  # all that are not over
        self._by_key: dict[Hashable, Job[Any]] = {}  # those that one can join
        self._is_closed = False

    @property
    def running(self) -> int:
        """How many jobs are being worked on."""
        with self._lock:
            return sum(job.began is not None for job in self._jobs)

    @property
    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        with self._lock:
            return sum(job.began is None for job in self._jobs)

    async def run(
        self,
        key: Hashable,
        work: Callable[[Job[T]], T],
        is_gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> T:
        """Return what *work* returns, on a thread of the pool; *key* says what it is.

        *is_gone* tells whether the asker has left, which is `GoneError`; `BusyError` if the queue is
        full, or the pool was closed before the work began. Work that is stopped while somebody waits,
        because of others or of the end, returns what it has; it never returns None.
        """
        job: Job[T] = self._join(key, work)
        try:
            # Not cancelled with us: others may wait for it.
            future = asyncio.wrap_future(job.future)
            while not (await asyncio.wait({future}, timeout=LOOK_AGAIN_S))[0]:
                if is_gone is not None and await is_gone():
                    raise GoneError
                self._make_way()
            result = None if future.cancelled() else future.result()
            if result is None:
                raise BusyError(1)
            return result
        finally:
            self._leave(job)

    def close(self) -> None:
        """Stop all jobs, and wait until they are over. Later ones are refused with `BusyError`."""
        with self._lock:
            self._is_closed = True
            jobs = tuple(self._jobs)
        running = [job for job in jobs if not job.future.cancel()]  # first those that have not begun
        while running := [job for job in running if not job.future.done()]:
            for job in running:
                job.stop()
            time.sleep(STOP_AGAIN_S)
        self._executor.shutdown()

    def _join(self, key: Hashable, work: Callable[[Job[T]], T]) -> Job[T]:
        with self._lock:
            job = self._by_key.get(key)
            if job is None:
                if self._is_closed or len(self._jobs) >= self.workers + self.queue:
                    raise BusyError(1 + len(self._jobs) // self.workers)
                job = Job(key)
                job.future = self._executor.submit(self._work, job, work)
                self._jobs.add(job)
                self._by_key[key] = job
            job.waiting += 1
            return job

    def _work(self, job: Job[T], work: Callable[[Job[T]], T]) -> T | None:
        job.began = time.monotonic()
        try:
            return None if job.is_stopped else work(job)
        finally:
            job.stop_with(None)
            self._forget(job)

    def _leave(self, job: Job[Any]) -> None:
        with self._lock:
            job.waiting -= 1
            if job.waiting or job.future.done():
                return
            if self._by_key.get(job.key) is job:  # nobody may join it any more
                del self._by_key[job.key]
        if job.future.cancel():
            self._forget(job)
        else:
            self._stop(job)

    def _stop(self, job: Job[Any]) -> None:
        if not job.future.done():
            job.stop()
            asyncio.get_running_loop().call_later(STOP_AGAIN_S, self._stop, job)

    def _make_way(self) -> None:
        """End what has run for long, if others wait."""
        with self._lock:
            if len(self._jobs) <= self.workers:
                return
            latest = time.monotonic() - self.fair_s
            old = [job for job in self._jobs if job.began is not None and job.began < latest]
        for job in old:
            job.stop()

    def _forget(self, job: Job[Any]) -> None:
        with self._lock:
            self._jobs.discard(job)
            if self._by_key.get(job.key) is job:
                del self._by_key[job.key]


def core_count() -> int:
    """Return how many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _step_back() -> None:
    """Let the event loop and everybody else go first: Linux has priorities for single threads."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWER_PRIORITY)
