"""A running search is a handle: a future that can be stopped by itself."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import repeat

import pytest

from fourcast import (
    Analysis,
    FinishedGameError,
    Limit,
    Position,
    Result,
    Search,
    Solver,
)
from fourcast.search_threads import processor_count

HARD = Position(width=8, height=7)  # worth 2, and more than half an hour of work
EASY = Position("44455554221")


@pytest.fixture
def solver() -> Solver:
    return Solver(book=None)


# The handle


def test_start_returns_at_once_and_the_result_is_that_of_solve(solver: Solver) -> None:
    search = solver.start(EASY)
    assert isinstance(search, Search)
    assert search.result(timeout=60) == solver.solve(EASY)
    analysis = solver.start(EASY, analyze=True).result(timeout=60)
    assert isinstance(analysis, Analysis)
    assert analysis == solver.analyze(EASY)
    without = solver.start(EASY, best_columns=False).result(timeout=60)
    assert (without.best_columns, without.score) == (None, -15)
    assert solver.start(EASY, analyze=True, variations=False).result(60).lines[0].variation == (0,)
    assert solver.start(HARD, Limit(nodes=1000)).result(timeout=60).complete is False


def test_stop_ends_one_search_alone_with_its_proven_bounds(solver: Solver) -> None:
    other = Solver(book=None)  # a pool has a thread for each processor, and this machine may have one
    going, stopped = other.start(HARD), solver.start(HARD)
    time.sleep(0.1)
    stopped.stop()
    result = stopped.result(timeout=10)
    assert not result.complete
    assert result.lower <= 2 <= result.upper
    assert not going.done()
    going.stop()
    assert not going.result(timeout=10).complete


def test_a_search_that_has_not_begun_is_stopped_at_once_with_the_bounds_of_every_position(
    solver: Solver,
) -> None:
    searches = [solver.start(HARD) for _ in range(processor_count() + 2)]
    last = searches[-1]
    last.stop()
    assert last.done()
    assert (last.result().lower, last.result().upper, last.result().nodes) == (-25, 25, 0)
    assert not searches[0].done()
    solver.stop()
    for search in searches:
        assert not search.result(timeout=10).complete


def test_a_search_that_has_not_begun_can_be_cancelled(solver: Solver) -> None:
    searches = [solver.start(HARD) for _ in range(processor_count() + 1)]
    assert searches[-1].cancel()
    assert searches[-1].cancelled()
    searches[-1].stop()  # does nothing any more
    with pytest.raises(concurrent.futures.CancelledError):
        searches[-1].result()
    solver.stop()
    concurrent.futures.wait(searches, timeout=10)
    assert not searches[0].cancel()


def test_stop_of_the_solver_ends_all_searches_also_those_that_wait_but_not_later_ones(
    solver: Solver,
) -> None:
    searches = [solver.start(HARD) for _ in range(processor_count() + 5)]
    time.sleep(0.05)
    solver.stop()
    done, _ = concurrent.futures.wait(searches, timeout=10)
    assert len(done) == len(searches)
    assert not any(search.result().complete for search in searches)
    assert solver.start(EASY).result(timeout=60).score == -15


def test_an_error_comes_out_of_the_result(solver: Solver) -> None:
    with pytest.raises(FinishedGameError):
        solver.start(Position("1212121")).result(timeout=10)
    with pytest.raises(TypeError):
        solver.start(None).result(timeout=10)  # type: ignore[call-overload]
    with pytest.raises(concurrent.futures.TimeoutError):
        solver.start(HARD, Limit(time_s=2)).result(timeout=0.05)


def test_searches_work_with_as_completed_callbacks_and_asyncio(solver: Solver) -> None:
    searches = [solver.start(Position(moves)) for moves in ("4455", "44455554221")]
    scores = {search.result().score for search in concurrent.futures.as_completed(searches, timeout=60)}
    assert scores == {18, -15}
    called: list[int | None] = []
    search = solver.start(Position("4455"))
    search.result(timeout=60)
    search.add_done_callback(lambda done: called.append(done.result().score))
    assert called == [18]

    async def ask() -> list[Result]:
        return await asyncio.gather(
            *(asyncio.wrap_future(solver.start(Position(moves))) for moves in ("4455", "76461241141"))
        )

    assert [result.score for result in asyncio.run(ask())] == [18, -1]


@pytest.mark.slow
def test_idle_threads_end_and_new_ones_are_started(
    solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcast.search_threads.IDLE_S", 0.05)
    for _ in range(3):
        assert solver.start(EASY).result(timeout=60).score == -15
        end = time.monotonic() + 10
        while any(thread.name == "fourcast-search" for thread in threading.enumerate()):
            assert time.monotonic() < end
            time.sleep(0.02)


# Calls do not disturb each other


def test_an_error_in_a_progress_callback_ends_its_own_call_alone(solver: Solver) -> None:
    other = solver.start(HARD)

    def fail(*_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solver.solve_many([HARD] * 4, threads=2, progress=fail)
    assert not other.done()
    other.stop()
    assert not other.result(timeout=10).complete


def test_a_token_stops_the_calls_that_it_was_given_to(solver: Solver) -> None:
    token = solver.make_token()
    threading.Timer(0.1, token.stop).start()
    results = solver.solve_many([HARD, EASY] * 10, stop=token)
    assert token.is_stopped
    assert not all(result.complete for result in results)
    assert len(solver.analyze_many([HARD] * 3, stop=token)) == 3
    assert solver.analyze(HARD, stop=token).result.nodes == 0
    assert solver.score(EASY) == -15


# In bulk


def test_analyze_many_finds_what_analyze_finds_in_order(solver: Solver) -> None:
    positions = [Position("4455"), EASY, Position("7422341735647741166133573473242566")]
    seen: list[tuple[int, int]] = []
    analyses = solver.analyze_many(
        positions, threads=2, progress=lambda done, total: seen.append((done, total))
    )
    assert analyses == [solver.analyze(position) for position in positions]
    assert seen[-1] == (3, 3)
    short = solver.analyze_many(["4455"], variations=False)
    assert {len(line.variation) for line in short[0]} == {1}
    assert solver.analyze_many([]) == []
    limited = solver.analyze_many([HARD], Limit(nodes=100))[0]
    assert not limited.complete


def test_more_positions_than_fit_are_refused_and_an_endless_iterable_is_no_end(solver: Solver) -> None:
    with pytest.raises(ValueError, match="more than 1048576 positions"):
        solver.solve_many(repeat(EASY))


# Board sizes


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_all_157_board_sizes_take_the_memory_of_the_four_used_last() -> None:
    code = """
