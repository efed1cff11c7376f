"""`fourcast evaluate`: how well an agent plays, on a fixed suite of positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fourcast.arena.evaluation import LOG, Evaluation
from fourcast.arena.evaluation_report import HEADS, failure_lines, groups, write_evaluation
from fourcast.arena.report import check_extra, make_folder
from fourcast.arena.suites import choose_questions
from fourcast.cli._support import arena
from fourcast.cli._support.asking import Asking
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.wrapping import table
from fourcast.errors import OptionError


def evaluate(
    asking: Asking,
    agent: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            help='A player, a program such as "python mybot.py", kaggle:FILE, MODULE:FUNCTION, or '
            "log:FILE.",
        ),
    ] = None,
    questions: Annotated[
        bool, typer.Option("--questions", help="Print the moves of the positions, and nothing else.")
    ] = False,
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep every answer there; the same command continues.  "
            "[default: answers.jsonl in the folder of --out]",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to write a report with plots.")
    ] = None,
    as_json: arena.Json = False,
) -> None:
    """Measure how well an agent plays, against exact scores.

    The agent is asked for its move in every position of a suite. The result is
    the share of perfect moves, the share of moves that keep the outcome (a win
    stays a win, a draw stays a draw), and the mean score lost, by number of
    discs and by theme; each with its 95% confidence interval.

    AGENT is a player, with or without options; the command of a program; an agent
    of Kaggle's ConnectX, kaggle:submission.py; a function of a position, or an
    object or class with choose(position), mymodule:agent; or a file with the
    answers, log:answers.txt, whose lines have the moves of a position and a
    column, both counted from 1: 4455 3 (- is the empty board).

    Answers that are no moves are counted by kind: illegal, no answer, error, time.
    With --journal or --out, every answer is on the disk at once, and the same
    command continues after an interruption.
    """
    chosen = choose_questions(asking.suite, asking.positions)  # raises before a program is started
    if questions:
        print("\n".join(question.moves or "-" for question in chosen))
        return
    if agent is None:
        raise OptionError(
            "give an AGENT, such as level-3; `fourcast evaluate --help` says what it may be"
        )
    if agent.startswith(LOG) and asking.positions is not None:
        raise OptionError("--positions is for agents that are asked; a log has its own positions")
    if agent == LOG:
        raise OptionError(f"{LOG} is followed by a file with answers: {LOG}answers.txt")
    asking.warn([agent])
    if out is not None:
        check_extra()
        make_folder(out)
    result = asking.evaluate(agent, journal or (out and out / "answers.jsonl"), "positions")
    if out is not None:
        write_evaluation(result, out, facts=arena.facts_of(len(result.answers), "positions"))
    if as_json:
        report = {} if out is None else {"report": str(out / "report.html")}
        print(json.dumps(result.to_json() | report))
    else:
        print(describe(result))
        if out is not None:
            print(f"\nThe report is {out / 'report.html'}")


def describe(result: Evaluation) -> str:
    """Return the tables that people read."""
    by_ply, by_theme = groups(result)
    rows = [["all", *result.total.cells()]]
    for group in (by_ply, by_theme):
        rows += [[], *([name, *measure.cells()] for name, measure in group.items())]
    blocks = [f"{result.agent} on {result.suite}", table(["", *HEADS], rows, text_width())]
    return "\n\n".join([*blocks, *("\n".join(lines) for lines in [failure_lines(result)] if lines)])
