"""Opening books: which one is used, and how one is built and checked.

shelf       the books there are, in the package and in the data folder
builder     building one, through any interruption
chunk_file  what a build has found so far, on disk
checker     solving a sample again
lines       making a line book: how lines go on behind a book
"""

from typing import TYPE_CHECKING

from fourcast._core import Book
from fourcast.book.shelf import default_book
from fourcast.paths import data_folder

if TYPE_CHECKING:
    from fourcast.book.builder import build
    from fourcast.book.checker import Mismatch, verify

__all__ = ["Book", "Mismatch", "build", "data_folder", "default_book", "verify"]

# Imported when they are asked for: a solver asks for its book only, and nobody should wait for it.
_LAZY = {
    "Mismatch": "fourcast.book.checker",
    "build": "fourcast.book.builder",
    "verify": "fourcast.book.checker",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
