"""Positions as numpy arrays, in the layouts of other packages, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from fourcast._core import Position, layout_names, layout_shape, to_bitboards, to_planes, to_positions
from fourcast.errors import OptionError
from fourcast.notation import quote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LAYOUTS: tuple[str, ...] = layout_names()
"""The layouts there are; `docs/data.md` describes them."""


def bitboards(
    positions: Iterable[Position | str | Sequence[Any]] | NDArray[Any],
    *,
    layout: str | None = None,
    width: int = 7,
    height: int = 6,
) -> NDArray[np.uint64]:
    """Return positions as an array of bitboards: a row (first, second) for each.

    *positions* are Positions, move strings, or boards in a *layout*, in an array or in lists. The
    square in column c, row r is bit `c * (height + 1) + r`. A board of more than 64 bits takes two words
    for each player, the lower one first: the array is of shape (n, 2, 2). Raises the error of the first
    row that shows no position, with its index.

    >>> bitboards(["4", "44"]).tolist()
    [[2097152, 0], [2097152, 4194304]]
    """
    array: NDArray[np.uint64] = to_bitboards(positions, layout=layout, width=width, height=height)
    return array


def planes(
    positions: Iterable[Position | str | Sequence[Any]] | NDArray[Any],
    layout: str,
    *,
    given_layout: str | None = None,
    width: int = 7,
    height: int = 6,
) -> NDArray[Any]:
    """Return positions as an array in a layout, one row for each.

    *positions* are Positions, move strings, bitboards, or boards in the layout *given_layout*.

    >>> planes(["4", "44"], "kaggle")[:, -7:].tolist()
    [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]]
    """
    array: NDArray[Any] = to_planes(
        positions, layout, given_layout=given_layout, width=width, height=height
    )
    return array


@overload
def positions_from_planes(
    array: NDArray[Any] | Sequence[Sequence[Any]],
    layout: str | None,
    *,
    invalid: Literal["raise"] = "raise",
    width: int = 7,
    height: int = 6,
) -> list[Position]: ...


@overload
def positions_from_planes(
    array: NDArray[Any] | Sequence[Sequence[Any]],
    layout: str | None,
    *,
    invalid: Literal["mark"],
    width: int = 7,
    height: int = 6,
) -> list[Position | None]: ...


def positions_from_planes(
    array: NDArray[Any] | Sequence[Sequence[Any]],
    layout: str | None,
    *,
    invalid: Literal["raise", "mark"] = "raise",
    width: int = 7,
    height: int = 6,
) -> list[Position] | list[Position | None]:
    """Return the positions that an array shows in a layout; None as *layout* stands for bitboards.

    A row that shows no position raises its error with the row's index; with `invalid="mark"` it is None
    in the list.

    >>> positions_from_planes(planes(["4455"], "open_spiel"), "open_spiel") == [Position("4455")]
    True
    """
    return to_positions(array, layout, invalid=invalid, width=width, height=height)


def mirrored(
    array: NDArray[Any],
    layout: str | None = None,
    *,
    width: int = 7,
    height: int = 6,
) -> NDArray[Any]:
    """Return an array with left and right exchanged: boards in a layout, bitboards, or scores.

    Without a *layout*, an array of uint64 is one of bitboards, and any other has a last axis of columns,
    as scores and action masks have. No row is checked. The result is a new array.

    >>> mirrored(bitboards(["1123"])).tolist() == bitboards(["7765"]).tolist()
    True
    """
    import numpy as np

    array = np.asarray(array)
    if array.dtype.kind == "O":
        raise TypeError(f"mirrored takes an array, not {quote(array.tolist())}")
    if layout is not None:
        shape, axis = layout_shape(layout, width=width, height=height)
        if not array.ndim or array.size != len(array) * int(np.prod(shape)):
            raise OptionError(
                f"an array of shape {array.shape} has no boards of {width}x{height} "
                f"in the layout {layout!r}"
            )
        return np.flip(array.reshape(len(array), *shape), axis + 1).reshape(array.shape).copy()
    if array.dtype != np.uint64:
        if not array.ndim or array.shape[-1] != width:
            raise OptionError(f"the last axis of an array of shape {array.shape} is not {width} columns")
        return array[..., ::-1].copy()
    if array.shape[1:] != (2,) or width * (height + 1) > 64:
        boards = positions_from_planes(array, None, width=width, height=height)
        return bitboards((board.mirror() for board in boards), width=width, height=height)
    stride = height + 1
    field = np.uint64((1 << stride) - 1)
    result = np.zeros_like(array)
    for column in range(width):
        moved = (array >> np.uint64(column * stride)) & field
        result |= moved << np.uint64((width - 1 - column) * stride)
    return result
