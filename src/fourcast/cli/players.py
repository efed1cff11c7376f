"""`fourcast players`: the players to choose from."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fourcast.players import describe_player, player_names, rating
from fourcast.players.spec import written_options


def players(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the built-in players.

    Where a command takes a player, options can follow its name:
    streaks:depth=6,seed=1

    The Elo ratings are from a tournament: a player that is 200 points stronger
    scores 3 of 4 points.
    """
    rows = [
        (name, rating(name), describe_player(name), written_options(name)) for name in player_names()
    ]
    if as_json:
        keys = ("name", "rating", "description", "options")
        print(json.dumps([dict(zip(keys, row, strict=True)) for row in rows]))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("player", "Elo", "how it plays", "options"):
        table.add_column(head, justify="right" if head == "Elo" else "left")
    for name, elo, sentence, options in rows:
        table.add_row(name, "" if elo is None else str(elo), sentence, ", ".join(options))
    console = Console()
    if not console.is_terminal:
        console.width = 160  # a file has room
    console.print(table)
