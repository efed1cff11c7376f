"""What is proven on the way to a score, and the file that keeps it."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fourcast._core import Position, Result
from fourcast.errors import CheckpointError
from fourcast.files import replace_file

_NAME = b"fourcast checkpoint "
_MAGIC = _NAME + b"1\n"
_MOST_BYTES = 1 << 28
_ENTRY = struct.Struct("<QQbbB")  # the canonical key in two words, and what is known
_CHECKSUM_BYTES = hashlib.sha256().digest_size
_WORD = 1 << 64


class Known(NamedTuple):
    """What is known of a position: proven bounds, and what has been tried in vain."""

    lower: int = -99
    upper: int = 99
    tried: int = 0
    """Fewer than 2**tried nodes were not enough for the solver to answer a question."""


@dataclass
class Checkpoint:
    """What is proven on the way to the score of one position, and what that took."""

    position: Position
    nodes: int = 0
    time_s: float = 0.0
    known: dict[int, Known] = field(default_factory=dict)
    """What is known of positions, for their sides to move, by `Position.canonical_key`."""

    def write(self, file: Path) -> None:
        """Write it to *file*, which holds all of the old one or all of the new one at any time."""
        header = self._header() | {
            "nodes": self.nodes,
            "time_s": round(self.time_s, 3),
            "entries": len(self.known),
        }
        parts = [_MAGIC, json.dumps(header).encode(), b"\n"]
        parts += [_ENTRY.pack(key % _WORD, key // _WORD, *known) for key, known in self.known.items()]
        content = b"".join(parts)
        replace_file(file, content + hashlib.sha256(content).digest())

    @classmethod
    def read(cls, file: Path, position: Position) -> Checkpoint:
        """Return what is in *file*.

        Raises `CheckpointError` if it is damaged, or not a checkpoint of this position.
        """
        with open(file, "rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
        if not content.startswith(_NAME):
            raise CheckpointError(f"'{file}' is not a checkpoint; it is left alone: name another file")
        if not content.startswith(_MAGIC):
            raise CheckpointError(
                f"'{file}' is a checkpoint of another version of fourcast: go on with that version, "
                "or name another file"
            )
        body, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
        if len(content) > _MOST_BYTES or hashlib.sha256(body).digest() != checksum:
            raise CheckpointError(f"'{file}' is damaged: remove it to begin again, or name another file")
        line, _, entries = body[len(_MAGIC) :].partition(b"\n")
        header = json.loads(line)
        made = cls(position, nodes=header["nodes"], time_s=header["time_s"])
        if any(header[name] != value for name, value in made._header().items()):
            raise CheckpointError(
                f"'{file}' is the checkpoint of another solve, of a board of {header['width']}x"
                f"{header['height']} with {header['stones']} discs: name another file"
            )
        for low, high, *known in _ENTRY.iter_unpack(entries):
            made.known[high * _WORD + low] = Known(*known)
        return made

    def _header(self) -> dict[str, int]:
        """What the file says of the position; its mirror image will do as well."""
        return {
            "width": self.position.width,
            "height": self.position.height,
            "stones": self.position.ply,
            "key": self.position.canonical_key,
        }

    @classmethod
    def open(cls, file: Path, position: Position) -> Checkpoint:
        """Return what *file* has, or a new one that is written to it.

        It is written at once: a file that cannot be written is noticed before the work, not after it.
        """
        checkpoint = cls.read(file, position) if file.exists() else cls(position)
        checkpoint.write(file)
        return checkpoint

    def of(self, position: Position) -> Known:
        """What is known of *position*."""
        return self.known.get(position.canonical_key, Known())

    def answer(self, position: Position, alpha: int) -> bool | None:
        """Whether the score of *position* is more than *alpha*, or None if that is not known."""
        lower, upper, _ = self.of(position)
        return True if lower > alpha else False if upper <= alpha else None

    def note(self, position: Position, lower: int, upper: int, tried: int = 0) -> None:
        """Add what was proven of *position*, or tried in vain."""
        known = self.of(position)
        self.known[position.canonical_key] = Known(
            max(lower, known.lower), min(upper, known.upper), max(tried, known.tried)
        )

    def note_result(self, found: Result) -> None:
        """Add the answer of `Solver.bound`."""
        tried = 0 if found.complete else found.nodes.bit_length()
        self.note(found.position, found.lower, found.upper, tried)

    def note_answer(self, position: Position, alpha: int, is_more: bool) -> None:
        """Add whether the score of *position* is more than *alpha*."""
        nothing = Known()
        self.note(position, alpha + 1 if is_more else nothing.lower, nothing.upper if is_more else alpha)

    def next_alpha(self) -> int | None:
        """What to compare the score with next, or None if it is known.

        The first question is about a win, the next ones go further out in single steps.
        """
        lower, upper, _ = self.of(self.position)
        if lower == upper:
            return None
        return min(max(upper - 1 if upper <= 0 else 0, lower), upper - 1)

    def result(self) -> Result:
        """What is known of the position, and the effort of all runs."""
        lower, upper, _ = self.of(self.position)
        return Result(self.position, lower, upper, nodes=self.nodes, time_s=self.time_s)
