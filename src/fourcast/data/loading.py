"""Data sets for training: rows of Parquet files as tensors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from fourcast.data.arrays import planes
from fourcast.data.plan import SPLITS, read_plan
from fourcast.data.tables import read_bitboards, require_pyarrow
from fourcast.errors import DatasetError, OptionError, missing_extra
from fourcast.notation import suggest

__all__ = ["torch_dataset"]


def torch_dataset(
    folder: str | os.PathLike[str], split: str = "train", *, layout: str = "pettingzoo"
) -> Any:
    """Return a split of a data set as a `torch.utils.data.Dataset`.

    An item is a pair of tensors: the board in a *layout*, as float32, and the scores of all columns as
    int8, or the value if the data set has no scores. Batches are converted at once: 35 bytes a row are
    kept in memory, and boards are made when they are asked for.
    """
    try:
        import torch
    except ImportError:
        raise missing_extra("this needs PyTorch", packages=["torch"]) from None
    require_pyarrow()
    import numpy as np
    import pyarrow.parquet as pq

    path = Path(folder)
    if split not in SPLITS:
        raise OptionError(f"there is no split {split!r}; {suggest(split, SPLITS)}")
    try:
        plan = read_plan(path / "plan.toml")
    except OSError:
        raise DatasetError(f"'{path}' is not a data set: it has no plan.toml") from None
    label = next((name for name in ("scores", "value") if name in plan.columns), None)
    if label is None:
        raise DatasetError(f"'{path}' has no labels: its plan has neither scores nor value")
    files = sorted((path / "data").glob(f"{split}-*.parquet"))
    boards = np.concatenate([read_bitboards(file, plan) for file in files])
    labels = np.concatenate(
        [
            np.asarray(pq.read_table(file, columns=[label])[label].combine_chunks().flatten())
            if label == "scores"
            else pq.read_table(file, columns=[label])[label].to_numpy()
            for file in files
        ]
    )
    if label == "scores":
        labels = labels.reshape(len(boards), plan.width)

    class Positions(torch.utils.data.Dataset):  # type: ignore[misc,name-defined,unused-ignore]
        """The rows of a split."""

        def __len__(self) -> int:
            return len(boards)

        def __getitem__(self, row: int) -> Any:
            return self.__getitems__([row])[0]

        def __getitems__(self, rows: list[int]) -> list[Any]:
            drawn = planes(boards[rows], layout, width=plan.width, height=plan.height)
            inputs = torch.from_numpy(drawn.astype(np.float32))
            return list(zip(inputs, torch.from_numpy(labels[rows]), strict=True))

    return Positions()
