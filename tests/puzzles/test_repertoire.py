"""The opening repertoires: nothing is missing, every move is right, and every plan holds."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fourcast import Position, Solver
from fourcast.errors import OptionError
from fourcast.puzzles.anki import write_deck
from fourcast.puzzles.booklet import booklet
from fourcast.puzzles.card_pages import page_of
from fourcast.puzzles.repertoire import (
    Repertoire,
    RepertoireCard,
    Side,
    load_repertoire,
    questions_after,
)
from fourcast.study.checker import check
from fourcast.study.explore import explore
from fourcast.study.follow import forced_win
from tests.study.idea_predicates import check_idea

SIDES: tuple[Side, ...] = ("first", "second")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(table_mb=32)


@pytest.mark.parametrize("side", SIDES)
def test_every_position_that_the_opponent_can_reach_has_a_card_or_needs_none(side: Side) -> None:
    repertoire = load_repertoire(side)
    assert list(repertoire.gaps()) == []
    assert len({card.position.canonical_key for card in repertoire.cards}) == len(repertoire.cards)
    assert all(card.position.turn == SIDES.index(side) + 1 for card in repertoire.cards)
    plies = [card.position.ply for card in repertoire.cards]
    assert plies == sorted(plies)
    assert plies[-1] == repertoire.plies


@pytest.mark.parametrize("side", SIDES)
def test_a_repertoire_with_a_card_less_has_a_gap(side: Side) -> None:
    """So no card is superfluous, and `gaps` finds what is missing."""
    repertoire = load_repertoire(side)
    for number in random.Random(1).sample(range(len(repertoire.cards)), 10):
        cards = repertoire.cards[:number] + repertoire.cards[number + 1 :]
        assert list(Repertoire(side, repertoire.plies, cards).gaps())


def test_the_first_player_keeps_the_win_with_every_card(solver: Solver) -> None:
    for card in load_repertoire("first").cards:
        assert solver.solve(card.position.play(card.column), outcome_only=True).outcome == "loss"


def test_the_second_player_keeps_the_result_or_plays_a_most_testing_move(solver: Solver) -> None:
    for card in load_repertoire("second").cards:
        found = explore(card.position, solver=solver)
        assert card.column in found.keeping
        move = next(move for move in found.moves if move.column == card.column)
        if move.line.outcome == "loss":
            testing = found.most_testing
            assert move.traps * len(testing.replies) == testing.traps * len(move.replies)


@pytest.mark.parametrize("side", SIDES)
def test_plans_are_proven_and_so_are_their_mirror_images(side: Side, solver: Solver) -> None:
    planned = [card for card in load_repertoire(side).cards if card.claims]
    assert any(card.ends_theory for card in planned) or side == "second"
    for card in random.Random(2).sample(planned, min(25, len(planned))):
        for each in (card, card.mirrored()):
            _check(each, solver)


@pytest.mark.slow
def test_all_plans_are_proven(solver: Solver) -> None:
    for side in SIDES:
        for card in load_repertoire(side).cards:
            _check(card, solver)


@pytest.mark.parametrize("side", SIDES)
def test_every_card_carries_its_idea(side: Side, solver: Solver) -> None:
    for card in random.Random(3).sample(load_repertoire(side).cards, 12):
        found = card.explanation(solver)
        assert found.reason is not None
        if found.reason.verdict.outcome != "draw":
            check_idea(found.reason)
            assert dict(found.reason.idea or {})["squares"], card.moves
            assert len(page_of(card, solver).reason) > 1


def _check(card: RepertoireCard, solver: Solver) -> None:
    reason = card.explanation(solver).reason
    assert reason is not None
    check(reason.to_json())
    if card.claims:
        assert [claim.player for claim in card.claims] == [card.position.turn]
        assert card.claims[0].goal == "win"


def test_a_position_that_needs_no_card_is_a_short_win_or_a_block() -> None:
    after = Position("4").play(3)
    questions = {position.key for position in questions_after(after, 4)}
    for position in after.children().values():
        if position.key not in questions:
            assert forced_win(position, 4) is not None or position.winning_columns(3 - position.turn)


def test_advice_is_mirrored_where_the_position_is() -> None:
    repertoire = load_repertoire("first")
    for card in repertoire.cards[:30]:
        assert repertoire.advice(card.position) == card.column
        other = repertoire.card(card.position.mirror())
        assert other is not None
        assert other.position.play(other.column).canonical_key == (
            card.position.play(card.column).canonical_key
        )
    assert repertoire.advice(Position("1")) is None
    assert repertoire.advice(Position(width=6, height=5)) is None
    with pytest.raises(OptionError, match="'third'"):
        load_repertoire("third")


def test_a_part_of_a_repertoire_has_no_gaps_either() -> None:
    part = load_repertoire("first").up_to(6)
    assert list(part.gaps()) == []
    assert sum(part.counts().values()) == len(part.cards) < len(load_repertoire("first").cards)
    card = part.cards[5]
    assert RepertoireCard.from_json(json.loads(json.dumps(card.to_json()))) == card


def test_the_booklet_has_every_card_with_its_diagram(solver: Solver) -> None:
    part = load_repertoire("first").up_to(4)
    text = booklet(part, (page_of(card, solver) for card in part.cards))
    assert text.count("<svg ") == len(part.cards)
    assert text.count('class="card') - text.count('class="cards') == len(part.cards)
    ids = re.findall(r'id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert "It is the only column that does." in text


def test_the_deck_is_a_collection_with_a_card_for_each_position(tmp_path: Path, solver: Solver) -> None:
    path = _deck(tmp_path, solver)
    with zipfile.ZipFile(path) as package:
        package.extract("collection.anki2", tmp_path)
    with sqlite3.connect(tmp_path / "collection.anki2") as database:
        rows = database.execute("select flds from notes order by id").fetchall()
        (cards,) = database.execute("select count(*) from cards").fetchone()
    database.close()
    expected = load_repertoire("first").up_to(4).cards
    assert (len(rows), cards) == (len(expected), len(expected))
    number, question, before, answer, after, reason = rows[0][0].split("\x1f")
    assert (number, answer) == ("0001", "Column 4")
    assert "Red to play" in question
    assert before.count('class="disc') == 0 < after.count('class="disc') == 1
    assert "keeps the win" in reason


def _deck(folder: Path, solver: Solver) -> Path:
    path = folder / "first.apkg"
    cards = load_repertoire("first").up_to(4).cards
    pages = (page_of(card, solver) for card in cards)
    assert write_deck(path, "first", "Repertoire, first player", pages) == len(cards)
    return path


@pytest.mark.slow
def test_anki_opens_the_deck_and_shows_question_and_answer(tmp_path: Path, solver: Solver) -> None:
    collections: Any = import_module("anki.collection")
    path = _deck(tmp_path, solver)
    collection = collections.Collection(str(tmp_path / "collection.anki2"))
    try:
        options = collections.ImportAnkiPackageOptions()
        request = collections.ImportAnkiPackageRequest(package_path=str(path), options=options)
        collection.import_anki_package(request)
        found = collection.find_cards("deck:*")
        assert len(found) == len(load_repertoire("first").up_to(4).cards)
        card = collection.get_card(min(found, key=lambda each: collection.get_card(each).due))
        assert "Red to play. Moves so far: none yet." in card.question()
        assert "<svg" in card.question()
        assert "Column 4" in card.answer()
        assert "Column 4" not in card.question()
    finally:
        collection.close()


def test_the_documented_counts_are_those_of_the_shipped_repertoires() -> None:
    text = (Path(__file__).parents[2] / "docs" / "openings.md").read_text("utf-8")
    for side in SIDES:
        repertoire = load_repertoire(side)
        numbers = [*repertoire.counts().values(), len(repertoire.cards)]
        assert f"| {side} player, positions | {' | '.join(map(str, numbers))} |" in text
    first = load_repertoire("first")
    plans = [sum(c.ends_theory and c.position.ply == ply for c in first.cards) for ply in first.counts()]
    row = " | ".join(map(str, [*plans, sum(plans)]))
    assert f"| of these, a plan for the rest begins | {row} |" in text
