"""Explanations for a terminal: the board with its marks, and the words below it."""

from __future__ import annotations

from fourcast.notation import format_column
from fourcast.render.catalogue import Names, fill
from fourcast.render.text import Style, block_width, marked_board, side_by_side
from fourcast.study.explain import Explanation, MoveExplanation

__all__ = ["explained_boards", "explained_move"]


def explained_boards(
    explanation: Explanation,
    names: Names,
    *,
    style: Style = "ascii",
    last: int | None = None,
    color: bool = False,
    red: int = 1,
    width: int = 80,
) -> str:
    """Return the board of each claim with its marks, next to each other if there is room.

    *last* is the column that led to the explained position.
    """
    count = max(1, len(explanation.claims))
    boards = []
    for number in range(count):
        marks = explanation.marks(number)
        shown = None if marks.played else last
        board = marked_board(marks, names, style=style, last=shown, color=color, red=red)
        if marks.player and count > 1:
            board = f"{fill('holds', player=names[marks.player - 1])}\n\n{board}"
        boards.append(board)
    return _arranged(boards, width)


def explained_move(
    explanation: MoveExplanation,
    names: Names,
    *,
    style: Style = "ascii",
    color: bool = False,
    red: int = 1,
    width: int = 80,
    proof: bool = False,
) -> str:
    """Return why a move was good or bad, in words, with a board of what follows it.

    With *proof*, what proves it comes after that, and a board of what was better.
    """
    blocks = [explanation.words(names)]
    parts = [("after_it", explanation.column, explanation.reason)]
    if proof and explanation.better_column is not None:
        parts.append(("instead", explanation.better_column, explanation.better))
    for pattern, column, part in parts:
        if part is None:
            if column != explanation.column:  # a four that was there to be completed
                blocks.append(fill("move_wins", column=format_column(column)))
            continue
        if proof:
            blocks.append(fill(pattern, column=format_column(column)))
        if part.claims:
            blocks.append(
                explained_boards(
                    part, names, style=style, last=column, color=color, red=red, width=width
                )
            )
        if proof:
            blocks.append(part.proof_words(names))
    return "\n\n".join(blocks)


def _arranged(boards: list[str], width: int) -> str:
    together = side_by_side(*boards)
    return together if block_width(together) < width else "\n\n".join(boards)
