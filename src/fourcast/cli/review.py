"""`fourcast review`: a game judged move by move."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Annotated

import typer

from fourcast import game_file
from fourcast.cli.bar import Bar
from fourcast.cli.options import Height, NoBook, Threads, Width, make_limit, make_solver
from fourcast.cli.stream import run_politely
from fourcast.game import Game
from fourcast.notation import format_rows
from fourcast.render.review import decisive_text, move_text, review_text
from fourcast.render.text import SIDES, best_style, board, can_colour
from fourcast.study.review import MoveReview, Review
from fourcast.study.review import review as review_game

File = Annotated[
    str | None,
    typer.Argument(help="A game file, moves or a diagram as text; - is standard input."),
]
Moves = Annotated[str | None, typer.Option(help="The moves, such as 44455, in place of a file.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
TimeLimit = Annotated[float, typer.Option(help="Seconds for each position.")]

MAX_NAME = 20
"""Characters of a player's name that are shown; the whole of it is in the JSON."""


def review(
    file: File = None,
    moves: Moves = None,
    as_json: Json = False,
    time_limit: TimeLimit = 30.0,
    width: Width = 7,
    height: Height = 6,
    threads: Threads = 1,
    no_book: NoBook = False,
) -> None:
    """Judge every move of a game by what it cost.

    Each move is best, good (up to two points lost), an inaccuracy (more, but
    the outcome is the same), a mistake (a win became a draw, or a draw a loss)
    or a blunder (a win became a loss). Below are the graph of the score, the
    accuracy of both sides, and the move that decided the game. A move is not
    judged if its positions take longer than the time limit.

    With --json it is one object; columns in it are as people count them.
    """
    if (file is None) == (moves is None):
        raise typer.BadParameter("give a file or --moves, one of them")
    limit = make_limit(time_limit)
    game = _read(file, moves, width, height)

    def work() -> int:
        solver = make_solver(threads, no_book)
        with Bar("solving", total=len(game.columns), transient=True) as bar:
            report = review_game(game, solver=solver, limit=limit, progress=bar.show)
        if as_json:
            print(json.dumps(_to_object(game, report)))
        else:
            _show(game, report)
        return 0

    raise typer.Exit(run_politely(work))


def _read(file: str | None, moves: str | None, width: int, height: int) -> Game:
    if moves is not None:
        return Game(moves, width=width, height=height)
    if file == "-":
        content = sys.stdin.buffer.read(game_file.MAX_FILE + 1)
        return game_file.recognize(game_file.decode(content), width=width, height=height)
    return game_file.recognize_file(str(file), width=width, height=height)


def _show(game: Game, report: Review) -> None:
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # names are in any script
    style, colour = best_style(sys.stdout), can_colour(sys.stdout)
    last = game.columns[-1] if game.columns else None
    print(board(game.position, style=style, last=last, colour=colour))
    named = [f"{SIDES[style][1]}: {game.first}"] if game.first else []
    named += [f"{SIDES[style][2]}: {game.second}"] if game.second else []
    heading = "; ".join(named + ([str(game.result)] if game.result else []))
    print(f"\n{heading}\n" if heading else "")
    names = [_short(name) for name in (game.first, game.second)]
    columns = shutil.get_terminal_size().columns
    print(review_text(report, names=names, style=style, colour=colour, width=columns))


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 3] + "..."


def _to_object(game: Game, report: Review) -> dict[str, object]:
    """Return what `--json` answers."""
    return {
        "width": game.start.width,
        "height": game.start.height,
        "start": format_rows(game.start) if game.start.ply else "",
        "moves": game.moves,
        "first": game.first,
        "second": game.second,
        "result": str(game.result or ""),
        "complete": report.complete,
        "accuracy": [_percent(report.accuracy(player)) for player in (1, 2)],
        "decisive": report.decisive.number if report.decisive else None,
        "text": decisive_text(report, [game.first or "first", game.second or "second"]),
        "review": [_to_entry(move) for move in report.moves],
    }


def _to_entry(move: MoveReview) -> dict[str, object]:
    return {
        "number": move.number,
        "player": move.player,
        "column": move.column + 1,
        "verdict": move.verdict.value if move.verdict else None,
        "loss": move.loss,
        "score_before": move.score_before,
        "score_after": move.score_after,
        "best": [column + 1 for column in move.best_columns],
        "text": move_text(move),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(share, 1)
