"""What the environments share: observations and their spaces, labels for `info`, and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from fourcast._core import Position, Rules, SolverCore
from fourcast.errors import OptionError
from fourcast.render.text import board

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fourcast.solver import Solver

RENDER_MODES = ["human", "ansi", "rgb_array"]
SQUARE = 32
"""Pixels of the side of a square in a picture."""

_BOARD = (37, 99, 168)
_DISCS = np.array([(244, 246, 248), (214, 60, 52), (240, 196, 40)], np.uint8)


def check_render_mode(mode: str | None) -> None:
    """Raise `OptionError` if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {mode!r}")


def check_solver(solver: object, rules: Rules | None = None) -> None:
    """Raise TypeError for what is neither a solver nor None, `OptionError` for one without scores."""
    if solver is not None and not isinstance(solver, SolverCore):
        raise TypeError(f"solver must be a Solver or None, not {type(solver).__name__}")
    if solver is not None and rules is not None and rules.pop:
        raise OptionError("games of PopOut have no scores: leave out the solver")


def render(position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Return the board as text or as a picture; for people, print it and return None."""
    if mode == "human":
        print(board(position), end="\n\n")
    if mode == "rgb_array":
        return picture(position)
    return board(position) if mode == "ansi" else None


def picture(position: Position) -> NDArray[np.uint8]:
    """Return the board as pixels: an array of uint8 (height, width, 3).

    >>> picture(Position("4")).shape
    (192, 224, 3)
    """
    discs = _DISCS[position.planes("rows")].repeat(SQUARE, 0).repeat(SQUARE, 1)
    places = np.arange(SQUARE) - (SQUARE - 1) / 2
    is_disc = np.add.outer(places**2, places**2) < (0.42 * SQUARE) ** 2
    is_disc = np.tile(is_disc, (position.height, position.width))
    return np.where(is_disc[..., np.newaxis], discs, np.array(_BOARD, np.uint8))


def action_count(position: Position) -> int:
    """Return how many actions there are: a column each, in PopOut all moves of `Position.play`.

    >>> action_count(Position()), action_count(Position(rules=Rules(pop=True)))
    (7, 15)
    """
    return 2 * position.width + 1 if position.rules.pop else position.width


class Repetitions:
    """The positions of a game so far. In PopOut one that comes again is a draw."""

    def __init__(self, empty: Position) -> None:
        self._seen = {empty} if empty.rules.pop else None

    def ends_with(self, position: Position) -> bool:
        """Take note of a position; return whether it ends the game, on the board or by repetition."""
        if self._seen is None:
            return position.is_over
        is_again = position in self._seen
        self._seen.add(position)
        return position.is_over or is_again


def planes_of(position: Position, player: int) -> NDArray[np.int8]:
    """Return the discs of *player*, and then those of the opponent, in the layout `pettingzoo`."""
    planes: NDArray[np.int8] = position.planes("pettingzoo")
    return planes if position.turn == player else planes[..., ::-1].copy()


def action_mask(position: Position, *, is_open: bool = True) -> NDArray[np.int8]:
    """Return 1 for each action that can be played and 0 for the others; all 0 if it is not *is_open*.

    >>> action_mask(Position("444444")).tolist()
    [1, 1, 1, 0, 1, 1, 1]
    """
    mask = np.zeros(action_count(position), np.int8)
    if is_open:
        mask[list(position.legal_columns)] = 1
    return mask


def labels_of(position: Position, solver: Solver | None) -> dict[str, Any]:
    """Return the exact score of the position and of all columns for `info`, with a solver."""
    if solver is None or position.is_over:
        return {}
    scores = solver.column_scores([position], width=position.width, height=position.height)[0]
    return {"score": int(scores.max()), "scores": scores}


class View:
    """Planes, or a vector of floats if *flat*; alone, or with the *mask* of the actions."""

    def __init__(self, width: int, height: int, *, flat: bool, mask: bool, actions: int) -> None:
        self._flat = flat
        self._mask = mask
        boards: spaces.Space[Any] = spaces.Box(0, 1, (height, width, 2), np.int8)
        if flat:
            boards = spaces.Box(0, 1, (2 * height * width,), np.float32)
        masks = spaces.Box(0, 1, (actions,), np.int8)
        self.space = spaces.Dict({"observation": boards, "action_mask": masks}) if mask else boards

    def __call__(
        self, planes: NDArray[np.int8], mask: NDArray[np.int8], boards: int | None = None
    ) -> Any:
        """Return an observation, or those of many *boards*."""
        shown: NDArray[Any] = planes
        if self._flat:
            shown = planes.reshape(-1 if boards is None else (boards, -1)).astype(np.float32)
        return {"observation": shown, "action_mask": mask} if self._mask else shown
