"""The pairings of a tournament: who meets whom, from which opening, and who starts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fourcast._core import Position
from fourcast.errors import OptionError
from fourcast.notation import format_moves

KINDS = ("round-robin", "gauntlet", "ladder")


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    number: int
    first: str
    second: str
    opening: str
    """Moves that are played before the players begin."""


def random_openings(count: int, plies: int, seed: int, *, width: int = 7, height: int = 6) -> list[str]:
    """Return random openings, all different as long as there are enough of them.

    None of them is over, or won with the next disc.

    >>> random_openings(3, 0, seed=1)
    ['', '', '']
    """
    chance = random.Random(f"openings/{seed}")
    found: list[str] = []
    seen: set[Position] = set()
    tries = 0
    while len(found) < count:
        position, columns = Position(width=width, height=height), []
        while position.ply < plies and not position.is_over:
            columns.append(chance.choice(tuple(position.legal_columns)))
            position = position.play(columns[-1])
        tries += 1
        if position.is_over or position.winning_columns():
            if tries > 10_000 and not found:
                raise OptionError(f"there are no openings of {plies} moves on this board")
            continue
        if position in seen and tries < 20 * count:
            continue
        seen.add(position)
        found.append(format_moves(columns))
    return found


def pairings(pairs: Iterable[tuple[str, str]], games: int, openings: Sequence[str]) -> list[Pairing]:
    """Return *games* games for each pair: each opening twice, with the colors exchanged.

    All pairs play the same openings, one opening after the other, so that an interrupted tournament is
    still fair.
    """
    couples = list(pairs)
    schedule: list[Pairing] = []
    for number, opening in enumerate(openings):
        for a, b in couples:
            for first, second in ((a, b), (b, a))[: games - 2 * number]:
                schedule.append(Pairing(len(schedule), first, second, opening))
    return schedule


def couples(names: Sequence[str], kind: str) -> list[tuple[str, str]]:
    """Return the pairs that meet.

    In a round-robin every pair; in a gauntlet the first player and each other one; on a ladder, for
    players in the order of their strength, each player and the next two.

    >>> couples(["a", "b", "c"], "gauntlet")
    [('a', 'b'), ('a', 'c')]
    """
    if kind not in KINDS:
        raise OptionError(f"a tournament is one of {', '.join(KINDS)}, not {kind!r}")
    if kind == "ladder":
        return [pair for i, a in enumerate(names) for pair in ((a, b) for b in names[i + 1 : i + 3])]
    if kind == "gauntlet":
        return [(names[0], other) for other in names[1:]]
    return list(combinations(names, 2))
