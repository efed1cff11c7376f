"""Figures of a running server in the text form of Prometheus."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

__all__ = ["Metrics"]

BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """What has happened since the start of the server."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        """How often something happened, by name and label."""
        self._started_s = time.time()
        self._buckets = [0] * (len(BOUNDS_S) + 1)
        self._sum_s = 0.0

    def request(self, status: int, seconds: float) -> None:
        """Count a request."""
        self.counts["requests_total", f'status="{status // 100}xx"'] += 1
        self._buckets[bisect_left(BOUNDS_S, seconds)] += 1
        self._sum_s += seconds

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Return all of it; *gauges* are what is now, by name: what it is, and how much."""
        return "\n".join([*self._lines(gauges), ""])

    def _lines(self, gauges: Mapping[str, tuple[str, float]]) -> Iterable[str]:
        known: set[str] = set()
        for (name, label), number in sorted(self.counts.items()):
            if name not in known:
                known.add(name)
                yield f"# TYPE fourcast_{name} counter"
            yield f"fourcast_{name}{{{label}}} {number}" if label else f"fourcast_{name} {number}"
        yield "# TYPE fourcast_request_seconds histogram"
        total = 0
        for bound_s, number in zip((*BOUNDS_S, "+Inf"), self._buckets, strict=True):
            total += number
            yield f'fourcast_request_seconds_bucket{{le="{bound_s}"}} {total}'
        yield f"fourcast_request_seconds_sum {self._sum_s:.6f}"
        yield f"fourcast_request_seconds_count {total}"
        for name, (meaning, value) in gauges.items():
            yield f"# HELP fourcast_{name} {meaning}"
            yield f"# TYPE fourcast_{name} gauge"
            yield f"fourcast_{name} {value:g}"
        yield "# TYPE process_start_time_seconds gauge"
        yield f"process_start_time_seconds {self._started_s:.0f}"
        spent = os.times()
        yield "# TYPE process_cpu_seconds_total counter"
        yield f"process_cpu_seconds_total {spent.user + spent.system:.2f}"
