"""The bot: any registered player, by the name that the owner has chosen."""

from __future__ import annotations

from fourcast._core import Limit, Position, Solver
from fourcast.community.judge import Bot
from fourcast.errors import CommunityError, UnknownPlayerError
from fourcast.players import player, player_names

__all__ = ["make_bot"]


def make_bot(name: str, time_s: float) -> Bot:
    """Return the bot of this name. `perfect` thinks for *time_s* at most, the others as they do."""
    if name == "perfect" and name not in player_names():
        return lambda position, _seed: _best_column(position, time_s)
    options = {"time_s": time_s} if name == "perfect" else {}

    def choose(position: Position, seed: int) -> int:
        try:
            return player(name, seed=seed, **options).choose(position)
        except UnknownPlayerError as error:
            raise CommunityError(f"the bot cannot play: {error}") from None

    return choose


def _best_column(position: Position, time_s: float) -> int:
    """Return the column with the best score: the quickest win, or the slowest loss.

    Among equals the one nearest to the middle. If the time is up, the best of what is proven by then.
    """
    analysis = Solver(threads=2).analyze(position, Limit(time_s=time_s), variations=False)
    middle = (position.width - 1) / 2
    best = max(analysis, key=lambda line: (line.lower, line.upper, -abs(line.column - middle)))
    return best.column
