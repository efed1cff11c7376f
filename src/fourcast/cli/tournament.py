"""`fourcast tournament`: a cup of players and programs, and what can be done with its folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option

from fourcast.arena.files import read_tournament
from fourcast.cli._support import arena, cups
from fourcast.errors import OptionError
from fourcast.notation import quote

Players = Annotated[
    list[str] | None, Argument(metavar="PLAYER...", help="Players and programs, or first a TOML file.")
]
File = Annotated[Path | None, Option(metavar="FILE", help="Players and settings from a TOML file.")]
Kind = Annotated[
    str | None,
    Option(
        metavar="KIND",
        help="round-robin, swiss, knockout, gauntlet (the first against all others), ladder or "
        "anchors.  [default: round-robin]",
    ),
]
Gauntlet = Annotated[bool, Option("--gauntlet", help="The same as --kind gauntlet.")]
Rounds = Annotated[int | None, Option(min=1, metavar="N", help="Rounds of a Swiss tournament.")]
Anchors = Annotated[
    str | None, Option(metavar="NAMES", help="With --kind anchors: whom all others meet, as a,b,c.")
]
Points = Annotated[
    str | None, Option(metavar="W,D,L", help="Points of a win, a draw and a loss.  [default: 1,0.5,0]")
]
Earlier = Annotated[
    list[Path] | None,
    Option(metavar="FOLDER", help="An earlier tournament, to show each player's progress; repeatable."),
]
Add = Annotated[bool, Option("--add", help="Let players join that are not in the folder yet.")]
Changed = Annotated[
    str,
    Option(
        metavar="WHAT",
        help="If a program has changed since its games in the folder: refuse, keep them, or play them "
        "again.",
    ),
]


def tournament(
    chosen: arena.Arena,
    players: Players = None,
    file: File = None,
    kind: Kind = None,
    gauntlet: Gauntlet = False,
    rounds: Rounds = None,
    anchors: Anchors = None,
    points: Points = None,
    earlier: Earlier = None,
    add: Add = False,
    changed: Changed = "refuse",
) -> None:
    """Play a tournament of players and programs, and report on it.

    With --out, an interrupted tournament continues where it stopped: run the same command again. The
    exit status is 1 if a player does not start or forfeits too often, or if a bot's folder of --file has
    no bot; the others play.

    `fourcast tournament watch FOLDER` shows how it stands while it is played, `fourcast tournament
    merge FOLDER FOLDER ... --out NEW` puts the games of several machines together.
    """
    words = players or []
    if words[:1] == ["watch"] and not file:
        cups.watch(words[1:])
        return
    if words[:1] == ["merge"] and not file:
        cups.merge(words[1:], chosen)
        return
    if words and words[0].endswith(".toml") and not file:
        file = Path(words.pop(0))
    missing = []

    def note(name: str, complaint: str) -> None:
        missing.append(name)
        print(f"fourcast: {name} does not take part: {complaint}", file=sys.stderr, flush=True)

    entrants, settings = read_tournament(file, note) if file else ([], None)
    given: dict[str, Any] = {
        "kind": "gauntlet" if gauntlet else kind,
        "rounds": rounds,
        "anchors": tuple(anchors.split(",")) if anchors else None,
        "points": _numbers(points) if points else None,
        "earlier": tuple(map(str, earlier)) if earlier else None,
    }
    options = {name: value for name, value in given.items() if value is not None}
    if changed not in cups.CHANGED:
        raise OptionError(f"--changed is one of {', '.join(cups.CHANGED)}, not {quote(changed)}")
    entered = chosen.enter([*entrants, *words], settings, add=add, changed=changed, **options)
    title = entered.settings.title or (file.stem if file else "Tournament")
    arena.run_and_report(entered, title, chosen)
    if missing:
        raise Exit(arena.SOMEBODY_IS_OUT)


def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise OptionError(f"--points are three numbers such as 3,1,0, not {quote(text)}") from None
