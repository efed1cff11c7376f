"""The pairings of a Swiss tournament, by FIDE's Dutch system, which `py4swiss` implements."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fourcast.arena.schedule import Balances, Draw
from fourcast.errors import missing_extra


def check_extra() -> None:
    """Raise `MissingExtraError` if what pairs a Swiss tournament is not installed."""
    try:
        import py4swiss  # noqa: F401
    except ImportError:
        raise missing_extra(
            "a Swiss tournament needs py4swiss, and Python 3.11 or newer", "arena"
        ) from None


def default_rounds(players: int) -> int:
    """Return the number of rounds that find a winner and sort most of the others.

    >>> default_rounds(2), default_rounds(8), default_rounds(200)
    (1, 5, 10)
    """
    return min(players - 1, (max(players, 2) - 1).bit_length() + 2)


def next_swiss(
    names: Sequence[str],
    rounds: int,
    draws: Sequence[Draw],
    results: Balances,
    *,
    absent: Collection[str] = (),
) -> Draw | None:
    """Return the next round, None after the last one.

    A meeting counts as won, drawn or lost by the sum of its games. Players that came late have lost the
    rounds before, without games; those that are out are not paired, and their games are void; those
    that are *absent* are not paired.
    """
    away = {*results.out, *absent}
    if len(draws) >= rounds or len(set(names) - away) < 2:
        return None
    check_extra()
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    numbers = {name: i for i, name in enumerate(names, start=1)}
    sections = []
    for name, number in numbers.items():
        played = []
        for draw in draws:
            opponent, color, token = _round_of(name, draw, results)
            played.append(
                RoundResult(
                    id=numbers.get(opponent, 0), color=ColorToken(color), result=ResultToken(token)
                )
            )
        points = sum(_POINTS_TIMES_TEN[result.result.value] for result in played)
        section = PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=number,
            points_times_ten=points,
            rank=number,
            results=played,
        )
        sections.append(section)
    zeroed = {numbers[name] for name in away if name in numbers}
    trf = ParsedTrf(
        player_sections=sections, x_section=XSection(number_of_rounds=rounds, zeroed_ids=zeroed)
    )
    try:
        pairings = DutchEngine.generate_pairings(trf)
    except PairingError:  # everybody has met everybody
        return None
    pairs = [(names[pair.white - 1], names[pair.black - 1]) for pair in pairings if pair.black]
    byes = [names[pair.white - 1] for pair in pairings if not pair.black]
    return Draw(len(draws) + 1, tuple(pairs), tuple(byes))


_POINTS_TIMES_TEN = {"1": 10, "=": 5, "0": 0, "U": 10, "H": 5, "Z": 0}


def _round_of(name: str, draw: Draw, results: Balances) -> tuple[str, str, str]:
    """Return the opponent, the color and the result of a player in a round, by the tokens of FIDE."""
    if name in draw.byes:
        return "", "-", "U"
    for pair in draw.pairs:
        if name not in pair:
            continue
        if set(pair) & set(results.out):  # void, as if there had been no opponent
            return "", "-", "Z" if name in results.out else "H"
        balance = results.balance(pair, draw.round) * (1 if name == pair[0] else -1)
        token = "=" if balance == 0 else "1" if balance > 0 else "0"
        return (pair[1], "w", token) if name == pair[0] else (pair[0], "b", token)
    return "", "-", "Z"
