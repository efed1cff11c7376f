"""A generator of positions: the same arguments give the same positions on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, get_args

from fourcast._core import Position, book_positions, sample_positions
from fourcast.arena.contestant import Contestant, Entrant
from fourcast.data.arrays import bitboards
from fourcast.errors import OptionError
from fourcast.notation import quote
from fourcast.protocol.program import ProgramPlayer
from fourcast.search_threads import processor_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

By = Literal["uniform ply", "random play", "players", "all"]
"""How positions are drawn; see `sample`."""

GAMES_WITHOUT_NEWS = 200
"""Games of players in a row without a new position, after which there are taken to be no others."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Positions, and the games that they are from."""

    bitboards: NDArray[np.uint64]
    """A row (first, second) for each position."""

    move_bytes: NDArray[np.bytes_] | None
    """The move string of each position in bytes, a quarter of what `moves` takes."""

    game: NDArray[np.int64]
    """The number of the game that each position is from; without games, that of the position."""

    @cached_property
    def moves(self) -> NDArray[np.str_] | None:
        """The move string of each position; None if there are no games, with `by="all"`."""
        return None if self.move_bytes is None else self.move_bytes.astype(str)

    def __len__(self) -> int:
        return len(self.bitboards)

    def __repr__(self) -> str:
        return f"<Sample of {len(self):,} positions from {len(set(self.game.tolist())):,} games>"


def sample(
    n: int | None = None,
    seed: int = 0,
    *,
    plies: int | range | None = None,
    by: By = "uniform ply",
    players: Sequence[Entrant] = (),
    opening_plies: int = 4,
    noise: float = 0.0,
    unique: bool = False,
    threads: int | None = None,
    width: int = 7,
    height: int = 6,
) -> Sample:
    """Return *n* positions whose games are not over, and the moves that led to them.

    *plies* is how many discs they have: a number, or a range such as `range(20, 30)`. *by* says how they
    are drawn:

    - `uniform ply`: each number of discs is equally likely; each position is from a random game of its
      own that was not over before.
    - `random play`: each is from a random game of its own, at a random point of it.
    - `players`: from games of the two *players*, which take turns to start: all positions with these
      numbers of discs. A player is whatever a `Match` takes. Each game starts with *opening_plies*
      random moves, or two deterministic players would play one game over and over; *noise* is the
      probability that a later move is random, too.
    - `all`: all positions with this number of discs, or *n* of them, each as likely as the others.

    Random games are played on *threads* threads, by default one for each processor, which do not change
    the result. With *unique*, no two positions are equal or mirror images of each other; without it,
    `all` includes both of two mirror images. Raises `OptionError` if there are not enough positions.

    >>> drawn = sample(3, seed=7, plies=10)
    >>> [len(moves) for moves in drawn.moves]
    [10, 10, 10]
    >>> len(sample(by="all", plies=2)), len(sample(by="all", plies=2, unique=True))
    (49, 25)
    """
    if by not in get_args(By):
        raise OptionError(f"by must be one of {', '.join(map(repr, get_args(By)))}, not {by!r}")
    Position(width=width, height=height)  # complains about a size that is not supported
    if n is not None and (isinstance(n, bool) or not isinstance(n, int)):
        raise TypeError(f"n must be an int, not {type(n).__name__}")
    if n is not None and n < 0:
        raise OptionError(f"n must be 0 or more, not {n}")
    if by != "players" and players:
        raise OptionError(f"players play only with by='players', not with by={by!r}")
    if isinstance(noise, bool) or not isinstance(noise, (int, float)) or not 0 <= noise <= 1:
        raise OptionError(f"noise must be a probability from 0 to 1, not {quote(noise)}")
    if by == "all":
        return _all_positions(n, seed, plies, unique, width, height)
    if n is None:
        raise OptionError(f"n must be the number of positions, which by={by!r} leaves open")
    if plies is None:
        plies = range(width * height)
    if by == "players":
        return _from_players(
            n, seed, _range(plies), players, opening_plies, noise, unique, width, height
        )
    import numpy as np

    wanted = _range(plies)
    boards, moves = sample_positions(
        n,
        seed,
        fewest=wanted[0],
        most=wanted[-1],
        uniform_ply=by == "uniform ply",
        unique=unique,
        threads=processor_count() if threads is None else threads,
        width=width,
        height=height,
    )
    texts = moves.view(f"S{width * height}").reshape(n)
    return Sample(boards, texts, np.arange(n))


