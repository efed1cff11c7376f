"""Matches and tournaments of players and programs, with ratings and reports; see `docs/arena.md`.

>>> match = Match("winning", "random", games=10, seed=1)
>>> match.run().score("winning") > 5
True
"""

from fourcast.arena.comparison import Comparison, compare
from fourcast.arena.contestant import Contestant
from fourcast.arena.cup import Cup, read_cup
from fourcast.arena.evaluation import Evaluation, evaluate_agent, evaluate_log
from fourcast.arena.journal import Journal, Kept, read_journal
from fourcast.arena.match import Match, Settings, Tournament
from fourcast.arena.openings import Openings
from fourcast.arena.play import Conditions, GameRecord, play_game
from fourcast.arena.ratings import Difference, Rating, Sprt, elo_difference, elo_ratings
from fourcast.arena.results import Forfeits, Results, Standing
from fourcast.arena.schedule import Draw, Pairing
from fourcast.arena.suites import load_suite

__all__ = [
    "Comparison",
    "Conditions",
    "Contestant",
    "Cup",
    "Difference",
    "Draw",
    "Evaluation",
    "Forfeits",
    "GameRecord",
    "Journal",
    "Kept",
    "Match",
    "Openings",
    "Pairing",
    "Rating",
    "Results",
    "Settings",
    "Sprt",
    "Standing",
    "Tournament",
    "compare",
    "elo_difference",
    "elo_ratings",
    "evaluate_agent",
    "evaluate_log",
    "load_suite",
    "play_game",
    "read_cup",
    "read_journal",
]
