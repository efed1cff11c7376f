"""Puzzles in files: a line of text each, in a gzip file. docs/puzzles.md describes the format."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from fourcast._core import ask
from fourcast.errors import GameFileError, OptionError, require, require_each
from fourcast.files import replace_file
from fourcast.puzzles.puzzle import Puzzle

__all__ = [
    "format_puzzle",
    "parse_puzzle",
    "read_header",
    "read_puzzles",
    "write_puzzles",
]

FORMAT = "fourcast puzzles 1"
MAX_TEXT = 100_000_000
"""Bytes of the largest file that is read, unpacked."""


def format_puzzle(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of text.

    >>> format_puzzle(Puzzle("4575274553", "win", (3, 2, 3), "four", 0, 260, 90, ("double threat",)))
    '4575274553 w4 434 1 260 90 d'
    """
    return str(ask("puzzle.format", puzzle.to_json()))


def parse_puzzle(line: str, width: int = 7, height: int = 6) -> Puzzle:
    """Return the puzzle of a line. Raises `OptionError` if it is none.

    >>> parse_puzzle("4575274553 w4 434 1 260 90 d").themes
    ('double threat',)
    """
    return Puzzle.from_json(ask("puzzle.parse", {"line": line, "width": width, "height": height}))


def _text(puzzles: Iterable[Puzzle], width: int, height: int, note: str = "") -> str:
    """Return the text of a file: a line on what it is, then the puzzles in the order of their moves."""
    lines = sorted(map(format_puzzle, puzzles))
    return "\n".join([f"# {FORMAT} {width}x{height} {note}".rstrip(), *lines, ""])


def write_puzzles(
    path: str | os.PathLike[str],
    puzzles: Iterable[Puzzle],
    width: int = 7,
    height: int = 6,
    note: str = "",
) -> None:
    """Write a file of puzzles. It takes the place of another one only when it is whole."""
    require("path", path, str, os.PathLike)
    if not isinstance(puzzles, Iterable):
        raise TypeError(f"puzzles must be a list of puzzles, not {type(puzzles).__name__}")
    puzzles = list(puzzles)
    require_each("puzzles", puzzles, Puzzle)
    path = Path(path)
    text = _text(puzzles, width, height, note)
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
        file.write(text.encode("ascii"))
    replace_file(path, packed.getvalue())


def read_puzzles(source: str | os.PathLike[str] | IO[bytes]) -> list[Puzzle]:
    """Return the puzzles of a file. Raises `GameFileError` if it is no such file, with the line."""
    if not hasattr(source, "read"):
        require("source", source, str, os.PathLike)
    found = _ask_file("puzzles.read", read_text(source), _name(source))
    return list(map(Puzzle.from_json, found))


def read_text(source: str | os.PathLike[str] | IO[bytes]) -> str:
    """Return the text of a file, unpacked; what it says is not looked at."""
    try:
        with gzip.open(source, "rb") as file:
            content = file.read(MAX_TEXT + 1)
        text = content.decode("ascii")
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        raise GameFileError(f"{_name(source)} is not a file of puzzles: {error}") from None
    if len(content) > MAX_TEXT:
        raise GameFileError(f"{_name(source)} is too large for a file of puzzles")
    return text


def _name(source: str | os.PathLike[str] | IO[bytes]) -> str:
    return str(source) if isinstance(source, (str, os.PathLike)) else "the file"


def read_header(path: Path) -> tuple[int, int, str]:
    """Return the size of the board of a file, and the note on how it was made."""
    with gzip.open(path, "rt", encoding="ascii") as file:
        header = _ask_file("puzzles.header", file.readline(), str(path))
    return header["width"], header["height"], header["note"]


def _ask_file(question: str, text: str, name: str) -> Any:
    try:
        return ask(question, {"text": text})
    except OptionError as error:
        raise GameFileError(f"{name}, {error}") from None
