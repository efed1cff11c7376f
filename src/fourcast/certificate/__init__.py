"""Certificates: proofs of a whole game in a few kilobytes, which a stranger can check.

>>> proven = shipped("7x6").check()
>>> proven.player, proven.win, proven.start
(1, True, (3,))
>>> answer(to_play(), "44").column  # against column 4, what does it play?
3

`alone.py` in this folder checks them, too, without anything of fourcast, and `levels.py` those that
people can learn.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from typing import Any

from fourcast._core import Position, ask
from fourcast.errors import CertificateError, require, require_each
from fourcast.notation import format_column, format_rows, require_position
from fourcast.render.said import Said, said_text

__all__ = [
    "READABLE",
    "Answer",
    "Certificate",
    "Claim",
    "Proven",
    "answer",
    "shipped",
    "shipped_names",
    "to_play",
]

MOST_BYTES = 1_000_000
SUFFIX = ".c4win"
READABLE = "-readable"
"""How the names of those end that people can learn."""
_SHIPPED = resources.files("fourcast") / "certificate" / "shipped"

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
    by_level: int
    """Positions from which a level diagram wins; `levels.py` says how."""
    diagrams: int
    """How many different ones."""
    states: int
    """Of local games, which the checker solves, or positions that the diagrams meet."""
    bytes: int

    @property
    def leaves(self) -> int:
        """Positions that have a proof of their own: a forced win, local games or a level diagram."""
        return self.forced + self.local_games + self.by_level

    def to_json(self) -> dict[str, Any]:
        """Return the facts as JSON types."""
        return {**asdict(self), "start": list(self.start), "leaves": self.leaves}


@dataclass(frozen=True)
class Answer:
    """What a certificate plays in a position."""

    column: int
    why: str
    """start, four, force, move, local, levels, block or safe: native/certificate/check.hpp says more."""
    groups: tuple[tuple[int, ...], ...]
    """The columns of each local game, if it rests on those."""
    levels: tuple[int, ...]
    """The squares of each level, if it rests on a diagram, as a bitboard."""
    player: int
    """Whose move it is."""
    win: bool
    """Whether that player wins; otherwise they do not lose."""
    said: Said
    """The same as a sentence of the message catalog."""

    def __str__(self) -> str:
        return f"Column {format_column(self.column)}. {said_text(self.said)}"


@dataclass(frozen=True)
class Certificate:
    """A certificate as its bytes. Nothing is believed of it before `check`."""

    data: bytes

    def __post_init__(self) -> None:
        require("data", self.data, bytes)

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.data):,} bytes>"

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Certificate:
        """Read a file. Raises `CertificateError` if it is too large to be one."""
        require("path", path, str, os.PathLike)
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise CertificateError("error.certificate.file", facts={"path": str(path)})
        return Certificate(data)

    def check(self) -> Proven:
        """Check everything, and return what it proves. Raises `CertificateError` if it is no proof."""
        return self._proven

    @cached_property
    def _proven(self) -> Proven:
        found = ask("certificate.check", {"certificate": self.data.hex()})
        return Proven(**{**found, "start": tuple(found["start"])}, bytes=len(self.data))

    def unfold(self, most: int = 20_000_000) -> tuple[str, list[Claim]]:
        """Return all answers of the strategy as a move string, and what is claimed of its leaves.

        `native/certificate/check.hpp` describes the order. Raises `CertificateError` if it is no proof
        of a win, or if it has more than *most* answers.
        """
        require("most", most, int)
        found = ask("certificate.unfold", {"certificate": self.data.hex(), "most": most})
        return found["columns"], found["claims"]


def answer(certificates: Sequence[Certificate], position: Position | str) -> Answer | None:
    """Return the move of the first certificate that has one in a position, None if none has.

    Certificates are not checked for this. Raises `CertificateError` if one cannot be read.

    >>> print(answer(to_play(), "4"), answer(to_play(), "43").why)  # 7x6 is for the first player
    None move
    """
    require_each("certificates", certificates, Certificate)
    data = [certificate.data.hex() for certificate in certificates]
    found = ask(
        "certificate.answer",
        {"certificates": data, "rows": format_rows(require_position(position))},
    )
    if found is None:
        return None
    groups, levels = tuple(map(tuple, found["groups"])), tuple(map(int, found["levels"]))
    return Answer(**{**found, "groups": groups, "levels": levels})


def shipped_names() -> list[str]:
    """Return the names of the certificates that come with fourcast: that of the whole game comes first.

    >>> shipped_names()[0]
    '7x6'
    """
    names = (file.name for file in _SHIPPED.iterdir() if file.name.endswith(SUFFIX))
    return sorted((name.removesuffix(SUFFIX) for name in names), key=lambda name: (name != "7x6", name))


def shipped(name: str) -> Certificate:
    """Return the certificate of this name that comes with fourcast.

    Raises `CertificateError` if there is none of that name.
    """
    names = shipped_names()
    if name not in names:
        facts = {"path": str(name), "names": ", ".join(names)}
        raise CertificateError("error.certificate.unknown", facts=facts)
    return Certificate((_SHIPPED / f"{name}{SUFFIX}").read_bytes())


def to_play() -> list[Certificate]:
    """Return the certificates that come with fourcast, in the order of `shipped_names`.

    Those that people can learn are left out: they prove what others prove in fewer positions.
    """
    return [shipped(name) for name in shipped_names() if not name.endswith(READABLE)]
