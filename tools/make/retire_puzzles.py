"""Keeps the puzzles that a new file does not have any more, so that links to them still work.

    python tools/make/retire_puzzles.py OLD.puzzles.gz NEW.puzzles.gz RETIRED.gz

What RETIRED has already stays in it, unless it has come back.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fourcast.puzzles.puzzle_file import read_header, read_puzzles, write_puzzles


def main(old: Path, new: Path, retired: Path) -> None:
    width, height, _ = read_header(new)
    asked = {puzzle.id for puzzle in read_puzzles(new)}
    known = [*(read_puzzles(retired) if retired.exists() else ()), *read_puzzles(old)]
    left = {puzzle.id: puzzle for puzzle in known if puzzle.id not in asked}
    write_puzzles(retired, left.values(), width, height, "retired")
    print(f"{retired}: {len(left):,} puzzles in {retired.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
