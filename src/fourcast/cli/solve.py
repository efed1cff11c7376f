"""`fourcast solve`: the exact score of a position, or of many."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Limit, Position, Result
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.game_input import STANDARD_INPUT, check_unfinished
from fourcast.cli._support.json_answers import result_object
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines, print_answer
from fourcast.cli._support.process import news_of_ray_apart
from fourcast.cli._support.progress import ProgressBar, waiting
from fourcast.game import Game
from fourcast.render.analysis import result_text
from fourcast.render.text import SIDES

POPOUT_S = 60.0
"""Seconds for a position of PopOut, of which no search need ever end."""

Checkpoint = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Save what is proven to this file, and continue from it: for solves that take hours.",
    ),
]
TableMb = Annotated[
    int | None,
    typer.Option(
        min=1, max=1 << 20, metavar="N", help="Megabytes for the table: 8, or 256 with --checkpoint."
    ),
]


def solve(
    asked: options.Question,
    time_limit: options.TimeLimit = None,
    checkpoint: Checkpoint = None,
    table_mb: TableMb = None,
    ray: options.Ray = None,
) -> None:
    """Find the exact score of a position, or of many.

    Without moves, or with -, positions are read from standard input, one per line. The
    answer is the line, a space and the score for the side to move: 18 wins with
    the fourth disc, 1 with the last one, 0 is a draw, losses are negative. If
    the time limit is reached, the answer is the line, a ? and the proven
    bounds: 44 ? -2 3. For an invalid line the answer is the line and the word
    error, and the exit status is 1.

    With --checkpoint a solve can take hours or days: if it is interrupted, the
    same command continues it. --ray uses all processors of a cluster; if a
    machine is lost, others redo its work. Without moves, both solve the empty
    board; so do --connect, --wrap, --misere and --pop.

    PopOut has no scores: the answer is who wins, and in how many plies, or for how
    many plies neither side can force a win. The default time limit is 60 seconds.
    """
    options.check_ray(ray, asked.search.threads)
    if ray and table_mb:
        raise typer.BadParameter("--table-mb is for this machine; on a cluster, each process has 256 MB")
    solver = asked.search.solver(table_mb=table_mb or (256 if checkpoint else 8))
    limit = options.make_limit(time_limit)
    game = asked.game_or_board()
    if game is None and (checkpoint or ray):
        if STANDARD_INPUT in asked.given:
            option = "--checkpoint" if checkpoint else "--ray"
            raise typer.BadParameter(f"{option} is for one position, not for standard input")
        game = Game(start=asked.empty)

    if game is None:
        form = JsonForm(result_object) if asked.as_json else TextForm(_describe)

        def solve_some(positions: Sequence[Position]) -> list[Result]:
            if len(positions) == 1:  # all threads search one position
                return [solver.solve(positions[0], limit, best_columns=False)]
            return solver.solve_many(positions, limit, threads=asked.search.threads)

        raise typer.Exit(answer_lines(solve_some, form, asked))
    check_unfinished(game.position)
    if game.position.rules.pop:
        _solve_popout(game, asked, limit)
        return
    # Imported where they are needed: the answer about one position should come at once.
    if ray:
        from fourcast.book.workers import on_ray
        from fourcast.long_solve import QUESTIONS, QUESTIONS_WITHOUT_BOOK, solve_on_workers

        work = QUESTIONS_WITHOUT_BOOK if asked.search.no_book else QUESTIONS
        with news_of_ray_apart(ray), _progress() as progress:
            result = solve_on_workers(
                game.position, on_ray(ray, work), checkpoint, limit=limit, progress=progress
            )
    elif checkpoint:
        from fourcast.long_solve import solve_with_checkpoint

        with _progress() as progress:
            result = solve_with_checkpoint(
                game.position, checkpoint, solver=solver, limit=limit, progress=progress
            )
    else:
        with waiting("solving"):
            result = solver.solve(game.position, limit)
    print_answer(result, game, asked, result_object, partial(result_text, effort=True))


def _solve_popout(game: Game, asked: options.Question, limit: Limit | None) -> None:
    """Say who wins a game of PopOut, and in how many plies."""
    from fourcast.popout import solve_popout

    if asked.search.no_book or asked.search.threads > 1:
        raise typer.BadParameter("PopOut has no book, and is searched by one thread")
    with waiting("solving"):
        found = solve_popout(game.position, limit or Limit(time_s=POPOUT_S))
    if asked.as_json:
        print(json.dumps({"moves": game.moves, "rules": str(game.position.rules), **found.to_json()}))
    else:
        style = chosen_style(asked.style)
        print_board(game, style)
        print(f"\n{found.words(SIDES[style])}")
        print(f"{found.nodes:,} nodes in {found.time_s:.3f} s")


@contextmanager
def _progress() -> Iterator[Callable[[float], None]]:
    """A bar that shows the share of the work that is done."""
    parts = 10_000
    with ProgressBar("solving", percent=True) as bar:
        yield lambda share: bar.show(int(parts * share), parts)


def _describe(result: Result) -> str:
    return f"? {result.lower} {result.upper}" if result.score is None else str(result.score)
