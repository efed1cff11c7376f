"""Labels in bulk: seven exact scores for each position, on one thread and on two, beside bitbully's.

python benchmarks/data.py [--full] [--seed N]

Late positions (20 discs or more) in one call of `Solver.column_scores`, on one thread and on two,
each from an empty table, the best of some; the machine should have nothing else to do. bitbully labels
the first of them on one thread, and must agree. Then positions of all stages, each number of discs
equally likely, with our book and bitbully's. `--full` takes more rounds and more positions.

And what a row of `fourcast dataset` costs beside its labels: drawing it and writing it.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from analysis import NOT_PLAYABLE, THREADS_GOAL, Peer, make_peer
from numpy.typing import NDArray
from solver import machine

from fourcast import Solver, __version__
from fourcast.cli._support.progress import ProgressBar
from fourcast.data import FULL, Plan, positions_from_planes, sample
from fourcast.data.drawing import BLOCK, Seen, draw_block
from fourcast.data.tables import LabeledRows, to_table, write_parquet

LATE = 100_000
PEER_LATE, PEER_ALL = 5000, 500


def label(boards: NDArray[np.uint64], threads: int) -> tuple[float, float, NDArray[np.int8]]:
    """Return the wall time, the processor time and the labels, from an empty table."""
    solver = Solver()
    solver.column_scores(boards[:1])  # allocates the table
    start, processor = time.perf_counter(), time.process_time()
    scores = solver.column_scores(boards, threads=threads)
    return time.perf_counter() - start, time.process_time() - processor, scores


def label_by_peer(peer: Peer, boards: NDArray[np.uint64], scores: NDArray[np.int8]) -> float:
    """Return bitbully's processor time for the same labels, which must be the same."""
    given = []
    for position in positions_from_planes(boards, None):
        board = peer.new_board()
        assert board.setBoard(position.to_grid(order="columns", top_first=False))
        given.append(board)
    peer.solver.resetTranspositionTable()
    start = time.process_time()
    found = [peer.solver.scoreMoves(board) for board in given]
    elapsed_s = time.process_time() - start
    theirs = np.array(found)
    assert (np.where(theirs == NOT_PLAYABLE, FULL, theirs) == scores).all(), "they differ"
    return elapsed_s


def show(name: str, rate: float, more: str = "") -> None:
    print(f"  {name:<44}{rate:>12,.0f} positions/s  {more}".rstrip(), flush=True)


def measure_late(count: int, seed: int, rounds: int, peer: Peer | None) -> None:
    boards = sample(count, seed, plies=range(20, 42), unique=True).bitboards
    print(
        f"\n{count:,} positions with 20 to 41 discs, seven scores each, the best of {rounds} (wall time)"
    )
    best = {1: float("inf"), 2: float("inf")}
    processor_s = dict(best)
    scores = None
    with ProgressBar("labeling", transient=True) as progress:
        for number in range(rounds):
            for threads in best:
                wall_s, used_s, found = label(boards, threads)
                assert scores is None or (found == scores).all(), "threads change the labels"
                scores = found
                best[threads] = min(best[threads], wall_s)
                processor_s[threads] = min(processor_s[threads], used_s)
            progress.show(number + 1, rounds)
    show("fourcast, 1 thread", count / best[1])
    show("fourcast, 2 threads", count / best[2], f"{best[1] / best[2]:.2f} times (goal {THREADS_GOAL})")
    show("fourcast, for each processor second", count / processor_s[1])
    # With a lock, or a table that they fight for, two threads would take more of it than one.
    show(
        "... on 2 threads",
        count / processor_s[2],
        f"{processor_s[2] / processor_s[1]:.2f} times the processor time",
    )
    assert scores is not None
    show_peer(peer, boards[:PEER_LATE], scores[:PEER_LATE], count / processor_s[1])


def measure_all(count: int, seed: int, peer: Peer | None) -> None:
    boards = sample(count, seed, unique=True).bitboards
    print(f"\n{count:,} positions with 0 to 41 discs, seven scores each")
    wall_s, processor_s, scores = label(boards, 2)
    show("fourcast, 2 threads", count / wall_s)
    show("fourcast, for each processor second", count / processor_s)
    show_peer(peer, boards[:PEER_ALL], scores[:PEER_ALL], count / processor_s)


def show_peer(
    peer: Peer | None, boards: NDArray[np.uint64], scores: NDArray[np.int8], ours: float
) -> None:
    if peer is None:
        print("  bitbully is not installed: pip install bitbully to compare")
        return
    theirs = len(boards) / label_by_peer(peer, boards, scores)
    name = f"bitbully, the same for the first {len(boards):,}"
    show(name, theirs, f"fourcast: {ours / theirs:.1f} times")


def measure_rows(blocks: int, seed: int) -> None:
    """Draw blocks as `fourcast dataset` does, and write them with labels that cost nothing."""
    count = blocks * BLOCK
    print(f"\n{count:,} rows of fourcast dataset beside their labels, for each processor second")
    chance = np.random.default_rng(seed)
    for plies in ((20, 41), (0, 41)):
        plan = Plan(rows=count, seed=seed, plies=plies)
        name = f"{plies[0]} to {plies[1]} discs"
        start = time.process_time()
        drawn = [draw_block(plan, number, BLOCK) for number in range(blocks)]
        show(f"{name}, drawn", count / (time.process_time() - start))
        seen = Seen()
        start = time.process_time()
        for number in range(blocks):
            draw_block(plan, number, BLOCK, seen)
        show(f"{name}, drawn, no two alike", count / (time.process_time() - start))
        scores = chance.integers(-10, 10, (blocks, BLOCK, 7), np.int8)
        labeled = [
            LabeledRows(rows, labels.max(axis=1), labels)
            for rows, labels in zip(drawn, scores, strict=True)
        ]
        write_parquet(to_table(plan, labeled[:1]))  # imports what it needs
        start = time.process_time()
        write_parquet(to_table(plan, labeled))
        show(f"{name}, written", count / (time.process_time() - start))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--full", action="store_true", help="more positions")
    parser.add_argument("--seed", type=int, default=1, help="of the positions")
    arguments = parser.parse_args()
    peer = make_peer()
    print(f"Labels in bulk on 7x6: fourcast {__version__}")
    print(f"  {machine()}")
    print(f"  repeat with: python benchmarks/data.py {' '.join(sys.argv[1:])}")
    full = arguments.full
    measure_late(LATE, arguments.seed, 7 if full else 3, peer)
    measure_all(100_000 if full else 2_000, arguments.seed, peer)
    measure_rows(100 if full else 20, arguments.seed)


if __name__ == "__main__":
    main()
