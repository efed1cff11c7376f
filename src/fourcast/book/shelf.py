"""The books there are: what came with fourcast, and what lies in the data folder.

Every first solver of a process comes by here, so this imports next to nothing.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from functools import cache

from fourcast._core import Book
from fourcast.errors import BookError, BookWarning
from fourcast.paths import data_folder_name

SUFFIX = ".book"


def default_book(width: int = 7, height: int = 6) -> Book | None:
    """Return the deepest book there is for a size of the board; None without any."""
    return next((book for book in default_books() if (book.width, book.height) == (width, height)), None)


@cache
def default_books() -> tuple[Book, ...]:
    """Return the deepest book for each size of the board, from the package and the data folder.

    A file that is no book is passed over with a `BookWarning`: it costs time, but no answer.
    """
    shipped = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shipped")
    deepest: dict[tuple[int, int], Book] = {}
    for folder in (shipped, os.path.join(data_folder_name(), "books")):
        for book in _books_in(folder):
            size = book.width, book.height
            if size not in deepest or book.plies > deepest[size].plies:
                deepest[size] = book
    return tuple(deepest.values())


def _books_in(folder: str) -> Iterator[Book]:
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        _warn(f"no book is looked for in '{folder}': {error.strerror}")
        return
    for name in names:
        if name.endswith(SUFFIX):
            try:
                yield Book(os.path.join(folder, name))
            except BookError as error:
                _warn(f"going on without a book: {error}")


def _warn(message: str) -> None:
    warnings.warn(message, BookWarning, stacklevel=2)
