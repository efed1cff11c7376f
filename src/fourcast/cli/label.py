"""`fourcast label`: exact labels for positions of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.cli._support import options
from fourcast.cli._support.progress import ProgressBar
from fourcast.data.labeling import label_file


def label(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A text with a move string per line, CSV or Parquet.")
    ],
    board: options.Board,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write.  [default: FILE.labels.parquet]")
    ] = None,
    column: Annotated[
        str, typer.Option(metavar="NAME", help="The column of CSV and Parquet with the moves.")
    ] = "moves",
    threads: options.Threads = 1,
) -> None:
    """Label the positions of a file with exact scores.

    The Parquet file that it writes has what FILE has, and the value of each
    position, the scores of its columns, the best columns (from 0), the outcome and
    the moves to the end. Finished games have no labels.
    """
    target = out or file.with_name(f"{file.stem}.labels.parquet")
    with ProgressBar("positions", transient=True) as bar:
        count = label_file(
            file, target, column=column, threads=threads, progress=bar.show, **board._asdict()
        )
    print(f"{target}: {count:,} positions labeled")
