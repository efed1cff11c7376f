"""What a move leads to, in words: its worth, and how easily the opponent goes wrong after it."""

from __future__ import annotations

from fourcast.render.words import describe_score, name_columns
from fourcast.study.explore import ExploredMove

__all__ = ["replies_text", "worth_text"]


def worth_text(move: ExploredMove) -> str:
    """Return what the player gets who makes the move, as what comes after "column 4"."""
    assert move.line.score is not None
    return describe_score(move.line.score, move.line.position)


def replies_text(move: ExploredMove) -> str:
    """Return how easily the opponent goes wrong; empty if the move ends the game."""
    count = len(move.replies)
    if not count:
        return ""
    if move.line.outcome == "win":
        return "no reply helps"
    if not move.traps:
        return "every reply keeps that"
    wrong = {"draw": "lose", "loss": "give the win away"}[str(move.line.outcome)]
    if move.traps == 1:
        wrong = {"lose": "loses"}.get(wrong, "gives the win away")
    keep = "keeps" if len(move.keeping) == 1 else "keep"
    return f"{move.traps} of {count} replies {wrong}, {name_columns(move.keeping)} {keep} it"
