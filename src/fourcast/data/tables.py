"""Rows of data sets as Arrow tables and Parquet files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourcast.data.drawing import Rows
from fourcast.data.plan import Plan
from fourcast.errors import DatasetError, missing_extra

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

OUTCOMES = ("loss", "draw", "win")

VALUE_COLUMNS = {"value", "plies_to_end", "outcome"}
"""The columns that follow from the values of positions."""

PLAN_KEY = b"fourcast"
"""Under this key the metadata of a file has the plan."""
LEFT_OUT_KEY = b"fourcast.left_out"
"""Under this key the metadata of a shard's first file has what was left out, as JSON."""

_SUFFIXES = ("", "_high")


@dataclass(frozen=True, eq=False)
class LabeledRows:
    """Rows with what the plan's columns take: their values, and the scores of all columns."""

    rows: Rows
    values: NDArray[np.int8] | None = None
    scores: NDArray[np.int8] | None = None

    def __getitem__(self, chosen: NDArray[np.bool_]) -> LabeledRows:
        values = None if self.values is None else self.values[chosen]
        scores = None if self.scores is None else self.scores[chosen]
        return LabeledRows(self.rows[chosen], values, scores)


def require_pyarrow() -> None:
    """Raise `MissingExtraError` if pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise missing_extra("data sets need pyarrow", "data") from None


def plies_to_end(values: NDArray[np.int8], plies: NDArray[Any], cells: int) -> NDArray[np.int16]:
    """Return how many moves are left under perfect play, from exact scores and numbers of discs."""
    import numpy as np

    size = np.abs(values.astype(np.int16))
    # The winning move is made with cells - 2 * size or one more discs on the board, whichever is the
    # winner's turn: an even number of moves from now if that is the side to move.
    before = cells - 2 * size - plies
    is_others_turn = (values < 0).astype(np.int16)
    before += (before - is_others_turn) % 2
    return np.where(values == 0, cells - plies, before + 1).astype(np.int16)


def to_table(
    plan: Plan, parts: Sequence[LabeledRows], left_out: Mapping[str, int] | None = None
) -> pa.Table:
    """Return the table of some rows; its metadata has what was *left_out* when they were drawn."""
    import numpy as np
    import pyarrow as pa

    def joined(arrays: Iterable[NDArray[Any] | None]) -> NDArray[Any]:
        return np.concatenate([array for array in arrays if array is not None])

    words = joined(part.rows.bitboards for part in parts)
    words = words.reshape(len(words), 2, 1 + _is_wide(plan))
    plies = _popcount(words).sum(axis=(1, 2), dtype=np.int16)
    columns: dict[str, Any] = {}
    values = joined(part.values for part in parts) if VALUE_COLUMNS & set(plan.columns) else None
    for name in plan.columns:
        if name == "moves":
            texts = joined(part.rows.moves for part in parts)
            columns[name] = pa.array(texts, pa.binary()).cast(pa.string())
        elif name in ("first", "second"):
            player = ("first", "second").index(name)
            for word, suffix in enumerate(_SUFFIXES[: words.shape[2]]):
                columns[f"{name}{suffix}"] = pa.array(words[:, player, word])
        elif name == "ply":
            columns[name] = pa.array(plies)
        elif name == "value":
            columns[name] = pa.array(values)
        elif name == "scores":
            scores = joined(part.scores for part in parts)
            columns[name] = pa.FixedSizeListArray.from_arrays(pa.array(scores.reshape(-1)), plan.width)
        elif name == "plies_to_end":
            assert values is not None
            columns[name] = pa.array(plies_to_end(values, plies, plan.cells))
        elif name == "outcome":
            assert values is not None
            codes = pa.array(np.sign(values) + 1, pa.int8())
            columns[name] = pa.DictionaryArray.from_arrays(codes, OUTCOMES).cast(pa.string())
        elif name == "game":
            columns[name] = pa.array(joined(part.rows.game for part in parts))
    metadata = {PLAN_KEY: _plan_of_files(plan)}
    if left_out:
        metadata[LEFT_OUT_KEY] = json.dumps(dict(sorted(left_out.items()))).encode()
    return pa.table(columns).replace_schema_metadata(metadata)


def _plan_of_files(plan: Plan) -> bytes:
    """The plan without the number of rows: a data set that grows keeps its files."""
    return replace(plan, rows=None).to_toml().encode()


def _is_wide(plan: Plan) -> bool:
    """Whether a player's discs take two words."""
    return plan.width * (plan.height + 1) > 64


def _popcount(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    import numpy as np

    octets = np.ascontiguousarray(words)[..., None].view(np.uint8)
    counts: NDArray[np.uint8] = np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.uint8)
    return counts


def write_parquet(table: pa.Table) -> bytes:
    """Return a table as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = pa.BufferOutputStream()
    with pq.ParquetWriter(buffer, table.schema, compression="zstd") as writer:
        if table.num_rows:  # Hugging Face datasets cannot read a row group without rows
            writer.write_table(table)
    content: bytes = buffer.getvalue().to_pybytes()
    return content


def count_rows(file: Path, plan: Plan | None = None) -> int:
    """Return the rows of a file; raise `DatasetError` if it is not whole or of another plan."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(file)
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"'{file}' is damaged: {error}; remove it to make it again") from None
    if plan and (metadata.metadata or {}).get(PLAN_KEY) != _plan_of_files(plan):
        raise DatasetError(f"'{file}' is not of this data set; remove it to make it again")
    rows: int = metadata.num_rows
    return rows


def read_left_out(file: Path) -> dict[str, int]:
    """Return what was left out when the rows of a shard were drawn, from its first file."""
    import pyarrow.parquet as pq

    found: dict[str, int] = json.loads((pq.read_metadata(file).metadata or {}).get(LEFT_OUT_KEY, b"{}"))
    return found


def read_bitboards(file: Path, plan: Plan) -> NDArray[np.uint64]:
    """Return the positions of a file as `fourcast.data.bitboards` does."""
    import numpy as np
    import pyarrow.parquet as pq

    suffixes = _SUFFIXES[: 1 + _is_wide(plan)]
    names = [f"{player}{suffix}" for player in ("first", "second") for suffix in suffixes]
    table = pq.read_table(file, columns=names)
    words = np.column_stack([table[name].to_numpy() for name in names])
    return words.reshape(-1, 2, 2) if _is_wide(plan) else words
