from __future__ import annotations

import json
import random

import pytest

from fourcast.community.config import Config
from fourcast.community.entries import Move, NewGame, format_entry
from fourcast.community.files import ledger_files, read_ledger
from fourcast.community.ledger import Ledger
from fourcast.community.tally import Tally
from fourcast.errors import CommunityError
from fourcast.game import Game
from tests.community.world import LONG_GAME, entries_of

NOON = "2026-11-15T12:00:00Z"
EVENING = "2026-11-15T18:00:00Z"


def text_of(ledger: Ledger) -> str:
    return "".join(game.to_text() for game in ledger.games)


def test_a_ledger_is_read_as_it_was_written() -> None:
    ledger = Ledger([*entries_of(LONG_GAME), NewGame(2, "ada", 7, NOON)])
    again = Ledger.parse(text_of(ledger))
    assert again.entries == ledger.entries
    assert again.current.number == 2
    assert again.games[0].to_game("red", "blue").moves == LONG_GAME
    assert text_of(ledger).count("\n") == len(ledger.entries)


def test_no_byte_of_the_current_game_can_be_changed() -> None:
    """Digits, letters of names, line ends, a mark of UTF-8: each of it is refused, or was nothing."""
    config, chance = Config(), random.Random(7)
    files = ledger_files(Ledger(entries_of("4455")), config)
    lines, sums = files[config.ledger_path], files[config.checksums_path]
    good = read_ledger(lines, None, sums, config)
    changed = 0
    for _ in range(600):
        place = chance.randrange(len(lines))
        new = bytes([chance.choice(b'0123456789abz"{},:\r\n \xef')])
        cut = place + chance.choice((0, 1, 1, 1, 40))
        wrong = lines[:place] + chance.choice((b"", new)) + lines[cut:]
        try:
            again = read_ledger(wrong, None, sums, config)
        except CommunityError:
            changed += 1
        else:
            assert again.current.lines == good.current.lines, wrong
    assert changed > 500


def test_a_forged_ledger_of_whole_lines_is_refused_with_its_line() -> None:
    """Each line is one that the game once wrote: exchanged, repeated, left out, or of another ledger."""
    config, chance = Config(), random.Random(11)
    own = [NewGame(2, "ada", 7, NOON), *entries_of("445566", game=2, first_issue=200_000)]
    other = [NewGame(2, "eve", 8, NOON), *entries_of("445563", game=2, first_issue=300_000)]
    files, foreign = (
        ledger_files(Ledger([*entries_of(LONG_GAME), *some]), config) for some in (own, other)
    )
    paths = (config.ledger_path, config.tally_path, config.checksums_path)
    lines, tally, sums = (files[path] for path in paths)
    good = read_ledger(lines, tally, sums, config)
    theirs = foreign[config.ledger_path].splitlines(keepends=True)
    refusals = []
    for _ in range(1_000):
        forged = lines.splitlines(keepends=True)
        for _ in range(chance.randint(1, 2)):
            here, there = chance.randrange(len(forged)), chance.randrange(len(forged))
            way = chance.randrange(5)
            if way == 0:
                forged[here], forged[there] = forged[there], forged[here]
            elif way == 1:
                forged.insert(here, forged[there])
            elif way == 2 and len(forged) > 1:
                del forged[here]
            elif way == 3:
                forged[here] = chance.choice(theirs)
            else:
                forged.insert(here, chance.choice(theirs))
        try:
            again = read_ledger(b"".join(forged), tally, sums, config)
        except CommunityError as error:
            refusals.append(str(error))
        else:
            assert again.current.lines == good.current.lines
    assert all("line " in refusal or "the ledger is empty" in refusal for refusal in refusals)
    assert len(refusals) > 800
    with pytest.raises(CommunityError, match="line 1 of the ledger"):
        read_ledger(lines, tally, foreign[config.checksums_path], config)


def test_what_is_asked_of_a_ledger() -> None:
    entries = entries_of(LONG_GAME)
    ledger = Ledger(entries)
    assert ledger.winning_moves() == [("sofja", 1)]
    assert (ledger.moves, ledger.finished, ledger.people) == (30, 1, 3)
    assert ledger.of_issue(100_001) is ledger.entries[0]
    assert ledger.of_issue(1) is None
    assert ledger.last_time("emmy") == ledger.entries[-2].time
    assert ledger.last_time("nobody") is None
    assert ledger.has_moved("emmy")
    assert not ledger.has_moved("nobody")


