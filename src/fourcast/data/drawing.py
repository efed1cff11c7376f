"""Drawing the positions of a data set, block by block, and telling which split each belongs to.

A block is a function of the plan and its number, so that any machine can draw it, at any time. Only a
data set without repetitions has a memory: its blocks are drawn one after the other.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourcast._core import Position
from fourcast.data.arrays import mirrored, positions_from_planes
from fourcast.data.plan import Plan
from fourcast.data.sampling import Sample, sample
from fourcast.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 1024
"""Rows that are drawn and labeled together."""

DRAWS_WITHOUT_NEWS = 200_000
"""Positions drawn in a row without a new one, after which there are taken to be no others."""

GAMES_OF_BLOCK = 2**24
"""More games than a block has: the games of different blocks have different numbers."""

_DIGITS = "123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, eq=False)
class Rows:
    """Positions of a data set, not labeled yet."""

    bitboards: NDArray[np.uint64]
    moves: NDArray[np.bytes_] | None
    """Their move strings; None: any that lead there."""
    game: NDArray[np.int64]
    split: NDArray[np.int8]
    """The number of each one's split, in the order of the plan."""

    def __len__(self) -> int:
        return len(self.bitboards)

    def __getitem__(self, chosen: slice | NDArray[np.bool_]) -> Rows:
        moves = None if self.moves is None else self.moves[chosen]
        return Rows(self.bitboards[chosen], moves, self.game[chosen], self.split[chosen])


class Seen:
    """The positions that a data set has already, to tell new ones from them."""

    def __init__(self) -> None:
        import numpy as np

        self._sorted = np.zeros(0, np.uint64)
        self._recent: set[int] = set()

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Remember positions by their keys."""
        import numpy as np

        self._recent.update(keys.tolist())
        if len(self._recent) > 2**20:  # 8 bytes each from here on, where a set takes 80
            recent = np.fromiter(self._recent, np.uint64, len(self._recent))
            self._sorted = np.union1d(self._sorted, recent)
            self._recent.clear()

    def which_are_new(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which keys are new, of equal ones the first."""
        import numpy as np

        new = np.zeros(len(keys), np.bool_)
        new[np.unique(keys, return_index=True)[1]] = True
        places = np.searchsorted(self._sorted, keys)
        inside = places < len(self._sorted)
        new[inside] &= self._sorted[places[inside]] != keys[inside]
        recent = self._recent
        return new & np.fromiter((key not in recent for key in keys.tolist()), np.bool_, len(keys))


