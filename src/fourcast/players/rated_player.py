"""The player `rated`."""

from __future__ import annotations

from fourcast._core import Position
from fourcast.players.choosing import refuse_finished
from fourcast.players.random_player import RandomPlayer


def rate_columns(position: Position) -> list[int]:
    """Return what each column is worth, as far as one move shows: the score of a win at once, else 0.

    A win with the last stone that fits is worth 1, and one more for each own stone that is left over: on
    7x6, `(43 - n) // 2` after n stones. A full column is rated 0 like any other that does not win.

    >>> rate_columns(Position.from_columns([0, 6, 0, 5, 1, 4, 1]))
    [0, 0, 0, 18, 0, 0, 0]
    """
    winning = position.winning_columns()
    return [
        -position.play(column).final_score if column in winning else 0
        for column in range(position.width)
    ]


class RatedPlayer(RandomPlayer):
    """Rates every column, a win at once by how early it is and all else 0, and plays the best."""

    name = "rated"

    def choose(self, position: Position) -> int:
        """Return an open column of the highest rating, any of them if there are several."""
        refuse_finished(position)
        ratings = rate_columns(position)
        best = max(ratings[column] for column in position.legal_columns)
        return self._random.choice([col for col in position.legal_columns if ratings[col] == best])
