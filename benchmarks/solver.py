"""The solver side by side with bitbully: exact scores of 7x6 positions, no book.

python benchmarks/solver.py [--full] [--rows NAME ...] [--seed N]
python benchmarks/solver.py --features [--page FILE] | --first [VERSION] [--empty]
python benchmarks/solver.py --sources FOLDER [--sources FOLDER ...]

Every row solves the same positions with both programs, turn and turn about, on one thread. "cold":
both tables are emptied before each position; the emptying is not timed. "warm": the tables are kept
from position to position of the row. The peer runs by the method of its that is quickest on a small
sample of the row. Times are processor seconds of this process (wall seconds for what has more than one
thread): other programs on the machine disturb them less.

`--full` adds the empty board and the comparison with the search of version 0.2.0, which `--first` makes
alone (or that of 0.1.0), with `--empty` also on empty boards of other sizes, which takes half an hour;
`--features` shows instead what each part of our search is worth. `--sources` builds a
solver that is on no registry in the folder of its sources, and compares the empty board alone.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from positions import random_moves

from fourcast import Position, Solver, __version__
from fourcast._core import feature_names, kernel_name
from fourcast.notation import format_moves

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "fixtures"
FEATURES = feature_names()


AT_ONCE = Position("445566")
"""Solved without a search, to have a solver make what it needs before the clock runs."""


@dataclass(frozen=True)
class Row:
    """Positions of one set, sampled such that the row takes seconds, and the goal for the ratio."""

    name: str
    goal: float
    warm: int  # how many positions
    cold: int  # the same; emptying the peer's table takes long
    pilot: int  # how many to find the peer's best method with
    repeat: int = 1  # of the warm ones, from empty tables each time
    block: int = 1  # of the warm ones, timed together: reading the clock takes as long as an easy one


ROWS = (
    Row("end-easy", 6, warm=1000, cold=100, pilot=100, repeat=5, block=50),
    Row("middle-easy", 4.6, warm=1000, cold=100, pilot=100, repeat=3, block=50),
    Row("middle-medium", 8.5, warm=400, cold=100, pilot=20),
    Row("begin-easy", 12, warm=400, cold=100, pilot=20),
    Row("begin-medium", 9, warm=60, cold=40, pilot=4),
    Row("begin-hard", 17, warm=12, cold=6, pilot=2),
)


def known(name: str) -> list[tuple[str, int]]:
    lines = (line.split() for line in (DATA / f"{name}.txt").read_text().splitlines())
    return [(moves, int(score)) for moves, score in lines]


def sample(name: str, count: int, seed: int) -> list[tuple[str, int]]:
    everything = known(name)
    return random.Random(seed).sample(everything, min(count, len(everything)))


# Both programs behind one face: boards are made beforehand, a call of `score` is what is timed.


class Ours:
    """fourcast."""

    def __init__(self) -> None:
        self.solver = Solver(book=False)
        self.score = self.solver.score

    def board(self, moves: str) -> Position:
        """Return a position."""
        return Position(moves)

    def forget(self) -> None:
        """Empty the table, and have it allocated before the clock runs."""
        self.solver.clear()
        self.solver.score(AT_ONCE)


class Peer:
    """bitbully, by one of its methods."""

    methods = ("mtdf", "nullWindow", "negamax")

    def __init__(self, method: str) -> None:
        from bitbully import bitbully_core

        self._core = bitbully_core
        self.method = method
        # Not in terms of self: in a cycle, its 100 MB would stay until somebody collects garbage.
        solver = self.solver = bitbully_core.BitBullyCore()
        self.score: Callable[[Any], int] = {
            "mtdf": lambda board: solver.mtdf(board, 0),
            "nullWindow": solver.nullWindow,
            "negamax": lambda board: solver.negamax(board, -42, 42, 0),
        }[method]

    def board(self, moves: str) -> Any:
        """Return a board."""
        board = self._core.BoardCore()
        for column in moves:
            assert board.play(int(column) - 1)
        return board

    def forget(self) -> None:
        """Empty the table."""
        self.solver.resetTranspositionTable()


def has_peer() -> bool:
    try:
        import bitbully.bitbully_core  # noqa: F401
    except ImportError:
        return False
    return True


class Clock:
    """Sums up the processor time of calls, and checks what they return."""

    def __init__(self, program: Ours | Peer, positions: Sequence[tuple[str, int]]) -> None:
        self.program = program
        self.boards = [program.board(moves) for moves, _ in positions]
        self.scores = [score for _, score in positions]
        self.total_s = 0.0

    def run(self, block: slice) -> None:
        """Solve some positions."""
        score, boards = self.program.score, self.boards[block]
        start = time.process_time()
        found = [score(board) for board in boards]
        self.total_s += time.process_time() - start
        assert found == self.scores[block], f"{type(self.program).__name__} is wrong: {found}"


def quickest_method(positions: Sequence[tuple[str, int]]) -> str:
    """Return the peer's best method for positions like these."""

    def total_s(method: str) -> float:
        clock = Clock(Peer(method), positions)
        clock.run(slice(None))
        return clock.total_s

    return min(Peer.methods, key=total_s)


