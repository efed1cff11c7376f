"""How far long work has come."""

from __future__ import annotations

import sys
import time
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class Bar:
    """A progress bar with an estimate on a terminal; elsewhere a line now and then.

    It shows itself as soon as the *total* is known. One that is *transient* leaves nothing behind.
    """

    def __init__(self, what: str, *, total: int | None = None, transient: bool = False) -> None:
        self._bar = Progress(
            TextColumn(what),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(file=sys.stderr),
            disable=not sys.stderr.isatty(),
            transient=transient,
            speed_estimate_period=1800,  # some positions take a hundred times as long as others
        )
        self._task = self._bar.add_task(what, total=total, visible=total is not None)
        self._what = what
        self._begun: tuple[int, float] | None = None  # what was done before, and when this began
        self._last_line = time.monotonic()

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def show(self, done: int, total: int) -> None:
        """Show that *done* of *total* are done; the estimate counts from the first call."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = done, now
            self._bar.reset(self._task, completed=done, total=total)
        self._bar.update(self._task, completed=done, total=total, visible=True)
        if self._bar.disable and now - self._last_line > 60:
            self._last_line = now
            before, start = self._begun
            line = f"{self._what}: {done:,} of {total:,}"
            if done > before:
                left = (total - done) * (now - start) / (done - before)
                line += f", {timedelta(seconds=round(left))} left"
            print(line, file=sys.stderr, flush=True)