def test_a_ledger_answers_alike_whether_it_has_read_all_games_or_knows_them_by_the_tally() -> None:
    entries = [
        *entries_of(LONG_GAME),
        NewGame(2, "ada", 7, NOON),
        *entries_of("4455", game=2, first_issue=200_000),
        NewGame(3, "grace", 9, EVENING),
        *entries_of("44", game=3, first_issue=8),  # 8 alone: 9 is taken
    ][:-1]
    whole = Ledger(entries)
    tally = Tally.parse(whole.tally.to_text().encode())
    known = Ledger(tally=tally)
    known.read(whole.current.to_text())
    assert known.tally == whole.tally
    assert len(known.games) == 1
    for ledger in (whole, known):
        assert (ledger.moves, ledger.finished, ledger.people) == (35, 1, 3)
        assert ledger.winning_moves() == [("sofja", 1)]
        assert ledger.last_time("ada") == NOON
        assert not ledger.has_moved("ada")  # she has started a game and played none
        assert ledger.has_moved("sofja")
        assert [ledger.has_issue(issue) for issue in (6, 7, 8, 9, 10)] == [
            False,
            True,
            True,
            True,
            False,
        ]
    assert tally.issues == [(7, 7), (100_001, 100_030), (200_000, 200_003)]
    known.append(NewGame(4, "emmy", 10, EVENING))
    whole.append(NewGame(4, "emmy", 10, EVENING))
    assert known.tally == whole.tally
    assert known.tally.issues[0] == (7, 9)


def test_an_issue_of_a_closed_game_cannot_be_played_again() -> None:
    ledger = Ledger([*entries_of("44"), NewGame(2, "ada", 7, NOON)])
    ledger.forget_closed()
    with pytest.raises(CommunityError, match="issue 100001 occurs twice"):
        ledger.append(entries_of("4", game=2)[0])


def test_a_copy_goes_on_by_itself() -> None:
    ledger = Ledger(entries_of("44"))
    before = text_of(ledger), ledger.tally.to_text()
    copy = ledger.copy()
    copy.append(NewGame(2, "ada", 7, NOON))
    assert (text_of(ledger), ledger.tally.to_text()) == before
    assert copy.tally.games == 1


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "null", "3", '{"games": true}', '{"games": "1"}', '{"people": []}',
        '{"people": {"a": 1}}', '{"people": {"a": ["1", "x"]}}', '{"wins": {"a": 1.5}}',
        '{"issues": [1]}', '{"issues": [[1, 2, 3]]}', '{"issues": [["a", "b"]]}', '{"digest": 3}',
        '{"more": 1}', "\xff", "[" * 100_000, '{"games": ' + "9" * 5000 + "}", " " * 17_000_000,
    ],
    ids=lambda content: content[:20],
)  # fmt: skip
def test_what_is_no_tally_is_refused_in_one_sentence(content: str) -> None:
    with pytest.raises(
        CommunityError, match="`fourcast community rebuild` writes it from the ledger"
    ) as caught:
        Tally.parse(content.encode("latin-1"))
    assert len(str(caught.value)) < 120


def test_a_bot_is_not_confused_with_a_person_of_its_name() -> None:
    by_bot = Move(1, 0, 3, "ada", "random", 1, "2026-11-15T00:00:00Z", Game("4").position.key)
    by_person = Move(1, 1, 3, "random", None, 2, "2026-11-15T00:00:00Z", Game("44").position.key)
    ledger = Ledger([by_bot, by_person])
    assert ledger.current.players(1) == ["bot random"]
    assert ledger.current.players(2) == ["random"]
    assert ledger.people == 2


GOOD = json.loads(format_entry(entries_of("4")[0]))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"event": "undo"}, "neither a move nor a new game"),
        ({"game": 2}, "a move in game 2 with 0 discs, but it is game 1 with 0 discs"),
        ({"ply": 1}, "a move in game 1 with 1 discs"),
        ({"column": 7}, "7"),
        ({"column": "3"}, "column is '3'"),
        ({"column": True}, "column is True"),
        ({"column": -1}, "column is -1"),
        ({"column": 2**40}, "column 1099511627776, counted from 0, cannot be played"),
        ({"column": 3.0}, "column is 3.0"),
        ({"ply": False}, "ply is False"),
        ({"game": 10**4000}, "game is 1000000"),
        ({"key": 1}, "the key of the position is"),
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
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text", ["\n", "{", "[]", "<<<<<<< HEAD", "null", '{"event": []}', "[" * 60_000]
)
def test_what_is_no_line_of_a_ledger_is_refused(text: str) -> None:
    with pytest.raises(CommunityError, match="line 1 of the ledger: "):
        Ledger.parse(text)


def test_an_issue_cannot_be_there_twice() -> None:
    line = json.dumps(GOOD) + "\n"
    with pytest.raises(CommunityError, match="line 2 of the ledger: issue 100001 occurs twice"):
        Ledger.parse(line + line)


def test_games_follow_each_other() -> None:
    with pytest.raises(CommunityError, match="game 3 cannot follow game 1"):
        Ledger([NewGame(3, "ada", 1, "2026-11-15T00:00:00Z")])
