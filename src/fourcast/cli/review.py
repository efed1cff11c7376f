"""`fourcast review`: a game judged move by move."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from fourcast._core import Limit
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board, text_width
from fourcast.cli._support.progress import ProgressBar
from fourcast.errors import OptionError
from fourcast.game import Game
from fourcast.notation import format_column, format_rows
from fourcast.render.catalogue import Names
from fourcast.render.explain import move_object
from fourcast.render.explained import explained_move
from fourcast.render.review import move_text, review_text, story_text
from fourcast.render.said import said_text
from fourcast.render.text import SIDES, Style, can_color
from fourcast.render.words import describe_outcome
from fourcast.solver import Solver
from fourcast.study.explain import MoveExplanation, explain_move
from fourcast.study.review import MoveReview, Review, explain_mistakes
from fourcast.study.review import review as review_game

Why = Annotated[int | None, typer.Option(metavar="NUMBER", help="Only explain this move, with a board.")]
Reasons = Annotated[
    bool, typer.Option("--reasons", help="Explain every mistake and blunder, with boards and proofs.")
]
TimeLimit = Annotated[float, typer.Option(metavar="SECONDS", help="For each position.")]

MAX_NAME = 20
"""Characters of a player's name that are shown; the whole of it is in the JSON."""


def review(
    asked: options.Question,
    time_limit: TimeLimit = 30.0,
    why: Why = None,
    reasons: Reasons = False,
) -> None:
    """Judge every move of a game by what it cost, and tell how the game went.

    Each move is best, good (up to two points lost), an inaccuracy (more, but
    the outcome is the same), a mistake (a win became a draw, or a draw a loss)
    or a blunder (a win became a loss); a missed four and a missed block are
    called that. Below are the graph of the score, the accuracy of both sides,
    the story of the game, and a sentence for every mistake. --why 12 explains
    move 12, --reasons every mistake. A move is not judged if its position takes
    longer than the time limit.

    A file may be a game file, moves or a diagram. Without a game, standard
    input is read.
    """
    limit = options.make_limit(time_limit)
    game = asked.any_game()
    solver = asked.search.solver()
    style = chosen_style(asked.style)
    if (reasons or why is not None) and not game.start.rules.is_standard:
        raise OptionError("error.only_standard", facts={"rules": str(game.start.rules)})
    if why is not None:
        _show_why(game, why, _called(game, style), style, solver, limit)
        return
    with ProgressBar("solving", total=len(game.columns), transient=True) as bar:
        report = review_game(game, solver=solver, limit=limit, progress=bar.show)
    found = explain_mistakes(report, solver=solver, limit=limit, quick=not reasons)
    report = report.with_explanations(_with_progress(found, len(report.mistakes)))
    if asked.as_json:
        print(json.dumps(_to_object(game, report)))
        return
    _show(game, report, style)
    names = _called(game, style)
    if reasons:
        for move in report.mistakes:
            _show_reason(move, names, style)
    elif report.mistakes and game.start.rules.is_standard:
        number = (report.decisive or report.mistakes[-1]).number
        print(f"\nWhy? --why {number} explains move {number}, --reasons every mistake.")


def _with_progress(moves: Iterator[MoveReview], total: int) -> Iterator[MoveReview]:
    """Show how many mistakes are explained while the next one takes its time."""
    with ProgressBar("explaining", total=total, transient=True) as bar:
        for done, move in enumerate(moves, start=1):
            bar.show(done, total)
            yield move


def _show_why(
    game: Game, number: int, names: Names, style: Style, solver: Solver, limit: Limit | None
) -> None:
    """Print why one move is good or bad."""
    if not 1 <= number <= len(game.columns):
        raise typer.BadParameter(f"there is no move {number}: the game has {len(game.columns)}")
    position, column = tuple(game.positions())[number - 1], game.columns[number - 1]
    with ProgressBar("explaining", total=1, transient=True):
        found = explain_move(position, column, solver=solver, limit=limit)
    title = f"Move {number}, {names[position.turn - 1]}, column {format_column(column)}"
    _print_reason(title, found, names, style, proof=False)


def _show_reason(move: MoveReview, names: Names, style: Style) -> None:
    """Print why a mistake is one."""
    assert move.verdict is not None
    column = format_column(move.column)
    title = f"Move {move.number}, {names[move.player - 1]}, column {column}: {move.verdict.value}"
    _print_reason(f"\n{title}", move.explanation, names, style, proof=True)


def _print_reason(
    title: str, found: MoveExplanation | None, names: Names, style: Style, *, proof: bool
) -> None:
    print(f"{title}\n{'-' * len(title.strip())}")
    if found is None:
        print("There was no time to find what the other moves are worth.")
        return
    color = can_color(sys.stdout)
    print(
        explained_move(found, names, style=style, color=color, width=text_width(), proof=proof),
        flush=True,
    )


def _called(game: Game, style: Style) -> tuple[str, str]:
    """What the players are called: their names, or else those of their discs."""
    first, second = SIDES[style]
    return _short(game.first) or first, _short(game.second) or second


def _show(game: Game, report: Review, style: Style) -> None:
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # names are in any script
    print_board(game, style)
    players = (game.first, game.second)
    named = [f"{side}: {name}" for side, name in zip(SIDES[style], players, strict=True) if name]
    ended = [describe_outcome(game.result, _called(game, style))] if game.result else []
    heading = "; ".join([*named, *ended])
    print(f"\n{heading}\n" if heading else "")
    names = [_short(name) for name in players]
    columns = shutil.get_terminal_size().columns
    colored = can_color(sys.stdout)
    print(review_text(report, names=names, style=style, color=colored, width=columns), flush=True)


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 3] + "..."


def _to_object(game: Game, report: Review) -> dict[str, object]:
    """Return what `--json` answers; docs/json.md describes it."""
    names = _called(game, "discs")
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
        "text": story_text(report, names),
        "review": [
            _to_entry(move, judged, names)
            for move, judged in zip(report.moves, report.judged["moves"], strict=True)
        ],
    }


def _to_entry(move: MoveReview, judged: dict[str, Any], names: Names) -> dict[str, object]:
    return {
        "number": move.number,
        "player": move.player,
        "column": move.column,
        "name": format_column(move.column),
        "verdict": move.verdict.value if move.verdict else None,
        "loss": move.loss,
        "score_before": move.score_before,
        "score_after": move.score_after,
        "best_columns": list(move.best_columns),
        "oversight": judged["oversight"],
        "text": move_text(move),
        "mistake": judged["mistake"] and said_text(judged["mistake"], names),
        "explanation": move.explanation and move_object(move.explanation, names),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(share, 1)
