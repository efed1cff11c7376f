"""`fourcast seat`: a program plays on a server of the web app."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from fourcast.errors import OptionError, missing_extra


def seat(
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER", help="A player, a program as for `fourcast match`, or a TOML file."
        ),
    ],
    server: Annotated[
        str, typer.Option(metavar="URL", help="Address of the server.")
    ] = "http://127.0.0.1:8000",
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="Id of a game whose second seat is open.")
    ] = None,
    room: Annotated[str | None, typer.Option(metavar="ID", help="Id of a room to play in.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the player there.")] = None,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games to play in a room.")] = 1,
    move_time: Annotated[
        float, typer.Option(min=0.05, metavar="SECONDS", help="Time for each move.")
    ] = 5.0,
) -> None:
    """Seat a program at a game or in a room of a server.

    In a room it seeks games, and plays those that an event gives it. Ctrl-C ends it.
    """
    if (game is None) == (room is None):
        raise OptionError(
            "give either --game ID or --room ID; the address of the game or room ends with its id"
        )
    try:
        from fourcast.web.seat import Seat
    except ImportError as error:
        raise missing_extra(f"a seat needs {error.name or 'more'}", "web") from None
    tell = partial(print, flush=True)
    seated = Seat(server, player, name=name, move_time_s=move_time, tell=tell)
    if game is not None:
        seated.play_game(game)
    else:
        seated.play_room(room or "", games)
