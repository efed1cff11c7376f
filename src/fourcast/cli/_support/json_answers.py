"""What `--json` answers."""

from __future__ import annotations

from fourcast._core import Analysis, Position, Result
from fourcast.notation import format_moves


def result_object(result: Result, moves: str) -> dict[str, object]:
    """Return what `solve --json` answers."""
    return {"moves": moves, "score": result.score, "lower": result.lower, "upper": result.upper}


def analysis_object(analysis: Analysis, position: Position, moves: str) -> dict[str, object]:
    """Return what `analyze --json` answers; see the help of the command."""
    result = analysis.result
    lines = {line.column: line for line in analysis}
    columns = [lines.get(column) for column in range(position.width)]
    best = result.best_columns or ()
    center = (position.width - 1) / 2
    shown = min(best, key=lambda column: abs(column - center), default=None)
    content: dict[str, object] = {
        "moves": moves,
        "score": result.score,
        "scores": [line.score if line else None for line in columns],
        "best": [column + 1 for column in best],
        "line": "" if shown is None else format_moves(lines[shown].variation),
    }
    if not result.complete:
        content |= {"lower": result.lower, "upper": result.upper}
        content["bounds"] = [[line.lower, line.upper] if line else None for line in columns]
    return content
