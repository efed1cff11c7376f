"""The value of every column, at all stages of the game, side by side with bitbully; both with books.

python benchmarks/analysis.py [--full] [--seed N]

The positions come from random play: one with no disc, one with one disc, ... one with 41, and again;
a random game that ends before it has that number of discs is replaced by another one. Both
programs say what each open column is worth, and must agree. One thread, each program in its turn for
each position, our book (the one in use, see `fourcast book info`) against bitbully's default book of 12
plies. Both tables are emptied before each position; that is not timed. Times are processor seconds of
this process: other programs on the machine disturb them less.

The same again with the line of best play after each column, which is what `Solver.analyze` gives by
default, and with all positions in one call on one thread and on two, turn and turn about, the best of
some.

Then whole games of the player `perfect` from the empty board, and what the book itself costs.
`--full` takes 1,000 positions in place of 126, and more games.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from solver import machine, percentile, seconds

from fourcast import Analysis, Book, Player, Position, Solver, __version__, player
from fourcast._core import book_positions
from fourcast.book import default_book
from fourcast.cli._support.progress import ProgressBar

CELLS = 42
STAGES = ((0, 7), (8, 11), (12, 15), (16, 23), (24, 41))
GOALS = {"p50": 0.001, "p99": 0.050, "slowest": 0.500}
MEAN_GOAL = 5  # times as fast as bitbully
LINE_GOALS = {"p50": 0.001, "p99": 0.060, "mean": 0.003}
THREADS_GOAL = 1.8  # times as fast on two threads, on a machine with nothing else to do
MOVE_GOAL_S = 0.5
NOT_PLAYABLE = -1000  # bitbully's score of a full column

Scores = list[int | None]


def random_positions(count: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    return [random_position(number % CELLS, chance) for number in range(count)]


def random_position(ply: int, chance: random.Random) -> Position:
    while True:
        position = Position()
        while position.ply < ply and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        if not position.is_over:
            return position


NEARLY_OVER = random_position(CELLS - 1, random.Random(1))


class Ours:
    """fourcast."""

    name = "ours"

    def __init__(self, *, variations: bool = False) -> None:
        self._solver = Solver()
        self._variations = variations

    def time(self, position: Position) -> tuple[float, Scores]:
        """Return how long it takes from an empty table, and what each column is worth."""
        self._solver.clear()
        self._solver.score(NEARLY_OVER)  # in no book: allocates the table
        start = time.process_time()
        analysis = self._solver.analyze(position, variations=self._variations)
        elapsed_s = time.process_time() - start
        scores: Scores = [None] * position.width
        for line in analysis:
            scores[line.column] = line.score
        return elapsed_s, scores


class Peer:
    """bitbully with its default book."""

    name = "bitbully"

    def __init__(self) -> None:
        from bitbully import bitbully_core
        from bitbully_databases import BitBullyDatabases

        self.new_board = bitbully_core.BoardCore
        path = BitBullyDatabases.get_database_path("default")
        start = time.perf_counter()
        self.solver = bitbully_core.BitBullyCore(path)
        self.construction_s = time.perf_counter() - start
        assert self.solver.isBookLoaded()

    def time(self, position: Position) -> tuple[float, Scores]:
        """Return how long it takes from an empty table, and what each column is worth."""
        board = self.new_board()
        assert board.setBoard(position.to_grid(order="columns", top_first=False))
        self.solver.resetTranspositionTable()
        start = time.process_time()
        found = self.solver.scoreMoves(board)
        elapsed_s = time.process_time() - start
        return elapsed_s, [None if score == NOT_PLAYABLE else score for score in found]


def make_peer() -> Peer | None:
    try:
        return Peer()
    except ImportError:
        return None


def measure_analysis(positions: Sequence[Position], peer: Peer | None) -> None:
    ours, with_lines = Ours(), Ours(variations=True)
    times: dict[str, list[float]] = {"ours": [], "lines": [], "bitbully": []}
    with ProgressBar("analyzing", transient=True) as progress:
        for number, position in enumerate(positions):
            our_s, scores = ours.time(position)
            lines_s, same_scores = with_lines.time(position)
            assert same_scores == scores, f"lines change the scores: {position!r}"
            times["ours"].append(our_s)
            times["lines"].append(lines_s)
            if peer:
                their_s, their_scores = peer.time(position)
                assert their_scores == scores, f"they differ: {position!r} {scores} {their_scores}"
                times["bitbully"].append(their_s)
            progress.show(number + 1, len(positions))

    print(f"\n  {'':<22}{'ours':>12}{'bitbully':>12}{'ratio':>8}  goal")
    for name, measure in MEASURES.items():
        goal = f"ratio {MEAN_GOAL}" if name == "mean" else seconds(GOALS[name])
        show_row(name, times, measure, goal)
    print()
    show_stages(positions, times)
    slowest = max(range(len(positions)), key=times["ours"].__getitem__)
    print(f"\n  our slowest has {positions[slowest].ply} discs: {positions[slowest]!r}")

    print("\n  with the line of best play after each column, too")
    lines = {"ours": times["lines"]}
    for name, measure in MEASURES.items():
        show_row(name, lines, measure, seconds(LINE_GOALS[name]) if name in LINE_GOALS else "")
    print()
    show_stages(positions, lines)


def show_stages(positions: Sequence[Position], times: dict[str, list[float]]) -> None:
    for first, last in STAGES:
        chosen = [i for i, position in enumerate(positions) if first <= position.ply <= last]
        part = {name: [values[i] for i in chosen] for name, values in times.items() if values}
        show_row(f"mean, {first} to {last} discs", part, statistics.fmean, "")


def measure_threads(positions: Sequence[Position], rounds: int) -> None:
    """Analyze all positions in one call, lines included, on one thread and on two."""
    print("\n  all of them in one call of analyze_many, lines included, from an empty table")
    best: dict[int, tuple[float, float]] = {}
    expected: list[Analysis] | None = None
    with ProgressBar("analyzing", transient=True) as progress:
        for number in range(rounds):
            for threads in (1, 2):
                solver = Solver()
                solver.score(NEARLY_OVER)
                processor_s, start = time.process_time(), time.perf_counter()
                found = solver.analyze_many(positions, threads=threads)
                wall_s = time.perf_counter() - start
                processor_s = time.process_time() - processor_s
                expected = expected or found
                assert found == expected, "threads change the answers"
                best[threads] = min(best.get(threads, (wall_s, processor_s)), (wall_s, processor_s))
            progress.show(number + 1, rounds)
    for threads, (wall_s, processor_s) in best.items():
        name = f"{threads} thread{'s' * (threads > 1)}"
        print(f"  {name:<22}{seconds(wall_s):>12} wall, {seconds(processor_s)} processor time")
    print(f"  {'ratio of wall times':<22}{best[1][0] / best[2][0]:>12.2f}  goal {THREADS_GOAL}")


MEASURES: dict[str, Callable[[Sequence[float]], float]] = {
    "p50": lambda values: percentile(values, 0.50),
    "p99": lambda values: percentile(values, 0.99),
    "slowest": max,
    "mean": statistics.fmean,
}


def show_row(
    name: str, times: dict[str, list[float]], measure: Callable[[Sequence[float]], float], goal: str
) -> None:
    our_s = measure(times["ours"])
    their_s = measure(times["bitbully"]) if times.get("bitbully") else None
    theirs = "-" if their_s is None else seconds(their_s)
    ratio = "-" if their_s is None else f"{their_s / our_s:.{1 if their_s > our_s else 4}f}"
    print(f"  {name:<22}{seconds(our_s):>12}{theirs:>12}{ratio:>8}  {goal}".rstrip(), flush=True)


def measure_games(games: int, seed: int) -> None:
    """Let `perfect` play from the empty board, against itself and against random moves."""
    print(f"\nThe player perfect from the empty board (wall time of a move, goal {MOVE_GOAL_S} s)")
    for opponent in ("perfect", "random"):
        times = []
        for number in range(games):
            first = number % 2 == 0
            one = player("perfect", seed=seed + number)
            other = player(opponent, seed=seed + games + number)
            times += time_game(*((one, other) if first else (other, one)), timed=(one, other))
        slowest_s, ply = max(times)
        print(
            f"  against {opponent + ',':<9} {games} games, {len(times)} moves: "
            f"mean {seconds(statistics.fmean(s for s, _ in times))}, "
            f"slowest {seconds(slowest_s)} (with {ply} discs)",
            flush=True,
        )


def time_game(first: Player, second: Player, *, timed: Sequence[Player]) -> list[tuple[float, int]]:
    """Return how long each move of the players called perfect took, and with how many discs."""
    position, times = Position(), []
    while not position.is_over:
        mover = (first, second)[position.turn - 1]
        start = time.perf_counter()
        column = mover.choose(position)
        if mover in timed and mover.name == "perfect":
            times.append((time.perf_counter() - start, position.ply))
        position = position.play(column)
    return times


def measure_book(book: Book, peer: Peer | None) -> None:
    print("\nThe book itself (wall time, the best of some)")
    code = (
        "import time; from fourcast import Solver; start = time.perf_counter(); Solver(); "
        "print(time.perf_counter() - start)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(7)
    ]
    print(f"  the first Solver() of a process: {seconds(min(runs))} (goal: under 10 ms)")
    if peer:
        print(f"  bitbully's with its book: {seconds(peer.construction_s)}")
    chance = random.Random(1)
    layer = book_positions(book.plies)
    positions = [chance.choice(layer) for _ in range(10_000)]
    score = book.score

    def look_up() -> float:
        start = time.perf_counter()
        for position in positions:
            score(position)
        return (time.perf_counter() - start) / len(positions)

    print(f"  a look-up, called from Python: {seconds(min(look_up() for _ in range(7)))} (goal: 1 us)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true", help="1,000 positions, and more games")
    parser.add_argument("--seed", type=int, default=1, help="of the positions and games")
    arguments = parser.parse_args()
    peer, book = make_peer(), default_book()
    positions = random_positions(1000 if arguments.full else 3 * CELLS, arguments.seed)
    print(f"Analysis of every column of 7x6: fourcast {__version__}")
    print(f"  {machine()}")
    print(f"  repeat with: python benchmarks/analysis.py {' '.join(sys.argv[1:])}")
    if not peer:
        print("\n  !!! bitbully is NOT INSTALLED: nothing to compare with. pip install bitbully !!!\n")
    if book:
        print(f"  our book: up to {book.plies} discs, {len(book):,} positions, {book.bytes:,} bytes")
    else:
        print("\n  !!! there is NO BOOK of 7x6: ours searches everything !!!\n")
    print(f"  {len(positions)} random positions, one thread, cold tables, processor time for each")
    measure_analysis(positions, peer)
    measure_threads(positions, 5)
    measure_games(10 if arguments.full else 2, arguments.seed)
    if book:
        measure_book(book, peer)


if __name__ == "__main__":
    main()
