"""How well the players played, by the solver: not who won, but what each move cost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fourcast._core import Limit, Position, Result
from fourcast.arena.play import GameRecord
from fourcast.errors import FourcastError, GameFileError
from fourcast.notation import parse_moves, quote
from fourcast.solver import Solver
from fourcast.study.review import MoveReview, Verdict

GAMES_AT_A_TIME = 100
"""Games that are judged before they are written down."""
MAX_LINE = 10_000
"""Bytes of the longest line of a file of scores."""


@dataclass
class Quality:
    """What the moves of a player cost, as far as the solver could tell in time."""

    games: int = 0
    """Games whose moves were judged."""
    moves: int = 0
    """Moves that were judged."""
    kept: int = 0
    """Moves that did not change the game-theoretic result: win, draw or loss."""
    lost: int = 0
    """Sum of the scores lost: that before a move less that after it."""
    unknown: int = 0
    """Moves that the solver had no time to judge."""
    by_ply: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each number of discs the judged moves and what they lost."""
    worst: dict[int, MoveReview] = field(default_factory=dict)
    """The player's worst move of each game in which one changed the result, by the game's number."""

    @property
    def kept_share(self) -> float:
        """From 0 to 1."""
        return self.kept / self.moves if self.moves else 0.0

    @property
    def mean_loss(self) -> float:
        """Score lost per move."""
        return self.lost / self.moves if self.moves else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        content = {"moves": self.moves, "unknown": self.unknown, "kept": self.kept, "lost": self.lost}
        return content | {"kept_share": self.kept_share, "mean_loss": self.mean_loss}


@dataclass(frozen=True)
class JudgedGame:
    """The exact scores of the positions of a game, as the folder of a tournament keeps them."""

    moves: str
    width: int
    height: int
    start: int
    """Discs on the board in the first of the positions; the others follow, up to the end of the game."""
    scores: tuple[int | None, ...]
    """For the side to move; None if the solver had no time."""

    @property
    def key(self) -> tuple[str, int, int]:
        """What it is looked up by: games of the same moves have the same scores."""
        return self.moves, self.width, self.height

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON types."""
        return asdict(self) | {"scores": list(self.scores)}

    @classmethod
    def from_json(cls, content: object) -> JudgedGame:
        """Return the game of a JSON object; raise `GameFileError` if it is not such an object."""
        match content:
            case {
                "moves": str(moves),
                "width": int(width),
                "height": int(height),
                "start": int(start),
                "scores": list(scores),
                **rest,
            } if not rest and all(score is None or type(score) is int for score in scores):
                Position(moves, width=width, height=height)
                if len(scores) == max(0, len(moves) - start + 1):
                    return cls(moves, width, height, start, tuple(scores))
        raise GameFileError(f"these are not the scores of a game: {quote(content)}")


Scores = dict[tuple[str, int, int], JudgedGame]
"""Judged games by their keys."""


def judge(
    records: Iterable[GameRecord],
    *,
    from_ply: int | None = None,
    time_s: float = 0.5,
    solver: Solver | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> dict[str, Quality]:
    """Return the quality of each player's moves, of which there may be none.

    Moves of an opening and those with fewer than *from_ply* discs on the board are not judged. If that
    is None, it is 0 on 7x6, where the book has the openings, and 12 on other boards: the earlier, the
    longer it takes. The solver has *time_s* seconds for each position.
    """
    games = list(records)
    scored = score_games(games, from_ply=from_ply, time_s=time_s, solver=solver, progress=progress)
    return qualities_of(games, {each.key: each for each in scored})


def score_games(
    records: Iterable[GameRecord],
    *,
    from_ply: int | None = None,
    time_s: float = 0.5,
    solver: Solver | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[JudgedGame]:
    """Yield the scores of each game, some games at a time; the options are those of `judge`."""
    games = list(records)
    solver = solver or Solver(table_mb=64)
    for begin in range(0, len(games), GAMES_AT_A_TIME):
        lines = [(record, _positions(record, from_ply)) for record in games[begin:][:GAMES_AT_A_TIME]]
        wanted = {each: None for _, line in lines for each in line if not each.is_over}
        # The later positions first: what is found there helps with the earlier ones.
        order = sorted(wanted, key=lambda position: -position.ply)
        found = dict(zip(order, solver.solve_many(order, Limit(time_s=time_s)), strict=True))
        for record, line in lines:
            results = (Result.of_finished(each) if each.is_over else found[each] for each in line)
            scores = tuple(result.score for result in results)
            start = len(record.moves) + 1 - len(line)
            yield JudgedGame(record.moves, record.width, record.height, start, scores)
        if progress:
            progress(min(begin + GAMES_AT_A_TIME, len(games)), len(games))


def is_judged(record: GameRecord, scores: Scores, from_ply: int | None = None) -> bool:
    """Return whether the scores of a game are known from where on they are asked for."""
    found = scores.get((record.moves, record.width, record.height))
    return found is not None and found.start <= _start(record, from_ply)


def qualities_of(records: Iterable[GameRecord], scores: Scores) -> dict[str, Quality]:
    """Return the quality of each player's moves in the games whose scores are known."""
    qualities: dict[str, Quality] = {}
    for record in records:
        names = (record.first, record.second)
        for name in names:
            qualities.setdefault(name, Quality())
        known = scores.get((record.moves, record.width, record.height))
        if known is None:
            continue
        for name in names:
            qualities[name].games += 1
        position = Position(width=record.width, height=record.height)
        start = max(known.start, len(record.opening))
        for column in parse_moves(record.moves, record.width):
            then = position.play(column)
            if position.ply >= start:
                left = known.scores[then.ply - known.start]
                move = MoveReview(
                    number=then.ply,
                    player=position.turn,
                    column=column,
                    best_columns=(),
                    score_before=known.scores[position.ply - known.start],
                    score_after=None if left is None else -left,
                    position=position,
                )
                _add(qualities[names[position.turn - 1]], move, record.number)
            position = then
    return qualities


