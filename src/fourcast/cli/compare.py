"""`fourcast compare`: agents on the same positions, with paired tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fourcast.arena.comparison import compare as compare_evaluations
from fourcast.arena.comparison import latex, to_csv
from fourcast.arena.report import check_extra, make_folder
from fourcast.arena.suites import choose_questions
from fourcast.cli._support import arena
from fourcast.cli._support.asking import Asking
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.wrapping import table
from fourcast.errors import OptionError
from fourcast.files import replace_file


def compare(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...", help="Two or more agents, as `fourcast evaluate` takes them."
        ),
    ],
    asking: Asking,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where to keep answers, and write a plot, LaTeX, CSV and JSON."
        ),
    ] = None,
    as_json: arena.Json = False,
) -> None:
    """Compare agents on the same positions.

    Each agent is asked for its move in every position of a suite. The tables
    have means with 95% intervals, by phase and theme too, and for each pair the
    paired differences and the p-value of McNemar's exact test, corrected for the
    number of pairs. Agents in Python may have a policy and a value, too
    (docs/agents.md). With --out, the same command continues.
    """
    if len(agents) < 2:
        raise OptionError("give two or more agents to compare, such as level-3 level-5")
    choose_questions(asking.suite, asking.positions)
    asking.warn(agents)
    if out is not None:
        check_extra()
        make_folder(out)
    found = [
        asking.evaluate(
            agent,
            out and out / f"answers-{number}.jsonl",
            f"positions, agent {number} of {len(agents)}",
        )
        for number, agent in enumerate(agents, 1)
    ]
    result = compare_evaluations(found)
    if out is not None:
        from fourcast.arena.plots import plot_measures

        measures = {name: each.total for name, each in result.evaluations.items()}
        plot = plot_measures(measures, "compare", "Perfect moves and moves that keep the outcome")
        tex = "\n\n".join(latex(*part) for part in (result.table(), result.pair_table()))
        for name, content in (
            ("compare.svg", plot.svg),
            ("compare.tex", tex + "\n"),
            ("compare.csv", to_csv(result)),
            ("compare.json", json.dumps(result.to_json())),
        ):
            replace_file(out / name, content.encode())
    if as_json:
        print(json.dumps(result.to_json()))
        return
    width = text_width()
    parts = (result.table(), result.pair_table(), result.group_table())
    print(f"{len(agents)} agents on {result.suite}\n")
    print("\n\n".join(table(heads, rows, width) for heads, rows in parts))
    if out is not None:
        print(f"\nPlot, LaTeX, CSV and JSON are in {out}")
