"""What `match` and `tournament` share: options, the live table, results and report."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import typer

from fourcast import __version__
from fourcast.arena.contestant import Entrant
from fourcast.arena.cup import JOURNAL, SCORES, read_cup
from fourcast.arena.match import Settings, Tournament
from fourcast.arena.quality import (
    Quality,
    is_judged,
    qualities_of,
    read_scores,
    score_games,
    write_scores,
)
from fourcast.arena.ratings import Sprt, elo_ratings
from fourcast.arena.report import (
    check_extra,
    quality_lines,
    write_report,
)
from fourcast.arena.results import Results, standings_table
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.options import GivenBoard, RuleChoice
from fourcast.cli._support.process import INTERRUPTED
from fourcast.cli._support.programs import MoveTime, SandboxOption, warn_without_sandbox
from fourcast.cli._support.progress import ProgressBar
from fourcast.cli._support.wrapping import table
from fourcast.errors import OptionError
from fourcast.protocol.sandbox import Sandbox, find_isolation

SHOWN_FORFEITS = 20
TABLE_EVERY_S = 0.25
"""Nobody reads more than a few tables a second."""
TABLE_SHARE = 0.05
"""Share of a processor that the live table may take from the games."""
SOMEBODY_IS_OUT = 1
"""Exit status if a player is out: it did not start, or forfeited again and again."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


