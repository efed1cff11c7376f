"""Strata of positions, so that the rows of a data set are spread evenly over them.

- `outcome`: the side to move wins, draws or loses.
- `phase`: the first, the second or the last third of the squares is being filled.
- `difficulty`: all, some, or only one of the columns are best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fourcast._core import FULL, UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fourcast.data.plan import Plan

NAMES = {
    "outcome": ("loss", "draw", "win"),
    "phase": ("opening", "middle", "end"),
    "difficulty": ("any move", "some moves", "only move"),
}
"""The members of each stratum, in the order of their numbers."""


def number_of(name: str, bitboards: NDArray[np.uint64], scores: NDArray[np.int8], cells: int) -> Any:
    """Return which member of a stratum each position is."""
    import numpy as np

    best = scores.max(axis=1)
    if name == "outcome":
        return np.sign(best).astype(np.intp) + 1
    if name == "phase":
        axes = tuple(range(1, bitboards.ndim + 1))
        octets = np.ascontiguousarray(bitboards)[..., np.newaxis].view(np.uint8)
        plies = np.unpackbits(octets, axis=-1).sum(axis=axes, dtype=np.intp)
        return plies * 3 // cells
    assert name == "difficulty"
    is_open = (scores != FULL) & (scores != UNKNOWN)
    count = (scores == best[:, np.newaxis]).sum(axis=1)
    return np.where(count == is_open.sum(axis=1), 0, np.where(count == 1, 2, 1))


class Strata:
    """How many rows of a block each combination of strata still takes."""

    def __init__(self, plan: Plan, rows: int) -> None:
        import numpy as np

        self._plan = plan
        cells = self._possible()
        quotas = np.full(len(cells), rows // len(cells))
        quotas[: rows % len(cells)] += 1
        self._left = dict(zip(cells, quotas.tolist(), strict=True))

    def take(self, bitboards: NDArray[np.uint64], scores: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Return which of some positions are taken; they count from then on."""
        import numpy as np

        plan = self._plan
        numbers = [number_of(name, bitboards, scores, plan.cells).tolist() for name in plan.strata]
        taken = np.zeros(len(bitboards), np.bool_)
        for row, cell in enumerate(zip(*numbers, strict=True)):
            if self._left.get(cell, 0) > 0:
                self._left[cell] -= 1
                taken[row] = True
        return taken

    def missing(self) -> str:
        """Return the first combination that is not full, in words."""
        cell = next((cell for cell, left in self._left.items() if left), ())
        words = zip(self._plan.strata, cell, strict=True)
        return ", ".join(f"{name} {NAMES[name][number]!r}" for name, number in words)

    def _possible(self) -> list[tuple[int, ...]]:
        """The combinations that there are: of a plan's numbers of discs, not all phases."""
        plan = self._plan
        cells: list[tuple[int, ...]] = [()]
        for name in plan.strata:
            members = range(len(NAMES[name]))
            if name == "phase":
                members = range(
                    plan.ply_range[0] * 3 // plan.cells, plan.ply_range[-1] * 3 // plan.cells + 1
                )
            cells = [(*cell, member) for cell in cells for member in members]
        return cells
