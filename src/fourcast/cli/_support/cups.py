"""What `fourcast tournament` does with the folder of a cup: watching it, and merging several."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text

from fourcast.arena.cup import JOURNAL, SCORES, read_cup
from fourcast.arena.journal import Journal, Kept, read_journal
from fourcast.arena.quality import Scores, qualities_of, read_scores, write_scores
from fourcast.arena.report import write_report
from fourcast.cli._support import arena
from fourcast.errors import GameFileError, OptionError

CHANGED = ("refuse", "keep", "again")
LOOK_EVERY_S = 1.0


def watch(folders: list[str]) -> None:
    """Show the standings of a folder, again and again on a terminal until Ctrl-C, else once."""
    if len(folders) != 1:
        raise OptionError("give one folder to watch: fourcast tournament watch FOLDER")
    cup = read_cup(folders[0])
    path = Path(folders[0], JOURNAL)
    console = Console()
    if not console.is_terminal:
        print(arena.standings(cup.results, cup.qualities))
        return
    with Live(console=console, auto_refresh=False) as live:
        size = -1
        while True:
            if path.stat().st_size != size:
                size = path.stat().st_size
                results = read_journal(path).results()
                shown = arena.standings(results, width=console.width, rows=max(3, console.height - 4))
                shown += f"\n{len(results.records)} games; Ctrl-C ends"
                live.update(Text(shown), refresh=True)
            time.sleep(LOOK_EVERY_S)


def merge(folders: list[str], options: arena.Arena) -> None:
    """Write the games of several folders of one tournament into a new one."""
    if len(folders) < 2 or not options.out:
        raise OptionError(
            "give the folders and a new one: fourcast tournament merge FOLDER FOLDER ... --out NEW"
        )
    if (options.out / JOURNAL).exists():
        raise OptionError(f"{options.out} has a tournament already: give a new folder")
    whole = Kept()
    scores: Scores = {}
    for folder in folders:
        kept = read_journal(Path(folder, JOURNAL))
        scores |= read_scores(Path(folder, SCORES))
        if whole.settings and kept.settings != whole.settings:
            raise GameFileError(f"{folder} belongs to a tournament with other settings")
        for name, description in kept.players.items():
            if whole.players.setdefault(name, description) != description:
                raise GameFileError(f"{folder}: {name!r} is another player than in the folders before")
        if kept.draws and whole.draws and kept.draws != whole.draws:
            raise GameFileError(f"{folder} belongs to a tournament with other rounds")
        whole.settings, whole.draws = kept.settings, kept.draws or whole.draws
        for pairing, record in kept.records.items():
            whole.records.setdefault(pairing, record)
    with Journal(options.out / JOURNAL, whole.settings, whole.players) as journal:
        for draw in whole.draws:
            journal.append_draw(draw)
        for number, record in enumerate(whole.records.values(), start=1):
            journal.append(record.numbered(number))
    results = whole.results()
    if scores:
        write_scores(options.out / SCORES, scores.values())
    title = whole.settings.get("title") or "Tournament"
    write_report(results, options.out, title=title, qualities=qualities_of(results.records, scores))
    print(arena.standings(results))
    print(
        f"{len(results.records)} games of {len(folders)} folders are in {options.out}", file=sys.stderr
    )
