"""`fourcast explain`: why a position is won, lost or drawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Limit, Position
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, text_width
from fourcast.cli._support.game_input import check_unfinished, moves_from_start
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines
from fourcast.render.explain import explanation_object
from fourcast.render.explained import explained_boards
from fourcast.render.marked import marked_png, marked_svg
from fourcast.render.said import said_text
from fourcast.render.text import SIDES, can_color
from fourcast.study.checker import check
from fourcast.study.explain import Explanation, column_said, explain_columns
from fourcast.study.explain import explain as find_reason

Columns = Annotated[
    bool,
    typer.Option("--columns/--no-columns", help="Say for each column what happens there and why."),
]
Picture = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw the board with its marks into an .svg or .png file."),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Say how many claims an independent checker has replayed."),
]

COLUMN_S = 0.25
"""Seconds for the reason of one column."""


def explain(
    asked: options.Question,
    checked: Check = False,
    columns: Columns = True,
    picture: Picture = None,
    time_limit: options.TimeLimit = None,
) -> None:
    """Say why a position is won, lost or drawn.

    If there is a short proof, this prints it in words, with marks on the board
    and a line for each column. An independent checker has replayed the proof.
    Without moves, or with -, positions are read from standard input, one per line; each
    answer is the line and the explanation in one line.

    docs/explain.md describes the output of --json.
    """
    if picture and picture.suffix.lower() not in (".svg", ".png"):
        raise typer.BadParameter(f"--picture takes a name that ends in .svg or .png, not {picture.name}")
    solver = asked.search.solver()
    limit = options.make_limit(time_limit)
    game = asked.game()
    drawn = chosen_style(asked.style)
    names = SIDES[drawn][1], SIDES[drawn][2]

    if game is None:
        if picture:
            raise typer.BadParameter("--picture draws one position: give its MOVES")

        def describe(found: Explanation) -> str:
            return " ".join([*found.words(names).split("\n"), *_check_words(found, checked)])

        def explain_some(positions: Sequence[Position]) -> list[Explanation]:
            return [find_reason(position, solver=solver, limit=limit) for position in positions]

        form = JsonForm(_to_object) if asked.as_json else TextForm(describe)
        raise typer.Exit(answer_lines(explain_some, form, asked))
    check_unfinished(game.position)
    found = find_reason(game.position, solver=solver, limit=limit)
    last = game.columns[-1] if game.columns else None
    if picture:
        _draw(found, picture, None if found.line else last)
    if asked.as_json:
        print(json.dumps(_to_object(found, moves_from_start(game))))
        return
    color = can_color(sys.stdout)
    print(explained_boards(found, names, style=drawn, last=last, color=color, width=text_width()))
    print()
    print("\n".join([found.words(names), *_check_words(found, checked)]), flush=True)
    if columns:
        print()
        reason_limit = Limit(time_s=COLUMN_S)
        for line, reason in explain_columns(
            game.position, solver=solver, limit=limit, reason_limit=reason_limit
        ):
            print(said_text(column_said(line, reason), names), flush=True)


def _draw(found: Explanation, path: Path, last: int | None) -> None:
    """Write the picture of the first claim; that of a second one beside it, with -2 in its name."""
    for number in range(max(1, len(found.claims))):
        file = path if number == 0 else path.with_stem(f"{path.stem}-{number + 1}")
        marks = found.marks(number)
        shown = None if marks.played else last
        if path.suffix.lower() == ".png":
            file.write_bytes(marked_png(marks, last=shown))
        else:
            file.write_text(marked_svg(marks, last=shown), "utf-8")


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
