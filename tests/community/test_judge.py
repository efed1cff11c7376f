"""What `test_run` does not show of the judgment: who may start games, and what the bot is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fourcast import Position
from fourcast.community.bot import make_bot
from fourcast.community.config import parse as parse_config
from fourcast.community.entries import Move, NewGame
from fourcast.community.issues import Issue
from fourcast.community.judge import Reason, Refusal, judge
from fourcast.community.ledger import Ledger
from tests.community.fake_github import START
from tests.community.world import LONG_GAME, entries_of


def never(position: Position, seed: int) -> int:
    raise AssertionError(f"the bot was asked, {position} {seed}")


@pytest.mark.parametrize(
    ("who", "player", "association", "is_granted"),
    [
        ("anyone", "somebody", "NONE", True),
        ("players", "somebody", "NONE", False),
        ("players", "grace", "NONE", True),
        ("players", "somebody", "OWNER", True),
        ("owners", "grace", "CONTRIBUTOR", False),
        ("owners", "somebody", "OWNER", True),
        ("owners", "somebody", "MEMBER", True),
        ("owners", "somebody", "COLLABORATOR", True),
    ],
)
def test_who_may_start_a_new_game(who: str, player: str, association: str, is_granted: bool) -> None:
    config = parse_config(f'new_game = "{who}"')
    request = Issue(7, "connect4|new", player, association, START)
    verdict = judge(Ledger(entries_of(LONG_GAME)), request, config, never)
    assert isinstance(verdict, NewGame) == is_granted
    if isinstance(verdict, Refusal):
        assert verdict.reason is Reason.NOT_YOURS_TO_START


def test_a_game_without_moves_is_not_replaced() -> None:
    request = Issue(7, "connect4|new", "ada", "OWNER", START)
    verdict = judge(Ledger(), request, parse_config(""), never)
    assert isinstance(verdict, Refusal)
    assert "has just started" in verdict.text


def test_the_bot_is_not_asked_for_what_is_refused_anyway() -> None:
    request = Issue(7, "connect4|drop|blue|ai", "ada", "NONE", START)
    assert isinstance(judge(Ledger(), request, parse_config(""), never), Refusal)


def test_a_bot_may_have_options() -> None:
    assert make_bot("streaks:depth=2", 1)(Position("112233"), 1) == 3


def test_a_program_can_be_the_bot_and_one_that_gives_no_answer_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text("while input():\n    print('{\"move\": 5}', flush=True)\n")
    issue = Issue(7, "connect4|drop|red|ai", "ada", "NONE", START)
    config = parse_config(f"bot = '{sys.executable} {program}'")
    verdict = judge(Ledger(), issue, config, make_bot(config.bot, 5))
    assert isinstance(verdict, Move), verdict
    assert verdict.column == 5
    program.write_text("raise SystemExit(1)\n")
    verdict = judge(Ledger(), issue, config, make_bot(config.bot, 5))
    assert isinstance(verdict, Refusal)
    assert (verdict.reason, "The bot gave no answer" in verdict.text) == (Reason.NO_ANSWER, True)


def test_the_perfect_bot_prefers_the_quicker_win() -> None:
    bot = make_bot("perfect", 5)
    assert bot(Position("112233"), 1) == 3
    assert bot(Position("4455"), 1) in (2, 5)


def test_the_perfect_bot_answers_in_time_from_the_empty_board() -> None:
    assert make_bot("perfect", 0.05)(Position(), 1) in range(7)


def test_a_bot_plays_the_same_when_it_is_asked_again() -> None:
    bot = make_bot("random", 1)
    assert [bot(Position(), seed) for seed in range(30)] == [bot(Position(), seed) for seed in range(30)]
    assert len({bot(Position(), seed) for seed in range(30)}) > 3
