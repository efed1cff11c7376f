"""Positions and exact labels in numpy arrays, in the layouts of other packages; see `docs/data.md`.

>>> from fourcast import Solver
>>> late = sample(100, seed=1, plies=range(30, 42))
>>> scores = Solver().column_scores(late.bitboards)
>>> scores.shape, scores.dtype.name
((100, 7), 'int8')
"""

from fourcast._core import FINISHED, FULL, IMPOSSIBLE, UNKNOWN
from fourcast.data.arrays import LAYOUTS, bitboards, mirrored, planes, positions_from_planes
from fourcast.data.dataset import Summary, make_dataset
from fourcast.data.labeling import label_file
from fourcast.data.loading import torch_dataset
from fourcast.data.plan import Plan, read_plan
from fourcast.data.sampling import By, Sample, sample
from fourcast.data.uci import uci8

__all__ = [
    "FINISHED",
    "FULL",
    "IMPOSSIBLE",
    "LAYOUTS",
    "UNKNOWN",
    "By",
    "Plan",
    "Sample",
    "Summary",
    "bitboards",
    "label_file",
    "make_dataset",
    "mirrored",
    "planes",
    "positions_from_planes",
    "read_plan",
    "sample",
    "torch_dataset",
    "uci8",
]
