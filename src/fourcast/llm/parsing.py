"""Reading a column out of what a model has written: forgiving, and counting how much was forgiven."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fourcast.errors import OptionError, require, require_each
from fourcast.notation import quote

__all__ = ["HOW", "Parsed", "parse_answer"]

HOW = ("clean", "marked", "json", "bracket", "loose", "refused", "no answer")
"""How an answer was given: nothing else, after a mark such as "Final Answer:", as JSON, in brackets,
somewhere in the text; refused; not at all."""

MAX_TEXT = 200_000
"""Characters at the end of an answer that are read."""

_REFUSAL = re.compile(
    r"\b(I (cannot|can.t|won.t|will not|am unable|am not able)|I.m (sorry|unable|not able)|as an AI)\b",
    re.I,
)


@dataclass(frozen=True)
class Parsed:
    """What an answer means: a column of the board, 0-based, if it names one, and how it was given."""

    column: int | None
    how: str


def parse_answer(text: str, names: Sequence[str]) -> Parsed:
    """Return what a model's text means, on a board whose columns have these names.

    The first of these that is found counts: the text as a whole, what follows the last "answer:" or
    "move:", a JSON object, the last brackets, and the last word that is the name of a column.

    >>> parse_answer("**Final Answer: 3**", "1234567")
    Parsed(column=2, how='marked')
    >>> parse_answer("Column 4 blocks it, so 4.", "1234567")
    Parsed(column=3, how='loose')
    >>> parse_answer("I cannot help with that.", "1234567").how
    'refused'
    """
    require("text", text, str)
    if not isinstance(names, str):
        require_each("names", names, str)
    if not names or not all(names):
        raise OptionError(f"names must be those of the columns, such as '1234567', not {quote(names)}")
    text = text[-MAX_TEXT:]
    lower = {name.lower(): place for place, name in enumerate(names)}
    plain = text.strip().strip("*`'\".[](){} ").lower()
    if plain in lower:
        return Parsed(lower[plain], "clean")
    any_name = "|".join(sorted(map(re.escape, lower), key=len, reverse=True))
    word = rf"(?<![\w.-])({any_name})(?![\w]|\.\d)"
    mark = r"(?:answer|move|column)\s*(?:is)?\s*[:=]\s*[*`\"'\[(]*\s*(?:column\s+|col\s+)?"
    if found := re.findall(mark + word, text, re.I):
        return Parsed(lower[found[-1].lower()], "marked")
    for found_json in reversed(re.findall(r"\{[^{}]*\}", text)):
        try:
            values = [str(value).lower() for value in json.loads(found_json).values()]
        except (ValueError, AttributeError, RecursionError):
            continue
        if named := [value for value in values if value in lower]:
            return Parsed(lower[named[0]], "json")
    if found := re.findall(rf"\[\s*(?:col(?:umn)?\s*)?({any_name})\s*\]", text, re.I):
        return Parsed(lower[found[-1].lower()], "bracket")
    if _REFUSAL.search(text):
        return Parsed(None, "refused")
    # A single letter is a word of English more often than the name of a column.
    names_by_word = [each for each in re.findall(word, text, re.I) if each.lower() not in ("a", "i")]
    if names_by_word:
        return Parsed(lower[names_by_word[-1].lower()], "loose")
    return Parsed(None, "no answer")
