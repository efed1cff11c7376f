"""The Connect-4 data set of the UCI repository, made again from the opening book."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fourcast import __version__
from fourcast._core import Position, book_positions
from fourcast.data.arrays import planes
from fourcast.data.files import check_empty, locked_folder, remove_unfinished, write_whole
from fourcast.data.tables import require_pyarrow, write_parquet
from fourcast.errors import require
from fourcast.solver import Solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLY = 8
CLASSES = ("win", "loss", "draw")
FILES = ("connect-4.data", "connect-4.parquet", "README.md")

_CARD = """\
# The Connect-4 data set of the UCI repository, made again

All {rows:,} positions with 8 discs on a board of 7x6 in which neither player has won, or could win with
one disc; one of each two mirror images, of which the original may have the other one.

| class | rows |
|-|-|
{counts}

The class is what the first player, who is to move, gets under perfect play. The squares are `a1`,
`a2`, ... `a6`, `b1`, ... `g6`: column by column from the left, each from the bottom. `x` is the first
player, `o` the second, `b` blank.

- `connect-4.data`: a line for each position, in the format of the original.
- `connect-4.parquet`: the same as a table, with names.

Made by fourcast {version}: `fourcast dataset uci8 --out FOLDER`.
"""


def uci8(solver: Solver | None = None) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
    """Return the positions of the UCI data set in the layout `uci`, and their classes.

    Those are all positions with 8 discs in which neither player has won or can win with one disc, one of
    each two mirror images, of which the original may have the other one. The class is what the first
    player, who is to move, gets: `win`, `loss` or `draw`.

    >>> boards, classes = uci8()
    >>> boards.shape, [int((classes == name).sum()) for name in ("win", "loss", "draw")]
    ((67557, 42), [44473, 16635, 6449])
    """
    require("solver", solver, Solver, type(None))
    import numpy as np

    chosen = [position for position in book_positions(PLY) if _is_quiet(position)]
    values = (solver or Solver()).values(chosen)
    return planes(chosen, "uci"), np.array(["loss", "draw", "win"])[np.sign(values) + 1]


def _is_quiet(position: Position) -> bool:
    return not position.winning_columns(1) and not position.winning_columns(2)


def write_uci8(out: Path) -> dict[str, int]:
    """Write the UCI data set to the folder *out*, and return how many positions each class has.

    Raises `DatasetError` if the folder holds anything else.
    """
    require_pyarrow()
    import numpy as np
    import pyarrow as pa

    with locked_folder(out):
        check_empty(out, besides=FILES)
        remove_unfinished(out)
        boards, classes = uci8()
        counts = {name: int((classes == name).sum()) for name in CLASSES}
        squares = [f"{column}{row}" for column in "abcdefg" for row in range(1, 7)]
        cells = np.column_stack([boards, classes])
        text = "".join(",".join(row) + "\n" for row in cells.tolist())
        columns = {name: pa.array(cells[:, i]) for i, name in enumerate([*squares, "class"])}
        card = _CARD.format(
            rows=len(boards),
            counts="\n".join(f"| {name} | {count:,} |" for name, count in counts.items()),
            version=__version__,
        )
        contents = (text.encode(), write_parquet(pa.table(columns)), card.encode())
        for name, content in zip(FILES, contents, strict=True):
            write_whole(out / name, content)
    return counts
