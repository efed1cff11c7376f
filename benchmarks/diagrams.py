"""How many positions have a level diagram that is found, by their number of discs.

python benchmarks/diagrams.py [--positions N] [--effort N] [--seed N]

The positions come from games of the shipped certificate of 7x6 against random play, with the certificate
to move and no four at once. Times are processor seconds of this process: other programs on the machine
disturb them less.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from fourcast import Position, Solver
from fourcast.certificate import answer, shipped
from fourcast.certificate.look import Goal
from fourcast.certificate.writer import Pair

DISCS = 10, 12, 14
GOAL = Goal(7, 6, 1, True, readable=True)


def games(seed: int) -> Iterator[Position]:
    """Yield the positions before the certificate's moves."""
    chance, certificates = random.Random(seed), [shipped("7x6")]
    while True:
        position = Position()
        while not position.is_over:
            if position.turn == 2:
                position = position.play(chance.choice(list(position.legal_columns)))
                continue
            if not GOAL.is_settled(position.bitboards):
                yield position
            found = answer(certificates, position)
            assert found is not None
            position = position.play(found.column)


def sample(count: int, seed: int) -> dict[int, list[Pair]]:
    """Return *count* different positions for each number of discs, up to mirror image."""
    found: dict[int, dict[Pair, None]] = {discs: {} for discs in DISCS}
    for position in games(seed):
        own = found.get(position.ply, {})
        if len(own) < count:
            own[GOAL.board.one_of_mirrors(*position.bitboards)] = None
        if all(len(each) == count for each in found.values()):
            break
    return {discs: list(own) for discs, own in found.items()}


def main() -> None:
    """Search for diagrams, and print how many were found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=20, metavar="N")
    parser.add_argument("--effort", type=int, default=1, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    solver = Solver(table_mb=64)
    for discs, places in sample(options.positions, options.seed).items():
        begin = time.process_time()
        found = [
            GOAL.diagram(place, GOAL.good_moves(place, solver), options.effort, solver)
            for place in places
        ]
        spent, count = (time.process_time() - begin) / len(places), len(places) - found.count(None)
        print(f"{discs:2} discs: {count:3} of {len(found)}, {spent:.2f} s each", flush=True)


if __name__ == "__main__":
    main()
