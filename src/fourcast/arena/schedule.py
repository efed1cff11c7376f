"""Who meets whom: the formats of a tournament, its rounds and the games of each meeting."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Protocol

from fourcast.arena.openings import Openings
from fourcast.errors import OptionError

STATIC = ("round-robin", "gauntlet", "ladder", "anchors")
"""Formats whose meetings are known from the start."""
KINDS = (*STATIC, "swiss", "knockout")


class Pairing(NamedTuple):
    """A game to be played; no two of a tournament are equal."""

    round: int
    leg: int
    """The number of the game among those of the meeting, from 1."""
    first: str
    second: str
    opening: str
    """Moves that are played before the players begin."""


@dataclass(frozen=True)
class Draw:
    """The meetings of a round of a Swiss or knockout tournament; the first of a pair starts."""

    round: int
    pairs: tuple[tuple[str, str], ...]
    byes: tuple[str, ...] = ()
    """Players without an opponent in this round."""


class Balances(Protocol):
    """What the pairings of a round have to know of those before it."""

    @property
    def out(self) -> Collection[str]:
        """Players that are not paired any more."""
        ...

    def balance(self, pair: tuple[str, str], round_: int) -> float:
        """Return by how much the first of a pair has done better than the second in a round."""
        ...


def couples(names: Sequence[str], kind: str, anchors: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return the pairs that meet in a format without rounds; the first of a pair starts an odd game.

    In a round-robin every pair; in a gauntlet the first player and each other one; on a ladder, for
    players in the order of their strength, each player and the next two; with anchors, each player and
    each of the *anchors*. Over all pairs everybody starts as often as others do, or once more.

    >>> couples(["a", "b", "c"], "gauntlet")
    [('a', 'b'), ('c', 'a')]
    """
    if kind not in STATIC:
        raise OptionError(f"a tournament without rounds is one of {', '.join(STATIC)}, not {kind!r}")
    place = {name: i for i, name in enumerate(names)}
    pairs: Iterable[tuple[str, str]] = combinations(names, 2)
    if kind == "ladder":
        pairs = [pair for pair in pairs if place[pair[1]] - place[pair[0]] <= 2]
    elif kind == "gauntlet":
        pairs = [(names[0], other) for other in names[1:]]
    elif kind == "anchors":
        fixed = [name for name in names if name in set(anchors)]
        pairs = [(name, anchor) for name in names if name not in fixed for anchor in fixed]
        place |= {anchor: i for i, anchor in enumerate(fixed)}
    return [(a, b) if (place[b] - place[a]) % 2 else (b, a) for a, b in pairs]


def meeting(round_: int, pair: tuple[str, str], legs: int, opening: str) -> list[Pairing]:
    """Return up to two games of a meeting from the same opening, with the sides exchanged."""
    sides = (pair, pair[::-1])
    return [Pairing(round_, leg + 1, *sides[leg % 2], opening) for leg in range(legs)]


def static_pairings(pairs: Sequence[tuple[str, str]], games: int, openings: Openings) -> list[Pairing]:
    """Return *games* games for each pair: each opening twice, with the sides exchanged.

    A round has one opening of each pair, so that an interrupted tournament is still fair.
    """
    return [
        pairing
        for round_ in range(1, (games + 1) // 2 + 1)
        for pair in pairs
        for pairing in meeting(
            round_, pair, min(2, games - 2 * (round_ - 1)), openings.of(*pair, round_)
        )
    ]


def round_pairings(draw: Draw, games: int, openings: Openings) -> list[Pairing]:
    """Return the games of a round: *games* for each of its pairs, an opening for every two of them."""
    found = []
    for pair in draw.pairs:
        for leg in range(1, games + 1):
            number = (draw.round - 1) * ((games + 1) // 2) + (leg + 1) // 2
            first, second = pair if leg % 2 else pair[::-1]
            found.append(Pairing(draw.round, leg, first, second, openings.of(*pair, number)))
    return found
