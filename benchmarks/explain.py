"""How many positions have a short reason, and what finding it costs.

python benchmarks/explain.py [--seed N] [--games N]

Players of levels 3 to 9 play against each other after up to three random stones; every position from 6
stones on is explained with one thread and the default book. The games of a seed are kept in
build/explain-SEED.txt, and only missing ones are played. Use a seed on which nothing was tuned: the
default is a new one each day. 40 games take some ten minutes, most of it before stone 12.

Times are processor seconds of `fourcast.explain`, which includes the check of every proof in Python, on
one solver for all positions.
"""

from __future__ import annotations

import argparse
import datetime
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourcast import Explanation, Position, Solver, explain, player
from fourcast.render.explain import clause_count

BUILD = Path(__file__).resolve().parent.parent / "build"
FIRST_PLY = 6
LEVELS = range(3, 10)


@dataclass(frozen=True)
class Case:
    """One position of a game, explained."""

    found: Explanation
    before: str | None
    """The outcome for the side to move now, before the last move; None for the first position."""
    time_s: float

    @property
    def ply(self) -> int:
        """Stones on the board."""
        return self.found.position.ply

    @property
    def at_once(self) -> bool:
        """Whether the position itself has a proof."""
        return bool(self.found.claims) and not self.found.line


def games(seed: int, count: int) -> list[str]:
    """Return the moves of the games of a seed, each of which depends on its number alone."""
    BUILD.mkdir(exist_ok=True)
    path = BUILD / f"explain-{seed}.txt"
    lines = path.read_text().split() if path.exists() else []
    with path.open("a") as file:
        for number in range(len(lines), count):
            lines.append(play(random.Random(f"{seed}/{number}")))
            print(lines[-1], file=file, flush=True)
    return lines[:count]


def play(chance: random.Random) -> str:
    levels = chance.sample(LEVELS, 2)
    players = [player(f"level-{level}", seed=chance.randrange(1 << 30)) for level in levels]
    position, moves = Position(), ""
    opening = chance.randrange(4)
    while not position.is_over:
        random_stone = position.ply < opening
        column = (
            chance.choice(position.legal_columns)
            if random_stone
            else players[position.ply % 2].choose(position)
        )
        position, moves = position.play(column), moves + str(column + 1)
    return moves


def explained(moves: Iterable[str]) -> list[Case]:
    solver = Solver()
    cases = []
    for game in moves:
        before = None
        for ply in range(FIRST_PLY, len(game)):
            start = time.process_time()
            found = explain(Position(game[:ply]), solver=solver)
            cases.append(Case(found, before, time.process_time() - start))
            before = found.verdict.outcome
    return cases


def share(cases: Sequence[Case], within: int = 0) -> str:
    """The share of cases with a proof after at most *within* plies of best play."""
    if not cases:
        return "   -        "
    good = sum(bool(case.found.claims) and len(case.found.line) <= within for case in cases)
    return f"{good / len(cases):5.2f} ({len(cases):4d})"


def print_table(cases: Sequence[Case]) -> None:
    by_ply: dict[int, list[Case]] = defaultdict(list)
    for case in cases:
        by_ply[case.ply & ~1].append(case)
    print("stones  won or lost    drawn, both     ms: median   90 %   99 %")
    for ply in range(FIRST_PLY, 32, 2):
        some = by_ply[ply]
        decided = [case for case in some if case.found.verdict.outcome != "draw"]
        drawn = [case for case in some if case.found.verdict.outcome == "draw"]
        times = milliseconds(some)
        print(f"{ply:3d}-{ply + 1:<3d} {share(decided)}  {share(drawn)}  {times}")
    for low, high in ((16, 19), (20, 23), (24, 27)):
        drawn = [c for c in cases if low <= c.ply <= high and c.found.verdict.outcome == "draw"]
        print(f"drawn, a proof for each side, {low}-{high} stones: {share(drawn)}")
    print(f"12 stones and more, ms: {milliseconds([case for case in cases if case.ply >= 12])}")
    for low, high in ((8, 11), (12, 15), (16, 23)):
        proven = [case for case in cases if low <= case.ply <= high and case.at_once]
        short = sum(_clauses(case.found) <= 2 for case in proven)
        if proven:
            print(
                f"proofs that read in at most 2 clauses, {low}-{high} stones: {short / len(proven):.2f}"
            )


def milliseconds(cases: Sequence[Case]) -> str:
    if len(cases) < 2:
        return ""
    cuts = statistics.quantiles((1000 * case.time_s for case in cases), n=100)
    return f"{cuts[49]:10.1f} {cuts[89]:6.0f} {cuts[98]:6.0f}"


def print_mistakes(cases: Sequence[Case]) -> None:
    """Positions after a move that changed the outcome, seen from the side to move, which gains."""
    worse = {"loss": 0, "draw": 1, "win": 2, None: 3}
    gained = [
        case
        for case in cases
        if case.before and worse[case.found.verdict.outcome] > 2 - worse[case.before]
    ]
    losing = [case for case in gained if case.found.verdict.outcome == "win"]
    drawing = [case for case in gained if case.found.verdict.outcome == "draw"]
    for name, some in (("losing mistakes", losing), ("win-to-draw mistakes", drawing)):
        row = "  ".join(f"{within} {share(some, within)}" for within in (0, 4, 8, 12, 16))
        print(f"{name}, a proof within plies of best play: {row}")


def _clauses(found: Explanation) -> int:
    return max(clause_count(claim, found.claims_position) for claim in found.claims)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=int(f"{datetime.date.today():%Y%m%d}"))
    parser.add_argument("--games", type=int, default=40)
    given = parser.parse_args()
    moves = games(given.seed, given.games)
    cases = explained(moves)
    claims = sum(len(case.found.claims) for case in cases)
    print(
        f"{len(moves)} games of seed {given.seed}, {len(cases)} positions, {claims} claims, all checked"
    )
    print_table(cases)
    print_mistakes(cases)


if __name__ == "__main__":
    main()
