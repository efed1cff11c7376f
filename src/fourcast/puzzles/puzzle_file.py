"""Puzzles in files: a line of text each, in a gzip file. docs/puzzles.md describes the format."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import IO

from fourcast.errors import GameFileError, OptionError
from fourcast.files import replace_file
from fourcast.notation import format_moves, parse_moves, quote
from fourcast.puzzles.puzzle import Ending, Puzzle
from fourcast.puzzles.rules import Goal
from fourcast.puzzles.themes import THEMES

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

_GOALS: dict[str, Goal] = {"w": "win", "k": "keep win", "d": "keep draw", "b": "better"}
_ENDINGS: dict[str, Ending] = {"4": "four", "p": "plan", "c": "choice"}
_GOAL_LETTERS = {goal: letter for letter, goal in _GOALS.items()}
_ENDING_LETTERS = {ending: letter for letter, ending in _ENDINGS.items()}
_THEME_NAMES = {theme.letter: name for name, theme in THEMES.items()}


def format_puzzle(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of text.

    >>> format_puzzle(Puzzle("4575274553", "win", (3, 2, 3), "four", 0, 260, 90, ("double threat",)))
    '4575274553 w4 434 1 260 90 d'
    """
    return " ".join(
        (
            puzzle.moves,
            _GOAL_LETTERS[puzzle.goal] + _ENDING_LETTERS[puzzle.ending],
            format_moves(puzzle.solution),
            "-" if puzzle.tempting is None else format_moves([puzzle.tempting]),
            str(puzzle.rating),
            str(puzzle.error),
            "".join(THEMES[name].letter for name in puzzle.themes) or "-",
        )
    )


def parse_puzzle(line: str, width: int = 7, height: int = 6) -> Puzzle:
    """Return the puzzle of a line. Raises `OptionError` if it is none.

    >>> parse_puzzle("4575274553 w4 434 1 260 90 d").themes
    ('double threat',)
    """
    try:
        moves, kind, solution, tempting, rating, error, themes = line.split(" ")
        return Puzzle(
            moves=moves,
            goal=_GOALS[kind[0]],
            solution=tuple(parse_moves(solution, width)),
            ending=_ENDINGS[kind[1:]],
            tempting=None if tempting == "-" else parse_moves(tempting, width)[0],
            rating=int(rating),
            error=int(error),
            themes=tuple(_THEME_NAMES[letter] for letter in themes.removeprefix("-")),
            width=width,
            height=height,
        )
    except (KeyError, ValueError, IndexError) as error_:
        raise OptionError(f"{quote(line)} is not a puzzle: {error_}") from None


def _text(puzzles: Iterable[Puzzle], width: int, height: int, note: str = "") -> str:
    """Return the text of a file: a line on what it is, then the puzzles in the order of their moves."""
    lines = sorted(map(format_puzzle, puzzles))
    return "\n".join([f"# {FORMAT} {width}x{height} {note}".rstrip(), *lines, ""])


def write_puzzles(
    path: Path, puzzles: Iterable[Puzzle], width: int = 7, height: int = 6, note: str = ""
) -> None:
    """Write a file of puzzles. It takes the place of another one only when it is whole."""
    text = _text(puzzles, width, height, note)
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
        file.write(text.encode("ascii"))
    replace_file(path, packed.getvalue())


def read_puzzles(source: Path | IO[bytes]) -> list[Puzzle]:
    """Return the puzzles of a file. Raises `GameFileError` if it is no such file, with the line."""
    width, height, lines = read_puzzle_lines(source)
    puzzles: list[Puzzle] = []
    try:
        puzzles.extend(parse_puzzle(line, width, height) for line in lines)
    except OptionError as error:
        raise GameFileError(f"{_name(source)}, line {len(puzzles) + 2}: {error}") from None
    return puzzles


def read_puzzle_lines(source: Path | IO[bytes]) -> tuple[int, int, tuple[str, ...]]:
    """Return the size of the board and the lines of the puzzles of a file, which are not looked at."""
    try:
        with gzip.open(source, "rb") as file:
            content = file.read(MAX_TEXT + 1)
        header, *lines = content.decode("ascii").removesuffix("\n").split("\n")
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        raise GameFileError(f"{_name(source)} is not a file of puzzles: {error}") from None
    if len(content) > MAX_TEXT:
        raise GameFileError(f"{_name(source)} is too large for a file of puzzles")
    width, height, _ = _parse_header(header, _name(source))
    return width, height, tuple(lines)


def _name(source: Path | IO[bytes]) -> str:
    return str(source) if isinstance(source, Path) else "the file"


def read_header(path: Path) -> tuple[int, int, str]:
    """Return the size of the board of a file, and the note on how it was made."""
    with gzip.open(path, "rt", encoding="ascii") as file:
        return _parse_header(file.readline(), str(path))


def _parse_header(line: str, name: str) -> tuple[int, int, str]:
    found = re.fullmatch(rf"# {FORMAT} (\d{{1,3}})x(\d{{1,3}})(?: (.*))?\n?", line)
    if not found:
        raise GameFileError(f"{name}, line 1: this is not a file of puzzles ({FORMAT!r})")
    return int(found[1]), int(found[2]), found[3] or ""
