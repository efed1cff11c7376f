"""How strong the players are: Elo points above `random`, from 1632 games.

Written by the command
    python tools/make/write_ratings.py build/levels/journal.jsonl build/everybody/journal.jsonl
whose journals are those of tools/make/levels.toml and tools/make/everybody.toml.
"""

ELO = {
    "random": 0,
    "winning": 173,
    "rated": 215,
    "depth": 607,
    "streaks": 679,
    "winsets": 797,
    "mcts": 888,
    "perfect": 1253,
    "level-1": 67,
    "level-2": 245,
    "level-3": 365,
    "level-4": 489,
    "level-5": 601,
    "level-6": 718,
    "level-7": 823,
    "level-8": 928,
    "level-9": 1056,
    "level-10": 1171,
}
