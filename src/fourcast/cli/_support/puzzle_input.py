"""Games as `fourcast puzzle` and `fourcast train` are given them: for their mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fourcast import game_file
from fourcast.errors import GameFileError, OptionError
from fourcast.puzzles import Puzzle, mistakes_of


def exercises_of(paths: Iterable[Path]) -> list[Puzzle]:
    """Return an exercise for each mistake of the games in these files; say so if there is none."""
    exercises = []
    for path in paths:
        game = game_file.recognize_file(path)
        try:
            exercises += mistakes_of(game)
        except OptionError as error:
            raise GameFileError(f"{path}: {error}") from None
    if not exercises:
        print("No mistake that changed the result was found: there is nothing to improve.")
    return exercises
