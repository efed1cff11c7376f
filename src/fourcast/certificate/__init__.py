"""Certificates: proofs of a whole game in a few kilobytes, which a stranger can check.

>>> certificate = shipped()
>>> proven = certificate.check()
>>> proven.player, proven.win, proven.start
(1, True, (3,))
>>> certificate.follow([3]).columns  # against column 4, what does it play?
(3, 3)

`fourcast/certificate/alone.py` checks them, too, without anything of fourcast.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from fourcast._core import ask
from fourcast.errors import CertificateError

__all__ = ["Certificate", "Claim", "Followed", "Proven", "shipped"]

MOST_BYTES = 1_000_000

Claim = list[dict[str, Any]]
"""The groups of columns of a leaf, as the core's question `certificate.unfold` answers."""


@dataclass(frozen=True)
class Proven:
    """What a certificate proves, and what it consists of."""

    width: int
    height: int
    player: int
    """The player that it is for, 1 or 2."""
    win: bool
    """Whether that player wins; otherwise they do not lose."""
    start: tuple[int, ...]
    """Columns to where the proof begins."""
    positions: int
    """Positions in which the player has to find a move, up to mirror image."""
    inner_moves: int
    """Moves of the player after which every reply is looked at."""
    forced: int
    local_games: int
    states: int
    """Of local games, which the checker solves."""
    bytes: int

    @property
    def leaves(self) -> int:
        """Positions that have a proof of their own: a forced win or local games."""
        return self.forced + self.local_games

    def to_json(self) -> dict[str, Any]:
        """Return the facts as JSON types."""
        return {**asdict(self), "start": list(self.start), "leaves": self.leaves}


@dataclass(frozen=True)
class Followed:
    """What a certificate plays against some replies."""

    columns: tuple[int, ...]
    """All columns from where the proof begins, the player's and the opponent's."""
    is_over: bool
    why: str
    """What the last move rests on: four, force, move, local or safe; empty if the game is over."""
    groups: tuple[tuple[int, ...], ...]
    """The columns of each local game, if it rests on those."""


@dataclass(frozen=True)
class Certificate:
    """A certificate as its bytes. Nothing is believed of it before `check`."""

    data: bytes

    @staticmethod
    def load(path: Path) -> Certificate:
        """Read a file. Raises `CertificateError` if it is too large to be one."""
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise CertificateError(f"{path} is too large for a certificate")
        return Certificate(data)

    def check(self) -> Proven:
        """Check everything, and return what it proves. Raises `CertificateError` if it is no proof."""
        return self._proven

    @cached_property
    def _proven(self) -> Proven:
        found = _answer("certificate.check", certificate=self.data.hex())
        return Proven(**{**found, "start": tuple(found["start"])}, bytes=len(self.data))

    def follow(self, replies: list[int]) -> Followed:
        """Return what the player answers to these columns of the opponent.

        The certificate is not checked for this. Raises `CertificateError` if a reply is not possible, or
        if there is no answer because it is no proof.
        """
        found = _answer("certificate.follow", certificate=self.data.hex(), replies=replies)
        groups = tuple(map(tuple, found["groups"]))
        return Followed(tuple(found["columns"]), found["is_over"], found["why"], groups)

    def unfold(self, most: int = 20_000_000) -> tuple[str, list[Claim]]:
        """Return all answers of the strategy as a move string, and what is claimed of its leaves.

        `native/certificate/check.hpp` describes the order. Raises `CertificateError` if it is no proof
        of a win, or if it has more than *most* answers.
        """
        found = _answer("certificate.unfold", certificate=self.data.hex(), most=most)
        return found["columns"], found["claims"]


def shipped() -> Certificate:
    """Return the certificate that comes with fourcast: the first player wins on 7x6."""
    file = resources.files("fourcast") / "certificate" / "shipped" / "7x6.c4win"
    return Certificate(file.read_bytes())


def _answer(question: str, **request: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask(question, request)
    if "refused" in found:
        raise CertificateError(found["refused"])
    return found
