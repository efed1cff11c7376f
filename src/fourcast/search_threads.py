"""Searches in the background: the handles that `Solver.start` returns, and the threads they run on."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from fourcast._core import StopToken

__all__ = ["Search", "SearchThreads"]

T = TypeVar("T")

IDLE_S = 5.0
"""Seconds that a thread waits for another search before it ends."""


class Search(Future[T]):
    """A search that runs in the background: a `concurrent.futures.Future` that can be stopped.

    All that works with futures works with it: `result(timeout)`, `add_done_callback`, `as_completed`,
    `asyncio.wrap_future`. `cancel` gives up a search that has not begun; `stop` ends it at any time and
    keeps what is proven. A handle that is dropped does not end its search.
    """

    def __init__(self, work: Callable[[StopToken], T], token: StopToken) -> None:
        super().__init__()
        self._work: Callable[[StopToken], T] | None = work
        self._token = token
        self._claim = threading.Lock()

    def __repr__(self) -> str:
        state = "waiting"
        if self.running():
            state = "running"
        elif self.cancelled():
            state = "cancelled"
        elif self.done():
            state = f"failed: {error!r}" if (error := self.exception()) else f"done: {self.result()!r}"
        return f"<Search, {state}>"

    def stop(self) -> None:
        """End this search and no other; its result has the bounds that are proven by then.

        A search that has not begun yet is finished at once, with the bounds that
        hold for every position.
        """
        self._token.stop()
        self.run()

    def run(self) -> None:
        """Run the search on this thread, unless it has begun or was cancelled."""
        with self._claim:
            work, self._work = self._work, None
        if work is None or not self.set_running_or_notify_cancel():
            return
        try:
            result = work(self._token)
        except BaseException as error:  # whoever asks for the result gets it
            self.set_exception(error)
        else:
            self.set_result(result)


class SearchThreads:
    """Daemon threads for searches, at most one for each processor, started when they are needed."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._size = processor_count()
        self._changed = threading.Condition()
        self._waiting: deque[Search[Any]] = deque()
        self._threads = 0
        self._idle = 0

    def is_usable(self) -> bool:
        """Whether its threads live in this process: a fork leaves them behind."""
        return self._process == os.getpid()

    def submit(self, search: Search[T]) -> Search[T]:
        """Run *search* as soon as a thread is free, and return it."""
        with self._changed:
            self._waiting.append(search)
            if self._idle >= len(self._waiting) or self._threads == self._size:
                self._changed.notify()
                return search
            self._threads += 1
        try:
            threading.Thread(target=self._work, daemon=True, name="fourcast-search").start()
        except RuntimeError:  # the system has no more threads to give
            with self._changed:
                self._threads -= 1
                if not self._threads:
                    self._waiting.remove(search)
                    raise
        return search

    def _work(self) -> None:
        while search := self._next():
            search.run()
            del search  # or an idle thread would keep what it has found

    def _next(self) -> Search[Any] | None:
        """Wait for a search; None if this thread is not needed any more."""
        with self._changed:
            if not self._waiting:
                self._idle += 1
                self._changed.wait_for(lambda: self._waiting, IDLE_S)
                self._idle -= 1
            if self._waiting:
                return self._waiting.popleft()
            self._threads -= 1
            return None


def processor_count() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
