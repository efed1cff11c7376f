"""Positions as numpy arrays, in the layouts of other packages, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fourcast._core import bitboards, layout_names, layout_shape, planes, positions_from_planes
from fourcast.errors import OptionError
from fourcast.notation import quote

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LAYOUTS", "bitboards", "mirrored", "planes", "positions_from_planes"]

LAYOUTS: tuple[str, ...] = layout_names()
"""The layouts there are; `docs/data.md` describes them."""


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
