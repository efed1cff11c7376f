"""The patterns of sentences and legends, by their names, in every language there is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files

__all__ = [
    "Names",
    "Pattern",
    "all_page_texts",
    "catalogue",
    "error_texts",
    "fill",
    "language",
    "languages",
    "lesson_texts",
    "page_texts",
    "plural_category",
    "room_texts",
    "side_names",
    "speaking",
    "training_texts",
    "voice",
]

Names = tuple[str, str]
"""What the first and the second player are called."""
Pattern = str | dict[str, str]
"""A text with {places}; where it differs by number, one for each plural category ("one", "other")."""

_FOLDER = files("fourcast").joinpath("messages")


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
    first, second = (str(page_texts(language())[f"color.{color}"]) for color in _COLORS.get())
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
        others = (training_texts, lesson_texts, error_texts)
        pattern = next((found for of in others if (found := of(language()).get(name))), None)
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
def error_texts(language: str = "en") -> dict[str, Pattern]:
    """Return what errors say, by their codes.

    A name that ends in ".page" is what the page says instead: it knows the players by their colors.
    """
    return _read("errors", f"{language}.json")


@cache
def page_texts(language: str = "en") -> dict[str, Pattern]:
    """Return the texts of the web page by their names."""
    return _read("page", f"{language}.json")


@cache
def training_texts(language: str = "en") -> dict[str, Pattern]:
    """Return the texts that only the pages on puzzles, training and openings need, by their names."""
    return _read("train", f"{language}.json")


@cache
def lesson_texts(language: str = "en") -> dict[str, Pattern]:
    """Return the texts of the lessons, and those of the page that they are on, by their names."""
    return _read("learn", f"{language}.json")


@cache
def room_texts(language: str = "en") -> dict[str, Pattern]:
    """Return the texts of the pages of rooms and of cups, by their names."""
    return _read("room", f"{language}.json")


def all_page_texts(language: str) -> dict[str, Pattern]:
    """Return all that the page says in *language*: its own texts, and the words shared with Python."""
    shared = {name: pattern for name, pattern in catalogue(language).items() if "." in name}
    return {**shared, **page_texts(language)}


def _read(*path: str) -> dict[str, Pattern]:
    patterns: dict[str, Pattern] = json.loads(_FOLDER.joinpath(*path).read_text("utf-8"))
    return patterns