import os
from fourcast import Limit, Position, Solver

def resident_mb():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

sizes = [(w, h) for w in range(4, 26) for h in range(4, 32) if w * (h + 1) <= 128]
solver = Solver(book=None, table_mb=8)
most = 0
for number, (width, height) in enumerate(sizes):
    solver.solve(Position(width=width, height=height), Limit(nodes=30_000))
    if number == 8:
        before = resident_mb()
    most = max(most, resident_mb())
print(len(sizes), most - before)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, growth = run.stdout.split()
    assert int(count) == 157
    assert float(growth) < 60  # 1.2 GB if all were kept


# The end of the interpreter

AT_THE_END = """
import sys, threading, time
from fourcast import Columns, Limit, Position, Solver, perft, playouts
from fourcast._core import book_positions, look_ahead
HARD = Position(width=8, height=7)
solver = Solver(book=None, threads=2)
def slow(done, total):
    time.sleep(60)
def endless():
    while True:
        yield "44"
call = sys.argv[1]
work = lambda: eval(call)
threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
for thread in threads:
    thread.start()
time.sleep(0.3)
print("leaving", flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        "solver.solve(HARD)",
        "[solver.score(Position('4455')) for _ in range(10**9)]",
        "solver.analyze(HARD)",
        "solver.solve_many([HARD] * 10, threads=2)",
        "solver.solve_many([HARD] * 10, threads=2, progress=slow)",
        "solver.solve_many(endless())",
        "solver.start(HARD)",
        "perft(Position(), 40)",
        "playouts(Position(), 10**12, threads=2)",
        "look_ahead(Position(), 40)",
        "book_positions(20)",
        "time.sleep(60)",
    ],
)
def test_daemon_threads_inside_a_call_do_not_abort_the_process_at_its_end(call: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", AT_THE_END, call], capture_output=True, text=True, timeout=60
    )
    assert run.stdout == "leaving\n"
    assert run.returncode == 0, run.stderr
    assert "terminate" not in run.stderr
    assert "Fatal" not in run.stderr


def interrupted(code: str, *arguments: str) -> str:
    """The last line of a program that says "ready", gets a Ctrl-C soon after, and ends well."""
    command = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        os.kill(child.pid, signal.SIGINT)
        said = child.stdout.readline()
        assert child.wait(timeout=20) == 0
    return said


def test_ctrl_c_with_searches_in_the_background_ends_the_process_as_ever() -> None:
    code = """
import time
from fourcast import Position, Solver
solver = Solver(book=None)
searches = [solver.start(Position(width=8, height=7)) for _ in range(4)]
print("ready", flush=True)
try:
    searches[0].result()
except KeyboardInterrupt:
    print("interrupted", searches[0].done(), flush=True)
"""
    assert interrupted(code) == "interrupted False\n"


@pytest.mark.parametrize(
    "call", ["book_positions(16)", "solver.solve_many(endless())", "Columns(repeat(1))"]
)
def test_a_long_listing_answers_ctrl_c(call: str) -> None:
    code = """
import sys
from itertools import repeat
from fourcast import Columns, Solver
from fourcast._core import book_positions
solver = Solver(book=None)
def endless():
    number = 0
    while True:
        number += 1
        if number < 1_000_000:
            yield "44"
        for _ in range(1000):
            pass
print("ready", flush=True)
try:
    eval(compile(sys.argv[1], "", "eval"))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    assert interrupted(code, call) == "interrupted\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_ctrl_c_works_in_a_child_that_a_thread_has_forked() -> None:
    code = """
import os, signal, threading, time
from fourcast import Limit, Position, Solver
solver = Solver(book=None)

def fork():
    solver.solve(Position("44"), Limit(time_s=0.1))  # knows by now that it is not the main thread
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 30)  # ends it, if nothing else does
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            solver.solve(Position(width=9, height=7))  # takes hours
        except KeyboardInterrupt:
            search = solver.start(Position("4455"))
            os._exit(7 if search.result(20).score == 18 else 8)
        os._exit(9)
    statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

statuses = []
thread = threading.Thread(target=fork)
thread.start()
thread.join()
print(statuses)
"""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == "[7]\n"


def test_a_search_prints_what_has_become_of_it() -> None:
    search = Solver().start(Position("4455"))
    search.result(20)
    assert repr(search).startswith("<Search, done: Result(")
    assert "18" in repr(search)
