"""The rounds of a knockout tournament."""

from __future__ import annotations

from collections.abc import Sequence

from fourcast.arena.openings import Openings
from fourcast.arena.results import Results
from fourcast.arena.schedule import Balances, Draw, Pairing, meeting

DECIDERS = 3
"""Opening pairs that are added to a tied match before the better seed goes on."""


def next_knockout(names: Sequence[str], draws: Sequence[Draw], results: Balances) -> Draw | None:
    """Return the next round of a knockout, None after the final.

    Players are seeded in their order. In the first round the best seeds have byes, as many as it takes;
    in each round the best of those left meets the last.

    >>> next_knockout(["a", "b", "c"], [], Results(["a", "b", "c"])).pairs
    (('b', 'c'),)
    """
    left = list(names)
    for draw in draws:
        losers = {_loser(pair, draw.round, names, results) for pair in draw.pairs}
        left = [name for name in left if name not in losers]
    left = [name for name in left if name not in results.out]
    if len(left) < 2:
        return None
    size = 1 << (len(left) - 1).bit_length()
    byes, playing = left[: size - len(left)], left[size - len(left) :]
    half = len(playing) // 2
    pairs = tuple(zip(playing[:half], reversed(playing[half:]), strict=True))
    swapped = tuple(pair if len(draws) % 2 == i % 2 else pair[::-1] for i, pair in enumerate(pairs))
    return Draw(len(draws) + 1, swapped, tuple(byes))


def _loser(pair: tuple[str, str], round_: int, names: Sequence[str], results: Balances) -> str:
    balance = results.balance(pair, round_)
    if balance == 0:
        return max(pair, key=names.index)
    return pair[0] if balance < 0 else pair[1]


def deciders(draw: Draw, games: int, results: Results, openings: Openings) -> list[Pairing]:
    """Return additional games for the tied matches of a knockout's round, an opening pair at a time."""
    found = []
    for pair in draw.pairs:
        if results.out & set(pair) or results.balance(pair, draw.round) != 0:
            continue
        extra = results.count(pair, draw.round) - games
        if 0 <= extra < 2 * DECIDERS:
            number = draw.round * 1000 + extra
            games_of_pair = meeting(draw.round, pair, 2, openings.of(*pair, number))
            found += [each._replace(leg=games + extra + each.leg) for each in games_of_pair]
    return found
