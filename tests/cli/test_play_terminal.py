"""`fourcast play` at a terminal, as a person plays it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from fourcast import Game

pexpect = pytest.importorskip("pexpect", reason="there is no pseudo-terminal to play at")

PEOPLE = ("--first", "human", "--second", "human")
RED, YELLOW = (f"{side}, your column (1-7, ? for help): " for side in ("Red", "Yellow"))


class Person:
    """Somebody at a terminal, who reads and types."""

    def __init__(
        self, *options: str, cwd: Path | None = None, environ: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        env |= {"TERM": "xterm-256color", "PYTHONUTF8": "1", **environ}
        arguments = ["-m", "fourcast", "play", *options]
        self.child = pexpect.spawn(
            sys.executable,
            arguments,
            env=env,
            cwd=cwd,
            encoding="utf-8",
            timeout=20,
            dimensions=(50, 100),
        )

    def reads(self, *texts: str) -> str:
        """Wait for each text in turn; return what stood before the last."""
        for text in texts:
            self.child.expect_exact(text)
        return str(self.child.before)

    def types(self, *lines: str) -> None:
        for line in lines:
            self.child.sendline(line)

    def answers(self, question: str, *lines: str) -> None:
        self.reads(question)
        self.types(*lines)

    def leaves(self) -> tuple[str, int]:
        """Wait for the end; return what was still said, and the exit status."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.signalstatus is None
        return str(self.child.before), self.child.exitstatus

    def quits(self) -> None:
        self.types("q")
        assert self.leaves()[1] == 0


def on_one_line(said: str) -> str:
    """What was said, with commands that continue on the next line in one."""
    return said.replace(" \\\r\n  ", " ")


OPPONENT = "Opponent [the computer, level 3]: "
STARTER = "Who starts: you, the computer, or toss a coin? [you] "


def test_enter_is_a_game_against_level_3_that_the_person_starts() -> None:
    person = Person()
    shown = person.reads(OPPONENT)
    for choice in ("the computer ", "a friend ", "another player ", "a program "):
        assert f"\n  {choice}" in shown
    person.types("")
    person.answers(STARTER, "")
    person.answers(RED, "4")
    person.reads("Yellow (level-3) plays column ", RED)
    person.types("q")
    said, status = person.leaves()
    assert "--first human --second level-3 --moves 4" in on_one_line(said)
    assert status == 0


def test_by_other_rules_enter_is_a_game_against_a_player_that_knows_them() -> None:
    person = Person("--pop", "4")
    person.reads("Opponent [the computer, mcts]: ")
    person.types("level 5")
    person.reads(
        "This player knows the standard rules only, not pop: ", "Opponent [the computer, mcts]: "
    )
    person.types("")
    person.reads("Who starts: you, ")
    person.types("me")
    person.reads("Yellow (mcts) plays ", RED.replace("1-7", "1-7, p1-p7"))
    person.types("q")
    assert person.leaves()[1] == 0


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("10", "level-10"),
        ("the computer, level 5", "level-5"),
        *[
            pytest.param(answer, name, marks=pytest.mark.slow)
            for answer, name in [
                ("3", "level-3"),
                ("level 4", "level-4"),
                ("Level-1", "level-1"),
                ("computer", "level-3"),
                ("perfect", "perfect"),
                ("streaks:depth=2", "streaks:depth=2"),
            ]
        ],
    ],
)
def test_the_opponent_may_be_named_in_many_ways(answer: str, name: str) -> None:
    person = Person("4")
    person.answers(OPPONENT, answer)
    person.answers("Who starts: you, ", "me")
    person.reads(f"Yellow ({name}) plays column ", RED)
    person.quits()


@pytest.mark.parametrize("answer", ["me", "a friend", "friend", "human"])
def test_a_friend_is_an_opponent_too(answer: str) -> None:
    person = Person()
    person.answers(OPPONENT, answer)
    person.answers(RED, "4")
    person.reads(YELLOW)
    person.quits()


def test_an_answer_that_is_not_understood_is_asked_for_again() -> None:
    person = Person()
    for answer, reply in (
        ("nobody", "'nobody' is none of these. Type a level,"),
        ("yes", "'yes' is none of these."),
        ("11", "There is no level 11: they are 1 to 10."),
        ("streaks:deph=6", "has no option 'deph'"),
        ("no such program", "no such program"),
        ("?", "  level-1   "),
    ):
        person.answers(OPPONENT, answer)
        person.reads(reply)
    person.answers(OPPONENT, "1")
    person.answers(STARTER, "perhaps")
    person.reads("'perhaps' is none of these. Type you, computer or coin.", STARTER)
    person.types("coin")
    person.child.expect_exact(["your column", "Your discs"])  # as the coin falls
    person.quits()


@pytest.mark.parametrize(("answer", "mine", "theirs"), [("", "X", "O"), ("o", "O", "X")])
def test_the_person_may_have_the_discs_of_either_player_whoever_starts(
    answer: str, mine: str, theirs: str
) -> None:
    person = Person("--style", "ascii")
    person.answers(OPPONENT, "1")
    person.answers(STARTER, "the computer")
    person.answers("Your discs: X or O? [X] ", answer)
    person.reads(f"{theirs} (level-1) plays column ", f"{mine}, your column")
    person.types("q")
    said, _ = person.leaves()
    assert "--first level-1 --second human --moves " in on_one_line(said)
    assert ("--red second" in said) == (mine == "X")


