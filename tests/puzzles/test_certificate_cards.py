"""Cards of the certificate that people can learn."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourcast import Solver
from fourcast.certificate import Certificate, shipped
from fourcast.errors import OptionError
from fourcast.puzzles.anki import write_deck
from fourcast.puzzles.certificate_cards import certificate_cards, certificate_pages

PLIES = 6


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return shipped("7x6-4-readable")


def test_cards_are_the_positions_to_know_each_with_a_move_that_wins(certificate: Certificate) -> None:
    solver = Solver()
    cards = certificate_cards(certificate, PLIES)
    discs = [card.position.ply for card in cards]
    assert discs == sorted(discs)
    assert set(discs) == {2, 4, 6}
    assert discs.count(2) == 4  # the replies to column 4, mirror images once
    assert len({card.position.canonical_key for card in cards}) == len(cards)
    for card in cards:
        assert card.position.turn == 1
        assert solver.solve(card.position.play(card.column)).outcome == "loss"


def test_a_diagram_stands_on_the_empty_squares(certificate: Certificate) -> None:
    cards = [card for card in certificate_cards(certificate, 12) if card.position.ply == 12][:200]
    pages = list(certificate_pages(certificate, cards))
    with_diagram = [page for page in pages if 'class="level"' in page.answer_picture]
    assert 0 < len(with_diagram) < len(pages)
    for page in with_diagram:
        assert page.answer_picture.count('class="level"') <= 42 - 13
        assert "lowest number" in page.reason[0]
        assert 'class="level"' not in page.picture


def test_the_deck_has_a_note_for_each_card(certificate: Certificate, tmp_path: Path) -> None:
    cards = certificate_cards(certificate, 4)
    pages = certificate_pages(certificate, cards)
    assert write_deck(tmp_path / "win.apkg", "whole win", "The whole win", pages) == len(cards)


def test_a_certificate_without_diagrams_has_no_cards() -> None:
    with pytest.raises(OptionError, match="level diagrams"):
        certificate_cards(shipped("7x6"), PLIES)
