"""The errors that fourcast raises on purpose.

FourcastError
├── GameFileError           (also ValueError)  a file or text that is no game, with its line
├── IllegalMoveError        (also ValueError)  a full column, one off the board, a finished game
├── InvalidNotationError    (also ValueError)  text that cannot be read as what it should be
├── InvalidPositionError    (also ValueError)  stones that cannot have arisen, a size not played
└── UnknownPlayerError      (also ValueError)  a player that nobody has heard of

A wrong type is a plain `TypeError`, a wrong option a plain `ValueError`. Every message quotes what was
given, shortened if it is long.
"""

__all__ = [
    "FourcastError",
    "GameFileError",
    "IllegalMoveError",
    "InvalidNotationError",
    "InvalidPositionError",
    "UnknownPlayerError",
]


class FourcastError(Exception):
    """The base of the errors of fourcast."""


class GameFileError(FourcastError, ValueError):
    """A file or text that cannot be read as a game; the message has the line."""


class IllegalMoveError(FourcastError, ValueError):
    """A stone into a full column, off the board, or into a finished game."""


class InvalidNotationError(FourcastError, ValueError):
    """Text that cannot be read; the message has the offending part and its place."""


class InvalidPositionError(FourcastError, ValueError):
    """A position that cannot have arisen, or a board of a size that is not played."""


class UnknownPlayerError(FourcastError, ValueError):
    """A name that no player has; the message lists those there are."""
