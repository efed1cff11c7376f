"""`fourcast dataset`: positions with exact labels, in Parquet files."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from fourcast.book.workers import on_ray, on_threads
from fourcast.cli._support.options import Ray, Threads, check_ray
from fourcast.cli._support.process import news_of_ray_apart
from fourcast.cli._support.progress import ProgressBar
from fourcast.data.dataset import LABEL_ROWS, make_dataset
from fourcast.data.plan import parse_plan, read_plan
from fourcast.data.uci import write_uci8


class What(str, enum.Enum):
    """The data sets there are."""

    positions = "positions"
    uci8 = "uci8"


def dataset(
    what: Annotated[
        What,
        typer.Argument(
            metavar="positions|uci8",
            help="Positions of a plan, or the UCI repository's Connect-4 data set.",
        ),
    ] = What.positions,
    rows: Annotated[int | None, typer.Option(metavar="N", help="The number of positions.")] = None,
    plan: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A plan in TOML: which positions, columns, splits."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The folder to write.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Draw other positions.  [default: 0]")
    ] = None,
    threads: Threads = 1,
    ray: Ray = None,
    print_plan: Annotated[
        bool,
        typer.Option("--print-plan", help="Print the plan, with every setting, and do nothing else."),
    ] = False,
) -> None:
    """Make a data set of positions with exact scores.

    It is written as Parquet files, split into train, validation and test, with
    a README that says how it was made. After an interruption, the same command
    continues. The files are the same byte for byte on any number of threads or
    on a cluster. Without --plan, the board is 7x6, every number of discs is
    equally likely, and no two positions are equal or mirror images.
    """
    if what is What.uci8:
        if rows is not None or plan or seed is not None or ray or print_plan or threads != 1:
            raise typer.BadParameter("uci8 has no options but --out")
        if out is None:
            raise typer.BadParameter("give the folder to write, such as --out my-positions")
        counts = write_uci8(out)
        words = ", ".join(f"{count:,} {name}" for name, count in counts.items())
        print(f"{out}: {sum(counts.values()):,} positions: {words}")
        return
    check_ray(ray, threads)
    given = {"rows": rows, "seed": seed}
    settings = {name: value for name, value in given.items() if value is not None}
    chosen = read_plan(plan, **settings) if plan else parse_plan("", **settings)
    if print_plan:
        print(chosen.to_toml(), end="")
        return
    if chosen.rows is None and chosen.by != "all":
        raise typer.BadParameter("give the number of positions, such as --rows 10000")
    if out is None:
        raise typer.BadParameter("give the folder to write, such as --out my-positions")
    workers = on_threads(threads, LABEL_ROWS) if ray is None else on_ray(ray, LABEL_ROWS)
    with news_of_ray_apart(ray), ProgressBar("rows") as bar:
        summary = make_dataset(out, chosen, workers=workers, progress=bar.show)
    words = ", ".join(f"{count:,} {name}" for name, count in summary.rows.items())
    kept = sum(summary.rows.values()) - summary.made
    print(f"{out}: {words}; {summary.files:,} files" + (f" ({kept:,} rows were there)" if kept else ""))
