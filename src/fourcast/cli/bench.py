"""`fourcast bench`: how fast the solver is on this machine, and whether its search is unchanged."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from fourcast import __version__
from fourcast._core import Position, kernel_name
from fourcast.solver import Solver

# Drawn once from games of players that see immediate wins and threats; positions that are solved without
# a search were left out. The signature depends on every one of them: do not change them.
STAGES = {
    "opening": (
        "733222",
        "7134552",
        "25665173",
        "174277257",
        "2221172654",
        "56511776626",
        "37115471",
        "775134675",
        "1351777475",
        "55225446277",
    ),
    "early middle": (
        "355641647661",
        "2351174377451",
        "17427771612111",
        "744172332771222",
        "5334721541116211",
        "76473377123273376",
        "6467765455473",
        "46576632361223",
        "163134657145447",
        "7536725611156456",
    ),
    "middle": (
        "612756636633642553",
        "6477534442147546316",
        "27572333165616636565",
        "215446464413236422633",
        "3436337111527514426664",
        "76617123154377142274311",
        "343633136634127156",
        "5731243467536444664",
        "21577111743233324523",
        "116572413316415522125",
    ),
    "late middle": (
        "351334433676667456121111",
        "6755527761664373133611577",
        "42126721773577444325355322",
        "567353153516311254227216612",
        "663374332512271457265441",
        "4445617117527136371652551",
        "26124334371775765662114767",
        "333754443546144117223371227",
        "336314672271472747715566",
        "2473657335475413321346112",
    ),
    "end": (
        "6311311554264255147165623225",
        "67377261125466443571643377433",
        "722457725777441215422611615514",
        "7524146444471163663632633772232",
        "55152152562442171363433134547167",
        "355346126454557446111672347775617",
        "3576713123541431533712722524464666",
        "2751625243176373365561256311",
        "73431434652124441225612632515",
        "652241211356723124343341556453",
    ),
}

AT_ONCE = Position("445566")
"""Solved without a search, to have the solver allocate its table before the clock starts."""

LEAST_S = 1.0
"""How long each stage is measured, at least."""


def bench(
    signature: Annotated[
        bool,
        typer.Option("--signature", help="Print the number of nodes that 50 fixed positions take."),
    ] = False,
) -> None:
    """Measure how fast the solver is on this machine.

    One thread, no book, each position from an empty table. The signature is
    one number, the same on every machine; it changes if and only if the search
    visits different nodes.
    """
    if signature:
        print(count_nodes())
    else:
        _print_speeds()


def count_nodes() -> int:
    """Return the signature: the nodes to solve all positions, one thread, each with an empty table."""
    solver = _cold_solver()
    nodes = 0
    for moves in (moves for stage in STAGES.values() for moves in stage):
        solver.clear()
        nodes += solver.solve(Position(moves), best_columns=False).nodes
    return nodes


def _cold_solver() -> Solver:
    return Solver(book=False, threads=1)


def _print_speeds() -> None:
    print(f"fourcast {__version__}, kernel {kernel_name()}, one thread, no book, empty table")
    print(f"{'stage':<12}{'discs':>6}{'ms each':>8}{'positions/s':>12}{'nodes each':>11}{'nodes/s':>11}")
    solver = _cold_solver()
    for name, all_moves in STAGES.items():
        positions = [Position(moves) for moves in all_moves]
        solved = nodes = 0
        elapsed_s = 0.0
        while elapsed_s < LEAST_S:
            for position in positions:
                solver.clear()
                solver.score(AT_ONCE)
                start = time.perf_counter()
                nodes += solver.solve(position, best_columns=False).nodes
                elapsed_s += time.perf_counter() - start
                solved += 1
        plies = sorted(position.ply for position in positions)
        print(
            f"{name:<12}{f'{plies[0]}-{plies[-1]}':>6}{1000 * elapsed_s / solved:>8.3f}"
            f"{solved / elapsed_s:>12,.0f}{nodes / solved:>11,.0f}{nodes / elapsed_s:>11,.0f}"
        )
