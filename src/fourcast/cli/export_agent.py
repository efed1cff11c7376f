"""`fourcast export-agent`: a player as a file that another platform runs."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from fourcast.adapters.kaggle import submission
from fourcast.files import replace_file


class Format(str, enum.Enum):
    """The platforms that agents can be written for."""

    kaggle = "kaggle"


def export_agent(
    name: Annotated[
        str, typer.Argument(metavar="PLAYER", help="perfect, depth:depth=N, winning or random.")
    ],
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.kaggle,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The file to write; - is standard output.")
    ] = Path("submission.py"),
) -> None:
    """Write a player as a file to submit to Kaggle's ConnectX.

    The file is plain Python that needs no other package and no network. It plays
    four in a row on boards of any size. perfect is the strongest: it has a book of
    best moves on 7x6 up to 12 discs, and then searches for 70% of the time that
    ConnectX gives it for a move, which is not enough to be perfect.
    """
    del form  # there is one
    text = submission(name)
    if str(out) == "-":
        print(text, end="")
        return
    replace_file(out, text.encode())
    print(f"{out}: {name} for ConnectX, {len(text):,} bytes")
