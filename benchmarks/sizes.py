"""The empty boards of other sizes: value, nodes and time, beside the published value.

python benchmarks/sizes.py [--full] [--size 8x6 ...] [--page FILE]
python benchmarks/sizes.py --subtrees DISCS [--seed N] --size 8x6 ...

Each board is solved once, on one thread, without a book, with an empty table of 256 MB (64 MB where
there are fewer than 42 squares), as in the slow tests. Times are processor
seconds. `--full` takes all sizes that are done within some minutes each; `--page` writes the table into
a page, too. `--subtrees` solves random positions with that many discs instead, after which nobody can
win at once: how their mean grows from size to size says what a board would take that takes too long.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from solver import ROOT, machine, quiet_opening

from fourcast import Position, Result, Solver, __version__

PUBLISHED = ROOT / "tests" / "fixtures" / "sizes.txt"
SMALL = ("5x5", "6x5", "5x6", "7x4", "8x4", "6x6", "7x5", "7x6", "6x7")
# Those of the slow tests, too (tests/core/test_sizes.py).
FULL = tuple(
    f"{width}x{height}"
    for width, tallest in ((4, 12), (5, 10), (6, 9), (7, 7), (8, 6), (9, 5), (10, 4))
    for height in range(4, tallest + 1)
)
SUBTREES = 40
"""How many positions `--subtrees` solves."""


@dataclass(frozen=True)
class Solved:
    """An empty board, its published value, and what solving it took."""

    size: str
    published: int
    result: Result
    time_s: float

    def row(self) -> str:
        """Return the row of the table."""
        score, ply = self.result.score, self.result.final_ply
        value = "draw" if score == 0 else f"{'first' if (score or 0) > 0 else 'second'}, disc {ply}"
        wrong = "" if score == self.published else " (published otherwise!)"
        node_ns = self.time_s / self.result.nodes * 1e9
        effort = f"{self.result.nodes:,} | {self.time_s:,.1f} s | {node_ns:.0f} ns"
        return f"| {self.size} | {value}{wrong} | {effort} |"


def published_values() -> dict[str, int]:
    lines = PUBLISHED.read_text("utf-8").splitlines()
    return {size: int(score) for size, score in (line.split() for line in lines)}


def solve(size: str, published: int) -> Solved:
    width, height = map(int, size.split("x"))
    solver = Solver(book=None, table_mb=256 if width * height >= 42 else 64)
    start_s = time.process_time()
    result = solver.solve(Position(width=width, height=height), best_columns=False)
    return Solved(size, published, result, time.process_time() - start_s)


def show_subtrees(sizes: Sequence[str], discs: int, seed: int) -> None:
    """Print the mean nodes and time of random positions with this many discs."""
    print("| board | positions | nodes each | most | time each | a node |\n| - | - | - | - | - | - |")
    for size in sizes:
        width, height = map(int, size.split("x"))
        chance, solver = random.Random(seed), Solver(book=None, table_mb=64)
        nodes: list[int] = []
        time_s = 0.0
        for _ in range(SUBTREES):
            moves = quiet_opening(width, height, discs, chance)
            solver.clear()
            start_s = time.process_time()
            position = Position(moves, width=width, height=height)
            nodes.append(solver.solve(position, best_columns=False).nodes)
            time_s += time.process_time() - start_s
        print(
            f"| {size} | {len(nodes)} | {sum(nodes) // len(nodes):,} | {max(nodes):,} "
            f"| {time_s / len(nodes):.3f} s | {time_s / sum(nodes) * 1e9:.0f} ns |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true", help="all sizes that take minutes at the most")
    parser.add_argument("--size", action="append", metavar="WxH", help="this one (may be repeated)")
    parser.add_argument("--subtrees", type=int, metavar="DISCS", help="positions with that many discs")
    parser.add_argument("--seed", type=int, default=1, help="of these positions")
    parser.add_argument("--page", type=Path, help="write the table into this page, too")
    arguments = parser.parse_args()
    published = published_values()
    sizes = arguments.size or (FULL if arguments.full else SMALL)
    unknown = [size for size in sizes if size not in published]
    if unknown:
        parser.error(f"there is no published value of {', '.join(unknown)}")
    print(f"Empty boards: fourcast {__version__}, {machine()}")
    print(f"  repeat with: python benchmarks/sizes.py {' '.join(sys.argv[1:])}\n")
    if arguments.subtrees:
        show_subtrees(sizes, arguments.subtrees, arguments.seed)
        return
    rows = ["| board | won by | nodes | time | a node |", "| - | - | - | - | - |"]
    print("\n".join(rows), flush=True)
    for size in sizes:
        rows.append(solve(size, published[size]).row())
        print(rows[-1], flush=True)
    if arguments.page:
        before, start, rest = arguments.page.read_text("utf-8").partition("<!-- sizes -->\n")
        end = "<!-- end of sizes -->"
        after = rest.partition(end)[2]
        table = "\n".join(rows)
        arguments.page.write_text(f"{before}{start}{table}\n{end}{after}", "utf-8")


if __name__ == "__main__":
    main()
