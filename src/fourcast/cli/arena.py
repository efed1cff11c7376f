"""What `match` and `tournament` show: the standing while they run, the table and the report after."""

from __future__ import annotations

import os
import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from fourcast.arena.match import Tournament
from fourcast.arena.quality import Quality, judge
from fourcast.arena.ratings import Sprt
from fourcast.arena.report import check_extra, forfeit_lines, standings_table, write_report
from fourcast.arena.results import Results


@dataclass(frozen=True)
class Outputs:
    """What is wanted besides the table."""

    title: str
    directory: Path | None
    quality: bool
    quality_from: int


def run_and_report(
    tournament: Tournament, outputs: Outputs, concurrency: int, sprt: Sprt | None = None
) -> None:
    """Play, show how it stands, and write the report."""
    if outputs.directory:
        check_extra()  # now, and not after an hour of games
    console = Console()
    if not console.is_terminal:
        console.width = 160  # a file has room
    screen = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
    )
    games = bar.add_task("games", total=len(tournament.schedule))
    shown = Live(bar, console=screen, transient=True, refresh_per_second=4)

    next_table_s = 0.0

    def show(results: Results) -> None:
        nonlocal next_table_s
        bar.update(games, completed=len(results.records))
        # Ratings take a moment, and nobody reads more than a few tables a second.
        if screen.is_terminal and time.monotonic() >= next_table_s:
            shown.update(Group(_table(results, {}), bar))
            next_table_s = time.monotonic() + 0.25

    try:
        with shown:
            results = tournament.run(concurrency=concurrency, on_game=show, sprt=sprt)
            qualities = _judge(results, outputs, bar) if outputs.quality else {}
    except KeyboardInterrupt:
        print("Stopped.", end=" ", file=sys.stderr)
        again = "The same command goes on from here." if outputs.directory else "Nothing was kept."
        print(again, file=sys.stderr, flush=True)
        # Python itself would wait for the moves under way. What was played is on the disk, and programs
        # are ended by their keepers as soon as this process is gone.
        os._exit(130)
    console.print(_table(results, qualities))
    if sprt:
        _show_test(results, sprt)
    for line in forfeit_lines(results)[:20]:
        print(line)
    if outputs.directory:
        command = shlex.join(["fourcast", *sys.argv[1:]])
        write_report(
            results,
            outputs.directory,
            title=outputs.title,
            description=f"{len(results.records)} games, by the command: {command}",
            qualities=qualities,
        )
        print(f"The report is {outputs.directory / 'report.html'}")


def _judge(results: Results, outputs: Outputs, bar: Progress) -> dict[str, Quality]:
    judging = bar.add_task("judging", total=None)
    return judge(
        results.records,
        from_ply=outputs.quality_from,
        progress=lambda done, total: bar.update(judging, completed=done, total=total),
    )


def _table(results: Results, qualities: dict[str, Quality]) -> Table:
    heads, rows = standings_table(results.standings(), qualities)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in heads:
        left = head in ("", "player", "forfeits")
        table.add_column(
            head,
            justify="left" if left else "right",
            no_wrap=head != "forfeits",
        )
    for row in rows:
        row[1] = row[1] if len(row[1]) <= 24 else f"...{row[1][-21:]}"  # of a program the end tells most
        table.add_row(*map(Text, row))
    return table


def _show_test(results: Results, sprt: Sprt) -> None:
    name = results.names[0]
    scores = results.pair_scores(name)
    lower, upper = sprt.bounds
    verdict = sprt.verdict(scores)
    answer = {"better": "yes", "not better": "no", None: "not known yet"}[verdict]
    print(
        f"Is {name} better by {sprt.elo1:g} Elo? {answer}: log likelihood ratio "
        f"{sprt.ratio(scores):.2f} after {len(scores)} pairs, bounds {lower:.2f} and {upper:.2f}"
    )
