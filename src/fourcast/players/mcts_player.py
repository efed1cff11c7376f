"""The player `mcts`."""

from __future__ import annotations

from fourcast._core import Position, one_of, search_tree
from fourcast.players.choosing import Named, check_option, generator, position_to_move

PLAYOUTS = 20_000


class MctsPlayer(Named):
    """Grows a tree by random games, more where they go well (UCT), and plays what was tried most."""

    name = "mcts"

    def __init__(
        self,
        *,
        playouts: int | None = None,
        time_s: float | None = None,
        exploration: float = 1.0,
        seed: int | None = None,
    ) -> None:
        """Make a player with a number of *playouts*, 20,000 if neither they nor *time_s* is given.

        *exploration* is the constant of UCB1: the higher, the more it tries what looks bad. By number of
        playouts, the same *seed* gives the same choices; by time no two games are the same.
        """
        check_option("playouts", playouts, least=1, whole=True, or_none=True)
        check_option("time_s", time_s, least=0, or_none=True)
        check_option("exploration", exploration, least=0)
        self.playouts = playouts or (2**62 if time_s else PLAYOUTS)
        self.time_s = time_s
        self.exploration = exploration
        self._random = generator(seed)

    def choose(self, position: Position | str) -> int:
        """Return a column that is proven to win, else the one tried most that is not known to lose."""
        position = position_to_move(position)
        found = search_tree(
            position,
            playouts=self.playouts,
            time_s=self.time_s,
            exploration=self.exploration,
            seed=self._random.randrange(2**62),
        )
        return one_of(found.best_columns, position, self._random)
