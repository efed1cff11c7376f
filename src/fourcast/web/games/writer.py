"""One thread that writes: changes that arrive while it waits for the disk are committed together.

A commit that is safe from a power cut takes some milliseconds, however little it contains. So a client
waits for the commit under way and the next one at most, with ten games as with a thousand.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from contextlib import suppress

from fourcast.web.games.rules import Record
from fourcast.web.games.store import Store, StoreError, Write

__all__ = ["Writer"]

_Answer = Record | Exception | None
_Future = asyncio.Future["Record | None"]


class Writer:
    """Writes to a store, in the order of the requests."""

    MOST_WAITING = 2_000
    MOST_TOGETHER = 100

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[tuple[Write, _Future] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer")
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many writes wait for their turn."""
        return self._queue.qsize()

    async def write(self, write: Write) -> Record | None:
        """Return what *write* returns, committed, or raise what it raises."""
        if self._queue.qsize() >= self.MOST_WAITING:
            raise StoreError("too much is waiting to be stored")
        future: _Future = self._loop.create_future()
        self._queue.put((write, future))
        # A client that disconnects does not cancel its write.
        return await asyncio.shield(future)

    def close(self) -> None:
        """Finish all writes."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch = [self._queue.get()]
            with suppress(queue.Empty):
                while len(batch) < self.MOST_TOGETHER:
                    batch.append(self._queue.get_nowait())
            is_open = None not in batch
            jobs = [job for job in batch if job is not None]
            if jobs:
                answers = self._store.write([write for write, _ in jobs])
                futures = [future for _, future in jobs]
                self._loop.call_soon_threadsafe(_answer, futures, answers)


def _answer(futures: list[_Future], answers: list[_Answer]) -> None:
    for future, answer in zip(futures, answers, strict=True):
        if future.done():
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
            future.exception()  # the client may have gone: that is no reason for a warning
        else:
            future.set_result(answer)
