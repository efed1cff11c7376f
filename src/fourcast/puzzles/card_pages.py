"""A card of a repertoire as people see it: a question, an answer with its reason, and two diagrams."""

from __future__ import annotations

from dataclasses import dataclass

from fourcast.notation import format_column
from fourcast.puzzles.repertoire import RepertoireCard
from fourcast.render import svg
from fourcast.render.catalogue import Names
from fourcast.render.explore import replies_text
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
    found = explore(position, solver=solver)
    explanation = card.explanation(solver)
    after = position.play(column)
    head, *rest = explanation.words(names).split("\n")
    moves = " ".join(card.moves) or "none yet"
    last = None if not card.moves else int(card.moves[-1]) - 1
    if card.ends_theory:
        assert explanation.reason is not None
        marks = explanation.reason.marks()
        answer_picture = marked_svg(
            marks, last=None if marks.played else column, names=names, prefix=f"a-{card.id}"
        )
    else:
        answer_picture = svg.board(after, last=column, names=names, prefix=f"a-{card.id}")
    return CardPage(
        card,
        f"{mover} to play. Moves so far: {moves}.",
        f"Column {format_column(column)}",
        (" ".join([head, *_facts(card, found)]), *rest),
        svg.board(position, last=last, names=names, prefix=f"q-{card.id}"),
        answer_picture,
    )


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
