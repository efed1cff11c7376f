"""What `fourcast play` asks a person before the game: against whom, who starts, with which discs."""

from __future__ import annotations

import random
import re

from fourcast._core import Rules
from fourcast.arena.contestant import Contestant
from fourcast.cli._terminal.prompt import ask
from fourcast.cli._terminal.seats import HUMAN, STANDARD, is_built_in
from fourcast.errors import FourcastError
from fourcast.notation import quote
from fourcast.players import describe_player, player_names, plays_all_rules
from fourcast.render.text import SIDES, Style

DEFAULT_LEVEL = 3
DEFAULT_BY_RULES = "mcts"  # of those that play by other rules; levels do not

_LEVELS = [int(name.removeprefix("level-")) for name in player_names() if name.startswith("level-")]
_PEOPLE = {"friend", "me", "myself", "human", "person", "people"}
_LIST = {"?", "another", "another player", "other", "list", "players", "help"}
_QUIT = {"q", "quit", "exit"}


def ask_opponent(rules: Rules) -> str:
    """Return the opponent that a person chooses: HUMAN, a player with its options, or a command."""
    names = [name for name in player_names() if rules.is_standard or plays_all_rules(name)]
    usual = f"level {DEFAULT_LEVEL}" if rules.is_standard else DEFAULT_BY_RULES
    others = f"a level from {_LEVELS[0]} to {_LEVELS[-1]}" if rules.is_standard else "another name"
    print(
        f"""Who is your opponent?
  the computer    {"at " * rules.is_standard}{usual}, or type {others}
  a friend        at this keyboard
  another player  type its name, or ? for a list
  a program       type its command, such as python mybot.py"""
    )
    while True:
        answer = _answer(f"Opponent [the computer, {usual}]: ")
        if answer.lower() in _LIST:
            for name in names:
                print(f"  {name:<10}{describe_player(name)}")
            continue
        try:
            opponent = parse_opponent(answer, rules)
            if opponent != HUMAN:
                Contestant.parse(opponent).check_rules(rules)
        except FourcastError as error:
            level = "a level, " * rules.is_standard
            said = f"{str(error)[0].upper()}{str(error)[1:]}"
            print(f"{said}. Type {level}a friend, a player's name, or ? for a list.")
        else:
            return opponent


def parse_opponent(answer: str, rules: Rules = STANDARD) -> str:
    """Return the opponent that a person means, as --first and --second take it.

    >>> parse_opponent(""), parse_opponent("The computer, level 5"), parse_opponent("a friend")
    ('level-3', 'level-5', 'human')
    >>> parse_opponent("7"), parse_opponent("streaks:depth=6"), parse_opponent("me")
    ('level-7', 'streaks:depth=6', 'human')
    >>> parse_opponent("", Rules(wrap=True))
    'mcts'
    """
    words = re.sub(r"^(the|a|an|my) ", "", answer.strip().lower())
    if words in ("", "computer"):
        return f"level-{DEFAULT_LEVEL}" if rules.is_standard else DEFAULT_BY_RULES
    if words in _PEOPLE:
        return HUMAN
    if match := re.fullmatch(r"(?:computer\W*)?(?:level\W*)?([0-9]{1,9})", words):
        level = int(match[1])
        if level not in _LEVELS:
            raise FourcastError(f"There is no level {level}: they are {_LEVELS[0]} to {_LEVELS[-1]}")
        return f"level-{level}"
    if words.partition(":")[0] in player_names():
        return Contestant.parse(words).name
    # A single word is more likely a slip than a program, even where there is a program of that name.
    if " " in answer or "/" in answer:
        return Contestant.parse(answer).name
    raise FourcastError(f"{quote(answer)} is none of these")


def ask_starter(opponent: str) -> bool:
    """Return whether the person starts the game against *opponent*."""
    other = "the computer" if is_built_in(opponent) else "your opponent"
    while True:
        answer = _answer(f"Who starts: you, {other}, or toss a coin? [you] ").lower()
        words = re.sub(r"^(the|my|your|a) ", "", answer)
        if words in ("", "you", "me", "i", "i do", "myself", "first", HUMAN):
            return True
        if words in ("computer", "opponent", "it", "other", "second", opponent):
            return False
        if words in ("toss", "toss a coin", "coin", "random", "either"):
            starts = random.choice((True, False))
            print("You start." if starts else f"{other.capitalize()} starts.")
            return starts
        print(f"{quote(answer)} is none of these. Type you, {other.split()[-1]} or coin.")


def ask_discs(style: Style) -> bool:
    """Return whether the person plays with the discs that are usually first: red, or X."""
    red, yellow = SIDES[style]
    while True:
        answer = _answer(f"Your discs: {red} or {yellow}? [{red}] ").lower()
        if answer in ("", red.lower(), red[0].lower()):
            return True
        if answer in (yellow.lower(), yellow[0].lower()):
            return False
        print(f"{quote(answer)} is neither.")


def _answer(question: str) -> str:
    """Ask, and raise EOFError if the person wants to quit."""
    answer = ask(question)
    if answer.lower() in _QUIT:
        raise EOFError
    return answer
