"""The files of the ledger: which there are, how they are read, and which an entry changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from fourcast.community.config import Config
from fourcast.community.ledger import Ledger
from fourcast.community.tally import Tally
from fourcast.errors import CommunityError

__all__ = ["ledger_files", "read_ledger", "read_whole_ledger"]


def read_ledger(
    lines: bytes | None, tally: bytes | None, checksums: bytes | None, config: Config
) -> Ledger:
    """Return the ledger with its current game, from the contents of its three files."""
    try:
        known = Tally() if tally is None else Tally.parse(tally)
    except CommunityError as error:
        raise CommunityError(f"{config.tally_path}: {error}") from None
    ledger = Ledger(tally=known)
    ledger.read(_text(lines, config.ledger_path))
    return _checked(ledger, known.games, checksums, config)


def read_whole_ledger(
    closed: Iterable[tuple[str, bytes | None]],
    lines: bytes | None,
    checksums: bytes | None,
    config: Config,
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
    return _checked(ledger, count, checksums, config)


def ledger_files(ledger: Ledger, config: Config) -> dict[str, bytes]:
    """Return the files of the games that were read, and the tally if one of them is closed."""
    current = ledger.current
    sums = json.dumps({"game": current.number, "lines": _checksums(current.lines)}) + "\n"
    files = {config.ledger_path: current.to_text(), config.checksums_path: sums}
    closed = ledger.games[:-1]
    files |= {config.closed_path(game.number): game.to_text() for game in closed}
    if closed:
        files[config.tally_path] = ledger.tally.to_text()
    return {path: text.encode() for path, text in files.items()}


def _checked(ledger: Ledger, closed: int, checksums: bytes | None, config: Config) -> Ledger:
    if closed and (not ledger.games or ledger.current.number <= closed):
        raise CommunityError(f"the ledger is empty, but game {closed} is closed: restore it from git")
    if checksums is not None:  # version 0.2 wrote none
        _compare(ledger, checksums, config.checksums_path)
    return ledger


def _compare(ledger: Ledger, checksums: bytes, path: str) -> None:
    """Raise `CommunityError` with the first line of the current game that is not as it was written."""
    try:
        content = json.loads(checksums)
        game, written = int(content["game"]), [str(each) for each in content["lines"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CommunityError(f"{path} has no checksums: restore it from git") from None
    current = ledger.current
    found = _checksums(current.lines)
    before = sum(len(each.lines) for each in ledger.games) - len(current.lines)
    if current.number != game:  # a whole game is missing, or was added
        raise CommunityError(
            f"line {before + 1} of the ledger: it is of game {current.number}, and game {game} is being "
            "played: restore it from git"
        )
    for place in range(max(len(found), len(written))):
        if found[place : place + 1] != written[place : place + 1]:
            wrong = "missing" if place >= len(found) else "not as it was written"
            raise CommunityError(
                f"line {before + place + 1} of the ledger: it is {wrong}: restore it from git"
            )


def _checksums(lines: Iterable[str]) -> list[str]:
    return [hashlib.sha256(line.encode()).hexdigest()[:16] for line in lines]


def _text(content: bytes | None, path: str) -> str:
    try:
        return (content or b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommunityError(f"{path} is not text in UTF-8") from None