def _range(plies: int | range) -> range:
    """The numbers of discs that are meant; the compiled part checks whether the board has them."""
    if isinstance(plies, bool) or not isinstance(plies, (int, range)):
        raise TypeError(f"plies must be an int or a range, not {type(plies).__name__}")
    wanted = range(plies, plies + 1) if isinstance(plies, int) else plies
    if not wanted or wanted.step != 1:
        raise OptionError(f"plies must be a range of one or more numbers without gaps, not {plies!r}")
    return wanted


def _all_positions(
    n: int | None, seed: int, plies: int | range | None, unique: bool, width: int, height: int
) -> Sample:
    import numpy as np

    if isinstance(plies, range) or plies is None:
        raise OptionError(f"by='all' needs plies as one number of discs, not {plies!r}")
    half = book_positions(plies, width=width, height=height)
    other_half = () if unique else (each.mirror() for each in half if each != each.mirror())
    every = chain(half, other_half)
    chunks = iter(lambda: list(islice(every, 2**20)), [])
    empty = bitboards([], width=width, height=height)
    boards = np.concatenate([empty, *(bitboards(each, width=width, height=height) for each in chunks)])
    if n is not None:
        if n > len(boards):
            raise OptionError(f"there are only {len(boards)} positions with {plies} discs, not {n}")
        chosen = sorted(random.Random(seed).sample(range(len(boards)), n))
        boards = boards[chosen]
    return Sample(boards, None, np.arange(len(boards)))


def _from_players(
    n: int,
    seed: int,
    plies: range,
    players: Sequence[Entrant],
    opening_plies: int,
    noise: float,
    unique: bool,
    width: int,
    height: int,
) -> Sample:
    import numpy as np

    if isinstance(players, str):
        raise TypeError(f"players must be two, as in ('level-3', 'winning'), not {quote(players)}")
    if len(players) != 2:
        raise OptionError(f"by='players' needs two players, not {len(players)}")
    if isinstance(opening_plies, bool) or not isinstance(opening_plies, int) or opening_plies < 0:
        raise OptionError(f"opening_plies must be a number from 0 on, not {quote(opening_plies)}")
    contestants = [Contestant.of(each) for each in players]
    found: list[tuple[str, Position, int]] = []
    seen: set[int] = set()
    last_news = 0
    game = 0
    while len(found) < n:
        if game - last_news > GAMES_WITHOUT_NEWS:
            raise OptionError(
                f"only {len(found)} of {n} positions were found in {game} games; ask for fewer, or for "
                "other numbers of discs"
            )
        for moves, position in _play(contestants, game, seed, opening_plies, noise, width, height):
            if position.ply in plies and len(found) < n:
                if unique and position.canonical_key in seen:
                    continue
                seen.add(position.canonical_key)
                found.append((moves, position, game))
                last_news = game
        game += 1
    texts, positions, games = zip(*found, strict=True) if found else ((), (), ())
    boards = bitboards(positions, width=width, height=height)
    return Sample(boards, np.array(texts, f"S{width * height}"), np.array(games, np.int64))


def _play(
    contestants: Sequence[Contestant],
    game: int,
    seed: int,
    opening_plies: int,
    noise: float,
    width: int,
    height: int,
) -> Iterator[tuple[str, Position]]:
    """The positions of one game that are not over, each with its moves."""
    chance = random.Random(f"{seed} {game}")
    seats = contestants if game % 2 == 0 else contestants[::-1]
    players: list[Any] = [each.make(seed=chance.getrandbits(32)) for each in seats]
    position = Position(width=width, height=height)
    moves = ""
    try:
        while not position.is_over:
            yield moves, position
            if position.ply < opening_plies or (noise and chance.random() < noise):
                column = chance.choice(tuple(position.legal_columns))
            else:
                column = players[position.turn - 1].choose(position)
            position = position.play(column)
            moves += "123456789abcdefghijklmnopqrstuvwxyz"[column]
    finally:
        for player in players:
            if isinstance(player, ProgramPlayer):
                player.close()
