"""TOML files, read strictly on every supported version of Python."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import import_module

from fourcast.errors import InvalidNotationError, missing_extra
from fourcast.notation import MAX_TEXT

__all__ = ["load_toml"]

_MAX_DEPTH = 32
_DEEP = f"the tables are nested too deeply: the limit is {_MAX_DEPTH} levels"
# The parser takes seconds for a key of thousands of parts, so such a key does not get that far.
_DEEP_KEY = re.compile(rf"^\s*\[*(?:[\w\-]+\s*\.\s*){{{_MAX_DEPTH}}}", re.MULTILINE)
_LARGE = "the file has a number that is too large: the limit of TOML is 64 bits"


def load_toml(content: str | bytes, *, extra: str) -> dict[str, object]:
    """Return the tables and values of a TOML document.

    Raises `InvalidNotationError`, with one sentence, for anything else: more than 64 KiB, bytes that
    are not UTF-8, tables nested too deeply, numbers of more than 64 bits. Python 3.10 has no TOML parser
    of its own: `MissingExtraError` then names *extra*, the extra of fourcast that installs one.

    >>> load_toml('games = 20', extra="arena")
    {'games': 20}
    """
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    try:
        tomllib = import_module(name)
    except ImportError:
        raise missing_extra(f"to read TOML, Python 3.10 needs {name}", extra) from None
    if len(content) > MAX_TEXT:
        raise InvalidNotationError(f"the file is too long: {len(content)}, the limit is {MAX_TEXT}")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidNotationError("the file is not text in UTF-8") from None
    if _DEEP_KEY.search(text):
        raise InvalidNotationError(_DEEP)
    try:
        tables: dict[str, object] = tomllib.loads(text)
    except RecursionError:
        raise InvalidNotationError(_DEEP) from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidNotationError(f"the file is not TOML: {error}") from None
    except ValueError:  # an integer of thousands of digits
        raise InvalidNotationError(_LARGE) from None
    _check(tables)
    return tables


def _check(tables: dict[str, object]) -> None:
    """Refuse what `repr` could not show in an error message: `a.a.a. ...`, `0xfff...`."""
    values: list[object] = [tables]
    for _ in range(_MAX_DEPTH):
        below = [child for value in values for child in _children(value)]
        if any(isinstance(child, int) and not -(2**63) <= child < 2**63 for child in below):
            raise InvalidNotationError(_LARGE)
        values = below
    if values:
        raise InvalidNotationError(_DEEP)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
