"""One run of a long solve: its limits, its progress, and what is written down on the way."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from fourcast._core import Limit, Result
from fourcast.long_solve.checkpoint import Checkpoint

Progress = Callable[[float], object]
"""Called now and then with the share of the work that is done, from 0 to 1: an estimate."""

# Nodes that the solver may take for one position before it is split: a share of what was needed so far,
# so that short solves are kept in small parts as well.
_SHARE_OF_NODES = 64
_FEWEST_NODES = 20_000
_MOST_NODES = 1 << 24
_MOST_BETWEEN_WRITES_S = 15.0

SHARE_OF_LOOK = 64
"""The part of these nodes that a look takes: does this move decide at once?"""


class Run:
    """What is proven so far, the file that keeps it (if there is one), and what is left of the limit."""

    def __init__(
        self, checkpoint: Checkpoint, file: Path | None, limit: Limit | None, progress: Progress | None
    ) -> None:
        self.checkpoint = checkpoint
        self._file = file
        self._progress = progress
        limit = limit or Limit()
        self._nodes_left = math.inf if limit.nodes is None else limit.nodes
        self._time_s = math.inf if limit.time_s is None else limit.time_s
        self._start = self._last_look = time.monotonic()
        self._next_write = self._start + 0.2
        self.share = 0.0

    @property
    def nodes_left(self) -> float:
        """What is left of the limit of nodes."""
        return self._nodes_left

    @property
    def time_left_s(self) -> float:
        """What is left of the limit of time."""
        return self._time_s - (time.monotonic() - self._start)

    @property
    def is_out_of_limit(self) -> bool:
        """Whether one of the limits is reached."""
        return self._nodes_left <= 0 or self.time_left_s <= 0

    @property
    def budget(self) -> int:
        """How many nodes the solver may take for a position before it is split."""
        wanted = self.checkpoint.nodes // _SHARE_OF_NODES
        return min(max(wanted, _FEWEST_NODES), _MOST_NODES)

    def count(self, found: Result) -> None:
        """Count the nodes of an answer."""
        self.checkpoint.nodes += found.nodes
        self._nodes_left -= found.nodes

    def report(self, share: float) -> None:
        """Say how much of the work is done."""
        self.share = max(share, self.share)  # sums of parts may be a little less than the whole
        if self._progress:
            self._progress(self.share)

    def write_if_due(self) -> None:
        """Write the file if the last time was long enough ago."""
        if time.monotonic() >= self._next_write:
            self.write()

    def write(self) -> None:
        """Write the file."""
        now = time.monotonic()
        self.checkpoint.time_s += now - self._last_look
        self._last_look = now
        if self._file:
            self.checkpoint.write(self._file)
        # A solve of seconds is kept every half second, one of hours every 15 seconds.
        pause_s = min(_MOST_BETWEEN_WRITES_S, max(0.2, self.checkpoint.time_s / 10))
        self._next_write = time.monotonic() + pause_s
