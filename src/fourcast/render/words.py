"""What scores mean, in words, for every place that shows a score to a person.

How long a game still takes is counted in moves of the winner: a side that "wins in 1 move" does so with
its next disc, and a side that "loses in 1 move" loses by the opponent's next disc.
"""

from __future__ import annotations

from collections.abc import Iterable

from fourcast._core import Position, Result, Rules, ask
from fourcast.game import Outcome, Termination
from fourcast.notation import format_column, require_position
from fourcast.render.catalogue import fill
from fourcast.render.said import said_text

__all__ = ["describe_bounds", "describe_outcome", "describe_score", "name_columns", "winner_moves"]


def winner_moves(score: int, position: Position | str) -> int:
    """Return how many discs the winner still has to play if *score* is that of the side to move.

    >>> winner_moves(18, Position("4455"))  # one to threaten on both sides, one to win
    2
    """
    moves = Result(position, score).moves_to_end
    assert moves is not None, "a draw has no winner"
    return moves


def describe_score(score: int, position: Position | str) -> str:
    """Say what the side to move gets with best play, as what comes after "it".

    >>> describe_score(1, Position()), describe_score(0, Position())
    ('wins in 21 moves', 'draws')
    >>> describe_score(-15, Position("44455554221"))
    'loses in 1 move'
    """
    return describe_bounds(score, score, position)


def describe_bounds(lower: int, upper: int, position: Position | str) -> str:
    """Say in words what is proven if the score is between *lower* and *upper*.

    >>> describe_bounds(1, 5, Position()), describe_bounds(-3, 0, Position())
    ('wins in at most 21 moves', 'at most draws')
    >>> describe_bounds(-2, 1, Position()), describe_bounds(0, 0, Position())
    ('is not decided yet', 'draws')
    """
    position = require_position(position)
    size = {"width": position.width, "height": position.height, "ply": position.ply}
    asked = {**size, "misere": position.rules.misere, "bounds": [(lower, upper)]}
    (said,) = ask("score.describe", asked)
    return said_text(said)


def describe_outcome(outcome: Outcome, names: tuple[str, str], rules: Rules | None = None) -> str:
    """Say how a game ended, as a sentence; *names* are those of the first and the second player.

    >>> describe_outcome(Outcome(2, Termination.RESIGNATION), ("Ada", "Grace"))
    'Grace wins: Ada has resigned.'
    """
    winner = outcome.winner
    loser = names[2 - winner] if winner else ""
    line = fill("result.four")
    if rules and rules.misere:
        line = fill("result.misere", loser=loser, count=rules.connect)
    elif rules and rules.connect != 4:
        line = fill("result.line", count=rules.connect)
    why = {
        Termination.FOUR: line,
        Termination.FULL_BOARD: fill("result.full"),
        Termination.RESIGNATION: fill("result.resigned", loser=loser),
        Termination.AGREEMENT: fill("result.agreed"),
        Termination.FORFEIT: fill("result.forfeited", loser=loser),
        Termination.TIME: fill("result.time", loser=loser) if winner else fill("result.time_draw"),
        Termination.ABANDONED: fill("result.left", loser=loser) if winner else fill("result.left_draw"),
        Termination.REPETITION: fill("result.repeated"),
    }[outcome.termination]
    if outcome.reason:
        why = fill("result.because", why=why, reason=outcome.reason)
    if winner:
        text = fill("result.win", winner=names[winner - 1], why=why)
    else:
        text = fill("result.draw", why=why)
    return text[:1].upper() + text[1:]


def name_columns(columns: Iterable[int]) -> str:
    """Name some columns in a sentence.

    >>> name_columns([3]), name_columns([1, 2, 3])
    ('column 4', 'columns 2, 3 and 4')
    """
    names = [format_column(column) for column in columns]
    if len(names) == 1:
        return fill("columns.one", column=names[0])
    return fill("columns.some", list=", ".join(names[:-1]), last=names[-1])
