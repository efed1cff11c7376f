"""Solving a sample of a book's positions again, without it."""

import random
from dataclasses import dataclass

from fourcast._core import Book, Position, Solver, book_positions
from fourcast.book.builder import Progress
from fourcast.errors import BookError


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
    layers = [book_positions(ply, width=book.width, height=book.height) for ply in range(book.plies + 1)]
    everything = [position for layer in layers for position in layer]
    if len(everything) != len(book):
        raise BookError(f"the book has {len(book)} positions, there are {len(everything)}")
    chosen = random.Random(seed).sample(everything, min(sample, len(everything)))
    # In the order of the book, in which neighbours have work in common.
    chosen_keys = {position.key for position in chosen}
    chosen = [position for position in everything if position.key in chosen_keys]
    results = Solver(book=False).solve_many(chosen, threads=threads, progress=progress)
    return [
        Mismatch(position, book.score(position), result.lower)
        for position, result in zip(chosen, results, strict=True)
        if book.score(position) != result.lower
    ]
