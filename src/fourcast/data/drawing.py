"""Drawing the positions of a data set, block by block, and telling which split each belongs to.

A block is a function of the plan and its number, so that any machine can draw it, at any time. Only a
data set without repetitions has a memory: its blocks are drawn one after the other.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from fourcast._core import Position
from fourcast.arena.suites import load_suite
from fourcast.data.arrays import bitboards, mirrored, positions_from_planes
from fourcast.data.plan import Plan
from fourcast.data.sampling import Sample, sample
from fourcast.data.strata import Strata
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

LEFT_OUT = {
    "suite": "a position of a suite that agents are evaluated on, or its mirror image",
    "split": "its game belongs to one split, the position to another",
    "repeated": "the data set has the position, or its mirror image, already",
    "stratum": "its stratum is full",
}
"""Why positions that were drawn are not in a data set."""

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
    scores: NDArray[np.int8] | None = None
    """The scores of all columns, if they were needed to draw the rows."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many positions were drawn and left out, by reason; see `LEFT_OUT`."""

    def __len__(self) -> int:
        return len(self.bitboards)

    def __getitem__(self, chosen: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Rows:
        moves = None if self.moves is None else self.moves[chosen]
        scores = None if self.scores is None else self.scores[chosen]
        return Rows(self.bitboards[chosen], moves, self.game[chosen], self.split[chosen], scores)


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


def draw_block(
    plan: Plan,
    number: int,
    count: int,
    seen: Seen | None = None,
    label: Callable[[NDArray[np.uint64]], NDArray[np.int8]] | None = None,
) -> Rows:
    """Return *count* rows of a block; with *seen*, only new ones, which are then remembered.

    *label* returns the scores of positions, which a plan with strata asks for. Raises `OptionError` if
    there are not enough positions.
    """
    import numpy as np

    parts: list[Rows] = []
    left_out: Counter[str] = Counter()
    strata = Strata(plan, count) if plan.strata else None
    left, games, fruitless = count, number * GAMES_OF_BLOCK, 0
    for attempt in range(GAMES_OF_BLOCK):
        size = BLOCK if strata else min(BLOCK, max(64, left + left // 8))
        drawn = sample(
            size,
            _derived_seed(plan.seed, number, attempt),
            by=plan.by,
            plies=plan.ply_range,
            players=plan.players,
            opening_plies=plan.opening_plies,
            noise=plan.noise,
            threads=1,  # blocks are drawn on several threads
            width=plan.width,
            height=plan.height,
        )
        rows, keys = to_rows(plan, drawn, games)
        games += int(drawn.game[-1]) + 1

        def keep(places: NDArray[np.intp], wanted: NDArray[np.bool_], why: str) -> NDArray[np.intp]:
            left_out[why] += int(len(places) - wanted.sum())
            return places[wanted]

        places = np.arange(size)
        if len(kept_out := suite_keys(plan)):
            places = keep(places, ~np.isin(keys, kept_out), "suite")
        if plan.by == "players" and plan.split_by == "position":
            places = keep(places, rows.split[places] == _split_of_hash(plan, keys[places]), "split")
        if seen:
            places = keep(places, seen.which_are_new(keys[places]), "repeated")
        scores = None
        if strata:
            assert label is not None
            scores = label(rows.bitboards[places])
            wanted = strata.take(rows.bitboards[places], scores)
            places, scores = keep(places, wanted, "stratum"), scores[wanted]
        places = places[:left]
        if seen:
            seen.add(keys[places])
        parts.append(replace(rows[places], scores=scores))
        left -= len(places)
        fruitless = 0 if len(places) else fruitless + size
        if not left:
            return replace(_joined(parts), left_out=dict(+left_out))
        if fruitless > DRAWS_WITHOUT_NEWS:
            break
    missing = f" with {strata.missing()}" if strata else ""
    raise OptionError(
        f"no new positions{missing} were found after {number * BLOCK + count - left:,} rows; "
        "ask for fewer rows, or for other numbers of discs, or set unique = false"
    )


@cache
def _suite_keys(suites: tuple[str, ...]) -> NDArray[np.uint64]:
    import numpy as np

    plan = Plan()
    boards = [bitboards([each.position for each in load_suite(name)]) for name in suites]
    return np.unique(keys_of(plan, np.concatenate(boards)))


def suite_keys(plan: Plan) -> NDArray[np.uint64] | tuple[()]:
    """Return the keys of the positions that a plan keeps out."""
    return _suite_keys(plan.without_suites) if plan.without_suites and plan.is_standard else ()


def to_rows(plan: Plan, drawn: Sample, first_game: int = 0) -> tuple[Rows, NDArray[np.uint64]]:
    """Return the rows of a sample, and their keys."""
    keys = keys_of(plan, drawn.bitboards)
    games = drawn.game + first_game
    if plan.split_by == "position" and plan.by != "players":
        split = _split_of_hash(plan, keys)  # each position is a game of its own
    else:
        # A row is kept if its game and its position belong to one split. Positions have the shares of
        # the plan; games are shared out evenly, or the rows that are left would have squared shares.
        shares = dict.fromkeys(plan.splits, 1.0 / len(plan.splits))
        by_game = plan if plan.split_by == "game" else replace(plan, splits=shares)
        split = _split_of_hash(by_game, _mixed(games.astype("uint64") + _mixed_number(plan.seed)))
    return Rows(drawn.bitboards, drawn.move_bytes, games, split), keys


def all_rows(plan: Plan) -> Rows:
    """Return the rows of a plan with `by="all"`."""
    import numpy as np

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
    rows, keys = to_rows(plan, drawn)
    is_kept = ~np.isin(keys, suite_keys(plan))
    return replace(rows[is_kept], left_out={"suite": int(len(keys) - is_kept.sum())})


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
    scores = [part.scores for part in parts if part.scores is not None]
    return Rows(
        np.concatenate([part.bitboards for part in parts]),
        np.concatenate(moves) if moves else None,
        np.concatenate([part.game for part in parts]),
        np.concatenate([part.split for part in parts]),
        np.concatenate(scores) if scores else None,
    )
