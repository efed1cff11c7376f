"""`fourcast explain`: why a position is won, lost or drawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fourcast._core import Position
from fourcast.cli._support import options
from fourcast.cli._support.boards import chosen_style, text_width
from fourcast.cli._support.game_input import check_unfinished, moves_from_start
from fourcast.cli._support.lines import JsonForm, TextForm, answer_lines
from fourcast.cli._support.progress import waiting
from fourcast.notation import parse_column
from fourcast.render.explain import explanation_object, move_object
from fourcast.render.explained import explained_boards, explained_move
from fourcast.render.marked import marked_png, marked_svg
from fourcast.render.said import said_text
from fourcast.render.text import SIDES, can_color
from fourcast.study.checker import check
from fourcast.study.explain import Explanation, columns_said, explain_columns, explain_move
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

Proof = Annotated[bool, typer.Option("--proof", help="Print the whole proof as well.")]
Move = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Explain what playing this column does, not the position."),
]


def explain(
    asked: options.Question,
    checked: Check = False,
    columns: Columns = True,
    proof: Proof = False,
    move: Move = None,
    picture: Picture = None,
    time_limit: options.TimeLimit = None,
) -> None:
    """Say why a position is won, lost or drawn.

    This prints the idea in words, with marks on the board, and what happens in
    the columns. Squares are column and row: 3/2 is row 2 of column 3. What is
    said follows from a proof that an independent checker has replayed; --proof
    prints it.
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
    names = SIDES[drawn]

    if game is None:
        if picture:
            raise typer.BadParameter("--picture draws one position: give its MOVES")

        def describe(found: Explanation) -> str:
            parts = [found.words(names), *([found.proof_words(names)] if proof else [])]
            return " ".join([*"\n".join(parts).split("\n"), *_check_words(found, checked)])

        def explain_some(positions: Sequence[Position]) -> list[Explanation]:
            return [find_reason(position, solver=solver, limit=limit) for position in positions]

        form = JsonForm(_to_object) if asked.as_json else TextForm(describe)
        raise typer.Exit(answer_lines(explain_some, form, asked))
    check_unfinished(game.position)
    if move is not None:
        moved = explain_move(
            game.position, parse_column(move, game.position.width), solver=solver, limit=limit
        )
        if asked.as_json:
            print(json.dumps(move_object(moved, ("Red", "Yellow"))))
        else:
            color = can_color(sys.stdout)
            print(
                explained_move(moved, names, style=drawn, color=color, width=text_width(), proof=proof)
            )
        return
    with waiting("solving"):
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
    print(found.words(names), flush=True)
    if proof:
        print(f"\n{found.proof_words(names)}")
    if checked:
        print("\n".join(_check_words(found, checked)))
    if columns:
        reasons = explain_columns(game.position, solver=solver, limit=limit)
        print("", *(said_text(each, names) for each in columns_said(reasons, found)), sep="\n")
    if picture:
        print(f"\nThe board is drawn in {picture}.")


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
