"""`fourcast analyze`: the exact score of every move, and best play."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from fourcast._core import Analysis, Position
from fourcast.cli._support import options
from fourcast.cli._support.game_input import check_unfinished
from fourcast.cli._support.json_answers import analysis_object
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines, print_answer
from fourcast.render.analysis import analysis_text


def analyze(
    asked: options.Question,
    time_limit: options.TimeLimit = None,
) -> None:
    """Find the exact score of every move, and the line of best play.

    Without moves, or with -, positions are read from standard input, one per line. The
    answer is the line and the scores of its columns: "." for a full column,
    "?" if the time limit was reached first. For an invalid line the answer is
    the line and the word error, or an object with "error"; the exit status is
    then 1.

    docs/json.md describes the output of --json.
    """
    solver = asked.search.solver()
    limit = options.make_limit(time_limit)
    game = asked.game()

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
    analysis = solver.analyze(game.position, limit)
    print_answer(analysis, game, asked, analysis_object, analysis_text)


def _describe(analysis: Analysis) -> str:
    scores = {line.column: "?" if line.score is None else str(line.score) for line in analysis}
    return " ".join(scores.get(column, ".") for column in range(analysis.position.width))
