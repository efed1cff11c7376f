"""The folder of a tournament: the names of its files, and what they add up to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fourcast.arena.journal import read_journal
from fourcast.arena.quality import Quality, qualities_of, read_scores
from fourcast.arena.results import Results
from fourcast.errors import GameFileError, require

JOURNAL = "journal.jsonl"
"""Settings, players and games; all other files are made from it, or can be made again."""
SCORES = "scores.jsonl"
"""The solver's scores of the games that were judged, one game a line."""


@dataclass(frozen=True)
class Cup:
    """A tournament that was played, or is being played."""

    title: str
    results: Results
    qualities: Mapping[str, Quality]
    """How well each player played, as far as its games were judged."""

    @property
    def date(self) -> str:
        """The day of the first game, such as 2026-01-31; empty before it."""
        return min((record.started for record in self.results.records), default="")[:10]


def read_cup(folder: str | os.PathLike[str]) -> Cup:
    """Return what the folder of a tournament holds, which may be written to meanwhile."""
    require("folder", folder, str, os.PathLike)
    path = Path(folder, JOURNAL)
    if not path.exists():
        raise GameFileError(f"{folder} has no tournament: there is no {JOURNAL} in it")
    kept = read_journal(path)
    results = kept.results()
    scores = read_scores(Path(folder, SCORES))
    qualities = qualities_of(results.records, scores) if scores else {}
    return Cup(kept.settings.get("title") or Path(folder).resolve().name, results, qualities)
