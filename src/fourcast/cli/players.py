"""`fourcast players`: who there is to play against."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fourcast.players import describe_player, player_names, player_options


def players(
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")] = False,
) -> None:
    """List the players, with a sentence on each.

    Their options are given behind the name, where a command takes a player:
    streaks:depth=6,seed=1
    """
    rows = [(name, describe_player(name), player_options(name)) for name in player_names()]
    if as_json:
        keys = ("name", "description", "options")
        print(json.dumps([dict(zip(keys, row, strict=True)) for row in rows]))
        return
    table = Table("player", "how it plays", "options", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name, sentence, options in rows:
        table.add_row(name, sentence, ", ".join(options))
    Console(soft_wrap=False).print(table)
