"""The bot: any registered player, by the name that the owner has chosen."""

from __future__ import annotations

from fourcast.community.judge import Bot
from fourcast.players import player

__all__ = ["make_bot"]


def make_bot(name: str, time_s: float) -> Bot:
    """Return the bot of this name. `perfect` thinks for *time_s* at most, the others as they do."""
    options = {"time_s": time_s} if name == "perfect" else {}
    return lambda position, seed: player(name, seed=seed, **options).choose(position)
