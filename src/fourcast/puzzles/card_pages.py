"""A card of a repertoire as people see it: a question, an answer with its reason, and two diagrams."""

from __future__ import annotations

from dataclasses import dataclass

from fourcast.notation import format_column
from fourcast.puzzles.repertoire import RepertoireCard
from fourcast.render import svg
from fourcast.render.catalogue import Names, fill
from fourcast.render.explore import replies_text
from fourcast.render.levels import levels_svg
from fourcast.render.marked import marked_svg
from fourcast.render.words import name_columns
from fourcast.solver import Solver
from fourcast.study.explore import Exploration, explore

__all__ = ["CardPage", "page_of"]

NAMES = ("Red", "Yellow")


@dataclass(frozen=True)
class CardPage:
    """The texts and pictures of a card."""

    card: RepertoireCard
    question: str
    answer: str
    reason: tuple[str, ...]
    """Why, a paragraph each."""
    picture: str
    """The position, as SVG."""
    answer_picture: str
    """The position after the move; where a plan begins, with its marks."""


def page_of(card: RepertoireCard, solver: Solver, names: Names = NAMES) -> CardPage:
    """Return how a card is shown; *solver* gives the worth of the moves."""
    position, column = card.position, card.column
    mover = names[position.turn - 1]
    moves = " ".join(card.moves) or "none yet"
    last = None if not card.moves else int(card.moves[-1]) - 1
    reason, answer_picture = _plan_of(card, names) if card.levels else _reason_of(card, solver, names)
    return CardPage(
        card,
        f"{mover} to play. Moves so far: {moves}.",
        f"Column {format_column(column)}",
        reason,
        svg.board(position, last=last, names=names, prefix=f"q-{card.id}"),
        answer_picture,
    )


def _plan_of(card: RepertoireCard, names: Names) -> tuple[tuple[str, ...], str]:
    """What a level diagram says, and a picture of it."""
    after = card.position.play(card.column)
    over = levels_svg(after, card.levels)
    picture = svg.board(after, last=card.column, names=names, prefix=f"a-{card.id}", over=over)
    return (fill("proof.levels", player=names[card.position.turn - 1]),), picture


def _reason_of(card: RepertoireCard, solver: Solver, names: Names) -> tuple[tuple[str, ...], str]:
    """Why a move is right, and a picture of the position after it."""
    explanation = card.explanation(solver)
    head, *rest = explanation.words(names).split("\n")
    reason = " ".join([head, *_facts(card, explore(card.position, solver=solver))]), *rest
    if not card.ends_theory:
        after = card.position.play(card.column)
        return reason, svg.board(after, last=card.column, names=names, prefix=f"a-{card.id}")
    assert explanation.reason is not None
    marks = explanation.reason.marks()
    last = None if marks.played else card.column
    return reason, marked_svg(marks, last=last, names=names, prefix=f"a-{card.id}")


def _facts(card: RepertoireCard, found: Exploration) -> list[str]:
    """What the other columns lead to; of a lost position, how testing the move is."""
    move = next(each for each in found.moves if each.column == card.column)
    facts = []
    if move.line.outcome == "loss":
        facts.append(f"The most testing move: {replies_text(move)}.")
    for outcome, one, many in (
        ("win", "wins", "win"),
        ("draw", "draws", "draw"),
        ("loss", "loses", "lose"),
    ):
        columns = [
            each.column
            for each in found.moves
            if each.line.outcome == outcome and each.column != card.column
        ]
        if columns and (outcome != "loss" or move.line.outcome != "loss"):
            named = name_columns(columns)
            too = ", too" if outcome == move.line.outcome else ""
            facts.append(f"{named[0].upper()}{named[1:]} {one if len(columns) == 1 else many}{too}.")
    return facts
