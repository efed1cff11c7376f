"""The Connect-4 data set of the UCI repository, made again from the opening book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourcast._core import Position, book_positions
from fourcast.data.arrays import planes, require_numpy
from fourcast.solver import Solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLY = 8


def uci8(solver: Solver | None = None) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
    """Return the positions of the UCI data set in the layout `uci`, and their classes.

    Those are all positions with 8 discs in which neither player has won or can win with one disc, one of
    each two mirror images, of which the original may have the other one. The class is what the first
    player, who is to move, gets: `win`, `loss` or `draw`.

    >>> boards, classes = uci8()
    >>> boards.shape, [int((classes == name).sum()) for name in ("win", "loss", "draw")]
    ((67557, 42), [44473, 16635, 6449])
    """
    require_numpy()
    import numpy as np

    chosen = [position for position in book_positions(PLY) if _is_quiet(position)]
    values = (solver or Solver()).values(chosen)
    return planes(chosen, "uci"), np.array(["loss", "draw", "win"])[np.sign(values) + 1]


def _is_quiet(position: Position) -> bool:
    return not position.winning_columns(1) and not position.winning_columns(2)
