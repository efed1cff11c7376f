"""Grading a program by a match against a player: pass or fail, in the forms of grading services."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from fourcast.arena.contestant import Contestant
from fourcast.arena.match import Settings, Tournament
from fourcast.arena.play import GameRecord
from fourcast.arena.results import Results
from fourcast.errors import OptionError
from fourcast.protocol.sandbox import Sandbox

_NAME = "the program"


@dataclass(frozen=True)
class Grade:
    """The games of a program against a player, and how many of them it has to win."""

    program: str
    """What it is called in the games."""
    against: str
    wins_needed: int
    games: tuple[GameRecord, ...]

    @property
    def wins(self) -> int:
        """Games that it won."""
        return sum(game.winner == self.program for game in self.games)

    @property
    def forfeits(self) -> int:
        """Games that it lost other than on the board."""
        return sum(bool(game.forfeit) and game.loser == self.program for game in self.games)

    @property
    def has_passed(self) -> bool:
        """Whether it won as many games as it has to."""
        return self.wins >= self.wins_needed

    @property
    def demand(self) -> str:
        """What it has to do, in a few words."""
        return f"wins {self.wins_needed} of {len(self.games)} games against {self.against}"

    def __str__(self) -> str:
        verdict = "passed" if self.has_passed else "failed"
        text = (
            f"{verdict}: {self.wins} of {len(self.games)} games won against {self.against}, "
            f"{self.wins_needed} needed"
        )
        return f"{text}; {self.forfeits} forfeited" if self.forfeits else text

    def said_of(self, game: GameRecord) -> str:
        """Return how a game ended, in a sentence for its author."""
        side = "first" if game.first == self.program else "second"
        if game.winner == self.program:
            how = "won"
        elif game.winner is None:
            how = "drawn"
        else:
            how = f"lost by {game.detail}" if game.forfeit else "lost"
        return f"Game {game.number}, as {side} player: {how}. Moves: {game.moves}"

    def messages_of(self, game: GameRecord) -> str:
        """Return what the program wrote to standard error in a game."""
        return game.messages[game.first != self.program]


def grade(
    program: str,
    *,
    against: str = "level-4",
    games: int = 10,
    wins: int | None = None,
    seed: int = 0,
    move_time_s: float | None = None,
    memory_mb: int = 1024,
    concurrency: int = 1,
    sandbox: Sandbox | str = Sandbox.AUTO,
    on_game: Callable[[Results], object] = lambda _: None,
) -> Grade:
    """Play *games* games of *program* against a player; it passes with *wins* wins.

    Without *wins*, four fifths of the games have to be won.

    >>> print(grade("winning", against="random", games=4, wins=2))
    passed: 3 of 4 games won against random, 2 needed
    """
    if wins is None:
        wins = math.ceil(games * 4 / 5)
    if not 1 <= wins <= games:
        raise OptionError(f"wins must be a whole number from 1 to the {games} games, not {wins}")
    settings = Settings(
        games=games, seed=seed, move_time_s=move_time_s, memory_mb=memory_mb, forfeit_limit=games
    )
    # Openings and the opponent's seed depend on the names: all programs play under the same one.
    match = Tournament([replace(Contestant.of(program), name=_NAME), against], settings, sandbox=sandbox)
    records = match.run(concurrency=concurrency, on_game=on_game).records
    return Grade(_NAME, match.names[1], wins, tuple(records))


def false_failures(games: int, wins: int, winning_share: float) -> float:
    """Return how often a program that wins this share of its games fails to win *wins* of *games*.

    >>> round(false_failures(10, 8, 0.9), 3)
    0.07
    """
    return sum(
        math.comb(games, k) * winning_share**k * (1 - winning_share) ** (games - k) for k in range(wins)
    )


# The forms of grading services


def to_junit(grade: Grade) -> bytes:
    """Return a grade as JUnit XML: one test for each game, and one for the grade."""
    suite = Element("testsuite", name=f"against {grade.against}")
    time_s = f"{sum(sum(game.times_s) for game in grade.games):.3f}"
    suite.set("time", time_s)
    verdict = SubElement(suite, "testcase", classname="grade", name=grade.demand, time=time_s)
    if not grade.has_passed:
        SubElement(verdict, "failure", message=str(grade))
    for game in grade.games:
        case = SubElement(suite, "testcase", classname="games", name=f"game {game.number}")
        case.set("time", f"{sum(game.times_s):.3f}")
        if game.forfeit and game.loser == grade.program:
            SubElement(case, "failure", message=_printable(game.detail)).text = _printable(
                grade.said_of(game)
            )
        if said := grade.messages_of(game):
            SubElement(case, "system-err").text = _printable(said)
    failures = len(suite.findall("testcase/failure"))
    suite.set("tests", str(len(grade.games) + 1))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    xml: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return xml


def to_gradescope(grade: Grade, max_score: float = 100) -> dict[str, Any]:
    """Return a grade as Gradescope's `results.json`; the score grows with the games won."""
    share = min(1.0, grade.wins / grade.wins_needed)
    return {
        "score": round(max_score * share, 2),
        "output": str(grade),
        "tests": [
            {
                "name": f"game {game.number}",
                "status": "passed" if game.winner == grade.program else "failed",
                "score": float(game.winner == grade.program),
                "max_score": 1.0,
                "output": "\n".join(filter(None, (grade.said_of(game), grade.messages_of(game)))),
            }
            for game in grade.games
        ],
    }


def to_classroom50(grade: Grade, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return a grade as a `result.json` of Classroom 50, whose runner sets these variables.

    All points are for the games that it has to win; single games are listed, and worth nothing.
    """
    commit = environment.get("COMMIT_URL") or "local"
    score = min(grade.wins, grade.wins_needed)
    return {
        "schema": "classroom50/result/v1",
        "classroom": environment.get("CLASSROOM") or "local",
        "assignment": environment.get("ASSIGNMENT") or "local",
        "submission": environment.get("SUBMISSION_TAG") or "local",
        "commit": commit,
        "release": environment.get("RELEASE_URL") or commit,
        "review": environment.get("REVIEW_URL") or commit,
        "datetime": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": score,
        "max-score": grade.wins_needed,
        "tests": [
            {
                "test-name": grade.demand,
                "passed": grade.has_passed,
                "score": score,
                "max-score": grade.wins_needed,
            },
            *(
                {
                    "test-name": f"game {game.number}",
                    "passed": game.winner == grade.program,
                    "score": 0,
                    "max-score": 0,
                }
                for game in grade.games
            ),
        ],
    }


def to_annotations(grade: Grade) -> list[str]:
    """Return a grade as lines that GitHub Actions shows beside a commit."""
    lines = [f"::{'notice' if grade.has_passed else 'error'} title=Connect Four::{_escaped(str(grade))}"]
    seen = set()
    for game in grade.games:
        if game.forfeit and game.loser == grade.program and game.detail not in seen:
            seen.add(game.detail)
            lines.append(f"::error title=Forfeit::{_escaped(grade.said_of(game))}")
    return lines


def _escaped(text: str) -> str:
    """A message that cannot begin another command of a workflow."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _printable(text: str) -> str:
    """Text without the characters that XML does not allow."""
    return "".join(
        c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in text
    )
