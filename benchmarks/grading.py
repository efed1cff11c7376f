"""How often players of known strength fail to be graded well: `fourcast grade`, again and again.

python benchmarks/grading.py [--full] [--seed N]

Each player is graded with many seeds, which nobody has chosen its games by: ten games against level-4,
eight of them to be won. The share of games that it wins is its strength. The rate at which it should
fail is what `fourcast grade` says for that share, as if games were independent; the rate that is seen
may differ, because the two games of an opening are alike. `--full` takes 400 grades of each.
"""

from __future__ import annotations

import argparse
import math

from fourcast.arena.grading import false_failures, grade
from fourcast.cli._support.progress import ProgressBar

PLAYERS = ("level-5", "streaks", "winsets", "level-6", "level-7")
AGAINST, GAMES, WINS = "level-4", 10, 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="more grades of each player")
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds")
    given = parser.parse_args()
    grades = 400 if given.full else 40
    print(f"{GAMES} games against {AGAINST}, {WINS} to be won; {grades} grades of each player")
    print("player             games won  fails: expected  seen (95% interval)")
    for name in PLAYERS:
        won = failed = 0
        with ProgressBar(name, total=grades, transient=True) as bar:
            for i in range(grades):
                found = grade(name, against=AGAINST, games=GAMES, wins=WINS, seed=given.seed + i)
                won += found.wins
                failed += not found.has_passed
                bar.show(i + 1, grades)
        share = won / (grades * GAMES)
        expected = false_failures(GAMES, WINS, share)
        low, high = interval(failed, grades)
        print(
            f"{name:18} {share:9.1%}  {expected:15.1%}  {failed / grades:.1%} ({low:.1%} to {high:.1%})",
            flush=True,
        )


def interval(count: int, of: int) -> tuple[float, float]:
    """The 95% interval of a share, by Wilson."""
    z = 1.96
    share, spread = count / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, middle - half), middle + half


if __name__ == "__main__":
    main()
