"""What `match` and `tournament` share: options, the live table, results and report."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import typer

from fourcast import __version__
from fourcast.arena.contestant import Entrant
from fourcast.arena.match import Settings, Tournament
from fourcast.arena.quality import Quality, judge
from fourcast.arena.ratings import Sprt
from fourcast.arena.report import (
    check_extra,
    forfeit_lines,
    quality_lines,
    standings_table,
    write_report,
)
from fourcast.arena.results import Results
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.options import GivenBoard
from fourcast.cli._support.process import INTERRUPTED
from fourcast.cli._support.programs import MoveTime, SandboxOption, warn_without_sandbox
from fourcast.cli._support.progress import ProgressBar
from fourcast.cli._support.wrapping import table
from fourcast.protocol.sandbox import Sandbox, find_isolation

SHOWN_FORFEITS = 20
TABLE_EVERY_S = 0.25
"""Ratings take a moment, and nobody reads more than a few tables a second."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


class Arena(NamedTuple):
    """How the games are played, and what is written besides the table."""

    board: GivenBoard
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games of each pair.  [default: 20]")
    ] = None
    opening_plies: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Random moves at the start.  [default: 4]")
    ] = None
    move_time: MoveTime = None
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of openings and players.  [default: 0]")
    ] = None
    concurrency: Annotated[int, typer.Option(min=1, max=1024, metavar="N", help="Games at a time.")] = 1
    sandbox: SandboxOption = Sandbox.AUTO
    memory: Annotated[
        int | None, typer.Option(metavar="MB", help="Of each program.  [default: 1024]")
    ] = None
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to keep journal, games and report.")
    ] = None
    quality: Annotated[bool, typer.Option("--quality", help="Have the solver judge the moves.")] = False
    quality_from: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Judge moves from this many discs on.  [default: 0 on 7x6, 12 on other boards]",
        ),
    ] = None
    as_json: Json = False

    def enter(self, players: Sequence[Entrant], **settings: Any) -> Tournament:
        """Return the tournament of *players*; an option that was given replaces one of *settings*."""
        given = {
            "games": self.games,
            "opening_plies": self.opening_plies,
            "move_time_s": self.move_time,
            "seed": self.seed,
            "memory_mb": self.memory,
            **self.board._asdict(),
        }
        settings |= {name: value for name, value in given.items() if value is not None}
        journal = self.out / "journal.jsonl" if self.out else None
        return Tournament(players, Settings(**settings), journal=journal, sandbox=self.sandbox)


def run_and_report(tournament: Tournament, title: str, options: Arena, sprt: Sprt | None = None) -> None:
    """Play, show how it stands, and write what came out."""
    if options.out:
        check_extra()  # now, and not after an hour of games
    if tournament.has_programs:
        warn_without_sandbox(tournament.sandbox)
    try:
        results = _play(tournament, options.concurrency, sprt)
        qualities = _judge(results, options.quality_from) if options.quality else {}
    except KeyboardInterrupt:
        _stop(is_kept=options.out is not None)
    report = None
    if options.out:
        facts = facts_of(
            len(results.records),
            settings=", ".join(f"{key} {value}" for key, value in vars(tournament.settings).items()),
            sandbox=_isolation(tournament),
        )
        write_report(results, options.out, title=title, facts=facts, qualities=qualities)
        report = options.out / "report.html"
    if options.as_json:
        print(json.dumps(_answer(tournament, results, qualities, sprt, report)))
        return
    print(_table(results, qualities, text_width()))
    if sprt:
        print(_describe_test(results, sprt))
    for line in forfeit_lines(results)[:SHOWN_FORFEITS]:
        print(line)
    for line in quality_lines(qualities):
        print(line)
    if report:
        print(f"The report is {report}")


def _play(tournament: Tournament, concurrency: int, sprt: Sprt | None) -> Results:
    next_table_s = 0.0

    def show(results: Results) -> None:
        nonlocal next_table_s
        above = None
        if sys.stderr.isatty() and time.monotonic() >= next_table_s:
            above = _table(results, {}, os.get_terminal_size(sys.stderr.fileno()).columns)
            next_table_s = time.monotonic() + TABLE_EVERY_S
        bar.show(len(results.records), len(tournament.schedule), above)

    with ProgressBar("games", total=len(tournament.schedule), transient=True) as bar:
        return tournament.run(concurrency=concurrency, on_game=show, sprt=sprt)


def _judge(results: Results, from_ply: int | None) -> dict[str, Quality]:
    with ProgressBar("judging", transient=True) as bar:
        return judge(results.records, from_ply=from_ply, progress=bar.show)


def _stop(*, is_kept: bool) -> NoReturn:
    """End at once after Ctrl-C: Python itself would wait for the moves in progress.

    What was played is on the disk, and programs are ended as soon as this process is gone.
    """
    again = "The same command continues from here." if is_kept else "Nothing was kept."
    print(f"Stopped. {again}", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED)


def _table(results: Results, qualities: dict[str, Quality], width: int) -> str:
    heads, rows = standings_table(results.standings(), qualities)
    for row in rows:
        row[1] = row[1] if len(row[1]) <= 24 else f"...{row[1][-21:]}"  # of a command the end tells most
    return table(heads, rows, width, names=2, left=["forfeits"])


def _describe_test(results: Results, sprt: Sprt) -> str:
    name = results.names[0]
    scores = results.pair_scores(name)
    lower, upper = sprt.bounds
    answer = {"better": "yes", "not better": "no", None: "not known yet"}[sprt.verdict(scores)]
    return (
        f"Is {name} better by {sprt.elo1:g} Elo? {answer}: log likelihood ratio "
        f"{sprt.ratio(scores):.2f} after {len(scores)} pairs, bounds {lower:.2f} and {upper:.2f}"
    )


def _command() -> str:
    """The command that repeats this."""
    return shlex.join(["fourcast", *sys.argv[1:]])


def _isolation(tournament: Tournament) -> str:
    if not tournament.has_programs:
        return "There were no programs."
    return str(find_isolation(tournament.sandbox))


def facts_of(count: int, what: str = "games", **more: str) -> dict[str, str]:
    """What a reader of a report needs to know, also to repeat it."""
    return {
        what: str(count),
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "version": f"fourcast {__version__}",
        **more,
        "command": _command(),
    }


def _answer(
    tournament: Tournament,
    results: Results,
    qualities: dict[str, Quality],
    sprt: Sprt | None,
    report: Path | None,
) -> dict[str, Any]:
    """What `--json` prints."""
    answer: dict[str, Any] = {"version": __version__, "command": _command()}
    answer |= {"settings": vars(tournament.settings), "sandbox": _isolation(tournament)}
    answer |= results.to_json(qualities)
    if sprt:
        scores = results.pair_scores(results.names[0])
        answer["sprt"] = {
            "elo": sprt.elo1,
            "verdict": sprt.verdict(scores),
            "ratio": sprt.ratio(scores),
            "bounds": sprt.bounds,
            "pairs": len(scores),
        }
    return answer | ({"report": str(report)} if report else {})
