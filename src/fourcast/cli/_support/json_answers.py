"""What `--json` answers. docs/json.md describes it; the web API and `to_json` use the same names."""

from __future__ import annotations

from fourcast._core import Analysis, Result
from fourcast.notation import format_moves


def result_object(result: Result, moves: str | None) -> dict[str, object]:
    """Return what `solve --json` answers for the position after *moves*.

    *moves* is None if no move string leads to the position from the empty board; the object then has
    its bitboards.
    """
    return _place(result.to_json(), moves)


def analysis_object(analysis: Analysis, moves: str | None) -> dict[str, object]:
    """Return what `analyze --json` answers for the position after *moves*; see `result_object`.

    Beside the names that are used everywhere there are those of fourcast 0.1: `scores`, `best`, `line`
    and, at the time limit, `bounds`.
    """
    lines = {line.column: line for line in analysis}
    columns = [lines.get(column) for column in range(analysis.position.width)]
    best = analysis.best_line
    content = _place(analysis.to_json(), moves)
    content["scores"] = [line.score if line else None for line in columns]
    content["best"] = [column + 1 for column in analysis.best_columns or ()]
    content["line"] = format_moves(best.variation) if best else ""
    if not analysis.complete:
        content["bounds"] = [[line.lower, line.upper] if line else None for line in columns]
    return content


def _place(content: dict[str, object], moves: str | None) -> dict[str, object]:
    """Put the position first: the moves that lead there, where there are any."""
    if moves is None:
        return content
    rest = {key: value for key, value in content.items() if key not in ("first", "second")}
    return {"moves": moves, **rest}
