"""`fourcast review`: a game judged move by move."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board, text_width
from fourcast.cli._support.progress import ProgressBar
from fourcast.game import Game
from fourcast.notation import format_column, format_rows
from fourcast.render.catalogue import Names
from fourcast.render.explain import move_object
from fourcast.render.explained import explained_move
from fourcast.render.review import decisive_text, move_text, review_text
from fourcast.render.text import SIDES, Style, can_color
from fourcast.study.review import MoveReview, Review, explain_mistakes
from fourcast.study.review import review as review_game

Reasons = Annotated[
    bool, typer.Option("--reasons/--no-reasons", help="Explain every mistake and blunder.")
]
TimeLimit = Annotated[float, typer.Option(metavar="SECONDS", help="For each position.")]

MAX_NAME = 20
"""Characters of a player's name that are shown; the whole of it is in the JSON."""


def review(
    asked: options.Question,
    time_limit: TimeLimit = 30.0,
    reasons: Reasons = True,
) -> None:
    """Judge every move of a game by what it cost.

    Each move is best, good (up to two points lost), an inaccuracy (more, but
    the outcome is the same), a mistake (a win became a draw, or a draw a loss)
    or a blunder (a win became a loss). Below are the graph of the score, the
    accuracy of both sides, and the move that decided the game; then, for every
    mistake and blunder, why it is one and what was better. A move is not
    judged if its positions take longer than the time limit.

    A file may be a game file, moves or a diagram. Without a game, standard
    input is read.
    """
    limit = options.make_limit(time_limit)
    game = asked.any_game()
    solver = asked.search.solver()
    with ProgressBar("solving", total=len(game.columns), transient=True) as bar:
        report = review_game(game, solver=solver, limit=limit, progress=bar.show)
    explained: Iterator[MoveReview] = iter(())
    if reasons:
        explained = _with_progress(
            explain_mistakes(report, solver=solver, limit=limit), len(report.mistakes)
        )
    if asked.as_json:
        print(json.dumps(_to_object(game, report.with_explanations(explained))))
    else:
        drawn = chosen_style(asked.style)
        _show(game, report, drawn)
        _show_reasons(game, explained, drawn)


def _with_progress(moves: Iterator[MoveReview], total: int) -> Iterator[MoveReview]:
    """Show how many mistakes are explained while the next one takes its time."""
    for done in range(total):
        with ProgressBar("explaining", total=total, transient=True) as bar:
            bar.show(done, total)
            move = next(moves)
        yield move


def _show_reasons(game: Game, moves: Iterable[MoveReview], style: Style) -> None:
    """Print why each mistake is one, as soon as that is known."""
    room = text_width()
    names = _called(game, style)
    for move in moves:
        assert move.verdict is not None
        column = format_column(move.column)
        title = f"Move {move.number}, {names[move.player - 1]}, column {column}: {move.verdict.value}"
        print(f"\n{title}\n{'-' * len(title)}")
        if move.explanation is None:
            print("There was no time to find what the other moves are worth.", flush=True)
            continue
        color = can_color(sys.stdout)
        text = explained_move(move.explanation, names, style=style, color=color, width=room)
        print(text, flush=True)


def _called(game: Game, style: Style) -> tuple[str, str]:
    """What the players are called: their names, or else those of their discs."""
    return _short(game.first) or SIDES[style][1], _short(game.second) or SIDES[style][2]


def _show(game: Game, report: Review, style: Style) -> None:
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # names are in any script
    print_board(game, style)
    named = [f"{SIDES[style][1]}: {game.first}"] if game.first else []
    named += [f"{SIDES[style][2]}: {game.second}"] if game.second else []
    heading = "; ".join(named + ([str(game.result)] if game.result else []))
    print(f"\n{heading}\n" if heading else "")
    names = [_short(name) for name in (game.first, game.second)]
    columns = shutil.get_terminal_size().columns
    colored = can_color(sys.stdout)
    print(review_text(report, names=names, style=style, color=colored, width=columns), flush=True)


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 3] + "..."


def _to_object(game: Game, report: Review) -> dict[str, object]:
    """Return what `--json` answers; docs/json.md describes it."""
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
        "review": [_to_entry(move, _called(game, "discs")) for move in report.moves],
    }


def _to_entry(move: MoveReview, names: Names) -> dict[str, object]:
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
        "text": move_text(move),
        "explanation": move.explanation and move_object(move.explanation, names),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(share, 1)
