"""`fourcast solve`: the exact score of a position, or of many."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer

from fourcast._core import Position, Result
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.game_input import check_unfinished, given_game, moves_from_start
from fourcast.cli._support.json_answers import result_object
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines
from fourcast.render.analysis import result_text


def solve(
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
    """Find the exact score of a position, or of many.

    Without moves, positions come from standard input, one a line. Each is
    answered with the line, a space and the score of the side to move: 18 wins
    with the fourth stone of a side, 1 with its last, 0 is a draw, losses are
    negative. If the time limit is reached, the answer is the line, a ? and the
    proven bounds: 44 ? -2 3. An unusable line is answered with the line and
    the word error, and the exit status is 1.
    """
    solver = options.make_solver(threads, no_book)
    limit = options.make_limit(time_limit)
    game = given_game(moves, moves_option, load, width=width, height=height)

    if game is None:
        form = JsonForm(result_object) if as_json else TextForm(_describe)

        def solve_some(positions: Sequence[Position]) -> list[Result]:
            if len(positions) == 1:  # all threads search one position
                return [solver.solve(positions[0], limit, best_columns=False)]
            return solver.solve_many(positions, limit, threads=threads)

        raise typer.Exit(answer_lines(solve_some, form, width=width, height=height, threads=threads))
    check_unfinished(game.position)
    result = solver.solve(game.position, limit, best_columns=not as_json)
    if as_json:
        print(json.dumps(result_object(result, moves_from_start(game))))
    else:
        drawn = chosen_style(style)
        print_board(game, drawn)
        print(f"\n{result_text(result, style=drawn)}")


def _describe(result: Result) -> str:
    return f"? {result.lower} {result.upper}" if result.score is None else str(result.score)
