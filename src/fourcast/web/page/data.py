"""What the page needs to answer without a server: names, sentences, players, an opening book.

>>> sorted(page_data())
['about', 'players']
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from fourcast._core import book_positions, write_book
from fourcast.book import default_book
from fourcast.certificate import to_play
from fourcast.puzzles.collection import RETIRED, shipped_bytes, sizes
from fourcast.puzzles.repertoire import repertoire_bytes
from fourcast.render.catalogue import (
    Part,
    Pattern,
    all_page_texts,
    catalogue,
    languages,
    texts_of,
)
from fourcast.render.opening_map import opening_map
from fourcast.study.lessons import lessons_bytes
from fourcast.study.level_choices import level_choices_bytes
from fourcast.study.opening_tree import opening_tree
from fourcast.web.views import about_view, player_views

__all__ = [
    "BOOK_PLIES",
    "MAP",
    "book_bytes",
    "certificate_bytes",
    "data_files",
    "map_bytes",
    "page_data",
    "page_data_bytes",
    "part_text_bytes",
    "sentence_bytes",
    "study_text_bytes",
    "text_bytes",
    "with_answers",
]

BOOK_PLIES = 8
"""Plies of the book that the page loads first: 72 KB."""

MAP = "map.svg"
MAP_PLIES = 4


def page_data() -> dict[str, Any]:
    """Return what the page has to know beforehand, as JSON types."""
    return {
        "about": about_view().model_dump(mode="json"),
        "players": [player.model_dump(mode="json") for player in player_views()],
    }


def page_data_bytes() -> bytes:
    """Return `page_data` as it is sent."""
    return _compact(page_data())


def _compact(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def with_answers(page: str, answers: dict[str, Any], language: str) -> str:
    """Return *page* with *answers* that it need not ask for, among them its texts in *language*.

    >>> with_answers("<html lang='en'></html></body>", {"a": 1}, "en").partition(" lang")[0]
    '<html data-sent-text="en"'
    """
    page = page.replace("<html ", f'<html data-sent-text="{language}" ', 1)
    content = _compact(answers).decode().replace("<", "\\u003c")  # which could end the element
    script = f'<script type="application/json" id="first-answers">{content}</script>'
    return page.replace("</body>", f"{script}\n</body>", 1)


_AT_ONCE = (
    *("page", "nav", "footer", "theme", "color", "settings", "keys", "error", "update", "board"),
    *("setup", "start", "variant", "player", "rules", "games", "game", "side", "columns", "position"),
    "result",
)
"""The first parts of the names of texts that the start page needs, too."""


_PARTS: dict[str, Part] = {"train": "train", "learn": "learn", "room": "room", "error": "errors"}
"""Texts that some pages load besides, by how their files are called."""


def text_bytes(language: str) -> bytes:
    """Return what every page says in *language*: texts of its own, and words that it shares with Python.

    >>> json.loads(text_bytes("de"))["nav.board"]
    'Brett'
    """
    return _compact(_texts(language, at_once=True))


def study_text_bytes(language: str) -> bytes:
    """Return what all pages but the start page say besides.

    >>> json.loads(study_text_bytes("de"))["analysis.why"]
    'Warum?'
    """
    return _compact(_texts(language, at_once=False))


def _texts(language: str, *, at_once: bool) -> dict[str, Pattern]:
    texts = all_page_texts(language)
    return {
        name: text for name, text in texts.items() if (name.partition(".")[0] in _AT_ONCE) == at_once
    }


def part_text_bytes(part: Part, language: str) -> bytes:
    """Return the texts that some pages load besides.

    >>> json.loads(part_text_bytes("train", "de"))["puzzle.hint"]
    'Tipp'
    """
    return _compact(texts_of(part, language))


def sentence_bytes(language: str) -> bytes:
    """Return the sentences in *language* that the page fills when it answers by itself."""
    return _compact(catalogue(language))


def data_files() -> dict[str, Callable[[], bytes]]:
    """Return what the page loads besides its own files, by the names of the files."""
    return {
        "page.json": page_data_bytes,
        f"book-{BOOK_PLIES}.book": book_bytes,
        **{f"text-{language}.json": partial(text_bytes, language) for language in languages()},
        **{
            f"text-{name}-{language}.json": partial(part_text_bytes, part, language)
            for name, part in _PARTS.items()
            for language in languages()
        },
        **{f"{size[0]}x{size[1]}.puzzles": partial(shipped_bytes, *size) for size in sizes()},
        **{f"{size[0]}x{size[1]}.retired": partial(shipped_bytes, *size, RETIRED) for size in sizes()},
        **{f"{side}.repertoire": partial(repertoire_bytes, side) for side in ("first", "second")},
        "lessons.json": lessons_bytes,
        "7x6.levels.json": level_choices_bytes,
        "certificates.json": certificate_bytes,
        MAP: map_bytes,
        **{f"text-study-{each}.json": partial(study_text_bytes, each) for each in languages()},
        **{f"sentences-{language}.json": partial(sentence_bytes, language) for language in languages()},
    }


def certificate_bytes() -> bytes:
    """Return the certificates that the opponent *The proof* plays by, as hexadecimal digits."""
    return _compact([certificate.data.hex() for certificate in to_play()])


@cache
def map_bytes() -> bytes:
    """Return the map of the first moves, a picture of its own; empty if there is no opening book."""
    return opening_map(opening_tree(plies=MAP_PLIES)).encode() if default_book() else b""


@cache
def book_bytes(plies: int = BOOK_PLIES) -> bytes:
    """Return the first *plies* plies of the opening book of the usual board; empty if there is no book.

    Nothing is solved: the scores are those of the book that comes with fourcast.
    """
    book = default_book()
    if book is None or book.plies < plies:
        return b""
    positions = book_positions(plies, width=book.width, height=book.height)
    scores = [book.score(position) for position in positions]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "book"
        write_book(file, positions, scores)
        return file.read_bytes()
