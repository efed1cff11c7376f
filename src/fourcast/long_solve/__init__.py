"""Solves of hours or days that survive whatever ends them, on one machine or on many.

The first moves are searched here, and everything below them by the solver: a position that takes the
solver too long is split into the positions after each of its moves. What costs much is proven once: all
such bounds are in a file, the checkpoint, which is written again and again.

`solve_with_checkpoint` takes one position after the other, `solve_on_workers` many at a time.

>>> import tempfile
>>> from pathlib import Path
>>> from fourcast import Position
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "6x4.checkpoint"
...     result = solve_with_checkpoint(Position(width=6, height=4), file)
...     again = solve_with_checkpoint(Position(width=6, height=4), file)  # this one only reads
>>> result.score, again.score
(-1, -1)
"""

from fourcast.long_solve.best_first import QUESTIONS, QUESTIONS_WITHOUT_BOOK, solve_on_workers
from fourcast.long_solve.checkpoint import Checkpoint
from fourcast.long_solve.depth_first import solve_with_checkpoint

__all__ = [
    "QUESTIONS",
    "QUESTIONS_WITHOUT_BOOK",
    "Checkpoint",
    "solve_on_workers",
    "solve_with_checkpoint",
]
