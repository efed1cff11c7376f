"""`fourcast book`: build, check and describe opening books."""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from fourcast._core import Book
from fourcast.book import build as build_book
from fourcast.book import data_folder, default_book
from fourcast.book import verify as verify_book
from fourcast.cli.options import Height, Threads, Width
from fourcast.cli.stream import run_politely
from fourcast.engines import on_ray, on_threads
from fourcast.errors import BookError

Plies = Annotated[int, typer.Option(min=0, max=31, help="Stones of the deepest positions.")]
Out = Annotated[Path | None, typer.Option(help="The file to write; by default one in the data folder.")]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Solve on the Ray cluster at this address, such as auto or 10.0.0.1:6379, not here.",
    ),
]
GivenBook = Annotated[Path | None, typer.Argument(help="The book; by default the one in use.")]
Sample = Annotated[int, typer.Option(min=1, help="How many positions to solve again.")]
Seed = Annotated[int, typer.Option(min=0, help="Draw other positions.")]


def book() -> None:
    """Build, check and describe opening books."""


def build(
    plies: Plies,
    out: Out = None,
    width: Width = 7,
    height: Height = 6,
    threads: Threads = 1,
    ray: Ray = None,
) -> None:
    """Solve all positions up to so many stones and write them to a book.

    It may take hours. What is solved is kept: run the same command again and it goes on where it was,
    however it was ended, here or on a cluster.
    """
    if ray is not None and threads != 1:
        raise typer.BadParameter("--threads are of this machine; a cluster works on all its processors")
    engine = on_threads(threads) if ray is None else on_ray(ray)
    path = out or data_folder() / "books" / f"{width}x{height}-{plies}.book"

    def work() -> int:
        with _Bar("solving") as bar:
            made = build_book(path, plies, width=width, height=height, engine=engine, progress=bar.show)
        print(f"{path}: {_describe(made)}")
        return 0

    raise typer.Exit(run_politely(work))


def verify(file: GivenBook = None, sample: Sample = 1000, seed: Seed = 0, threads: Threads = 1) -> None:
    """Solve a sample of a book's positions again, without it, and compare."""

    def work() -> int:
        opened = _open(file)
        with _Bar("solving") as bar:
            wrong = verify_book(opened, sample, seed=seed, threads=threads, progress=bar.show)
        for mismatch in wrong:
            print(f"{mismatch.position}\nbook {mismatch.book}, solver {mismatch.solver}\n")
        print(f"{min(sample, len(opened))} positions solved again, {len(wrong)} wrong")
        return 1 if wrong else 0

    raise typer.Exit(run_politely(work))


def info(file: GivenBook = None) -> None:
    """Say what a book holds."""
    opened = _open(file)
    print(_describe(opened))
    for ply, count in enumerate(opened.counts):
        print(f"{ply:3} stones {count:12,} positions")


SUBCOMMANDS = (build, verify, info)


def _open(file: Path | None) -> Book:
    if file is not None:
        return Book(file)
    found = default_book()
    if found is None:
        raise BookError("no book came with this fourcast, and there is none in the data folder")
    return found


def _describe(opened: Book) -> str:
    return (
        f"{opened.width}x{opened.height}, up to {opened.plies} stones, {len(opened):,} positions, "
        f"{opened.bytes:,} bytes ({opened.bytes / len(opened):.2f} a position)"
    )


class _Bar:
    """A progress bar with an estimate on a terminal; elsewhere a line now and then."""

    def __init__(self, what: str) -> None:
        self._bar = Progress(
            TextColumn(what),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(file=sys.stderr),
            disable=not sys.stderr.isatty(),
            speed_estimate_period=1800,  # some positions take a hundred times as long as others
        )
        self._task = self._bar.add_task(what, total=None)
        self._what = what
        self._begun: tuple[int, float] | None = None  # what was done before, and when this began
        self._last_line = time.monotonic()

    def __enter__(self) -> _Bar:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def show(self, done: int, total: int) -> None:
        """Show that *done* of *total* are done; the estimate counts from the first call."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = done, now
            self._bar.reset(self._task, completed=done, total=total)
        self._bar.update(self._task, completed=done, total=total)
        if self._bar.disable and now - self._last_line > 60:
            self._last_line = now
            before, start = self._begun
            line = f"{self._what}: {done:,} of {total:,}"
            if done > before:
                left = (total - done) * (now - start) / (done - before)
                line += f", {timedelta(seconds=round(left))} left"
            print(line, file=sys.stderr, flush=True)
