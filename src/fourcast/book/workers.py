"""Workers that solve positions by the million: threads of this machine, or a Ray cluster.

Workers take numbered chunks of work and return the number and the result of each, in any order. Each
works on a chunk of its own and never waits for the others. They take no more chunks than they are about
to work on, and stop when their generator is closed. Writing down what is found is the caller's part, and
the same for all workers. `Work` says what is done with a chunk; for a book, its positions are solved.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Generic, TypeVar

from fourcast._core import Position, StopToken
from fourcast.errors import ClusterError, StoppedError, missing_extra
from fourcast.solver import Solver

Chunk = TypeVar("Chunk")
Answer = TypeVar("Answer")
Workers = Callable[[Iterable[tuple[int, Chunk]]], Generator[tuple[int, Answer], None, None]]


@dataclass(frozen=True)
class Work(Generic[Chunk, Answer]):
    """What workers do. All three are functions of a module: a cluster's workers import them."""

    solve: Callable[[Solver, Chunk, StopToken | None], Answer]
    """Returns the result of a chunk; raises `StoppedError` if the token stopped it."""
    make_shared_solver: Callable[[], Solver]
    """The solver of all threads of this machine."""
    make_own_solver: Callable[[], Solver]
    """The solver of one process of a cluster."""

    def __call__(self, chunk: Chunk) -> Answer:
        """Return the result of a chunk, by a solver of this process."""
        return self.solve(_solver_of_worker(self), chunk, None)


def on_threads(threads: int, work: Work[Chunk, Answer]) -> Workers[Chunk, Answer]:
    """Return workers on *threads* threads of this machine, which share one table."""

    def solve(chunks: Iterable[tuple[int, Chunk]]) -> Generator[tuple[int, Answer], None, None]:
        solver = work.make_shared_solver()
        token = solver.make_token()  # ends the chunks that are being solved, and those that only wait
        pool = ThreadPoolExecutor(threads)
        try:
            # One more than can run: nobody is idle while scores are written down.
            yield from run_on(pool, threads + 1, chunks, lambda chunk: work.solve(solver, chunk, token))
        finally:
            token.stop()
            pool.shutdown()

    return solve


def run_on(
    pool: Executor,
    most: int,
    chunks: Iterable[tuple[int, Chunk]],
    work: Callable[[Chunk], Answer],
) -> Generator[tuple[int, Answer], None, None]:
    """Yield the number and the result of each chunk when it is ready; the pool has *most* at a time."""
    waiting = iter(chunks)
    running: dict[Future[Answer], int] = {}
    while True:
        for number, chunk in islice(waiting, most - len(running)):
            running[pool.submit(work, chunk)] = number
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


def on_ray(address: str, work: Callable[[Chunk], Answer]) -> Workers[Chunk, Answer]:
    """Return workers on all processors of the Ray cluster at *address*.

    *work* is a `Work` or a function of a module; the cluster's workers import it.

    Each processor works on a chunk of its own. What was being solved on a node that is lost is solved on
    another, and nodes that join are put to work. Raises ClusterError if there is no such cluster or it
    cannot do the work; fourcast has to be installed on every node.
    """
    _bring_token()
    try:
        import ray
    except ImportError:
        raise missing_extra("a Ray cluster needs Ray", "ray") from None

    def solve(chunks: Iterable[tuple[int, Chunk]]) -> Generator[tuple[int, Answer], None, None]:
        ours = not ray.is_initialized()
        try:
            if ours:
                _knock(address)
                ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (OSError, RuntimeError, ValueError) as error:
            raise ClusterError(f"no work can be done on the Ray cluster '{address}': {error}") from error
        # A task that its node took down with it is tried again as often as that happens.
        task = ray.remote(num_cpus=1, max_retries=-1)(_work_on_chunk)
        waiting = iter(chunks)
        running: dict[object, int] = {}  # the chunk that each result is of
        try:
            while True:
                # Two for each processor: one to work on, one to go on with.
                wanted = 2 * max(1, int(ray.cluster_resources().get("CPU", 0)))
                for number, chunk in islice(waiting, max(0, wanted - len(running))):
                    running[task.remote(work, chunk)] = number
                if not running:
                    return
                finished, _ = ray.wait(list(running), timeout=10)  # to see new nodes, even if all wait
                for result in finished:
                    yield running.pop(result), ray.get(result)
        except ray.exceptions.RayError as error:
            raise ClusterError(f"the Ray cluster '{address}' failed: {error}") from error
        finally:
            if ours:
                ray.shutdown()

    return solve


def _bring_token() -> None:
    """Have Ray send its token, if there is one: a head of Ray 2.60 demands it wherever it finds one."""
    given = any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    if given or os.path.exists(os.path.expanduser("~/.ray/auth_token")):
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def _knock(address: str) -> None:
    """Raise OSError if nobody answers there: Ray itself tries again for half an hour."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


def _work_on_chunk(work: Callable[[Chunk], Answer], chunk: Chunk) -> Answer:
    return work(chunk)


@cache
def _solver_of_worker(work: Work[Any, Any]) -> Solver:
    """One for all chunks that come to this process: they have much in common."""
    return work.make_own_solver()


def _solve_positions(
    solver: Solver, positions: Sequence[Position], stop: StopToken | None = None
) -> list[int]:
    results = solver.solve_many(positions, stop=stop)
    if not all(result.complete for result in results):
        raise StoppedError("the solver was stopped before it knew all scores")
    return [result.lower for result in results]


def _make_large_solver() -> Solver:
    return _make_solver(1024)


def _make_small_solver() -> Solver:
    return _make_solver(256)


def _make_solver(table_mb: int) -> Solver:
    # Positions by the thousand have much in common, which only a large table remembers. And asking for a
    # quick win first does not pay in the layers of a book: without that, 12 plies take an eighth less
    # processor time, and 8 plies a twentieth.
    return Solver(book=False, table_mb=table_mb, without=("schedule",))


SOLVE_POSITIONS = Work(_solve_positions, _make_large_solver, _make_small_solver)
"""The work of building a book: chunks are lists of positions, results their exact scores."""
