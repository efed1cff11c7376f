"""`fourcast explain`: why a position is won, lost or drawn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from fourcast._core import Position
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, print_board
from fourcast.cli._support.game_input import check_unfinished, given_game, moves_from_start
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines
from fourcast.render.explain import explanation_object
from fourcast.render.text import SIDES
from fourcast.study.checker import check
from fourcast.study.explain import Explanation
from fourcast.study.explain import explain as find_reason

Check = Annotated[
    bool,
    typer.Option("--check", help="Say how many claims an independent checker has replayed."),
]


def explain(
    moves: options.Moves = None,
    moves_option: options.MovesOption = None,
    load: options.Load = None,
    as_json: options.Json = False,
    checked: Check = False,
    width: options.Width = 7,
    height: options.Height = 6,
    no_book: options.NoBook = False,
    threads: options.Threads = 1,
    time_limit: options.TimeLimit = None,
    style: options.Style = None,
) -> None:
    """Say why a position is won, lost or drawn.

    Where there is a short proof, the answer is that proof in words; it has
    been replayed with nothing but the rules. Without moves, positions come
    from standard input, one a line, and each is answered with the line and the
    explanation in one line.

    With --json the answer is an object with the proof, described in
    docs/explain.md.
    """
    solver = options.make_solver(threads, no_book)
    limit = options.make_limit(time_limit)
    game = given_game(moves, moves_option, load, width=width, height=height)
    drawn = chosen_style(style)
    names = SIDES[drawn][1], SIDES[drawn][2]

    if game is None:

        def describe(found: Explanation) -> str:
            return " ".join([*found.words(names).split("\n"), *_check_words(found, checked)])

        def explain_some(positions: Sequence[Position]) -> list[Explanation]:
            return [find_reason(position, solver=solver, limit=limit) for position in positions]

        form = JsonForm(_to_object) if as_json else TextForm(describe)
        raise typer.Exit(answer_lines(explain_some, form, width=width, height=height))
    check_unfinished(game.position)
    found = find_reason(game.position, solver=solver, limit=limit)
    if as_json:
        print(json.dumps(_to_object(found, moves_from_start(game))))
        return
    print_board(game, drawn)
    print()
    for paragraph in [*found.words(names).split("\n"), *_check_words(found, checked)]:
        print(paragraph)


def _to_object(found: Explanation, moves: str | None) -> dict[str, object]:
    content = explanation_object(found, ("Red", "Yellow"))
    return content if moves is None else {"moves": moves, **content}


def _check_words(found: Explanation, wanted: bool) -> list[str]:
    """What the checker says, which has replayed the explanation once already."""
    if not wanted:
        return []
    check(found)
    count = len(found.claims)
    return [
        f"Checked with nothing but the rules: {count} claim{'s' if count != 1 else ''}, no objection."
    ]
