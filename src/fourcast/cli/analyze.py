"""`fourcast analyze`: the exact score of every move, and best play."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import typer

from fourcast._core import Analysis, LookAhead, Position, look_ahead
from fourcast.cli._support import options
from fourcast.cli._support.game_input import check_unfinished
from fourcast.cli._support.json_answers import analysis_object
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines, print_answer
from fourcast.cli._support.progress import waiting
from fourcast.game import Game
from fourcast.notation import format_column
from fourcast.render.analysis import analysis_text
from fourcast.render.text import Style


class Evaluation(str, enum.Enum):
    """What the positions at the end of a search of limited depth are judged by."""

    wins = "wins"
    streaks = "streaks"
    winsets = "winsets"


_EVALUATIONS: dict[Evaluation, Literal["none", "streaks", "winsets"]] = {
    Evaluation.wins: "none",
    Evaluation.streaks: "streaks",
    Evaluation.winsets: "winsets",
}

By = Annotated[
    Evaluation | None,
    typer.Option(
        help="Rate the columns as the players rated, streaks or winsets do, without exact scores."
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        "--plies",
        min=1,
        max=42,
        metavar="N",
        help="With --by: plies to look ahead.  [default: 1]",
    ),
]


def analyze(
    asked: options.Question,
    time_limit: options.TimeLimit = None,
    by: By = None,
    depth: Depth = None,
) -> None:
    """Find the exact score of every move, and the line of best play.

    Without moves, or with -, positions are read from standard input, one per line. The
    answer is the line and the scores of its columns: "." for a full column,
    "?" if the time limit was reached first. For an invalid line the answer is
    the line and the word error, or an object with "error"; the exit status is
    then 1.

    With --by the columns are rated without a solver: wins is the score of a win
    within --depth plies, else 0; streaks and winsets are evaluations.

    docs/json.md describes the output of --json.
    """
    game = asked.game_or_board()
    if by is not None:
        _rate(asked, game, by, depth or 1)
        return
    if depth is not None:
        raise typer.BadParameter("--depth is for --by: exact scores look ahead to the end of the game")
    if asked.rule_choice.rules.pop or (game and game.position.rules.pop):
        raise typer.BadParameter("games of PopOut have no scores: `fourcast solve --pop` says who wins")
    solver = asked.search.solver()
    limit = options.make_limit(time_limit)

    if game is None:
        form = JsonForm(analysis_object) if asked.as_json else TextForm(_describe)

        def analyze_some(positions: Sequence[Position]) -> list[Analysis]:
            if len(positions) == 1:  # all threads search one position
                return [solver.analyze(positions[0], limit, variations=asked.as_json)]
            return solver.analyze_many(
                positions, limit, threads=asked.search.threads, variations=asked.as_json
            )

        raise typer.Exit(answer_lines(analyze_some, form, asked))
    check_unfinished(game.position)
    with waiting("analyzing"):
        analysis = solver.analyze(game.position, limit)
    print_answer(analysis, game, asked, analysis_object, partial(analysis_text, effort=True))


def _rate(asked: options.Question, game: Game | None, by: Evaluation, depth: int) -> None:
    """Rate the columns of one position, or of those on standard input, by an evaluation."""
    evaluation = _EVALUATIONS[by]

    def rate_some(positions: Sequence[Position]) -> list[LookAhead]:
        threads = asked.search.threads
        return [
            look_ahead(position, depth, evaluation, threads=threads, every_column=True)
            for position in positions
        ]

    def to_object(found: LookAhead, moves: str | None) -> dict[str, object]:
        return {
            "moves": moves,
            "by": by.value,
            "depth": depth,
            "values": list(found.values),
            "best_columns": list(found.best_columns),
        }

    if game is None:
        form = JsonForm(to_object) if asked.as_json else TextForm(_describe_values)
        raise typer.Exit(answer_lines(rate_some, form, asked))
    check_unfinished(game.position)
    print_answer(rate_some([game.position])[0], game, asked, to_object, _values_text)


def _describe_values(found: LookAhead) -> str:
    return " ".join("." if value is None else str(value) for value in found.values)


def _values_text(found: LookAhead, *, style: Style) -> str:
    del style  # there is nothing to draw
    room = len(
        str(max((value for value in found.values if value is not None), key=lambda v: len(str(v))))
    )
    return "\n".join(
        f"  {format_column(column)}  {'.' if value is None else value:>{room}}"
        + ("  best" if column in found.best_columns else "")
        for column, value in enumerate(found.values)
    )


def _describe(analysis: Analysis) -> str:
    scores = {line.column: "?" if line.score is None else str(line.score) for line in analysis}
    return " ".join(scores.get(column, ".") for column in range(analysis.position.width))
