"""The whole win as a repertoire: the certificate that people can learn."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourcast import Position, Solver
from fourcast.certificate import alone, answer, shipped
from fourcast.puzzles.anki import write_deck
from fourcast.puzzles.card_pages import page_of
from fourcast.puzzles.history import History
from fourcast.puzzles.repertoire import Repertoire, RepertoireCard, load_repertoire
from fourcast.render.levels import levels_text
from tests.puzzles.conftest import Run


@pytest.fixture(scope="module")
def win() -> Repertoire:
    return load_repertoire("win")


def test_it_has_a_card_wherever_a_move_has_to_be_known_and_each_wins(win: Repertoire) -> None:
    solver = Solver()
    assert list(win.gaps()) == []
    assert {0, 2, 4, 6, 8, 10} == set(win.counts())
    assert win.counts()[2] == 4  # the replies to column 4, mirror images once
    assert len({card.position.canonical_key for card in win.cards}) == len(win.cards)
    for card in win.cards:
        assert solver.solve(card.position.play(card.column), outcome_only=True).outcome == "loss"


def test_it_says_what_the_certificate_plays_and_so_does_the_mirror_image_of_a_card(
    win: Repertoire,
) -> None:
    certificate, board = [shipped("7x6-4-readable")], alone.Board(7, 6)
    with_diagram = [card for card in win.cards if card.levels]
    assert 0 < len(with_diagram) < len(win.cards)
    for card in with_diagram[:20]:
        found, other = answer(certificate, card.position), card.mirrored()
        assert found is not None
        assert (found.column, found.levels) == (card.column, card.levels)
        assert other.position == card.position.mirror()
        assert other.levels == tuple(map(board.mirrored, card.levels))
        assert RepertoireCard.from_json(card.to_json()) == card
        assert card.ends_theory


def test_a_diagram_stands_on_the_empty_squares_and_is_said_in_words(win: Repertoire) -> None:
    card = next(card for card in win.cards if card.levels)
    page = page_of(card, Solver())
    assert 0 < page.answer_picture.count('class="level"') <= 42 - card.position.ply - 1
    assert 'class="level"' not in page.picture
    assert "the lowest level that exactly one open square has" in page.reason[0]


def test_the_deck_has_a_note_for_each_card(tmp_path: Path) -> None:
    first = load_repertoire("win", 4)
    solver = Solver()
    pages = (page_of(card, solver) for card in first.cards)
    assert write_deck(tmp_path / "win.apkg", "win", "The whole win", pages) == len(first.cards)
    assert first.advice(Position("")) == 3


def test_the_terminal_shows_the_diagram_that_a_card_ends_with(
    win: Repertoire, run: Run, tmp_path: Path
) -> None:
    history = History(tmp_path / "training.jsonl")
    number = next(number for number, card in enumerate(win.cards) if card.levels)
    for each in win.cards[:number]:
        history.add(each.puzzle, solved=True)
    card = win.cards[number]
    done = run("train", "--repertoire", "win", "--style", "ascii", given=f"{card.column + 1}\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Card {number + 1} of {len(win.cards)}, the whole win" in done.stdout
    assert levels_text(card.position.play(card.column), card.levels) in done.stdout
    assert "From here X follows a diagram" in done.stdout
    assert f"{number + 1} of {len(win.cards)} cards seen." in done.stdout


def test_it_is_listed_and_printed_like_the_openings(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "win.html"
    listed = run("repertoire", "win", "--plies", "2").stdout.splitlines()
    assert listed[0] == "5 positions for the first player; by discs: 1 with 0, 4 with 2"
    assert run("repertoire", "win", "--plies", "2", "--booklet", str(page)).returncode == 0
    assert "win by force with at most 5 discs" in page.read_text("utf-8")