def read_scores(path: str | os.PathLike[str]) -> Scores:
    """Return the scores that a file holds, one game a line; none if there is no such file."""
    found: Scores = {}
    with suppress(FileNotFoundError), open(path, "rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
            if not line.endswith(b"\n") and len(line) < MAX_LINE:
                break  # what a crash has left
            try:
                game = JudgedGame.from_json(json.loads(line))
            except (FourcastError, ValueError, RecursionError) as error:
                advice = "remove the file to have all games judged again"
                raise GameFileError(f"{path}, line {number}: {error}; {advice}") from None
            before = found.get(game.key)
            if before is None or game.start < before.start:
                found[game.key] = game
    return found


def write_scores(path: str | os.PathLike[str], games: Iterable[JudgedGame]) -> Scores:
    """Add games to a file as they come, and return all scores that it holds then."""
    found = read_scores(path)
    with open(path, "ab") as file:
        written = Path(path).read_bytes()
        file.truncate(written.rfind(b"\n") + 1)  # without what a crash has left
        for game in games:
            file.write(json.dumps(game.to_json()).encode() + b"\n")
            file.flush()
            found[game.key] = game
    return found


def judged_from(width: int, height: int) -> int:
    """Return the number of discs from which on moves are judged, unless another one is given.

    >>> judged_from(7, 6), judged_from(8, 8)
    (0, 12)
    """
    return 0 if (width, height) == (7, 6) else 12


def _start(record: GameRecord, from_ply: int | None) -> int:
    if from_ply is None:
        from_ply = judged_from(record.width, record.height)
    return max(from_ply, len(record.opening))


def _positions(record: GameRecord, from_ply: int | None) -> list[Position]:
    """The positions of a game whose scores are needed to judge its moves."""
    line = [Position(width=record.width, height=record.height)]
    for column in parse_moves(record.moves, record.width):
        line.append(line[-1].play(column))
    return line[_start(record, from_ply) :]


def how_bad(move: MoveReview) -> tuple[bool, int]:
    """Return a key by which worse moves come later: blunders are worst, then the score counts."""
    return move.verdict is Verdict.BLUNDER, move.loss or 0


def _add(quality: Quality, move: MoveReview, game: int) -> None:
    if move.verdict is None or move.loss is None:
        quality.unknown += 1
        return
    quality.moves += 1
    quality.lost += move.loss
    quality.kept += not move.verdict.is_error
    moves, lost = quality.by_ply.get(move.position.ply, (0, 0))
    quality.by_ply[move.position.ply] = (moves + 1, lost + move.loss)
    if move.verdict.is_error:
        quality.worst[game] = max(quality.worst.get(game, move), move, key=how_bad)
