"""What sessions of puzzles and of lessons at the terminal have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable

from fourcast.cli._support.process import INTERRUPTED
from fourcast.puzzles.history import History
from fourcast.render.catalogue import Names
from fourcast.render.text import SIDES, Style, can_color
from fourcast.solver import Solver

QUIT = ("q", "quit", "exit")
"""What ends a session."""
REASON_S = 10.0
"""The longest that a person waits for a reason."""


class Session:
    """A person, or a pipe, with their history."""

    def __init__(self, history: History, *, style: Style) -> None:
        self._history = history
        self._style: Style = style
        self._colored = can_color(sys.stdout)
        self._solver = Solver()

    @property
    def _names(self) -> Names:
        return SIDES[self._style]


def until_left(work: Callable[[], None]) -> int:
    """Do *work* until it ends, its input ends, or Ctrl-C is pressed; return the exit status."""
    try:
        work()
    except EOFError:
        print()
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    return 0
