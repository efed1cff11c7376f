"""Puzzles: positions from played games with one right answer, exact and rated.

>>> puzzle = load(theme="double threat", lowest=300, highest=500)[0]
>>> attempt = puzzle.start()
>>> for column in puzzle.solution[::2]:
...     attempt = attempt.try_move(column)
>>> attempt.state
'solved'
"""

from fourcast.puzzles.collection import daily, find, load, mistakes_of, pick, sizes, storm
from fourcast.puzzles.puzzle import Attempt, Puzzle
from fourcast.puzzles.puzzle_file import read_puzzles, write_puzzles
from fourcast.puzzles.themes import THEMES

__all__ = [
    "THEMES",
    "Attempt",
    "Puzzle",
    "daily",
    "find",
    "load",
    "mistakes_of",
    "pick",
    "read_puzzles",
    "sizes",
    "storm",
    "write_puzzles",
]