def measure(row: Row, *, warm: bool, seed: int) -> None:
    positions = sample(row.name, row.warm if warm else row.cold, seed)
    repeat = row.repeat if warm else 1
    ours = Clock(Ours(), positions)
    peer = Peer(quickest_method(positions[: row.pilot])) if has_peer() else None
    clocks = [ours, *([Clock(peer, positions)] if peer else [])]
    if peer:
        peer.solver.resetNodeCounter()
    for _ in range(repeat):
        for clock in clocks:
            clock.program.forget()
        for start in range(0, len(positions), row.block if warm else 1):
            for clock in clocks:
                if not warm:
                    clock.program.forget()
                clock.run(slice(start, start + (row.block if warm else 1)))
    calls = repeat * len(positions)
    show_row(
        f"{row.name}, {'warm' if warm else 'cold'}",
        len(positions),
        ours.total_s / calls,
        clocks[1].total_s / calls if peer else None,
        count_our_nodes(positions, warm) / len(positions),
        peer.solver.getNodeCounter() / calls if peer else None,
        row.goal,
        peer.method if peer else "",
    )


def count_our_nodes(positions: Sequence[tuple[str, int]], warm: bool) -> int:
    """In a run of its own: `score`, which is timed, does not tell them."""
    ours = Ours()
    nodes = 0
    for moves, _ in positions:
        if not warm:
            ours.forget()
        nodes += ours.solver.solve(Position(moves), best_columns=False).nodes
    return nodes


def show_head() -> None:
    print(
        f"  {'positions':<22}{'n':>5}{'ours':>12}{'bitbully':>12}{'ratio':>8}{'goal':>7}"
        f"{'our nodes':>13}{'their nodes':>15}  method"
    )


def show_row(
    name: str,
    count: int,
    our_s: float,
    their_s: float | None,
    our_nodes: float,
    their_nodes: float | None,
    goal: float | None,
    method: str,
) -> None:
    theirs = "-" if their_s is None else seconds(their_s)
    ratio = "-" if their_s is None else f"{their_s / our_s:.1f}"
    goal_text = "" if goal is None else f"{goal:g}"
    nodes = "-" if their_nodes is None else f"{their_nodes:,.0f}"
    print(
        f"  {name:<22}{count:>5}{seconds(our_s):>12}{theirs:>12}{ratio:>8}{goal_text:>7}"
        f"{our_nodes:>13,.0f}{nodes:>15}  {method}",
        flush=True,
    )


def seconds(value: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.2f} {unit}"
    return f"{value * 1e9:.0f} ns"


# The other rows


