"""`fourcast analyze`: the exact score of every move, and best play."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer

from fourcast._core import Analysis, Position
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.game_input import check_unfinished, given_game, moves_from_start
from fourcast.cli._support.json_answers import analysis_object
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines
from fourcast.render.analysis import analysis_text


def analyze(
    moves: options.Moves = None,
    moves_option: options.MovesOption = None,
    load: options.Load = None,
    as_json: options.Json = False,
    width: options.Width = 7,
    height: options.Height = 6,
    no_book: options.NoBook = False,
    threads: options.Threads = 1,
    time_limit: options.TimeLimit = None,
    style: options.Style = None,
) -> None:
    """Find the exact score of every move, and the line of best play.

    Without moves, positions are read from standard input, one per line. The
    answer is the line and the scores of its columns: "." for a full column,
    "?" if the time limit was reached first. For an invalid line the answer is
    the line and the word error, or an object with "error"; the exit status is
    then 1.

    docs/json.md describes the output of --json.
    """
    solver = options.make_solver(threads, no_book)
    limit = options.make_limit(time_limit)
    game = given_game(moves, moves_option, load, width=width, height=height)

    if game is None:
        form = JsonForm(analysis_object) if as_json else TextForm(_describe)

        def analyze_some(positions: Sequence[Position]) -> list[Analysis]:
            if len(positions) == 1:  # all threads search one position
                return [solver.analyze(positions[0], limit, variations=as_json)]
            return solver.analyze_many(positions, limit, threads=threads, variations=as_json)

        raise typer.Exit(answer_lines(analyze_some, form, width=width, height=height, threads=threads))
    check_unfinished(game.position)
    analysis = solver.analyze(game.position, limit)
    if as_json:
        print(json.dumps(analysis_object(analysis, moves_from_start(game))))
    else:
        drawn = chosen_style(style)
        print_board(game, drawn)
        print(f"\n{analysis_text(analysis, style=drawn)}")


def _describe(analysis: Analysis) -> str:
    scores = {line.column: "?" if line.score is None else str(line.score) for line in analysis}
    return " ".join(scores.get(column, ".") for column in range(analysis.position.width))
