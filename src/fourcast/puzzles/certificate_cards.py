"""The cards of a certificate that people can learn: where to play, and the level diagram that wins."""

from __future__ import annotations

from collections.abc import Iterator

from fourcast._core import Position
from fourcast.certificate import Answer, Certificate, answer
from fourcast.errors import OptionError, require
from fourcast.notation import format_column, format_moves
from fourcast.puzzles.card_pages import NAMES, CardPage
from fourcast.puzzles.repertoire import RepertoireCard
from fourcast.render import svg
from fourcast.render.marked import Label
from fourcast.render.said import said_text

__all__ = ["certificate_cards", "certificate_pages"]

PLAYED = (
    "A four first, then a forced win, then a block; otherwise the lowest number that exactly one of the"
    " squares has on which a disc can land."
)


def certificate_cards(certificate: Certificate, plies: int) -> list[RepertoireCard]:
    """Return the positions with at most *plies* discs in which the player has to know a move.

    Mirror images count once. A four, a forced win and what a diagram plays need no card. Raises
    `OptionError` unless people can learn the certificate: one of level diagrams, on the usual board.
    """
    require("certificate", certificate, Certificate)
    require("plies", plies, int)
    proven = certificate.check()
    if not proven.diagrams or (proven.width, proven.height) != (7, 6):
        raise OptionError(
            "cards are of certificates of level diagrams on the usual board: 7x6-4-readable"
        )
    cards = []
    begin = Position(format_moves(proven.start))
    waiting, seen = [(begin, format_moves(proven.start))], {begin.canonical_key}
    for position, moves in waiting:
        after, played = position, moves
        if position.turn == proven.player:
            rule = _rule_of(certificate, position)
            if rule.why in ("move", "levels"):
                cards.append(RepertoireCard(moves, rule.column))
            if rule.why != "move":
                continue
            after, played = position.play(rule.column), moves + format_column(rule.column)
        for column, reply in after.children().items():
            if not reply.is_over and reply.ply <= plies and reply.canonical_key not in seen:
                seen.add(reply.canonical_key)
                waiting.append((reply, played + format_column(column)))
    return cards


def _rule_of(certificate: Certificate, position: Position) -> Answer:
    """Return what the certificate plays in a position that it leads to."""
    found = answer([certificate], position)
    assert found is not None
    return found


def certificate_pages(certificate: Certificate, cards: list[RepertoireCard]) -> Iterator[CardPage]:
    """Yield how the cards are shown: the question, the move, and the diagram if one wins from there."""
    for card in cards:
        rule = _rule_of(certificate, card.position)
        after = card.position.play(card.column)
        mover, last = NAMES[card.position.turn - 1], int(card.moves[-1]) - 1
        yield CardPage(
            card,
            f"{mover} to play. Moves so far: {' '.join(card.moves)}.",
            f"Column {format_column(card.column)}",
            (PLAYED,) if rule.levels else (said_text(rule.said),),
            svg.board(card.position, last=last, names=NAMES, prefix=f"q-{card.id}"),
            svg.board(
                after, last=card.column, names=NAMES, prefix=f"a-{card.id}", over=_numbers(after, rule)
            ),
        )


def _numbers(position: Position, rule: Answer) -> str:
    """The levels of a diagram on the empty squares, as elements of a picture."""
    taken = position.bitboards[0] | position.bitboards[1]
    parts = []
    for number, level in enumerate(rule.levels, 1):
        for column in range(position.width):
            for row in range(position.height):
                square = 1 << column * (position.height + 1) + row
                if level & ~taken & square:
                    x, y, width, height = svg.square_box(column, row, position.height)
                    label = Label("level", x + width / 2, y + height / 2 + 9, str(number), 26)
                    parts.append(label.svg())
    return "".join(parts)
