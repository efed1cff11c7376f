"""Solving a sample of a book's positions again, without it."""

import random
from dataclasses import dataclass

from fourcast._core import Book, Position, PositionList, book_positions
from fourcast.book.builder import Progress
from fourcast.errors import BookError
from fourcast.solver import Solver


@dataclass(frozen=True)
class Mismatch:
    """A position that a book has wrong."""

    position: Position
    book: int
    solver: int


def verify(
    book: Book,
    sample: int,
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> list[Mismatch]:
    """Solve *sample* positions of a book without it and return those that it has wrong.

    They are drawn from all its layers alike, each position as likely as any other.
    """
    # In the order of the book, in which neighbors have work in common.
    numbers = sorted(random.Random(seed).sample(range(len(book)), min(sample, len(book))))
    chosen: list[Position] = []
    first = 0  # the number of the first position of a layer
    for ply, count in enumerate(book.counts):
        wanted = [number - first for number in numbers if first <= number < first + count]
        first += count
        if not wanted:
            continue
        layer = layer_of(book, ply)
        chosen += [layer[number] for number in wanted]
    results = Solver(book=False).solve_many(chosen, threads=threads, progress=progress)
    return [
        Mismatch(position, book.score(position), result.lower)
        for position, result in zip(chosen, results, strict=True)
        if book.score(position) != result.lower
    ]


def layer_of(book: Book, ply: int) -> PositionList:
    """Return the positions of *book* with *ply* discs. Raises `BookError` if it has not all of them."""
    layer = book_positions(ply, width=book.width, height=book.height)
    if len(layer) != book.counts[ply]:
        there = f"there are {len(layer)}"
        raise BookError(f"the book has {book.counts[ply]} positions with {ply} discs, {there}")
    return layer
