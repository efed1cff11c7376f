"""A game at the terminal: shows the board, asks people and players, and does what people say."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from fourcast._core import Solver
from fourcast.cli.hint import hint
from fourcast.cli.prompt import ask, is_interactive
from fourcast.errors import FourcastError, InvalidNotationError
from fourcast.game import Game, Termination
from fourcast.notation import column_names, format_column, parse_column
from fourcast.players import Player
from fourcast.render.text import SIDES, Style, board, can_colour

HUMAN = "human"


@dataclass(frozen=True)
class Seat:
    """Who plays one side: a player of the computer, or a person if that is None."""

    name: str
    player: Player | None = None


class TerminalGame:
    """One game between two seats, from the first board to the last word.

    *file* is where the game came from, if it did; *options* are to be repeated in the command that
    goes on with it.
    """

    def __init__(
        self,
        game: Game,
        seats: Mapping[int, Seat],
        *,
        style: Style,
        file: Path | None = None,
        options: Sequence[str] = (),
    ) -> None:
        self.game = game
        self.seats = seats
        self.style = style
        self.colour = can_colour(sys.stdout)
        self.file = file
        self.saved = game.columns if file else None
        self.options = options
        self.solver: Solver | None = None  # made for the first hint
        self.is_left = False

    def run(self) -> int:
        """Play until the game is over or everybody has left; return the exit status."""
        status = 0
        try:
            self.show()
            while not self.is_left:
                self.step()
        except EOFError:
            print()
        except KeyboardInterrupt:
            print()
            status = 130
        self.stop()
        return status

    def step(self) -> None:
        """Have the next thing happen: a player's move, or what a person says."""
        seat = self.seats[self.game.position.turn]
        if self.game.is_over and all(seat.player for seat in self.seats.values()):
            self.leave()
        elif self.game.is_over:
            self.obey(ask("Enter leaves, u takes back, s FILE saves: ") or "q")
        elif seat.player:
            self.let_choose(seat.player)
        else:
            self.obey(ask(f"{self.who()}, your column (1-{self.last_name()}, ? for help): "))

    # What is shown

    def who(self, player: int | None = None) -> str:
        """Return what to call a player, by default the one to move."""
        player = player or self.game.position.turn
        side, name = SIDES[self.style][player], self.seats[player].name
        return side if name == HUMAN else f"{side} ({name})"

    def last_name(self) -> str:
        """Return what to call the last column."""
        return column_names(self.game.position.width)[-1]

    def show(self) -> None:
        """Print the board, and the result if there is one."""
        last = self.game.columns[-1] if self.game.columns else None
        print()
        print(board(self.game.position, style=self.style, last=last, colour=self.colour))
        print()
        result = self.game.result
        if result is None:
            return
        if result.winner is None:
            print(f"It's a draw: {result.termination.value}.")
        elif result.termination is Termination.FOUR:
            print(f"{self.who(result.winner)} wins with four in a row!")
        else:
            print(f"{self.who(result.winner)} wins by {result.termination.value}.")

    def stop(self) -> None:
        """Say goodbye to an unfinished game, and how to go on with it."""
        if self.game.is_over:
            return
        print("The game stops here, unfinished.")
        self.show()
        print(f"To go on: {self.continuation()}")

    def continuation(self) -> str:
        """Return the command that goes on with the game as it stands."""
        words = [f"{program()} play"]
        for option, seat in (("--first", self.seats[1]), ("--second", self.seats[2])):
            words.append(f"{option} {seat.name if seat.player else HUMAN}")
        start = self.game.start
        if start.ply and not self.is_saved():  # no move string leads there
            descriptor, name = tempfile.mkstemp(prefix="fourcast-", suffix=".txt")
            os.close(descriptor)
            self.save_to(Path(name))
        if self.is_saved():
            words.append(f"--load {shlex.quote(str(self.file))}")
        elif (start.width, start.height) != (7, 6):
            words.append(f"--width {start.width} --height {start.height}")
        if self.game.moves and not self.is_saved():
            words.append(f"--moves {self.game.moves}")
        return " ".join([*words, *self.options])

    # What happens

    def let_choose(self, player: Player) -> None:
        """Let the computer play."""
        column = player.choose(self.game.position)
        print(f"{self.who()} plays column {format_column(column)}.")
        self.play(column)

    def obey(self, entry: str) -> None:
        """Do what a person typed: a column, or a command with what belongs to it."""
        word, _, rest = entry.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "u": self.undo,
            "r": self.redo,
            "h": self.hint,
            "s": lambda: self.save(rest.strip()),
            "q": self.leave,
            "?": self.help,
        }
        letter = _LONG_NAMES.get(word.lower(), word.lower())
        try:
            column = parse_column(entry, self.game.position.width)
        except InvalidNotationError as error:
            if letter in commands and (letter == "s" or not rest):
                commands[letter]()
            else:
                problem = _sentence(str(error)) if entry else "That was an empty line."
                print(f"{problem} Type a column, or ? to see what else you can do.")
        else:
            self.play(column)  # a column even if it is `h`, on a board of 17 and more

    def play(self, column: int) -> None:
        """Play a column, or say why not."""
        position = self.game.position
        if self.game.is_over:
            print("The game is over.")
        elif reason := position.refusal(column):
            open_columns = " ".join(map(format_column, position.legal_columns))
            print(_sentence(f"{reason}; choose one of {open_columns}"))
        else:
            now = datetime.now(timezone.utc)
            elapsed_s = (now - self.game.started).total_seconds() if self.game.started else None
            self.game.play(column, stamp_s=None if elapsed_s is None else round(max(elapsed_s, 0), 1))
            self.show()

    def undo(self) -> None:
        """Take back to where a person last had the choice."""
        turns = [position.turn for position in self.game.positions()][:-1]
        choices = [ply for ply, turn in enumerate(turns) if not self.seats[turn].player]
        if not choices:
            print("There is no move to take back.")
            return
        for _ in turns[choices[-1] :]:
            self.game.undo()
        self.show()

    def redo(self) -> None:
        """Play again what was taken back, up to where a person has the choice."""
        if not self.game.undone:
            print("There is no move to play again.")
            return
        self.game.redo()
        while self.game.undone and self.seats[self.game.position.turn].player:
            self.game.redo()
        self.show()

    def hint(self) -> None:
        """Say what there is to see."""
        if self.game.is_over:
            print("The game is over.")
            return
        self.solver = self.solver or Solver()
        print(hint(self.game.position, self.solver))

    def save(self, name: str) -> None:
        """Save the game, unless that would destroy something else."""
        path = Path(os.path.expanduser(name)) if name else self.file
        if path is None:
            print("Say where to save: s and the name of a file, for example s game.txt")
            return
        try:
            if path == self.file or self.may_replace(path):
                self.save_to(path)
                print(f"Saved to {path.absolute()}")
            else:
                print("Nothing was saved.")
        except OSError as error:
            print(f"Nothing was saved: {error.strerror or error}.")
        except ValueError as error:  # a name that no file can have, or something that is no file
            print(f"Nothing was saved: {error}.")

    def save_to(self, path: Path) -> None:
        """Save the game, and remember where."""
        self.game.save(path)
        self.file, self.saved = path, self.game.columns

    def is_saved(self) -> bool:
        """Whether the file has all moves of the game."""
        return self.file is not None and self.saved == self.game.columns

    def may_replace(self, path: Path) -> bool:
        """Whether nothing is lost if *path* is overwritten, or whoever asked agrees that it is."""
        if not path.is_file():
            return True
        try:
            other = Game.load(path)
        except (FourcastError, OSError):
            what = "is there already, and is not a game file"
        else:
            ours = self.game.columns[: len(other.columns)]
            if (other.start, other.columns) == (self.game.start, ours):
                return True
            what = "has another game"
        if not is_interactive():
            print(f"{path} {what}; choose another name.")
            return False
        return ask(f"{path} {what}. Overwrite it? (y/N) ").lower() in ("y", "yes")

    def leave(self) -> None:
        """Leave the game."""
        self.is_left = True

    def help(self) -> None:
        """Say what can be typed."""
        hint_name = "hint" if self.last_name() >= "h" else "h   "
        print(
            f"""
Four stones of yours in a row, across, up or diagonally, win.

  1-{self.last_name()}     drop a stone into that column
  u       take back your last move
  r       play again what was taken back
  {hint_name}    a hint
  s FILE  save the game (as JSON if FILE ends in .json)
  q       quit; you will be told how to go on later
  ?       this help
"""
        )


def program() -> str:
    """Return what to type for the program that is running."""
    if shutil.which("fourcast"):
        return "fourcast"
    if Path(sys.argv[0]).name == "fourcast":
        return shlex.quote(sys.argv[0])
    return f"{shlex.quote(sys.executable)} -m fourcast"


_LONG_NAMES = {"undo": "u", "redo": "r", "hint": "h", "save": "s", "quit": "q", "exit": "q", "help": "?"}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
