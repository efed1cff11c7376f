"""`fourcast check-player`: what is wrong with a player program."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.protocol.conformance import check


def check_player(
    command: Annotated[str, typer.Argument(help='How to start it, such as "python mybot.py".')],
    move_time: Annotated[float, typer.Option(help="Seconds for a move.")] = 5.0,
) -> None:
    """Test whether a program plays by the JSON protocol.

    The exit status is 0 if it passes all that is required, else 1.
    """
    failed = False
    for finding in check(command, move_time_s=move_time):
        failed = failed or (finding.required and not finding.passed)
        mark = "ok  " if finding.passed else "FAIL" if finding.required else "note"
        print(f"{mark}  {finding.title}")
        for line in (finding.complaint, finding.advice):
            if line:
                print(f"      {line}")
    print("It does not play by the protocol." if failed else "It plays by the protocol.")
    raise typer.Exit(1 if failed else 0)
