"""Saving a game at the terminal, without destroying anything else, and the command that resumes it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fourcast.cli._terminal.prompt import ask, is_interactive
from fourcast.cli._terminal.seats import Seats
from fourcast.errors import FourcastError
from fourcast.game import Game


class Saver:
    """Saves a game. *file* is where it was loaded from, if it was."""

    def __init__(self, game: Game, file: Path | None = None) -> None:
        self._game = game
        self._file = file
        self._saved = game.columns if file else None

    @property
    def up_to_date(self) -> Path | None:
        """The file that has all moves of the game, or None if there is none."""
        return self._file if self._saved == self._game.columns else None

    def save(self, name: str) -> None:
        """Save the game to the file of this name, or again to the last one, and say so."""
        path = Path(os.path.expanduser(name)) if name else self._file
        if path is None:
            print("Say where to save: s and the name of a file, for example s game.txt")
            return
        try:
            if path == self._file or self._may_replace(path):
                self.save_to(path)
                print(f"Saved to {path.absolute()}")
            else:
                print("Nothing was saved.")
        except OSError as error:
            print(f"Nothing was saved: {error.strerror or error}.")
        except ValueError as error:  # a name that no file can have, or something that is not a file
            print(f"Nothing was saved: {error}.")

    def save_to(self, path: Path) -> None:
        """Save the game, and remember where."""
        self._game.save(path)
        self._file, self._saved = path, self._game.columns

    def save_temporarily(self) -> None:
        """Save the game to a new file in the folder for temporary files."""
        descriptor, name = tempfile.mkstemp(prefix="fourcast-", suffix=".txt")
        os.close(descriptor)
        self.save_to(Path(name))

    def _may_replace(self, path: Path) -> bool:
        """Whether nothing is lost if *path* is overwritten, or the person agrees that it is."""
        if not path.is_file():
            return True
        try:
            other = Game.load(path)
        except (FourcastError, OSError):
            what = "exists, and is not a game file"
        else:
            same_moves = self._game.columns[: len(other.columns)]
            if (other.start, other.columns) == (self._game.start, same_moves):
                return True
            what = "has another game"
        if not is_interactive():
            print(f"{path} {what}; choose another name.")
            return False
        return ask(f"{path} {what}. Overwrite it? (y/N) ").lower() in ("y", "yes")


def resume_command(game: Game, seats: Seats, saver: Saver, options: Sequence[str]) -> list[str]:
    """Return the command that continues *game* as it stands, quoted; *options* are repeated in it."""
    words = ["play", "--first", seats[1].spec, "--second", seats[2].spec]
    start = game.start
    if start.ply and not saver.up_to_date:  # no move string leads there
        saver.save_temporarily()
    if saver.up_to_date:
        words += ["--load", str(saver.up_to_date)]
    else:
        if (start.width, start.height) != (7, 6):
            words += ["--width", str(start.width), "--height", str(start.height)]
        for part in filter(None, str(start.rules).split(",")):
            words += f"--{part}".split("=")
        if game.moves:
            words += ["--moves", game.moves]
    return [_program(), *map(shlex.quote, [*words, *options])]


def _program() -> str:
    """Return what to type for the program that is running."""
    if shutil.which("fourcast"):
        return "fourcast"
    if Path(sys.argv[0]).name == "fourcast":
        return shlex.quote(sys.argv[0])
    return f"{shlex.quote(sys.executable)} -m fourcast"
