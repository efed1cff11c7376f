"""The command `fourcast`. One file a command: `cli/play.py` has the function `play`, and so on.

`_support` has what several commands share, `_terminal` the game of `fourcast play`. Only the file of the
command that runs is imported, so that help and short commands come at once.
"""

from __future__ import annotations

# This module imports next to nothing, so that it is there before a person can press Ctrl-C: `typing` and
# `signal` would take longer than everything else here.
import _signal  # type: ignore[import-not-found]
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line *arguments*, by default those of the process, and exit."""
    if arguments is None:
        arguments = sys.argv[1:]
        _let_ctrl_c_kill()
        from fourcast.cli._support.process import open_closed_streams

        open_closed_streams()
    from fourcast.cli._support.application import run

    run(list(arguments))


def _let_ctrl_c_kill() -> None:
    """Have Ctrl-C end the process at once, as it ends a program that does nothing about it.

    This is for the time before and after a command's own work, where there is nothing to clean up and
    Python would print a traceback. A process that was told to ignore Ctrl-C goes on ignoring it.
    """
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
