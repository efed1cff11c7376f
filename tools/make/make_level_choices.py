"""Writes what the levels play in the opening: the file that `fourcast explore` shows.

A tournament of levels 1 to 10, each with each, is played for the first plies; then every level is asked
again and again what it plays in each position that several of the games passed through. The same seed
writes the same file. It takes some minutes:

    python tools/make/make_level_choices.py
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import product
from pathlib import Path

from fourcast._core import Position
from fourcast.players.level_player import LEVELS
from fourcast.puzzles.difficulty import Sight, TryingLevel
from fourcast.study import level_choices
from fourcast.study.level_choices import place_of

SEED = 17
GAMES = 30
"""Games of each of the 100 pairings."""
PLIES = 8
"""Positions with fewer discs are looked at."""
ASKED = 30
"""How often each level is asked in a position; one digit of base 36 holds the answer."""
FEWEST = 6
"""Games that a position has to occur in."""


def main() -> None:
    out = Path(level_choices.__file__).parent / "shipped" / "7x6.levels.json"
    sight = Sight()
    levels = [TryingLevel(strength, sight, SEED + n) for n, (_, strength) in enumerate(LEVELS)]
    seen: Counter[Position] = Counter()
    pairings = list(product(levels, repeat=2))
    for number, pairing in enumerate(pairings, start=1):
        for _ in range(GAMES):
            position = Position()
            while position.ply < PLIES and not position.is_over:
                position = upright(position)
                seen[position] += 1
                position = position.play(pairing[position.turn - 1].choose(position))
        print(f"pairing {number} of {len(pairings)}, {len(seen):,} positions", file=sys.stderr)
    positions = {}
    for position, games in sorted(seen.items(), key=lambda each: (each[0].ply, place_of(each[0]))):
        if games >= FEWEST:
            answers = [asked(level, position) for level in levels]
            positions[place_of(position)] = [games, "".join(answers)]
    facts = {"format": level_choices.FORMAT, "width": 7, "height": 6, "levels": len(levels)}
    facts |= {"asked": ASKED, "games": GAMES * len(pairings), "seed": SEED}
    lines = [
        f"{json.dumps(place)}:{json.dumps(row, separators=(',', ':'))}"
        for place, row in positions.items()
    ]
    head = json.dumps(facts, separators=(",", ":")).removesuffix("}")
    out.parent.mkdir(exist_ok=True)
    out.write_text(f'{head},"positions":{{\n' + ",\n".join(lines) + "\n}}\n", "ascii")
    print(f"{out.name}: {len(positions):,} positions, {out.stat().st_size:,} bytes")


def upright(position: Position) -> Position:
    """A position or its mirror image, whichever `place_of` describes."""
    return position.mirror() if level_choices.is_mirrored(position) else position


def asked(level: TryingLevel, position: Position) -> str:
    """How often a level plays each column, a digit each."""
    counts = Counter(level.choose(position) for _ in range(ASKED))
    return "".join(level_choices.DIGITS[counts[column]] for column in range(position.width))


if __name__ == "__main__":
    main()
