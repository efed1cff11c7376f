"""`fourcast play`: who plays, on which board, from where; the game itself is in `terminal_game`."""

from __future__ import annotations

import enum
import io
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from fourcast.cli.prompt import ask, is_interactive
from fourcast.cli.terminal_game import HUMAN, Seat, TerminalGame
from fourcast.errors import UnknownPlayerError
from fourcast.game import Game
from fourcast.notation import quote
from fourcast.players import player, player_names
from fourcast.render.text import best_style

OPPONENT = "winning"


class StyleChoice(str, enum.Enum):
    """The ways to draw a board, as typer wants them."""

    discs = "discs"
    ascii = "ascii"


def play(
    first: Annotated[
        str | None, typer.Option(help="Who starts: human, or a player such as level-4.")
    ] = None,
    second: Annotated[str | None, typer.Option(help="Who plays second, likewise.")] = None,
    width: Annotated[int | None, typer.Option(help="Columns of the board: 7 if not said.")] = None,
    height: Annotated[int | None, typer.Option(help="Rows of the board: 6 if not said.")] = None,
    seed: Annotated[int | None, typer.Option(help="Make the computer's choices repeatable.")] = None,
    moves: Annotated[str, typer.Option(help="Start after these moves, such as 4453.")] = "",
    load: Annotated[Path | None, typer.Option(help="Go on with the game in this file.")] = None,
    style: Annotated[StyleChoice | None, typer.Option(help="How to draw the board.")] = None,
) -> None:
    """Play in the terminal, against a friend or the computer.

    Type the number of a column, or ? to see what else you can do.

    The computer plays as level-1 for beginners up to level-10, as perfect, or
    as any other player that `fourcast players` lists.

    Without --first and --second you are asked who plays. If the input is not
    a terminal nobody can be asked, and people play both sides.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # whatever bytes are typed, whatever a name is made of
    game = _game(load, moves, width, height)
    seeds = (None, None) if seed is None else (seed, seed + 1)  # two players, two streams of choices
    try:
        seats = {
            1: _seat(first or _who("first", game.first, HUMAN, load), game.first, seeds[0]),
            2: _seat(second or _who("second", game.second, OPPONENT, load), game.second, seeds[1]),
        }
    except (EOFError, KeyboardInterrupt) as end:
        print("\nNo game was started.")
        raise typer.Exit(130 if isinstance(end, KeyboardInterrupt) else 0) from None
    game.first, game.second = seats[1].name, seats[2].name
    drawn = best_style(sys.stdout) if style is None else style.value
    options = [f"--seed {seed}"] * (seed is not None) + [f"--style {drawn}"] * (style is not None)
    raise typer.Exit(TerminalGame(game, seats, style=drawn, file=load, options=options).run())


def _game(load: Path | None, moves: str, width: int | None, height: int | None) -> Game:
    if not load:
        started = datetime.now(timezone.utc).replace(microsecond=0)
        return Game(moves, width=width, height=height, started=started)
    if moves:
        raise typer.BadParameter("use either --load or --moves, not both")
    game = Game.load(load)
    size = (game.start.width, game.start.height)
    if (width or size[0], height or size[1]) != size:
        raise typer.BadParameter(f"the board of the game in {load} is {size[0]}x{size[1]}")
    return game


def _who(ordinal: str, recorded: str, default: str, load: Path | None) -> str:
    """Return who plays a side that the command line does not fill: as before, or as a person says."""
    if load:
        return recorded if recorded in player_names() else HUMAN
    if not is_interactive():
        return HUMAN
    names = (HUMAN, *player_names())
    while True:
        answer = ask(f"Who plays {ordinal}: {', '.join(names)}? [{default}] ").lower() or default
        if answer in names:
            return answer
        print(f"{quote(answer)} is none of these.")


def _seat(who: str, recorded: str, seed: int | None) -> Seat:
    if who == HUMAN:
        return Seat(HUMAN if recorded in player_names() else recorded or HUMAN)
    try:
        return Seat(who, player(who, seed=seed))
    except UnknownPlayerError as error:
        raise UnknownPlayerError(f"{error}, {HUMAN}") from None
