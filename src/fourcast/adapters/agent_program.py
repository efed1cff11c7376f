"""Agents in Python files as programs of the JSON protocol: `python -m fourcast.adapters.agent_program`.

An agent that is given by a file or by `module:function` runs like this in a process of its own, in the
sandbox and within the limits of programs. Its arguments: the kind, `kaggle` or `python`; the path of the
file, or of the module's file or folder; `module:function`, or - for a file; the seconds for a move.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import Any, NoReturn

from fourcast._core import Position
from fourcast.adapters.kaggle import ConnectXPlayer, column_answered, load_agent
from fourcast.arena.contestant import Contestant
from fourcast.errors import OptionError
from fourcast.players import Player
from fourcast.protocol.json_lines import serve


class _Reported:
    """A player whose exceptions end the program, with the reason as its last words."""

    def __init__(self, player: Player) -> None:
        self.name = "agent"
        self._player = player

    def choose(self, position: Position) -> int:
        try:
            return column_answered(self._player.choose(position))
        except Exception:
            _fail()


def _fail() -> NoReturn:
    traceback.print_exc()
    raise SystemExit(1)


def load_player(kind: str, path: str, name: str, time_s: float) -> Player:
    """Return the player of a ConnectX file, or what a name in a module stands for."""
    if kind == "kaggle":
        return ConnectXPlayer(load_agent(path), time_s=time_s)
    sys.path.insert(0, os.path.dirname(path))
    module, _, attribute = name.partition(":")
    found: Any = import_module(module)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise OptionError(f"{module} has no {part}")
        found = getattr(found, part)
    return Contestant.of(found).make()


def main() -> None:
    """Play by the protocol until the input ends."""
    kind, path, name, time_s = sys.argv[1:]
    target, sys.stdout = sys.stdout, sys.stderr  # what the agent prints is no answer
    try:
        player = load_player(kind, path, name, float(time_s))
    except Exception:
        _fail()
    serve(_Reported(player), target=target)


if __name__ == "__main__":
    main()
