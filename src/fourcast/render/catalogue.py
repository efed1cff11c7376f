"""The patterns of sentences and legends, by their names, in every language there is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal

__all__ = [
    "Names",
    "Part",
    "Pattern",
    "all_page_texts",
    "catalogue",
    "fill",
    "language",
    "languages",
    "plural_category",
    "side_names",
    "speaking",
    "texts_of",
    "voice",
]

Names = tuple[str, str]
"""What the first and the second player are called."""
Pattern = str | dict[str, str]
"""A text with {places}; where it differs by number, one for each plural category ("one", "other")."""

Part = Literal["page", "train", "learn", "room", "errors"]
"""Texts besides the catalogue's: of the web page, of its pages on puzzles, training and openings, of the
lessons with the page that they are on, of the pages of rooms and of cups, and what errors say."""

_FOLDER = Path(__file__).parents[1] / "messages"


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages, in alphabetical order.

    >>> languages()
    ('de', 'en')
    """
    names = (file.name for file in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


_LANGUAGE: ContextVar[str] = ContextVar("language", default="en")
_COLORS: ContextVar[Names] = ContextVar("colors", default=("red", "yellow"))


def language() -> str:
    """Return the code of the language that sentences are made in."""
    return _LANGUAGE.get()


def side_names() -> Names:
    """Return what the sides are called that have no names: by their colors.

    >>> with speaking("de", ("red", "blue")):
    ...     side_names()
    ('Rot', 'Blau')
    """
    first, second = (str(texts_of("page", language())[f"color.{color}"]) for color in _COLORS.get())
    return first, second


def voice() -> tuple[str, Names]:
    """Return what sentences depend on besides their facts: the language, and the colors of the sides."""
    return language(), _COLORS.get()


@contextmanager
def speaking(language: str, colors: Names | None = None) -> Iterator[None]:
    """Make sentences in *language*, in this task or thread, with *colors* for the names of the sides.

    >>> with speaking("de"):
    ...     fill("score.wins", count=3)
    'gewinnt in 3 Zügen'
    """
    spoken, shown = _LANGUAGE.set(language), _COLORS.set(colors or _COLORS.get())
    try:
        yield
    finally:
        _LANGUAGE.reset(spoken)
        _COLORS.reset(shown)


def fill(name: str, /, **values: object) -> str:
    """Return the sentence of that name, filled; where it differs by number, that is the value `count`.

    >>> fill("columns.one", column=4), fill("score.wins", count=1)
    ('column 4', 'wins in 1 move')
    """
    pattern = catalogue(language()).get(name)
    if pattern is None:
        others: tuple[Part, ...] = ("train", "learn", "errors")
        pattern = next((found for of in others if (found := texts_of(of, language()).get(name))), None)
    if pattern is None:
        return name  # better a name than nothing
    if not isinstance(pattern, str):
        count = values["count"]
        assert isinstance(count, int)
        pattern = pattern.get(plural_category(count, language()), pattern["other"])
    return pattern.format(**values)


def plural_category(count: int, language: str) -> str:
    """Return which text goes with a number, as Unicode's CLDR names it.

    This is the rule of English and German; a language with another one gets it here.
    """
    assert language in ("de", "en"), f"write the plural rule of '{language}'"
    return "one" if count == 1 else "other"


@cache
def catalogue(language: str = "en") -> dict[str, Pattern]:
    """Return the patterns of sentences by their names.

    Those with a dot in their names are loaded with the page, the others when it needs them.

    >>> catalogue("de")["draw"]
    'Remis'
    """
    return _read(f"{language}.json")


@cache
def texts_of(part: Part, language: str = "en") -> dict[str, Pattern]:
    """Return the texts of a part by their names; those of errors are their codes.

    The name of an error that ends in ".page" is what the page says instead: it knows the players by
    their colors.

    >>> texts_of("errors", "de")["error.column_full"]
    'Spalte {column} ist voll'
    """
    return _read(part, f"{language}.json")


def all_page_texts(language: str) -> dict[str, Pattern]:
    """Return all that the page says in *language*: its own texts, and the words shared with Python."""
    shared = {name: pattern for name, pattern in catalogue(language).items() if "." in name}
    return {**shared, **texts_of("page", language)}


def _read(*path: str) -> dict[str, Pattern]:
    patterns: dict[str, Pattern] = json.loads(_FOLDER.joinpath(*path).read_text("utf-8"))
    return patterns
