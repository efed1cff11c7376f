"""What scores mean, in words. Whoever shows a score to a person says it as it is said here.

How long a game still takes is counted in moves of the winner, the next stone included if it is his:
who "wins in 1 move" does so with his next stone, and who "loses in 1 move" by the opponent's next one.
"""

from __future__ import annotations

from fourcast._core import Position

__all__ = ["describe_bounds", "describe_score", "winner_moves"]


def winner_moves(score: int, position: Position) -> int:
    """Return how many stones the winner still has to play if *score* is that of the side to move.

    >>> winner_moves(18, Position("4455"))  # one to threaten on both sides, one to win
    2
    """
    mover_wins = score > 0
    winner = position.turn if mover_wins else 3 - position.turn
    first = winner == 1
    cells = position.width * position.height
    # The last stone that the winner can win with is worth 1 (see `score.hpp`).
    stones_at_end = (cells + 2 + first) // 2 - abs(score)
    stones_now = (position.ply + first) // 2
    return stones_at_end - stones_now


def describe_score(score: int, position: Position) -> str:
    """Say what the side to move gets with best play, as what comes after "it".

    >>> describe_score(1, Position()), describe_score(0, Position())
    ('wins in 21 moves', 'draws')
    >>> describe_score(-15, Position("44455554221"))
    'loses in 1 move'
    """
    if score == 0:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {_moves(score, position)}"


def describe_bounds(lower: int, upper: int, position: Position) -> str:
    """Say what is proven if no more is known than that the score lies between *lower* and *upper*.

    >>> describe_bounds(1, 5, Position()), describe_bounds(-3, 0, Position())
    ('wins in at most 21 moves', 'at most draws')
    >>> describe_bounds(-2, 1, Position()), describe_bounds(0, 0, Position())
    ('is not decided yet', 'draws')
    """
    if lower == upper:
        return describe_score(lower, position)
    if lower > 0:
        return f"wins in at most {_moves(lower, position)}"
    if upper < 0:
        return f"loses in at most {_moves(upper, position)}"
    if lower == 0:
        return "at least draws"
    return "at most draws" if upper == 0 else "is not decided yet"


def _moves(score: int, position: Position) -> str:
    count = winner_moves(score, position)
    return "1 move" if count == 1 else f"{count} moves"
