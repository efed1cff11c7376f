"""Makes the shipped puzzles again from their seed, or those of 1% of the games, and compares.

`make puzzles` plays the first 1% of the games, and says how long all would take. With `ARGS=--all`
all games are played, and the files must come out byte for byte.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import fourcast.puzzles
from fourcast.puzzles.generator import CHUNK, generate
from fourcast.puzzles.puzzle_file import format_puzzle, read_header, read_puzzles

FEWEST = 4 * CHUNK
"""Games that are played in any case, so that there is something to compare."""

SHIPPED = Path(fourcast.puzzles.__file__).parent / "shipped"


def main(everything: bool) -> None:
    failed = False
    for path in sorted(SHIPPED.glob("*.puzzles.gz")):
        failed |= not repeat(path, everything)
    sys.exit(1 if failed else 0)


def repeat(path: Path, everything: bool) -> bool:
    """Make the puzzles of a file again, print what came of it, and say whether they are the same."""
    width, height, note = read_header(path)
    facts = dict(re.findall(r"(\w+)=(\d+)", note))
    seed, games = int(facts["seed"]), int(facts["games"])
    hard = int(facts.get("hard", 0))
    some, some_hard = (games, hard) if everything else (_share(games), _share(hard))
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / path.name
        made = generate(out, some, seed, hard_games=some_hard, width=width, height=height)
        taken_s = time.process_time() - started
        if everything:
            same = out.read_bytes() == path.read_bytes()
        else:
            shipped = set(map(format_puzzle, read_puzzles(path)))
            same = all(format_puzzle(puzzle) in shipped for puzzle in made)
    verdict = "the same as" if same else "NOT the same as"
    all_s = timedelta(seconds=round(taken_s * (games + hard) / (some + some_hard)))
    print(
        f"{path.name}: {len(made)} puzzles of {some + some_hard:,} of {games + hard:,} games"
        f" are {verdict} those shipped; ",
        end="",
    )
    print(f"{taken_s:.1f} s of processor time, all games take {all_s}")
    return same


def _share(games: int) -> int:
    """1% of the games, in whole chunks."""
    return min(games, max(FEWEST, games // 100 // CHUNK * CHUNK))


if __name__ == "__main__":
    main("--all" in sys.argv[1:])
