from __future__ import annotations

import json

import pytest

from fourcast.community.ledger import Ledger, Move, NewGame, format_entry
from fourcast.errors import CommunityError
from fourcast.game import Game
from tests.community.world import LONG_GAME, entries_of


def test_a_ledger_is_read_as_it_was_written() -> None:
    ledger = Ledger([*entries_of(LONG_GAME), NewGame(2, "ada", 7, "2026-11-15T00:00:00Z")])
    again = Ledger.parse(ledger.to_text())
    assert again.entries == ledger.entries
    assert again.current.number == 2
    assert again.games[0].to_game("red", "blue").moves == LONG_GAME
    assert ledger.to_text().count("\n") == len(ledger.entries)


def test_what_is_asked_of_a_ledger() -> None:
    entries = entries_of(LONG_GAME)
    ledger = Ledger(entries)
    assert ledger.winning_moves() == [("sofja", 1)]
    assert ledger.people == {"grace", "emmy", "sofja"}
    assert [game.number for game in ledger.finished] == [1]
    assert ledger.of_issue(100_001) is ledger.entries[0]
    assert ledger.of_issue(1) is None
    assert ledger.last_of("emmy") is ledger.entries[-2]
    assert ledger.last_of("nobody") is None
    assert str(ledger.games[0].result) == "second wins, four in a row"


def test_a_bot_is_not_confused_with_a_person_of_its_name() -> None:
    by_bot = Move(1, 0, 3, "ada", "random", 1, "2026-11-15T00:00:00Z", Game("4").position.key)
    by_person = Move(1, 1, 3, "random", None, 2, "2026-11-15T00:00:00Z", Game("44").position.key)
    ledger = Ledger([by_bot, by_person])
    assert ledger.current.players(1) == ["bot random"]
    assert ledger.current.players(2) == ["random"]
    assert ledger.people == {"ada", "random"}


GOOD = json.loads(format_entry(entries_of("4")[0]))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"event": "undo"}, "neither a move nor a new game"),
        ({"game": 2}, "a move in game 2 with 0 stones, but it is game 1 with 0 stones"),
        ({"ply": 1}, "a move in game 1 with 1 stones"),
        ({"column": 7}, "7"),
        ({"column": "3"}, "column is '3'"),
        ({"key": 1}, "the position's key is"),
        ({"bot": 3}, "bot is 3"),
        ({"time": "yesterday"}, "'yesterday' is not a time"),
        ({"issue": None}, "issue is None"),
    ],
)
def test_a_damaged_line_is_found_out(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(CommunityError) as caught:
        Ledger.parse(json.dumps(GOOD | change))
    assert str(caught.value).startswith("line 1 of the ledger: ")
    assert complaint in str(caught.value)


@pytest.mark.parametrize("text", ["\n", "{", "[]", "<<<<<<< HEAD", "null", '{"event": []}'])
def test_what_is_no_line_of_a_ledger_is_refused(text: str) -> None:
    with pytest.raises(CommunityError, match="line 1 of the ledger: "):
        Ledger.parse(text)


def test_an_issue_cannot_be_there_twice() -> None:
    line = json.dumps(GOOD) + "\n"
    with pytest.raises(CommunityError, match="line 2 of the ledger: issue 100001 is there twice"):
        Ledger.parse(line + line)


def test_games_follow_each_other() -> None:
    with pytest.raises(CommunityError, match="game 3 cannot follow game 1"):
        Ledger([NewGame(3, "ada", 1, "2026-11-15T00:00:00Z")])
