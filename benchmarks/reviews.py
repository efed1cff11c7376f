"""Reviews of fresh games: how long they are, whether every sentence is true, and what accuracy says.

python benchmarks/reviews.py [--seed N] [--games N] [--accuracy]

The ten levels play each other, at most four levels apart. The seed is a new one every time, because
nothing may be tuned on what is measured with; the output names it. Every sentence of the stories and
lists is put to the predicates of the tests, which share no code with what makes them. `--accuracy` is
for that alone, and takes a tenth of the time.

Run it with `make bench-explain`, after the explanations.
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean, median

from fourcast.cli._support.progress import ProgressBar
from fourcast.render.review import mistake_texts, story_text
from fourcast.study.review import REASONS_S
from tests.study.level_games import LevelGame, Side, level_game, rank_correlation
from tests.study.story_predicates import story_failures, told_sentences

NAMES = ("Red", "Yellow")
MOST_WORDS = 150
TOO_GOOD = 96
"""Percent that a loser should not get."""


def show_texts(games: list[LevelGame]) -> None:
    stories = [len(story_text(each.report, NAMES).split()) for each in games]
    told = [text for each in games for text in mistake_texts(each.report, NAMES).values()]
    words = [len(text.split()) for text in told]
    sentences = sum(1 for each in games for _ in told_sentences(each.game, each.report))
    wrong = [text for each in games for text in story_failures(each.game, each.report)]
    print(f"words of a story: median {median(stories):g}, most {max(stories)} (goal: {MOST_WORDS})")
    print(f"mistakes of a game: mean {len(told) / len(games):.1f}, one sentence each")
    print(f"words of a mistake: median {median(words):g}, most {max(words)}")
    print(f"sentences that are not true: {len(wrong)} of {sentences}")
    for text in wrong:
        print(f"  {text}")


def show_accuracy(sides: list[Side]) -> None:
    means = [
        fmean([side.accuracy for side in sides if side.level == level] or [0]) for level in range(1, 11)
    ]
    missed = [side.accuracy for side in sides if side.missed_block]
    others = [side.accuracy for side in sides if not side.missed_block]
    losers = [side for side in sides if side.has_lost]
    high = [side for side in losers if side.accuracy >= TOO_GOOD]
    rank = rank_correlation([side.level for side in sides], [side.accuracy for side in sides])
    print(f"accuracy of levels 1 to 10: {' '.join(f'{mean:.0f}' for mean in means)}")
    print(f"rank correlation of level and accuracy: {rank:.2f}")
    print(f"missed a block: mean {fmean(missed):.0f}, most {max(missed):.0f}; else {fmean(others):.0f}")
    innocent = sum(not side.errors for side in high)
    print(f"losers with {TOO_GOOD} % and more: {len(high)} of {len(losers)},", end=" ")
    print(f"{innocent} of them without a move that changed the result")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--accuracy", action="store_true")
    given = parser.parse_args()
    reasons_s = None if given.accuracy else REASONS_S
    chance = random.Random(given.seed)
    games = []
    with ProgressBar("games", total=given.games, transient=True) as bar:
        for number in range(given.games):
            games.append(level_game(chance, reasons_s=reasons_s))
            bar.show(number + 1, given.games)
    print(f"{given.games} games of the ten levels, seed {given.seed}")
    if not given.accuracy:
        show_texts(games)
    show_accuracy([side for each in games for side in each.sides()])


if __name__ == "__main__":
    main()
