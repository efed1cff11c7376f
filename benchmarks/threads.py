"""How many more nodes several threads take for one position than one thread does.

python benchmarks/threads.py [--full] [--seed N] [--threads 8 --threads 32]

Threads that search one position get in each other's way: they prove what another one is proving, or what
nobody will need. With more threads than processors hardly two of them run at the same time, and the
nodes are fewer than they would be: native/tools/count_thread_nodes.cpp counts them as if each thread had
a processor of its own. The positions are drawn from the hard ones of the tests, each solved from an
empty table without a book, and the empty board of 7x5. `--full` takes more of them.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from solver import machine

from fourcast import Position, Solver, __version__
from fourcast.cli._support.progress import ProgressBar

HARD = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "begin-hard.txt"
GOAL = 0.40  # nodes more than one thread


def nodes_of(positions: list[Position], threads: int, progress: ProgressBar) -> int:
    total = 0
    for number, position in enumerate(positions):
        solver = Solver(book=None, threads=threads)
        total += solver.solve(position, best_columns=False).nodes
        progress.show(number + 1, len(positions))
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true", help="30 positions in place of 6")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of positions")
    parser.add_argument("--threads", type=int, action="append", help="by default 2, 8 and 32")
    arguments = parser.parse_args()
    lines = HARD.read_text("utf-8").splitlines()
    chosen = random.Random(arguments.seed).sample(lines, 30 if arguments.full else 6)
    hard = [Position(line.split()[0]) for line in chosen]
    print(f"Nodes for one position on several threads: fourcast {__version__}")
    print(f"  {machine()}")
    print(f"  repeat with: python benchmarks/threads.py {' '.join(sys.argv[1:])}")
    for name, positions in (
        (f"{len(hard)} hard positions of 7x6", hard),
        ("the empty board of 7x5", [Position(width=7, height=5)]),
    ):
        with ProgressBar("solving", transient=True) as progress:
            one = nodes_of(positions, 1, progress)
            print(f"\n  {name}\n  {1:>3} thread  {one:>14,} nodes", flush=True)
            for threads in arguments.threads or [2, 8, 32]:
                nodes = nodes_of(positions, threads, progress)
                print(
                    f"  {threads:>3} threads {nodes:>14,} nodes, {nodes / one - 1:+.0%} "
                    f"(goal: less than {GOAL:+.0%})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
