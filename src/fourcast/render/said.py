"""Sentences of the core, filled: patterns of the message catalog with facts.

The core decides what is said (`native/solver/said.hpp` describes the form); here it gets its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fourcast.render.catalogue import Names, fill

__all__ = ["Said", "error_text", "paragraphs_text", "said_text"]

Said = dict[str, Any]
"""A sentence of the core: the name of its pattern, and the facts that fill it."""


def said_text(fact: Any, names: Names = ("Red", "Yellow")) -> str:
    """Return a sentence, or any fact of one, as people read it.

    >>> said_text({"pattern": "plays", "facts": {"player": {"player": 1}, "square": "here"}})
    'Red plays here.'
    """
    if isinstance(fact, dict):
        if "player" in fact:
            return names[fact["player"] - 1]
        return fill(
            fact["pattern"], **{name: _filler(value, names) for name, value in fact["facts"].items()}
        )
    if isinstance(fact, list):
        return ", ".join(said_text(each, names) for each in fact)
    return str(fact)


def error_text(code: str, facts: dict[str, Any]) -> str:
    """Return what an error says.

    >>> error_text("error.column_full", {"column": 4})
    'column 4 is full'
    """
    names = fill("error.player.first"), fill("error.player.second")
    return said_text({"pattern": code, "facts": facts}, names)


def paragraphs_text(paragraphs: Iterable[Sequence[Any]], names: Names = ("Red", "Yellow")) -> str:
    """Return sentences, a paragraph a line."""
    return "\n".join(
        " ".join(said_text(sentence, names) for sentence in paragraph) for paragraph in paragraphs
    )


def _filler(fact: Any, names: Names) -> object:
    return fact if isinstance(fact, int) else said_text(fact, names)  # numbers choose the plural