def test_a_program_is_an_opponent_too() -> None:
    person = Person()
    person.answers(OPPONENT, f"{sys.executable} -m fourcast player winning")
    person.answers("Who starts: you, your opponent, or toss a coin? [you] ", "")
    person.answers(RED, "4")
    person.reads("fourcast player winning) plays column ", RED)
    person.quits()


def test_nothing_is_asked_if_one_player_of_the_computer_is_given() -> None:
    person = Person("--second", "level-1")
    person.reads(RED)
    person.quits()


def test_a_beaten_level_leads_to_the_next_and_a_loss_to_a_lesson() -> None:
    person = Person("--first", "human", "--second", "level-2", "--moves", "121212")
    person.answers(RED, "1")
    person.reads("You beat level 2! The next one: fourcast play --second level-3")
    person.quits()
    person = Person("--first", "human", "--second", "level-3", "--moves", "121232")
    person.answers(RED, "7")
    person.reads("A lesson that fits this game: fourcast learn blocks (Block in time)")
    person.quits()


def test_only_the_opponent_is_asked_for_if_the_person_has_a_side() -> None:
    person = Person("--first", "human")
    person.answers(OPPONENT, "a friend")
    person.answers(RED, "4")
    person.reads(YELLOW)
    person.child.sendeof()
    assert person.leaves()[1] == 0


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_leaving_before_the_game_is_polite(key: str, status: int) -> None:
    person = Person()
    person.reads(OPPONENT)
    person.child.send(key)
    said, code = person.leaves()
    assert "No game was started." in said
    assert "Traceback" not in said
    assert code == status


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_the_end_of_input_end_the_game_politely(key: str, status: int) -> None:
    person = Person(*PEOPLE, "--moves", "44")
    person.answers(RED, "5")
    person.reads(YELLOW)
    person.child.send(key)
    said, code = person.leaves()
    assert "The game stops here, unfinished." in said
    assert "play --first human --second human --moves 445\r\n" in on_one_line(said)
    assert "Traceback" not in said
    assert code == status


def test_a_whole_game_is_played_with_wrong_entries_taking_back_a_hint_and_a_save(tmp_path: Path) -> None:
    person = Person(*PEOPLE, cwd=tmp_path)
    for entry, answer in (
        ("x", "'x' is not a column"),
        ("", "That was an empty line."),
        ("0", "There is no column '0'"),
        ("8", "There is no column '8'"),
        ("?", "take back your last move"),
    ):
        person.answers(RED, entry)
        person.reads(answer)
    for moves in ("12", "12", "12"):
        person.answers(RED, moves[0])
        person.answers(YELLOW, moves[1])
    person.answers(RED, "u")
    person.answers(YELLOW, "r")
    person.answers(RED, "h")
    person.reads("Column 1 wins at once.", RED)
    person.types("s game.txt")
    person.reads(f"Saved to {tmp_path}/game.txt", RED)
    person.types("1")
    person.reads("Red wins with four in a row!", "Enter quits, u takes back, s FILE saves: ")
    person.types("s")
    person.answers("Saved to", "")
    assert person.leaves()[1] == 0
    assert Game.load(tmp_path / "game.txt").moves == "1212121"


def test_overwriting_something_else_is_asked_about(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("milk, eggs")
    person = Person(*PEOPLE, cwd=tmp_path)
    person.answers(RED, "4")
    for answer in ("", "n"):
        person.answers(YELLOW, "s notes.txt")
        person.answers("notes.txt exists, and is not a game file. Overwrite it? (y/N) ", answer)
        person.reads("Nothing was saved.")
    assert notes.read_text() == "milk, eggs"
    person.answers(YELLOW, "s notes.txt")
    person.answers("(y/N) ", "y")
    person.reads("Saved to", YELLOW)
    person.types("q")
    said, status = person.leaves()
    assert "--load notes.txt" in said
    assert status == 0
    assert Game.load(notes).moves == "4"


def test_a_terminal_gets_colors() -> None:
    person = Person(*PEOPLE, "--style", "ascii")
    person.answers("X, your column", "4")
    assert "\x1b[1;31mX\x1b[0m" in person.reads("O, your column")
    person.types("q")
    person.leaves()


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colors_gets_none(environ: dict[str, str]) -> None:
    person = Person(*PEOPLE, "--style", "discs", environ=environ)
    before = person.reads(RED)
    person.types("4")
    before += person.reads(YELLOW)
    assert "\x1b[1" not in before
    assert "\x1b[2" not in before
    person.types("q")
    person.leaves()


def test_two_computers_play_a_game_and_leave() -> None:
    said, status = Person("--first", "random", "--second", "random", "--seed", "1").leaves()
    assert "Red (random) wins" in said or "Yellow (random) wins" in said or "draw" in said
    assert status == 0


def test_a_pasted_sequence_of_lines_is_a_game() -> None:
    person = Person(*PEOPLE)
    person.answers(RED, "4", "4", "5", "5", "6", "6", "7", "")
    said, status = person.leaves()
    assert "Red wins with four in a row!" in said
    assert status == 0