def draw_block(plan: Plan, number: int, count: int, seen: Seen | None = None) -> Rows:
    """Return *count* rows of a block; with *seen*, only new ones, which are then remembered.

    Raises `OptionError` if there are not enough positions.
    """
    import numpy as np

    parts: list[Rows] = []
    left, games, fruitless = count, number * GAMES_OF_BLOCK, 0
    for attempt in range(GAMES_OF_BLOCK):
        size = min(BLOCK, max(64, left + left // 8))
        drawn = sample(
            size,
            _derived_seed(plan.seed, number, attempt),
            by=plan.by,
            plies=plan.ply_range,
            players=plan.players,
            opening_plies=plan.opening_plies,
            width=plan.width,
            height=plan.height,
        )
        rows, keys = to_rows(plan, drawn, games)
        games += int(drawn.game[-1]) + 1
        chosen = np.ones(size, np.bool_)
        if plan.by == "players" and plan.split_by == "position":
            chosen = rows.split == _split_of_hash(plan, keys)
        if seen:
            places = np.flatnonzero(chosen)
            chosen = np.zeros(size, np.bool_)
            chosen[places[seen.which_are_new(keys[places])]] = True
        chosen &= chosen.cumsum() <= left
        if seen:
            seen.add(keys[chosen])
        kept = rows[chosen]
        parts.append(kept)
        left -= len(kept)
        fruitless = 0 if len(kept) else fruitless + size
        if not left:
            return _joined(parts)
        if fruitless > DRAWS_WITHOUT_NEWS:
            break
    raise OptionError(
        f"no new positions were found after {number * BLOCK + count - left:,} rows; "
        "ask for fewer rows, or for other numbers of discs, or set unique = false"
    )


def to_rows(plan: Plan, drawn: Sample, first_game: int = 0) -> tuple[Rows, NDArray[np.uint64]]:
    """Return the rows of a sample, and their keys."""
    keys = keys_of(plan, drawn.bitboards)
    games = drawn.game + first_game
    if plan.split_by == "position" and plan.by != "players":
        split = _split_of_hash(plan, keys)  # each position is a game of its own
    else:
        split = _split_of_hash(plan, _mixed(games.astype("uint64") + _mixed_number(plan.seed)))
    return Rows(drawn.bitboards, drawn.moves, games, split), keys


def all_rows(plan: Plan) -> Rows:
    """Return the rows of a plan with `by="all"`."""
    assert plan.plies is not None
    drawn = sample(
        plan.rows,
        plan.seed,
        by="all",
        plies=plan.plies[0],
        unique=plan.unique,
        width=plan.width,
        height=plan.height,
    )
    return to_rows(plan, drawn)[0]


def with_moves(plan: Plan, rows: Rows) -> Rows:
    """Return the rows with a move string each."""
    import numpy as np

    if rows.moves is not None:
        return rows
    positions = positions_from_planes(rows.bitboards, None, width=plan.width, height=plan.height)
    texts = [moves_to(position) for position in positions]
    return replace(rows, moves=np.array(texts, f"S{plan.cells}"))


def moves_to(position: Position) -> str:
    """Return a move string that leads to a position: of all, the first in the order of columns.

    >>> moves_to(Position("7744"))
    '4477'
    """
    columns = position.to_grid(order="columns", top_first=False)
    wanted = position.heights
    dead_ends: set[tuple[int, ...]] = set()

    def complete(moves: list[int], heights: tuple[int, ...]) -> bool:
        if heights == wanted:
            return True
        turn = 1 + len(moves) % 2
        for column, height in enumerate(heights):
            if height < wanted[column] and columns[column][height] == turn:
                higher = (*heights[:column], height + 1, *heights[column + 1 :])
                moves.append(column)
                if higher not in dead_ends and complete(moves, higher):
                    return True
                moves.pop()
        dead_ends.add(heights)
        return False

    found: list[int] = []
    assert complete(found, (0,) * position.width), f"no game leads to {position!r}"
    return "".join(_DIGITS[column] for column in found)


def keys_of(plan: Plan, bitboards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a number for each position, the same for its mirror image.

    Different positions have different numbers, but for an accident in 2^64 pairs, which costs a row.
    """
    import numpy as np

    images = mirrored(bitboards, width=plan.width, height=plan.height)
    both = [_hash_of_words(boards.reshape(len(boards), -1)) for boards in (bitboards, images)]
    smaller: NDArray[np.uint64] = np.minimum(*both)
    return smaller


def _hash_of_words(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    hashed = _mixed(words[:, 0])
    for column in range(1, words.shape[1]):
        hashed = _mixed(hashed ^ words[:, column])
    return hashed


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's function, which spreads numbers over all 64 bits."""
    import numpy as np

    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return result


def _mixed_number(value: int) -> np.uint64:
    import numpy as np

    return np.uint64(_mixed(np.array([value], np.uint64))[0])


def _split_of_hash(plan: Plan, hashes: NDArray[np.uint64]) -> NDArray[np.int8]:
    """The split that a hash falls into, in proportion to the shares."""
    import numpy as np

    # Mixed once more: the smaller of two hashes is not evenly spread.
    spread = (_mixed(hashes) >> np.uint64(11)).astype(np.float64) / 2**53
    ends = np.cumsum([float(share) for share in plan.splits.values()])
    return np.searchsorted(ends[:-1], spread, side="right").astype(np.int8)


def _derived_seed(*numbers: int) -> int:
    digest = hashlib.sha256(" ".join(map(str, numbers)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def _joined(parts: list[Rows]) -> Rows:
    import numpy as np

    moves = [part.moves for part in parts if part.moves is not None]
    return Rows(
        np.concatenate([part.bitboards for part in parts]),
        np.concatenate(moves) if moves else None,
        np.concatenate([part.game for part in parts]),
        np.concatenate([part.split for part in parts]),
    )
