"""Matches and tournaments of players and programs, with ratings and reports; see `docs/arena.md`.

>>> match = Match("winning", "random", games=10, seed=1)
>>> match.run().score("winning") > 5
True
"""

from fourcast.arena.contestant import Contestant
from fourcast.arena.evaluation import Evaluation, evaluate_agent, evaluate_log, load_suite
from fourcast.arena.journal import Journal
from fourcast.arena.match import Match, Settings, Tournament
from fourcast.arena.play import Conditions, GameRecord, play_game
from fourcast.arena.ratings import Rating, Sprt, elo_ratings
from fourcast.arena.results import Forfeits, Results, Standing
from fourcast.arena.schedule import Pairing

__all__ = [
    "Conditions",
    "Contestant",
    "Evaluation",
    "Forfeits",
    "GameRecord",
    "Journal",
    "Match",
    "Pairing",
    "Rating",
    "Results",
    "Settings",
    "Sprt",
    "Standing",
    "Tournament",
    "elo_ratings",
    "evaluate_agent",
    "evaluate_log",
    "load_suite",
    "play_game",
]
