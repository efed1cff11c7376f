"""What the terminal game answers to `h`."""

from __future__ import annotations

from fourcast._core import Analysis, Limit, Position, Solver
from fourcast.notation import format_column
from fourcast.render.words import describe_score

TIME_S = 2.0
"""A person who asks for a hint waits no longer than this."""


def hint(position: Position, solver: Solver | None = None) -> str:
    """Return a sentence of advice to the player to move in an unfinished game.

    What it says is proven; where that takes too long it says what can be seen at once.

    >>> hint(Position("445566"))
    'Column 3 wins at once.'
    >>> hint(Position("7422341735647741166133573473242566"))
    'Column 2 wins in 4 moves. So does column 6.'
    """
    wins = tuple(position.winning_columns())
    threats = tuple(position.winning_columns(3 - position.turn))
    if wins:
        return f"Column {format_column(wins[0])} wins at once."
    if len(threats) == 1:
        return f"Block column {format_column(threats[0])}, or your opponent wins there."
    if threats:
        columns = " and ".join(map(format_column, threats))
        return f"Your opponent threatens to win in columns {columns}: only one can be blocked."
    analysis = (solver or Solver()).analyze(position, Limit(time_s=TIME_S), variations=False)
    return _advice(position, analysis) if analysis.result.complete else _what_is_proven(analysis)


def _advice(position: Position, analysis: Analysis) -> str:
    result = analysis.result
    assert result.score is not None
    best = [format_column(column) for column in result.best_columns or ()]
    words = describe_score(result.score, position)
    if len(best) == len(position.legal_columns):
        if result.score == 0:
            return "Every column draws."
        return f"Every column {words}, if both sides play their best."
    if result.score < 0:
        return f"Column {best[0]} holds out longest: it {words}, if your opponent finds everything."
    others = f" So does column {best[1]}." if len(best) == 2 else ""
    others = f" So do columns {', '.join(best[1:-1])} and {best[-1]}." if len(best) > 2 else others
    return f"Column {best[0]} {words}.{others}"


def _what_is_proven(analysis: Analysis) -> str:
    """Say what there is to say if there was no time for all of it."""
    winning = [format_column(line.column) for line in analysis if line.lower > 0]
    losing = [format_column(line.column) for line in analysis if line.upper < 0]
    if winning:
        return f"Column {winning[0]} wins, but not soon."
    rest = "the rest is too far off to be seen in time"
    if losing:
        columns = f"columns {', '.join(losing)}" if len(losing) > 1 else f"column {losing[0]}"
        return f"Do not play {columns}, which would lose; {rest}."
    return f"Nobody can win with the next stone, and {rest}."
