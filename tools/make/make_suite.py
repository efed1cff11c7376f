"""Makes the suite of positions of `fourcast evaluate`.

    python tools/make/make_suite.py FILE [SEED]

The positions are balanced by the number of discs, the outcome, and how many columns are best. Each has
the exact score of every column. The same seed makes the same file.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from fourcast import Position, Solver
from fourcast.data import FULL, sample

POSITIONS = 2000
POOL = 5000
PLIES_A_GROUP = 4


def pool(seed: int) -> dict[str, list[int]]:
    """Return the scores of the columns of many different positions, by their moves."""
    plies = range(41)
    drawn = [
        sample(POOL, seed, plies=plies, unique=True),
        sample(POOL, seed, plies=plies, by="players", players=("winning", "winning"), unique=True),
    ]
    texts = [str(moves) for each in drawn if each.moves is not None for moves in each.moves]
    solver = Solver(table_mb=64)
    by_key = {Position(moves).canonical_key: moves for moves in texts}
    # Positions with few discs come last: what is known of later ones helps.
    moves = sorted(by_key.values(), key=len, reverse=True)
    scores: dict[str, list[int]] = {}
    for start in range(0, len(moves), 250):
        part = moves[start : start + 250]
        labels = solver.column_scores(part)
        assert (labels > -100).any(axis=1).all()
        scores.update(zip(part, labels.tolist(), strict=True))
        print(f"{len(scores)} of {len(moves)}, {len(part[-1])} discs", file=sys.stderr, flush=True)
    return scores


def kind(moves: str, scores: list[int]) -> tuple[int, int, int] | None:
    """Return what a position is counted as; None if all moves are as good."""
    known = np.array([score for score in scores if score != FULL])
    best = int(known.max())
    if (known == best).all():
        return None
    return len(moves) // PLIES_A_GROUP, int(np.sign(best)), min(int((known == best).sum()), 3)


def main(path: str, seed: str = "20261116") -> None:
    kinds: dict[tuple[int, int, int], list[str]] = defaultdict(list)
    scores = pool(int(seed))
    for moves in sorted(scores):
        if found := kind(moves, scores[moves]):
            kinds[found].append(moves)
    chance = random.Random(int(seed))
    for members in kinds.values():
        chance.shuffle(members)
    chosen: list[str] = []
    while len(chosen) < POSITIONS:  # one of each kind in turn
        for name in sorted(kinds):
            if kinds[name] and len(chosen) < POSITIONS:
                chosen.append(kinds[name].pop())
    lines = []
    for moves in sorted(chosen, key=lambda moves: (len(moves), moves)):
        words = ("." if score == FULL else str(score) for score in scores[moves])
        lines.append(f"{moves or '-'} {' '.join(words)}\n")
    Path(path).write_text("".join(lines), "ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
