"""The bot: any player of fourcast, with options, or a program, as the owner has chosen."""

from __future__ import annotations

from collections.abc import Callable

from fourcast._core import Position
from fourcast.arena.contestant import Contestant
from fourcast.players import describe_player
from fourcast.protocol import ProgramPlayer
from fourcast.protocol.sandbox import Sandbox

__all__ = ["Bot", "describe_bot", "make_bot"]

Bot = Callable[[Position, int], int]
"""Chooses a column of a position; the int is a seed."""


def make_bot(text: str, time_s: float) -> Bot:
    """Return the bot that *text* means, such as `winning`, `streaks:depth=6` or `python mybot.py`.

    *time_s* limits `perfect` and programs; the other players take the time that they need. A program
    runs in a sandbox, or not at all: the token of the workflow is in the memory of other processes. If
    there is none, the bot raises `OptionError`; a program without a legal answer raises `ForfeitError`.
    """
    contestant = Contestant.parse(text)
    is_limited = contestant.command or contestant.player == "perfect"

    def choose(position: Position, seed: int) -> int:
        limit_s = time_s if is_limited else None
        player = contestant.make(seed=seed, move_time_s=limit_s, sandbox=Sandbox.REQUIRE)
        try:
            return player.choose(position)
        finally:
            if isinstance(player, ProgramPlayer):
                player.close()

    return choose


def describe_bot(text: str, time_s: float) -> str:
    """Return some sentences on what the bot does."""
    contestant = Contestant.parse(text)
    if contestant.command:
        return f"The bot is the program `{text}`, which has {time_s:g} s for a move."
    about = f"The bot is fourcast's player `{text}`. {describe_player(contestant.player)}"
    if contestant.player == "perfect":
        about += (
            " To find one, it looks the position up in an opening book, or else searches to the end of"
            f" the game by alpha-beta, for {time_s:g} s at most."
        )
    return about
