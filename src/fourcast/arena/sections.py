"""The parts of a report, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass, field

from fourcast.arena.plots import Plot


@dataclass(frozen=True)
class Section:
    """A part of the report: a table, whose cells are texts, and perhaps a plot."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    plot: Plot | None = None
    shares: list[list[float | None]] | None = None
    """From 0 to 1, for each cell behind the first one of its row: the table is a heat map, too."""
    links: list[str] | None = None
    """An address for the first cell of each row."""
    moves: list[str] | None = None
    """The moves of a game for each row, to be replayed."""
    pictures: list[tuple[str, str]] | None = None
    """What a small picture shows, and the SVG, for each row; Markdown does without."""
    shown: int | None = None
    """Rows that the page shows at first, the others on demand. None: all."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Titles and texts below the table that are shown as they are, such as a program's messages."""
