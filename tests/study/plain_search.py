"""The truth on small boards: every move is tried, nothing else is known."""

from __future__ import annotations

import random
from functools import cache

from fourcast import Position

Board = tuple[int, int, int, int]
"""Discs of the side to move and of the other one (bit column * height + row), width and height."""


@cache
def lines(width: int, height: int) -> tuple[int, ...]:
    found = []
    for column in range(width):
        for row in range(height):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                squares = [(column + i * dx, row + i * dy) for i in range(4)]
                if all(0 <= x < width and 0 <= y < height for x, y in squares):
                    found.append(sum(1 << (x * height + y) for x, y in squares))
    return tuple(found)


@cache
def plain_outcome(board: Board) -> int:
    """Return 1, 0 or -1: what the side to move gets."""
    mover, other, width, height = board
    best = None
    for column in range(width):
        filled = (mover | other) >> (column * height) & ((1 << height) - 1)
        if filled == (1 << height) - 1:
            continue
        mine = mover | (filled + 1) << (column * height)
        if any(line & mine == line for line in lines(width, height)):
            return 1
        value = -plain_outcome((other, mine, width, height))
        best = value if best is None else max(best, value)
        if best == 1:
            return 1
    return 0 if best is None else best


def board_of(position: Position) -> Board:
    discs = [0, 0]
    for column in range(position.width):
        for row in range(position.height):
            if owner := position.at(column, row):
                discs[owner - 1] |= 1 << (column * position.height + row)
    mover = position.turn - 1
    return discs[mover], discs[1 - mover], position.width, position.height


def is_true(position: Position, player: int, goal: str) -> bool:
    """Whether *player* wins or holds *position*, by plain search."""
    outcome = plain_outcome(board_of(position))
    own = outcome if player == position.turn else -outcome
    return own > 0 if goal == "win" else own >= 0


def random_positions(
    count: int, seed: int, width: int, height: int, least: int, most: int
) -> list[Position]:
    """Return unfinished positions with *least* to *most* discs, from random play."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position(width=width, height=height)
        ply = chance.randint(least, most)
        while position.ply < ply and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        if not position.is_over:
            found.append(position)
    return found
