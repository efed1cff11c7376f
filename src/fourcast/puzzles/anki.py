"""Cards as a deck for Anki, the program of spaced repetition."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections.abc import Iterable
from html import escape
from io import BytesIO
from pathlib import Path

from fourcast.errors import missing_extra
from fourcast.files import replace_file
from fourcast.puzzles.card_pages import CardPage

__all__ = ["write_deck"]

_CSS = """
.card { font-family: system-ui, Helvetica, Arial, sans-serif; font-size: 18px; text-align: center; }
svg { width: 100%; max-width: 420px; height: auto; }
.reason { max-width: 34em; margin: auto; text-align: left; font-size: 15px; }
.play { font-size: 24px; font-weight: bold; }
"""
_FRONT = "<p>{{Question}}</p>{{Position}}"
_BACK = (
    '{{FrontSide}}<hr id="answer"><p class="play">{{Answer}}</p>'
    '{{After}}<div class="reason">{{Reason}}</div>'
)
_FIELDS = ("Number", "Question", "Position", "Answer", "After", "Reason")


def write_deck(path: Path, name: str, title: str, pages: Iterable[CardPage]) -> int:
    """Write cards to an Anki package (`.apkg`) and return how many there are.

    *title* is what Anki calls the deck. A later one of the same *name* updates the cards in Anki and
    keeps what was learned. Raises `MissingExtraError` if genanki is not installed.
    """
    try:
        import genanki
    except ImportError:
        raise missing_extra("to write an Anki deck takes genanki", "train") from None
    model = genanki.Model(
        _number("fourcast model 1"),
        "Connect Four position (fourcast)",
        fields=[{"name": name} for name in _FIELDS],
        templates=[{"name": "Find the move", "qfmt": _FRONT, "afmt": _BACK}],
        css=_CSS,
    )
    deck = genanki.Deck(_number(f"fourcast deck {name}"), f"Connect Four::{title}")
    for number, page in enumerate(pages, start=1):
        reason = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in page.reason)
        fields = [f"{number:04}", escape(page.question), page.picture, escape(page.answer)]
        deck.add_note(
            genanki.Note(
                model,
                [*fields, page.answer_picture, reason],
                guid=genanki.guid_for("fourcast", name, page.card.id),
                due=number,
                tags=["fourcast", f"ply-{page.card.position.ply}"],
            )
        )
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "deck.apkg"
        genanki.Package(deck).write_to_file(str(plain))
        content = _compressed(plain)
    replace_file(path, content)
    return len(deck.notes)


def _compressed(plain: Path) -> bytes:
    """Return a package a tenth as large: genanki does not compress what it writes."""
    packed = BytesIO()
    with zipfile.ZipFile(plain) as given, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            made.writestr(name, given.read(name))
    return packed.getvalue()


def _number(name: str) -> int:
    """A number that stays the same, as Anki wants it for decks and models."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") >> 1