def wall_time(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best_of(times: int, work: Callable[[], float]) -> float:
    return min(work() for _ in range(times))


def measure_construction() -> None:
    code = (
        "import time\n"
        "from fourcast import Position, Solver\n"
        "def made():\n"
        "    start = time.perf_counter(); Solver(book=False).score(Position('4455'))\n"
        "    return time.perf_counter() - start\n"
        "made(); best = min(made() for _ in range(20))\n"
        "rss = lambda: int(open('/proc/self/statm').read().split()[1]) * 4096 / 1e6\n"
        "before = rss()\n"
        "solver = Solver(book=False); solver.score(Position('444'))\n"
        "print(best * 1e3, rss(), rss() - before)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if run.returncode:
        print("  (no /proc: the memory is not measured)")
        return
    made_ms, rss_mb, growth_mb = map(float, run.stdout.split())
    print(f"  Solver() and its first answer: {made_ms:.2f} ms (goal: under 5)")
    print(
        f"  resident after a hard solve: {rss_mb:.0f} MB, {growth_mb:.0f} of them ours (goal: under 100)"
    )


def measure_solve_many() -> None:
    moves = [moves for moves, _ in known("end-easy")] * 5
    solver = Solver(book=False)

    def run(threads: int) -> float:
        solver.clear()
        solver.solve_many(moves, threads=threads)  # the memory is there, the table is warm
        return wall_time(lambda: solver.solve_many(positions, threads=threads))

    positions = [Position(text) for text in moves]
    one = best_of(5, lambda: run(1))
    two = best_of(5, lambda: run(2))
    each = seconds(one / len(positions))
    print(f"  solve_many of end-easy, 2 threads against 1: {one / two:.2f} (goal: 1.8)")
    print(f"    wall time, {each} each on 1 thread")


def measure_empty_board(peer_too: bool) -> None:
    print("\nThe empty board, exact (wall seconds)")

    def ours(threads: int) -> tuple[float, int]:
        solver = Solver(book=False, threads=threads)
        start = time.perf_counter()
        result = solver.solve(Position(), best_columns=False)
        assert result.score == 1
        return time.perf_counter() - start, result.nodes

    one_s, nodes = min(ours(1) for _ in range(2))
    two_s, _ = min(ours(2) for _ in range(3))
    print(f"  ours, 1 thread: {one_s:.2f} s, {nodes:,} nodes")
    print(f"  ours, 2 threads: {two_s:.2f} s, {one_s / two_s:.2f} times as fast (goal: 1.6)", flush=True)
    if not peer_too:
        return
    peer = Peer("mtdf")
    peer.solver.resetNodeCounter()
    their_s = wall_time(lambda: peer.score(peer.board("")))
    their_nodes = peer.solver.getNodeCounter()
    print(f"  bitbully (mtdf): {their_s:.0f} s, {their_nodes:,} nodes")
    print(f"  ours on 1 thread is {their_s / one_s:.0f} times as fast (goal: 130)")


# Solvers that come as sources


@dataclass(frozen=True)
class Sources:
    """How a solver is built in its folder and asked for the score of the empty board.

    Both as its own documentation says.
    """

    name: str
    build: Sequence[Sequence[str]]
    program: Sequence[str]
    question: str  # what it reads
    answer: str  # a pattern for what it prints, whose group is the score

    @staticmethod
    def find(folder: Path) -> tuple[Sources, Path]:
        """Recognize the sources in *folder*; also return the folder that they are built in."""
        if (folder / "CMakePresets.json").exists():
            # It solves the empty board of its settings.h, on as many threads as that says.
            preset = ["--preset", "optimise"]
            build = [["cmake", *preset], ["cmake", "--build", *preset]]
            return Sources("c4", build, ["out/optimise/c4"], "", r"score is (-?\d+)"), folder
        for inner in (folder / "native", folder):
            makefile = inner / "Makefile"
            if makefile.exists() and "c4solver" in makefile.read_text("utf-8"):
                # Pons' solver and those made from it: a line of moves, and the score after it.
                return Sources(
                    folder.name, [["make", "c4solver"]], ["./c4solver"], "\n", r"^ ?(-?\d+)"
                ), inner
        sys.exit(
            f"{folder} has neither a CMakePresets.json (c4) nor a Makefile with the target c4solver "
            "(Pons' solver, ecc521's)"
        )

    def solve(self, folder: Path) -> tuple[float, int]:
        """Return the processor seconds of all threads, and the score of the empty board."""
        for command in self.build:
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(
            self.program, cwd=folder, check=True, input=self.question, capture_output=True, text=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = re.search(self.answer, run.stdout, re.MULTILINE)
        if not found:
            sys.exit(f"{self.name} printed no score: {run.stdout[:200]!r}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(found[1])


def compare_with_sources(folders: Sequence[Path]) -> None:
    """Print the processor time of fourcast and of other solvers for the empty board."""
    print("\nThe empty board, exact (processor seconds of all threads, the best of three for fourcast)")

    def ours() -> float:
        solver = Solver(book=False)
        start = time.process_time()
        assert solver.score(Position()) == 1
        return time.process_time() - start

    for folder in folders:
        sources, where = Sources.find(folder.resolve())
        their_s, score = sources.solve(where)
        our_s = best_of(3, ours)
        print(
            f"  {sources.name}: {their_s:.1f} s; ours: {our_s:.2f} s, "
            f"{their_s / our_s:.1f} times as fast"
        )
        if score != 1:
            sys.exit(f"{sources.name} says that the score is {score}, not 1: is it made for 7x6?")


# The searches of earlier versions

EARLIER = {
    "0.1.0": "48a932a2ad8ac456609544146e96cc60d973ccd2",
    "0.2.0": "1c947eeb7e0b0b17c0530373766154a25cb360cd",
}
"""The last commit with each search."""

LINES = "lines of analyze"
"""The name of the rows about analyses with lines."""

WORKER = """
import sys, time
from fourcast import Position, Solver
for line in sys.stdin:
    width, height, table_mb, what, *texts = line.split()
    positions = [Position(text.strip("-"), width=int(width), height=int(height)) for text in texts]
    if what == "lines":
        solver = Solver()  # with its book
        for position in positions:
            solver.clear()
            solver.score(Position("445566"))
            start = time.process_time()
            analysis = solver.analyze(position)
            print(time.process_time() - start, *(line.score for line in analysis), flush=True)
        continue
    solver = Solver(book=False, table_mb=int(table_mb))
    # Solved without a search; the solver makes its tables.
    solver.score(Position("445566", width=int(width), height=int(height)))
    solver.clear()
    results = []
    start = time.process_time()
    if what == "count":
        results = [solver.solve(position, best_columns=False) for position in positions]
    else:
        scores = [solver.score(position) for position in positions]
    elapsed_s = time.process_time() - start
    if results:
        scores = [result.score for result in results]
    print(elapsed_s, sum(result.nodes for result in results), *scores, flush=True)
"""


class Version:
    """A version of fourcast in a process of its own: the one in *folder*, or this one."""

    def __init__(self, folder: Path | None) -> None:
        environment = os.environ | ({"PYTHONPATH": str(folder)} if folder else {})
        # Without the site packages, where this version is installed and would be found first.
        self._process = subprocess.Popen(
            [sys.executable, *(["-S"] if folder else []), "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
        )

    def solve(self, row: FirstRow, *, count: bool) -> tuple[float, int, list[int]]:
        """Return processor time, nodes and scores of the positions of *row*.

        Without *count* there are no nodes, and the time is that of the quickest call.
        """
        assert self._process.stdin
        assert self._process.stdout
        # A dash: the empty board has no moves to write.
        texts = (f"-{moves}" for moves in row.moves)
        task = (row.width, row.height, row.table_mb, "count" if count else "-")
        print(*task, *texts, file=self._process.stdin, flush=True)
        elapsed_s, nodes, *scores = self._process.stdout.readline().split()
        return float(elapsed_s), int(nodes), [int(score) for score in scores]

    def analyze(self, moves: Sequence[str]) -> tuple[list[float], list[str]]:
        """Return the processor time for each of these positions, with lines and book, and the scores."""
        assert self._process.stdin
        assert self._process.stdout
        print(7, 6, 8, "lines", *(f"-{text}" for text in moves), file=self._process.stdin, flush=True)
        answers = [self._process.stdout.readline().partition(" ") for _ in moves]
        return [float(elapsed_s) for elapsed_s, _, _ in answers], [scores for _, _, scores in answers]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@dataclass(frozen=True)
class FirstRow:
    """Positions for both versions, and the goal for the quotient of their times against 0.2.0."""

    name: str
    goal: float
    moves: Sequence[str]
    width: int = 7
    height: int = 6
    table_mb: int = 8
    repeat: int = 3


def first_rows(seed: int, empty: bool) -> list[FirstRow]:
    """Return the rows, of which those with few discs are drawn by *seed*, as the samples are."""
    chance = random.Random(seed)
    rows = [
        FirstRow(name, goal, [moves for moves, _ in sample(name, count, seed)])
        for name, goal, count in (
            ("end-easy", 1.2, 1000),
            ("middle-easy", 1.2, 1000),
            ("middle-medium", 1, 200),
            ("begin-easy", 1, 400),
            ("begin-medium", 1, 30),
            ("begin-hard", 1.45, 10),
        )
    ]
    for plies in (range(2, 6), range(6, 10)):
        moves = [quiet_opening(7, 6, ply, chance) for ply in plies for _ in range(5)]
        rows.append(FirstRow(f"{plies[0]} to {plies[-1]} discs", 1.6, moves, repeat=2))
    rows.append(FirstRow("the empty board", 1.7, [""], repeat=2))
    for width, height, ply in ((7, 7, 14), (8, 6, 14), (8, 7, 18), (9, 5, 12), (6, 7, 8)):
        moves = [quiet_opening(width, height, ply, chance) for _ in range(10)]
        rows.append(FirstRow(f"{width}x{height}, {ply} discs", 1.4, moves, width, height, 64))
    if empty:
        rows.append(FirstRow("6x7, empty", 1.4, [""], 6, 7, 64))
        for width, height in ((7, 7), (8, 6), (9, 5)):
            name = f"{width}x{height}, empty"
            rows.append(FirstRow(name, 1.4, [""], width, height, 1024, repeat=1))
    return rows


def quiet_opening(width: int, height: int, ply: int, chance: random.Random) -> str:
    """Return random moves after which nobody can win at once."""
    while True:
        position = Position(width=width, height=height)
        columns: list[int] = []
        while len(columns) < ply and not position.is_over and not position.winning_columns():
            columns.append(chance.choice(position.legal_columns))
            position = position.play(columns[-1])
        if len(columns) == ply and not position.is_over and not position.winning_columns():
            return format_moves(columns)


def install_earlier(version: str) -> Path:
    """Return the folder of *version*, which is built from the history of this repository once."""
    home = ROOT / "build" / f"fourcast-{version}"
    installed = home / "installed"
    if (installed / "fourcast").exists():
        return installed
    print(f"  building version {version} (some minutes the first time)", flush=True)
    source = home / "source"
    source.mkdir(parents=True, exist_ok=True)
    git = ["git", "-C", str(ROOT), "archive", "--format=tar", EARLIER[version]]
    archive = subprocess.run(git, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(source)], input=archive, check=True)
    install = [
        sys.executable,
        str(ROOT / "tools" / "setup" / "install.py"),
        "--no-build-isolation",
        "--no-deps",
    ]
    subprocess.run([*install, "--target", str(installed), str(source)], check=True)
    return installed


def compare_lines(versions: Sequence[Version], seed: int, goal: bool) -> None:
    """Print p50 and p99 of analyses with lines: random positions, as many of each number of discs."""
    chance = random.Random(seed)
    moves = [random_moves(chance, ply, ply) for ply in range(42) for _ in range(5)]
    best_s = [[float("inf")] * len(moves) for _ in versions]
    scores: list[list[str]] = [[], []]
    for _ in range(3):
        for i, version in enumerate(versions):
            elapsed_s, scores[i] = version.analyze(moves)
            best_s[i] = [min(pair) for pair in zip(best_s[i], elapsed_s, strict=True)]
    assert scores[0] == scores[1], "analyze"
    for part, most in ((0.50, "no more"), (0.99, "30 ms")):
        then_s, now_s = (percentile(times, part) for times in best_s)
        print(
            f"  {f'{LINES}, p{100 * part:.0f}':<22}{len(moves):>5}{seconds(then_s):>12}"
            f"{seconds(now_s):>12}{then_s / now_s:>8.2f}{most if goal else '-':>8}",
            flush=True,
        )


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that is not exceeded by this share of all."""
    return sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]


def compare_with_earlier(
    earlier: str, seed: int, names: Sequence[str] | None, *, empty: bool = False
) -> None:
    """Print nodes and time of both versions, in turns, the best time of each."""
    print(f"\nAgainst the search of version {earlier}: processor time (best of some runs) and nodes")
    try:
        versions = [Version(install_earlier(earlier)), Version(None)]
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"  not without the repository's history, and what builds it: {error}")
        return
    head = ("positions", "n", earlier, "now", "time", "goal", "nodes then", "nodes now", "nodes")
    print("  {:<22}{:>5}{:>12}{:>12}{:>8}{:>7}{:>15}{:>15}{:>8}".format(*head))
    for row in first_rows(seed, empty):
        goal = f"{row.goal:g}" if earlier == "0.2.0" else "-"
        if names and row.name not in names:
            continue
        best_s = [float("inf"), float("inf")]
        nodes = [0, 0]
        scores: list[list[int]] = [[], []]
        for turn in range(row.repeat):
            for i, version in enumerate(versions):
                elapsed_s, counted, scores[i] = version.solve(row, count=turn == 0)
                best_s[i] = min(best_s[i], elapsed_s)
                nodes[i] += counted
        assert scores[0] == scores[1], row.name
        print(
            f"  {row.name:<22}{len(row.moves):>5}{seconds(best_s[0]):>12}{seconds(best_s[1]):>12}"
            f"{best_s[0] / best_s[1]:>8.2f}{goal:>7}{nodes[0]:>15,}{nodes[1]:>15,}"
            f"{nodes[0] / nodes[1]:>8.2f}",
            flush=True,
        )
    if not names or LINES in names:
        compare_lines(versions, seed, earlier == "0.2.0")
    for version in versions:
        version.close()


# What each part of the search is worth


def measure_features(features: Sequence[str], seed: int, full: bool, page: Path | None) -> None:
    """Nodes and time with each of *features* off, as multiples of the whole search."""
    sets = [("begin-easy", 200), ("middle-medium", 200), ("begin-medium", 40)]
    sets += [("begin-hard", 10)] * full
    samples = {name: sample(name, count, seed) for name, count in sets}
    print("What each idea is worth: nodes (and processor time) without it, the whole search being 1.")
    print(
        "Cold tables, one thread. Without the table nothing is remembered, neither mirrored nor dead.\n"
    )
    lines: list[str] = []

    def show(*cells: str) -> None:
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)

    # All of them in turn, several times, the best time of each: so that a busy moment of the machine
    # does not count against one feature.
    nodes: dict[tuple[str | None, str], int] = {}
    best_s: dict[tuple[str | None, str], float] = {}
    for name, positions in samples.items():
        for _ in range(2 if name in ("begin-medium", "begin-hard") else 7):
            for feature in (None, *features):
                if feature == "table" and name == "begin-hard":
                    continue
                run = feature, name
                nodes[run], elapsed_s = run_features(positions, () if feature is None else (feature,))
                best_s[run] = min(elapsed_s, best_s.get(run, elapsed_s))

    def cell(feature: str | None, name: str) -> str:
        run, whole = (feature, name), (None, name)
        if run not in nodes:
            return "(too long)"
        if feature is None:
            count = len(samples[name])
            return f"{nodes[run] // count:,} nodes, {seconds(best_s[run] / count)}"
        return f"{nodes[run] / nodes[whole]:.2f} ({best_s[run] / best_s[whole]:.2f})"

    show("without", *samples)
    show(*["-"] * (1 + len(samples)))
    for feature in (None, *features):
        show(feature or "(nothing)", *(cell(feature, name) for name in samples))
    if page:
        before, start, rest = page.read_text("utf-8").partition("<!-- features -->\n")
        _, end, after = rest.partition("<!-- end of features -->\n")
        table = "".join(f"{line}\n" for line in lines)
        page.write_text(f"{before}{start}{table}{end}{after}", "utf-8")


def run_features(positions: Sequence[tuple[str, int]], without: Sequence[str]) -> tuple[int, float]:
    solver = Solver(book=False, without=without)
    nodes = 0
    elapsed_s = 0.0
    for moves, score in positions:
        solver.clear()
        solver.score(AT_ONCE)
        start = time.process_time()
        result = solver.solve(Position(moves), best_columns=False)
        elapsed_s += time.process_time() - start
        nodes += result.nodes
        assert result.score == score, moves
    return nodes, elapsed_s


def machine() -> str:
    processor = platform.processor() or platform.machine()
    try:
        info = Path("/proc/cpuinfo").read_text()
        processor = next(line for line in info.splitlines() if line.startswith("model name"))
        processor = processor.partition(": ")[2]
    except (OSError, StopIteration):
        pass
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{processor}, {os.cpu_count()} processors, {system}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true", help="add the empty board")
    parser.add_argument(
        "--features",
        nargs="*",
        choices=FEATURES,
        metavar="NAME",
        help="what each part of the search is worth, or these parts",
    )
    parser.add_argument("--page", type=Path, help="write the table of the features into this page, too")
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="only these sets")
    parser.add_argument(
        "--first",
        nargs="?",
        const="0.2.0",
        choices=EARLIER,
        metavar="VERSION",
        help="only compare with this version, 0.2.0 if none is given",
    )
    parser.add_argument("--empty", action="store_true", help="with --first: empty boards, too")
    parser.add_argument("--seed", type=int, default=1, help="of the samples")
    parser.add_argument(
        "--sources",
        type=Path,
        action="append",
        metavar="FOLDER",
        help="only compare with the solver in this folder: c4, Pons' or ecc521's (may be repeated)",
    )
    arguments = parser.parse_args()
    print(f"Solving 7x6: fourcast {__version__}, kernel {kernel_name()}")
    print(f"  {machine()}")
    print(f"  repeat with: python benchmarks/solver.py {' '.join(sys.argv[1:])}")
    if arguments.features is not None:
        print()
        measure_features(arguments.features or FEATURES, arguments.seed, arguments.full, arguments.page)
        return
    if arguments.sources:
        compare_with_sources(arguments.sources)
        return
    if arguments.first:
        compare_with_earlier(arguments.first, arguments.seed, arguments.rows, empty=arguments.empty)
        return
    if not has_peer():
        print("\n  !!! bitbully is NOT INSTALLED: nothing to compare with. pip install bitbully !!!\n")
    print("  one thread, no book, processor time for each position; ratio = bitbully's time / ours")
    show_head()
    rows = [row for row in ROWS if not arguments.rows or row.name in arguments.rows]
    for row in rows:
        measure(row, warm=False, seed=arguments.seed)
        measure(row, warm=True, seed=arguments.seed)
    if not arguments.rows:
        print()
        measure_construction()
        measure_solve_many()
    if arguments.full:
        measure_empty_board(has_peer())
        compare_with_earlier("0.2.0", arguments.seed, arguments.rows)


if __name__ == "__main__":
    main()
