"""The errors that fourcast raises on purpose.

FourcastError
├── BookError                                  a file that is no opening book
├── ClusterError                               a Ray cluster that is not there or can not do the work
├── CommunityError                             a community game that cannot go on: files, git, GitHub
├── FinishedGameError       (also ValueError)  a question about a game that is over
├── ForfeitError                               a program has lost its game by what it did
├── GameFileError           (also ValueError)  a file or text that is no game, with its line
├── IllegalMoveError        (also ValueError)  a full column, one off the board, a finished game
├── InvalidNotationError    (also ValueError)  text that cannot be read as what it should be
├── InvalidPositionError    (also ValueError)  stones that cannot have arisen, a size not played
├── MissingExtraError                          something is not installed; the message says how to
├── OptionError             (also ValueError)  an option that does not exist, or a wrong value of one
├── SettingsError                              an environment variable that says nothing sensible
├── StoppedError                               an answer that was stopped before it was complete
└── UnknownPlayerError      (also ValueError)  a player that nobody has heard of

A wrong type is a plain `TypeError`, a wrong option a plain `ValueError`. Every message quotes what was
given, shortened if it is long. What is worth a word but no reason to stop is a `BookWarning`.
"""

__all__ = [
    "BookError",
    "BookWarning",
    "ClusterError",
    "CommunityError",
    "FinishedGameError",
    "ForfeitError",
    "FourcastError",
    "GameFileError",
    "IllegalMoveError",
    "InvalidNotationError",
    "InvalidPositionError",
    "MissingExtraError",
    "OptionError",
    "SettingsError",
    "StoppedError",
    "UnknownPlayerError",
]


class FourcastError(Exception):
    """The base of the errors of fourcast."""


class BookError(FourcastError):
    """A file that is no whole and unaltered opening book; the message says why."""


class BookWarning(UserWarning):
    """An opening book that was passed over; answers are the same without it, but take longer."""


class ClusterError(FourcastError):
    """A Ray cluster that cannot be reached or cannot do the work; the message says why."""


class CommunityError(FourcastError):
    """A community game that cannot go on: its files, git or GitHub are in the way."""


class FinishedGameError(FourcastError, ValueError):
    """A question, such as for the best move, about a game that is over."""


class ForfeitError(FourcastError):
    """A program has lost its game by what it did; `kind` is one of `fourcast.protocol.Forfeit`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class GameFileError(FourcastError, ValueError):
    """A file or text that cannot be read as a game; the message has the line."""


class IllegalMoveError(FourcastError, ValueError):
    """A stone into a full column, off the board, or into a finished game."""


class InvalidNotationError(FourcastError, ValueError):
    """Text that cannot be read; the message has the offending part and its place."""


class InvalidPositionError(FourcastError, ValueError):
    """A position that cannot have arisen, or a board of a size that is not played."""


class MissingExtraError(FourcastError):
    """Something optional is not installed; the message has the command that installs it."""


class OptionError(FourcastError, ValueError):
    """An option that does not exist, or a value that it does not take."""


class SettingsError(FourcastError):
    """An environment variable that cannot be used; the message names it and what it may be."""


class StoppedError(FourcastError):
    """The work on an answer was stopped, and there is no use for half of it."""


class UnknownPlayerError(FourcastError, ValueError):
    """A name that no player has; the message lists those there are."""
