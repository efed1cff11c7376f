"""The files of the ledger: which there are, how they are read, and which an entry changes."""

from __future__ import annotations

from collections.abc import Iterable

from fourcast.community.config import Config
from fourcast.community.ledger import Ledger
from fourcast.community.tally import Tally
from fourcast.errors import CommunityError

__all__ = ["ledger_files", "read_ledger", "read_whole_ledger"]


def read_ledger(lines: bytes | None, tally: bytes | None, config: Config) -> Ledger:
    """Return the ledger with its current game, from the contents of its two files."""
    try:
        known = Tally() if tally is None else Tally.parse(tally)
    except CommunityError as error:
        raise CommunityError(f"{config.tally_path}: {error}") from None
    ledger = Ledger(tally=known)
    ledger.read(_text(lines, config.ledger_path))
    return _checked(ledger, known.games)


def read_whole_ledger(
    closed: Iterable[tuple[str, bytes | None]], lines: bytes | None, config: Config
) -> Ledger:
    """Return the ledger with all of its games, every line verified.

    *closed* are the paths and contents of the closed games, from the first one on.
    """
    ledger, count = Ledger(), 0
    for path, content in closed:
        count += 1
        if content is None:
            raise CommunityError(f"{path} is missing: restore it from git")
        ledger.read(_text(content, path), path)
        if ledger.current.number != count:
            raise CommunityError(f"{path} has lines of another game: restore it from git")
    ledger.read(_text(lines, config.ledger_path))
    return _checked(ledger, count)


def ledger_files(ledger: Ledger, config: Config) -> dict[str, bytes]:
    """Return the files of the games that were read, and the tally if one of them is closed."""
    files = {config.ledger_path: ledger.current.to_text()}
    closed = ledger.games[:-1]
    files |= {config.closed_path(game.number): game.to_text() for game in closed}
    if closed:
        files[config.tally_path] = ledger.tally.to_text()
    return {path: text.encode() for path, text in files.items()}


def _checked(ledger: Ledger, closed: int) -> Ledger:
    if closed and (not ledger.games or ledger.current.number <= closed):
        raise CommunityError(f"the ledger is empty, but game {closed} is closed: restore it from git")
    return ledger


def _text(content: bytes | None, path: str) -> str:
    try:
        return (content or b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommunityError(f"{path} is not text in UTF-8") from None
