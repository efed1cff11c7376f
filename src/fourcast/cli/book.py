"""`fourcast book`: build, check, describe and export opening books."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Book
from fourcast.book import build as build_book
from fourcast.book import data_folder, default_book
from fourcast.book import verify as verify_book
from fourcast.book.export import export_book, export_csv
from fourcast.book.workers import SOLVE_POSITIONS, on_ray, on_threads
from fourcast.cli._support.options import Board, Json, Ray, Threads, check_ray
from fourcast.cli._support.process import news_of_ray_apart
from fourcast.cli._support.progress import ProgressBar
from fourcast.errors import BookError

Plies = Annotated[int, typer.Option(min=0, max=31, metavar="N", help="Discs of the deepest positions.")]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The file to write; by default one in the data folder."),
]
GivenBook = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="The book; by default the one in use.")
]
ExportOut = Annotated[
    Path,
    typer.Option(
        metavar="FILE", help="The file to write: .parquet or .csv; - is CSV on standard output."
    ),
]
Sample = Annotated[int, typer.Option(min=1, metavar="N", help="Positions to solve again.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Draw other positions.")]


def book() -> None:
    """Build, check, describe and export opening books."""


def build(
    plies: Plies,
    board: Board,
    out: Out = None,
    threads: Threads = 1,
    ray: Ray = None,
) -> None:
    """Solve all positions up to a number of discs, and write a book.

    This can take hours. If it is interrupted, run the same command again and it continues, here or on a
    cluster.
    """
    check_ray(ray, threads)
    workers = on_threads(threads, SOLVE_POSITIONS) if ray is None else on_ray(ray, SOLVE_POSITIONS)
    path = out or data_folder() / "books" / f"{board.width}x{board.height}-{plies}.book"
    with news_of_ray_apart(ray), ProgressBar("solving") as bar:
        made = build_book(path, plies, **board._asdict(), workers=workers, progress=bar.show)
    print(f"{path}: {_describe(made)}")


def verify(file: GivenBook = None, sample: Sample = 1000, seed: Seed = 0, threads: Threads = 1) -> None:
    """Check a sample of a book against the solver."""
    opened = _open(file)
    with ProgressBar("solving", total=min(sample, len(opened))) as bar:
        wrong = verify_book(opened, sample, seed=seed, threads=threads, progress=bar.show)
    for mismatch in wrong:
        print(f"{mismatch.position}\nbook {mismatch.book}, solver {mismatch.solver}\n")
    print(f"{min(sample, len(opened))} positions solved again, {len(wrong)} wrong")
    raise typer.Exit(1 if wrong else 0)


def info(file: GivenBook = None, as_json: Json = False) -> None:
    """Describe a book."""
    opened = _open(file)
    if as_json:
        print(json.dumps(_to_object(opened)))
        return
    print(_describe(opened))
    if opened.line_plies is not None:
        print(f"with a line book for positions of up to {opened.line_plies} discs")
    for ply, count in enumerate(opened.counts):
        print(f"{ply:3} discs {count:12,} positions")


def export(out: ExportOut, file: GivenBook = None) -> None:
    """Export a book as Parquet or CSV.

    One of each two mirror images is in it, as in the book. The columns are the number of discs, the
    bitboards of both players, the exact score of the side to move, and its outcome.
    """
    opened = _open(file)
    with ProgressBar("positions") as bar:
        if str(out) == "-":
            export_csv(opened, sys.stdout.buffer, progress=bar.show)
        else:
            export_book(opened, out, progress=bar.show)
    if str(out) != "-":
        print(f"{out}: {len(opened):,} positions, {out.stat().st_size:,} bytes")


SUBCOMMANDS = (build, verify, info, export)


def _open(file: Path | None) -> Book:
    if file is not None:
        return Book(file)
    found = default_book()
    if found is None:
        raise BookError("no book came with this fourcast, and there is none in the data folder")
    return found


def _to_object(opened: Book) -> dict[str, object]:
    return {
        "width": opened.width,
        "height": opened.height,
        "plies": opened.plies,
        "positions": len(opened),
        "bytes": opened.bytes,
        "counts": list(opened.counts),
        "line_plies": opened.line_plies,
    }


def _describe(opened: Book) -> str:
    return (
        f"{opened.width}x{opened.height}, up to {opened.plies} discs, {len(opened):,} positions, "
        f"{opened.bytes:,} bytes ({opened.bytes / len(opened):.2f} a position)"
    )