class Arena(NamedTuple):
    """How the games are played, and what is written besides the table."""

    board: GivenBoard
    rule_choice: RuleChoice
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games of each pair.  [default: 20]")
    ] = None
    openings: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="balanced, random, or a file of them.  [default: balanced]"),
    ] = None
    opening_plies: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Moves of an opening.  [default: 4]")
    ] = None
    move_time: MoveTime = None
    game_time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time of each player for a whole game.")
    ] = None
    increment: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="With --game-time: gained with each move.")
    ] = None
    adjudicate: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="Let the solver end games: resign ends lost games, draw drawn ones, both either kind, "
            "known every game whose result it knows.  [default: no]",
        ),
    ] = None
    forfeit_limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Forfeits after which a player is out.  [default: 10]"),
    ] = None
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of openings and players.  [default: 0]")
    ] = None
    concurrency: Annotated[int, typer.Option(min=1, max=1024, metavar="N", help="Games at a time.")] = 1
    affinity: Annotated[
        bool, typer.Option("--affinity", help="Give each game a processor of its own.")
    ] = False
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on this Ray cluster.")] = None
    sandbox: SandboxOption = Sandbox.AUTO
    memory: Annotated[
        int | None, typer.Option(metavar="MB", help="Memory limit of each program.  [default: 1024]")
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

    def enter(
        self,
        players: Sequence[Entrant],
        settings: Settings | None = None,
        **options: Any,
    ) -> Tournament:
        """Return the tournament of *players*; an option that was given replaces one of *settings*."""
        given = {
            "games": self.games,
            "openings": self.openings,
            "opening_plies": self.opening_plies,
            "move_time_s": self.move_time,
            "game_time_s": self.game_time,
            "increment_s": self.increment,
            "adjudicate": self.adjudicate,
            "forfeit_limit": self.forfeit_limit,
            "seed": self.seed,
            "memory_mb": self.memory,
            "rules": str(self.rule_choice.rules) or None,
            **self.board._asdict(),
        }
        options |= {name: value for name, value in given.items() if value is not None}
        journal = self.out / JOURNAL if self.out else None
        return Tournament(players, settings, journal=journal, sandbox=self.sandbox, **options)


def run_and_report(tournament: Tournament, title: str, options: Arena, sprt: Sprt | None = None) -> None:
    """Play, show how it stands, and write what came out; exit with a status if somebody is out."""
    if options.out:
        check_extra()  # now, and not after an hour of games
    if tournament.programs:
        warn_without_sandbox(tournament.sandbox)
        warn_of_concurrency(options.concurrency)
    earlier = [read_cup(folder) for folder in tournament.settings.earlier]
    try:
        with _LiveTable(tournament) as live:
            results = tournament.run(
                concurrency=options.concurrency,
                on_game=live.show,
                sprt=sprt,
                affinity=options.affinity,
                ray=options.ray,
            )
        qualities = _judge(results, options)
    except KeyboardInterrupt:
        stop_at_once(is_kept=options.out is not None)
    report = None
    if options.out:
        facts = facts_of(
            len(results.records),
            settings=", ".join(f"{key} {value}" for key, value in vars(tournament.settings).items()),
            sandbox=_isolation(tournament),
        )
        write_report(
            results, options.out, title=title, facts=facts, qualities=qualities, earlier=earlier
        )
        report = options.out / "report.html"
    if options.as_json:
        print(json.dumps(_answer(tournament, results, qualities, sprt, report)))
        _exit(results)
        return
    print(standings(results, qualities))
    if len(results.names) == 2 and not results.out and (difference := results.difference()):
        print(f"{results.names[0]} against {results.names[1]}: {difference}")
    if tournament.settings.kind == "swiss" and len(results.draws) < tournament.rounds:
        rounds = f"{len(results.draws)} of {tournament.rounds} rounds"
        print(f"It ended after {rounds}: no further round can be drawn without a second meeting.")
    if sprt:
        print(_describe_test(results, sprt))
    for forfeits in results.forfeits()[:SHOWN_FORFEITS]:
        print(forfeits)
    for line in quality_lines(qualities, results):
        print(line)
    if report:
        print(f"The report is {report}")
    _exit(results)


def _exit(results: Results) -> None:
    """End with a status of its own if a player is out."""
    if results.out:
        names = ", ".join(sorted(results.out))
        print(f"fourcast: out, and not rated: {names}", file=sys.stderr, flush=True)
        raise typer.Exit(SOMEBODY_IS_OUT)


def warn_of_concurrency(concurrency: int) -> None:
    """Say that programs will have less time than they are given, if there are too many at a time."""
    processors = os.cpu_count() or 1
    if concurrency > processors:
        print(
            f"fourcast: {concurrency} games at a time on {processors} processors: programs have to "
            "share them, and may be too late",
            file=sys.stderr,
            flush=True,
        )


class _LiveTable:
    """The standings above a progress bar while games are played, as many lines as the screen has."""

    def __init__(self, tournament: Tournament) -> None:
        self._total = tournament.expected_games
        self._bar = ProgressBar("games", total=self._total, transient=True)
        self._next_s = 0.0

    def __enter__(self) -> _LiveTable:
        if sys.stderr.isatty():
            # Threads of the linear algebra would wait for processors that the games keep busy.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            elo_ratings(("one", "other"), [])  # what it imports is no cost of a table
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(*error)

    def show(self, results: Results) -> None:
        """Show how it stands, if enough time has passed since the last time."""
        above = None
        begin = time.monotonic()
        if sys.stderr.isatty() and begin >= self._next_s:
            columns, lines = os.get_terminal_size(sys.stderr.fileno())
            used_s = time.thread_time()  # the games keep the processors busy
            above = standings(results, width=columns, rows=max(3, lines - 4))
            took_s = time.thread_time() - used_s
            self._next_s = begin + max(TABLE_EVERY_S, took_s / TABLE_SHARE)
        done = len(results.records)
        self._bar.show(done, max(self._total, done), above)


def _judge(results: Results, options: Arena) -> dict[str, Quality]:
    """Return how well the players played, by games that were judged before or are to be judged now."""
    path = options.out / SCORES if options.out else None
    scores = read_scores(path) if path else {}
    if options.quality:
        if any(game.rules for game in results.records):
            raise OptionError("--quality judges games by the standard rules only")
        due = [game for game in results.records if not is_judged(game, scores, options.quality_from)]
        with ProgressBar("judging", total=len(due), transient=True) as bar:
            judged = score_games(due, from_ply=options.quality_from, progress=bar.show)
            scores |= write_scores(path, judged) if path else {each.key: each for each in judged}
    return qualities_of(results.records, scores) if scores else {}


def stop_at_once(*, is_kept: bool) -> NoReturn:
    """End at once after Ctrl-C: Python itself would wait for the moves in progress.

    What was found is on the disk, and programs are ended as soon as this process is gone.
    """
    again = "The same command continues from here." if is_kept else "Nothing was kept."
    print(f"Stopped. {again}", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED)


def standings(
    results: Results,
    qualities: Mapping[str, Quality] | None = None,
    *,
    width: int | None = None,
    rows: int | None = None,
) -> str:
    """Return the table; with *rows* only the first ones."""
    heads, lines = standings_table(results.standings(), qualities or {})
    for row in lines:
        row[1] = row[1] if len(row[1]) <= 24 else f"...{row[1][-21:]}"  # the end of a command says most
    return table(heads, lines[:rows], width or text_width(), names=2, left=["forfeits"])


def _describe_test(results: Results, sprt: Sprt) -> str:
    name = results.names[0]
    scores = results.pair_scores(name)
    lower, upper = sprt.bounds
    answer = {"better": "yes", "not better": "no", None: "not known yet"}[sprt.verdict(scores)]
    return (
        f"Is {name} better by {sprt.elo1:g} Elo, not {sprt.elo0:g}? {answer}: log likelihood ratio "
        f"{sprt.ratio(scores):.2f} after {len(scores)} pairs, bounds {lower:.2f} and {upper:.2f}"
    )


def _command() -> str:
    """The command that repeats this."""
    return shlex.join(["fourcast", *sys.argv[1:]])


def _isolation(tournament: Tournament) -> str:
    if not tournament.programs:
        return "There were no programs."
    return str(find_isolation(tournament.sandbox))


def facts_of(count: int, what: str = "games", **more: str) -> dict[str, str]:
    """What a reader of a report needs to know, and to repeat it."""
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
    if len(results.names) == 2 and (difference := results.difference()):
        answer["difference"] = asdict(difference)
    if sprt:
        scores = results.pair_scores(results.names[0])
        answer["sprt"] = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "verdict": sprt.verdict(scores),
            "ratio": sprt.ratio(scores),
            "bounds": sprt.bounds,
            "pairs": len(scores),
        }
    return answer | ({"report": str(report)} if report else {})
