"""`fourcast evaluate`: how well an agent plays, on a fixed suite of positions."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fourcast.arena.contestant import Contestant
from fourcast.arena.evaluation import Evaluation, Measure, evaluate_agent, load_suite
from fourcast.cli._support import arena, programs
from fourcast.cli._support.progress import ProgressBar
from fourcast.protocol.sandbox import Sandbox


def evaluate(
    agent: Annotated[str, typer.Argument(help='A player, or a program such as "python mybot.py".')],
    suite: Annotated[str, typer.Option(metavar="NAME", help="The positions to ask for.")] = "standard",
    positions: Annotated[
        int | None, typer.Option(metavar="N", help="This many of them only, evenly spread.")
    ] = None,
    move_time: programs.MoveTime = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the player.")] = 0,
    sandbox: programs.SandboxOption = Sandbox.AUTO,
    as_json: arena.Json = False,
) -> None:
    """Measure how well an agent plays, by exact scores.

    The agent is asked for its move in every position of a suite. The answer is
    the share of perfect moves, the share of moves that keep the outcome (a win
    stays a win, a draw a draw), and the mean score lost, by the number of discs
    and by what the position asks for; each with its 95% confidence interval.
    """
    load_suite(suite)  # complains before a program is started
    if Contestant.parse(agent).command:
        programs.warn_without_sandbox(sandbox)
    with ProgressBar("positions", transient=True) as bar:
        result = evaluate_agent(
            agent,
            suite,
            positions=positions,
            seed=seed,
            move_time_s=move_time,
            sandbox=sandbox,
            progress=bar.show,
        )
    if as_json:
        print(json.dumps(result.to_json()))
    else:
        print(describe(result))


def describe(result: Evaluation) -> str:
    """Return the tables that people read."""
    heads = ("", "positions", "perfect", "keeps outcome", "score lost")
    lines = [f"{result.agent} on {result.suite}", "", _row(*heads), _measured("all", result.total), ""]
    for plies, measure in result.by_ply().items():
        lines.append(_measured(f"{plies[0]} to {plies[-1]} discs", measure))
    lines.append("")
    lines += [_measured(theme, measure) for theme, measure in result.by_theme().items()]
    if result.illegal:
        lines += ["", f"{result.illegal} answers were no legal moves; they count as the worst ones."]
    return "\n".join(lines)


def _measured(name: str, measure: Measure) -> str:
    def percent(share: float, error: float) -> str:
        return f"{share:.1%} +- {error * 100:.1f}"

    return _row(
        name,
        str(measure.positions),
        percent(measure.perfect, measure.perfect_error),
        percent(measure.kept, measure.kept_error),
        f"{measure.loss:.2f} +- {measure.loss_error:.2f}",
    )


def _row(name: str, *cells: str) -> str:
    return f"{name:<15}" + "".join(f"{cell:>16}" for cell in cells)
