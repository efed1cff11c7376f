"""The progress of long work."""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcast.cli._support.drawn_progress import DrawnProgress

LINE_EVERY_S = 60
"""How often a line is written where no bar can be drawn."""


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
