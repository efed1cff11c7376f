"""OpenSpiel: players as bots, and states of its `connect_four` as positions and back.

Needs OpenSpiel, which is not part of an extra: `pip install open_spiel`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from fourcast._core import Position
from fourcast.errors import OptionError, missing_extra
from fourcast.players import Player, player
from fourcast.solver import Solver

__all__ = ["bot", "position_from_state", "state_from_columns"]

Policy = list[tuple[int, float]]


def position_from_state(state: Any) -> Position:
    """Return the position of a state of OpenSpiel's `connect_four` on its usual board."""
    game = state.get_game()
    if game.get_type().short_name != "connect_four" or game.observation_tensor_shape() != [3, 6, 7]:
        raise OptionError(f"the state must be one of OpenSpiel's connect_four on 7x6, not of {game}")
    return Position.from_columns(state.history())


def state_from_columns(columns: Iterable[int]) -> Any:
    """Return the state of OpenSpiel's `connect_four` after these moves, 0-based."""
    state = _pyspiel().load_game("connect_four").new_initial_state()
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
