"""Random games and positions for the benchmarks."""

from __future__ import annotations

from random import Random

from fourcast import Position
from fourcast.notation import format_moves


def random_game(chance: Random, most: int = 42) -> tuple[list[int], Position]:
    """Return the columns of a random game, to its end or for *most* moves, and where it stands then."""
    position = Position()
    columns: list[int] = []
    while not position.is_over and len(columns) < most:
        columns.append(chance.choice(tuple(position.legal_columns)))
        position = position.play(columns[-1])
    return columns, position


def random_moves(chance: Random, least: int, most: int) -> str:
    """Return moves to a random position with that many discs in which the game is not over."""
    while True:
        columns, position = random_game(chance, chance.randint(least, most))
        if not position.is_over:
            return format_moves(columns)
