"""The options of the commands that ask agents for moves in positions with exact scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from fourcast.arena.contestant import Contestant
from fourcast.arena.evaluation import LOG, Evaluation, evaluate_agent, evaluate_log
from fourcast.cli._support import programs
from fourcast.cli._support.progress import ProgressBar
from fourcast.protocol.sandbox import Sandbox


class Asking(NamedTuple):
    """Which positions the agents are asked for, and under what limits."""

    suite: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The suite: standard, fresh:SEED, or private:FILE with a secret."
        ),
    ] = "standard"
    positions: Annotated[
        int | None, typer.Option(metavar="N", help="Ask for only N of them, evenly spread.")
    ] = None
    move_time: programs.MoveTime = None
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the players.")] = 0
    sandbox: programs.SandboxOption = Sandbox.AUTO
    concurrency: Annotated[
        int, typer.Option(metavar="N", help="Ask for N positions at the same time.", min=1, max=1024)
    ] = 1

    def warn(self, agents: list[str]) -> None:
        """Say that programs are not isolated, if one of the *agents* is a program."""
        if any(not agent.startswith(LOG) and Contestant.parse(agent).command for agent in agents):
            programs.warn_without_sandbox(self.sandbox)

    def evaluate(self, agent: str, journal: Path | None, what: str) -> Evaluation:
        """Ask *agent*, or read its log; *what* stands before the progress bar."""
        if agent.startswith(LOG):
            return evaluate_log(agent.removeprefix(LOG), self.suite)
        with ProgressBar(what, transient=True) as bar:
            return evaluate_agent(
                agent,
                self.suite,
                positions=self.positions,
                seed=self.seed,
                move_time_s=self.move_time,
                sandbox=self.sandbox,
                concurrency=self.concurrency,
                journal=journal,
                progress=bar.show,
            )
