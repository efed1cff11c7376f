"""What the terminal game answers to `h`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.notation import format_column


def hint(position: Position) -> str:
    """Return a sentence of advice to the player to move in an unfinished game.

    It sees one move ahead: a win now, or the opponent's next. The solver will see the rest.

    >>> hint(Position("445566"))
    'Column 3 wins at once.'
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
    return "Nobody can win with the next stone: no immediate tactics to see."
