"""Labels for a user's own positions: from a text, CSV or Parquet file to Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourcast._core import FINISHED, FULL, IMPOSSIBLE, Position
from fourcast.data.files import write_whole
from fourcast.data.tables import OUTCOMES, plies_to_end, require_pyarrow, write_parquet
from fourcast.errors import DatasetError, FourcastError, require
from fourcast.notation import quote
from fourcast.solver import Solver

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["label_file"]

ROWS = 8192
"""Rows that are labeled together."""


def label_file(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    column: str = "moves",
    width: int = 7,
    height: int = 6,
    threads: int = 1,
    solver: Solver | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> int:
    """Write the rows of a file with exact labels to the Parquet file *out*; return how many there are.

    *source* is a text with a move string in each line (`-` is the empty board), or a CSV or Parquet file
    with a *column* of move strings. What it has is kept; `value`, `scores`, `best` (columns counted from
    0), `outcome` and `plies_to_end` are added. Positions whose game is over have no labels (null).
    Raises `DatasetError` that names the row of anything that is no position.
    """
    require("source", source, str, os.PathLike)
    require("out", out, str, os.PathLike)
    require_pyarrow()
    import numpy as np
    import pyarrow as pa

    table = _read(Path(source), column)
    for name in ("value", "scores", "best", "outcome", "plies_to_end"):
        if name in table.column_names:
            raise DatasetError(f"'{source}' has a column {name!r} already; rename or remove it")
    solver = solver or Solver()
    moves = [("" if each in (None, "-") else str(each)) for each in table[column].to_pylist()]
    parts = []
    for start in range(0, len(moves), ROWS):
        part = moves[start : start + ROWS]
        scores = solver.column_scores(part, width=width, height=height, threads=threads, invalid="mark")
        is_wrong = (scores == IMPOSSIBLE).any(axis=1)
        if is_wrong.any():
            row = start + int(is_wrong.argmax())
            raise DatasetError(f"row {row + 1} of '{source}': {_why(moves[row], width, height)}")
        parts.append(scores)
        if progress:
            progress(min(start + ROWS, len(moves)), len(moves))
    scores = np.concatenate(parts) if parts else np.zeros((0, width), np.int8)
    values = scores.max(axis=1) if len(scores) else np.zeros(0, np.int8)
    over = values == FINISHED
    plies = np.array([len(each) for each in moves], np.int16)
    best = [
        None if is_over else [c for c in range(width) if row[c] == value and row[c] != FULL]
        for row, value, is_over in zip(scores.tolist(), values.tolist(), over.tolist(), strict=True)
    ]
    outcomes = np.array(OUTCOMES)[np.sign(values) + 1].tolist()
    labels: dict[str, Any] = {
        "value": pa.array(values, mask=over),
        "scores": pa.array(
            [None if is_over else row for row, is_over in zip(scores.tolist(), over, strict=True)],
            pa.list_(pa.int8(), width),
        ),
        "best": pa.array(best, pa.list_(pa.int8())),
        "outcome": pa.array(outcomes, mask=over),
        "plies_to_end": pa.array(plies_to_end(values, plies, width * height), mask=over),
    }
    for name, content in labels.items():
        table = table.append_column(name, content)
    write_whole(Path(out), write_parquet(table))
    return len(moves)


def _why(moves: str, width: int, height: int) -> str:
    try:
        Position(moves, width=width, height=height)
    except FourcastError as error:
        return str(error)
    return f"{quote(moves)} is not a position"


def _read(source: Path, column: str) -> pa.Table:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    try:
        if source.suffix == ".parquet":
            table = pyarrow.parquet.read_table(source)
        elif source.suffix == ".csv":
            types = pyarrow.csv.ConvertOptions(column_types={column: pa.string()})
            table = pyarrow.csv.read_csv(source, convert_options=types)
        else:
            table = pa.table({column: list(_lines(source))})
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise DatasetError(f"'{source}' cannot be read: {error}") from None
    if column not in table.column_names:
        names = ", ".join(map(repr, table.column_names))
        raise DatasetError(f"'{source}' has no column {column!r}; it has {names}")
    return table


def _lines(source: Path) -> Iterator[str]:
    with source.open(encoding="utf-8") as file:
        for line in file:
            if words := line.split("#")[0].split():
                yield words[0]
