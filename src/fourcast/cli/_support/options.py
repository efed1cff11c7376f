"""The options that several commands share, alone and in groups.

A parameter of a command that is one of the tuples here stands for all options in it: `application` gives
typer the options one by one, and the command gets the tuple.
"""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from fourcast import game_file
from fourcast._core import Limit, Position, Rules
from fourcast.cli._support.game_input import STANDARD_INPUT, is_file_name, read_standard_input
from fourcast.errors import InvalidNotationError
from fourcast.game import Game
from fourcast.notation import quote
from fourcast.solver import Solver

Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")]
Threads = Annotated[int, typer.Option(min=1, max=256, metavar="N", help="Threads to search with.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Make random choices repeatable.")]
Out = Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", help="Time for each position; after that, the proven bounds are printed."
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Use the Ray cluster at this address, such as auto or 10.0.0.1:6379.",
    ),
]


class StyleChoice(str, enum.Enum):
    """The ways to draw a board."""

    discs = "discs"
    ascii = "ascii"


Style = Annotated[
    StyleChoice | None,
    typer.Option(help="How to draw the board; by default discs if the terminal can show them."),
]


class Side(str, enum.Enum):
    """The sides of a game."""

    first = "first"
    second = "second"


class Deck(str, enum.Enum):
    """The repertoires."""

    first = "first"
    second = "second"
    win = "win"


class Board(NamedTuple):
    """The size of the board."""

    width: Annotated[int, typer.Option(metavar="N", help="Columns of the board.")] = 7
    height: Annotated[int, typer.Option(metavar="N", help="Rows of the board.")] = 6


class GivenBoard(NamedTuple):
    """The size of the board where a file may have one, too."""

    width: Annotated[
        int | None, typer.Option(metavar="N", help="Columns of the board.  [default: 7]")
    ] = None
    height: Annotated[int | None, typer.Option(metavar="N", help="Rows of the board.  [default: 6]")] = (
        None
    )


class RuleChoice(NamedTuple):
    """What the game is played by, if not by the standard rules."""

    connect: Annotated[
        int, typer.Option(metavar="N", help="How many discs in a row make a line: 3 to 16.")
    ] = 4
    wrap: Annotated[
        bool, typer.Option("--wrap", help="A cylinder: the last column is next to the first.")
    ] = False
    misere: Annotated[bool, typer.Option("--misere", help="Whoever makes a line loses.")] = False
    pop: Annotated[
        bool,
        typer.Option(
            "--pop",
            help="PopOut: p3 takes your disc out of the bottom of column 3. If both then have a line,"
            " the side that moved wins. A repetition is a draw, and = claims a draw on a full board.",
        ),
    ] = False

    @property
    def rules(self) -> Rules:
        """The rules that the options ask for."""
        return Rules(self.connect, wrap=self.wrap, misere=self.misere, pop=self.pop)


class Given(NamedTuple):
    """What a command is about: moves, a game file, or standard input."""

    moves: Annotated[
        str | None,
        typer.Argument(
            metavar="MOVES|FILE",
            help="The moves, such as 44455, or a game file.",
        ),
    ] = None
    moves_option: Annotated[
        str | None, typer.Option("--moves", metavar="MOVES", help="The moves, as an option.")
    ] = None
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="The game file, as an option.")] = (
        None
    )

    def resolve(self, width: int | None, pop: bool = False) -> tuple[str | None, Path | None]:
        """Return the move string and the game file; at least one of the two is None."""
        if sum(given is not None for given in self) > 1:
            raise typer.BadParameter("give MOVES, --moves or --load, only one of them")
        if self.moves is not None and is_file_name(self.moves, width or 7, pop):
            file = Path(self.moves)
            if not file.exists():
                columns = f"columns 1 to {width or 7}"
                raise InvalidNotationError(
                    f"{quote(self.moves)} is neither moves ({columns}) nor a file"
                )
            return None, file
        return (self.moves if self.moves_option is None else self.moves_option), self.load


class Search(NamedTuple):
    """How the solver searches."""

    no_book: Annotated[bool, typer.Option("--no-book", help="Do not use an opening book.")] = False
    threads: Threads = 1

    def solver(self, *, table_mb: int = 8) -> Solver:
        """Return the solver that the options ask for."""
        return Solver(book=not self.no_book, threads=self.threads, table_mb=table_mb)


class Question(NamedTuple):
    """A position or game for the solver, and how to print the answer."""

    given: Given
    board: Board
    rule_choice: RuleChoice
    search: Search
    as_json: Json = False
    style: Style = None

    def game(self) -> Game | None:
        """Return the game, or None if positions are to be read from standard input."""
        rules = self.rule_choice.rules
        text, file = self.given.resolve(self.board.width, rules.pop)
        if file is not None:
            game = game_file.recognize_file(file, width=self.board.width, height=self.board.height)
            if not rules.is_standard and game.start.rules != rules:
                raise typer.BadParameter(f"the game in {file} has rules of its own: leave out {rules}")
            return game
        if text is None or text == STANDARD_INPUT:
            return None
        return Game(text.strip(), start=self.empty)

    def game_or_board(self) -> Game | None:
        """Return the same; if nothing is given but other than the standard rules, the empty board."""
        game = self.game()
        is_board = not self.rule_choice.rules.is_standard and STANDARD_INPUT not in self.given
        return Game(start=self.empty) if game is None and is_board else game

    @property
    def empty(self) -> Position:
        """The empty board of the size and rules that were asked for."""
        rules = self.rule_choice.rules
        return Position(width=self.board.width, height=self.board.height, rules=rules)

    def any_game(self) -> Game:
        """Return the game; one on standard input may have any form that fourcast reads."""
        game = self.game()
        if game is None:
            return read_standard_input(width=self.board.width, height=self.board.height)
        return game


class Practice(NamedTuple):
    """How puzzles and cards are asked."""

    mistakes: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Ask about the mistakes of this game; can be repeated."),
    ] = None
    seed: Seed = None
    style: Style = None


def check_ray(ray: str | None, threads: int, option: str = "--threads") -> None:
    """Raise BadParameter if both a cluster and threads, or processes, are asked for."""
    if ray is not None and threads != 1:
        raise typer.BadParameter(f"{option} is for this machine; a cluster uses all its processors")


def make_limit(time_limit: float | None) -> Limit | None:
    """Return the limit that the options ask for."""
    if time_limit is None:
        return None
    if not time_limit > 0:
        raise typer.BadParameter(f"--time-limit must be more than 0 seconds, not {time_limit:g}")
    return Limit(time_s=time_limit)
