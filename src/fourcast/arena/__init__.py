"""Matches and tournaments of players and programs, and what they show. `docs/arena.md` describes it.

>>> match = Match("winning", "random", games=10, seed=1)
>>> match.run().score("winning") > 5
True
"""

from fourcast.arena.contestant import Contestant
from fourcast.arena.journal import Journal
from fourcast.arena.match import Match, Settings, Tournament
from fourcast.arena.play import GameRecord, play_game
from fourcast.arena.ratings import Rating, Sprt, elo_ratings
from fourcast.arena.results import Results
from fourcast.arena.schedule import Pairing

__all__ = [
    "Contestant",
    "GameRecord",
    "Journal",
    "Match",
    "Pairing",
    "Rating",
    "Results",
    "Settings",
    "Sprt",
    "Tournament",
    "elo_ratings",
    "play_game",
]
