"""OpenSpiel: players as bots, and states of its `connect_four` as positions and back.

Needs OpenSpiel, which is not part of an extra: `pip install open_spiel`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from fourcast._core import Position, Rules
from fourcast.errors import OptionError, missing_extra
from fourcast.players import Player, player
from fourcast.solver import Solver

__all__ = ["bot", "position_from_state", "state_from_columns"]

Policy = list[tuple[int, float]]


def position_from_state(state: Any) -> Position:
    """Return the position of a state of OpenSpiel's `connect_four`, on any board that fourcast has."""
    game = state.get_game()
    if game.get_type().short_name != "connect_four":
        raise OptionError(f"the state must be one of OpenSpiel's connect_four, not of {game}")
    return position_of(state.history(), game.get_parameters())


def position_of(columns: Iterable[int], parameters: Mapping[str, Any]) -> Position:
    """Return the position after these moves in a `connect_four` with these parameters.

    >>> position_of([0, 1, 0, 1, 0], {"columns": 5, "rows": 4, "x_in_row": 3}).winner
    1
    """
    width, height, connect = (
        int(parameters.get(name, usual))
        for name, usual in (("columns", 7), ("rows", 6), ("x_in_row", 4))
    )
    return Position.from_columns(columns, width=width, height=height, rules=Rules(connect))


def state_from_columns(
    columns: Iterable[int], *, width: int = 7, height: int = 6, connect: int = 4
) -> Any:
    """Return the state of OpenSpiel's `connect_four` after these moves, 0-based.

    Of other rules, OpenSpiel has the number in a row: *connect*.
    """
    wanted = {"columns": width, "rows": height, "x_in_row": connect}
    # Versions before 1.6 have one board, and no parameters.
    others = {} if (width, height, connect) == (7, 6, 4) else wanted
    state = _pyspiel().load_game("connect_four", others).new_initial_state()
    for column in columns:
        state.apply_action(column)
    return state


def bot(chosen: str | Player = "perfect", **options: Any) -> Any:
    """Return a `pyspiel.Bot` that plays like a player, given by its name and options or as an object.

    Its policy is the column that it plays. That of `perfect` without options is uniform over the best
    columns, and it draws its move from it.
    """
    return _bot_class()(chosen, options)


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise missing_extra("this needs OpenSpiel", packages=["open_spiel"]) from None
    return pyspiel


@cache
def _bot_class() -> Any:
    """The class of bots, made on first use because its base class is OpenSpiel's."""
    parent: Any = _pyspiel().Bot

    class FourcastBot(parent):  # type: ignore[misc]
        """A player of fourcast."""

        def __init__(self, chosen: str | Player, options: dict[str, Any]) -> None:
            parent.__init__(self)
            self._solver = Solver() if chosen == "perfect" and not options else None
            if self._solver is not None:
                options = {"ties": "random", "solver": self._solver}
            self._player = player(chosen, **options) if isinstance(chosen, str) else chosen

        def step(self, state: Any) -> int:
            return self._player.choose(position_from_state(state))

        def provides_policy(self) -> bool:
            return True

        def get_policy(self, state: Any) -> Policy:
            return self.step_with_policy(state)[0]

        def step_with_policy(self, state: Any) -> tuple[Policy, int]:
            position = position_from_state(state)
            column = self._player.choose(position)
            likely: tuple[int, ...] = (column,)
            if self._solver is not None:
                likely = tuple(self._solver.solve(position).best_columns or likely)
            share = 1 / len(likely)
            policy = [(each, share if each in likely else 0.0) for each in position.legal_columns]
            return policy, column

        def restart(self) -> None:
            """Do nothing: a choice depends on the position alone."""

        def restart_at(self, state: Any) -> None:
            """Do nothing: a choice depends on the position alone."""

    return FourcastBot
