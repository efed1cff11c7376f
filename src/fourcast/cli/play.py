"""`fourcast play`: who plays, on which board, from where; the game itself is in `_terminal`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Rules
from fourcast.cli._support import options, programs
from fourcast.cli._support.boards import chosen_style
from fourcast.cli._support.process import INTERRUPTED, accept_any_encoding
from fourcast.cli._terminal.game import TerminalGame
from fourcast.cli._terminal.prompt import is_interactive
from fourcast.cli._terminal.questions import ask_discs, ask_opponent, ask_starter
from fourcast.cli._terminal.saving import Saver
from fourcast.cli._terminal.screen import Screen
from fourcast.cli._terminal.seats import HUMAN, Seats, is_built_in, take_seat
from fourcast.game import Game
from fourcast.players import player_names
from fourcast.protocol.sandbox import Sandbox
from fourcast.render.text import Style


def _complete_player(incomplete: str) -> list[str]:
    return [name for name in (HUMAN, *player_names()) if name.startswith(incomplete)]


def play(
    given: options.Given,
    board: options.GivenBoard,
    rule_choice: options.RuleChoice,
    first: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The player who starts.", autocompletion=_complete_player),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The other player.", autocompletion=_complete_player),
    ] = None,
    red: Annotated[
        options.Side | None,
        typer.Option(help="The side with the red discs, or the X.  [default: first]"),
    ] = None,
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Call the sides Player 1 and Player 2, not by their discs.")
    ] = False,
    seed: options.Seed = None,
    move_time: programs.MoveTime = None,
    sandbox: programs.SandboxOption = Sandbox.AUTO,
    style: options.Style = None,
) -> None:
    """Play in the terminal, against a friend or the computer.

    Type the number of a column, or ? to see what else you can do. The game
    starts after the moves, or where the file stands.

    A PLAYER is human, a name that `fourcast players` lists, such as level-3 or
    perfect, a name with options, such as streaks:depth=6, a program that
    plays by the JSON protocol, such as "python mybot.py", or an agent in Python:
    kaggle:FILE or MODULE:FUNCTION. By other rules (--connect, --wrap, --misere,
    --pop) random, winning, rated, depth, mcts and perfect play.

    Without --first and --second you are asked who plays. If the input is not
    a terminal, people play both sides.
    """
    accept_any_encoding()
    if move_time is not None and not move_time > 0:
        raise typer.BadParameter(f"--move-time must be more than 0 seconds, not {move_time:g}")
    text, load = given.resolve(board.width, rule_choice.pop)
    game = _game(text, load, board, rule_choice.rules)
    drawn = chosen_style(style)
    try:
        specs, red_player = _choose_sides(game, load, first, second, red, drawn)
    except (EOFError, KeyboardInterrupt) as end:
        print("\nNo game was started.")
        raise typer.Exit(INTERRUPTED if isinstance(end, KeyboardInterrupt) else 0) from None
    resume_options = _written(
        {
            "--red": "second" if red_player == 2 else None,
            "--numbers": True if numbers else None,
            "--seed": seed,
            "--move-time": move_time,
            "--sandbox": None if sandbox is Sandbox.AUTO else sandbox.value,
            "--style": style and style.value,
        }
    )
    with ExitStack() as stack:
        seats: Seats = {}
        for player, spec, recorded in ((1, specs[0], game.first), (2, specs[1], game.second)):
            seats[player] = take_seat(
                spec,
                name="" if is_built_in(recorded) else recorded,
                seed=None if seed is None else seed + player - 1,  # the two choose independently
                move_time_s=move_time,
                sandbox=sandbox,
                rules=game.start.rules,
            )
            stack.callback(seats[player].close)
        if any(seat.is_program for seat in seats.values()):
            programs.warn_without_sandbox(sandbox)
        game.first, game.second = seats[1].name, seats[2].name
        screen = Screen(game, seats, style=drawn, red=red_player, numbered=numbers)
        status = TerminalGame(game, seats, screen, Saver(game, load), resume_options).run()
    raise typer.Exit(status)


def _written(given: Mapping[str, object]) -> list[str]:
    """Return the options as they are written on a command line, without those that are None."""
    words: list[str] = []
    for key, value in given.items():
        if value is not None:
            words += [key] if value is True else [key, str(value)]
    return words


def _game(moves: str | None, load: Path | None, board: options.GivenBoard, rules: Rules) -> Game:
    if load is None:
        started = datetime.now(timezone.utc).replace(microsecond=0)
        return Game(moves or "", width=board.width, height=board.height, rules=rules, started=started)
    game = Game.load(load)
    if not rules.is_standard and rules != game.start.rules:
        raise typer.BadParameter(f"the game in {load} has rules of its own: leave out {rules}")
    size = (game.start.width, game.start.height)
    if (board.width or size[0], board.height or size[1]) != size:
        raise typer.BadParameter(f"the board of the game in {load} is {size[0]}x{size[1]}")
    return game


def _choose_sides(
    game: Game,
    load: Path | None,
    first: str | None,
    second: str | None,
    red: options.Side | None,
    style: Style,
) -> tuple[tuple[str, str], int]:
    """Return who plays first and second, and which of them has the red discs.

    What the command line leaves open is taken from the file, asked, or a person.
    """
    red_player = 2 if red is options.Side.second else 1
    if load:
        recorded = [name if is_built_in(name) else HUMAN for name in (game.first, game.second)]
        return (first or recorded[0], second or recorded[1]), red_player
    given = [side for side in (first, second) if side is not None]
    if len(given) == 2 or given not in ([], [HUMAN]) or not is_interactive():
        return (first or HUMAN, second or HUMAN), red_player
    opponent = ask_opponent(game.start.rules)
    starts = first is not None if given else opponent == HUMAN or ask_starter(opponent)
    if not starts and opponent != HUMAN and red is None:
        red_player = 2 if ask_discs(style) else 1
    return ((HUMAN, opponent) if starts else (opponent, HUMAN)), red_player
