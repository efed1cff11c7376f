"""The progress of long work."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcast.cli._support.drawn_progress import DrawnProgress

LINE_EVERY_S = 60
"""How often a line is written where no bar can be drawn."""


SILENT_S = 2
"""Seconds of work of unknown length after which a terminal is told that it goes on."""


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on a terminal for how long work goes on whose end nobody knows, and erase that at the end."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def tell() -> None:
        start = time.monotonic()
        wait_s: float = SILENT_S
        while not done.wait(wait_s):
            elapsed = timedelta(seconds=int(time.monotonic() - start))
            sys.stderr.write(f"\r{what} {elapsed}, Ctrl-C stops it")
            sys.stderr.flush()
            wait_s = 1
        if wait_s != SILENT_S:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


class ProgressBar:
    """A progress bar with an estimate on a terminal; elsewhere a line every minute.

    It appears as soon as the *total* is known. A *transient* bar is erased at the end. With *percent* it
    shows that in place of numbers. It is written to standard error.
    """

    def __init__(
        self, what: str, *, total: int | None = None, transient: bool = False, percent: bool = False
    ) -> None:
        self._what = what
        self._drawn: DrawnProgress | None = None
        if sys.stderr.isatty():
            from fourcast.cli._support.drawn_progress import DrawnProgress

            self._drawn = DrawnProgress(what, total, transient=transient, percent=percent)
        self._begun: tuple[int, float] | None = None  # what was done before this began, and when
        self._last_line = time.monotonic()

    def __enter__(self) -> ProgressBar:
        if self._drawn:
            self._drawn.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._drawn:
            self._drawn.stop()

    def show(self, done: int, total: int | None, above: str | None = None) -> None:
        """Show that *done* of *total* are done; the estimate counts from the first call.

        What is *above* the bar, if anything, stays until something else is shown there.
        """
        now = time.monotonic()
        is_first = self._begun is None
        begun_at, start = self._begun = self._begun or (done, now)
        if self._drawn:
            self._drawn.show(done, total, is_first=is_first, above=above)
        elif now - self._last_line > LINE_EVERY_S:
            self._last_line = now
            line = f"{self._what}: {done:,}"
            if total is not None:
                line += f" of {total:,}"
                if done > begun_at:
                    left_s = (total - done) * (now - start) / (done - begun_at)
                    line += f", {timedelta(seconds=round(left_s))} left"
            print(line, file=sys.stderr, flush=True)
