"""How well the players played, by the solver: not who won, but what each move cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from fourcast._core import Limit, Position, Result
from fourcast.arena.play import GameRecord
from fourcast.notation import parse_moves
from fourcast.solver import Solver
from fourcast.study.review import MoveReview, Verdict


@dataclass
class Quality:
    """What the moves of a player cost, as far as the solver could tell in time."""

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
    wanted: dict[Position, None] = {}
    for record in games:
        for position, column in _judged_moves(record, from_ply):
            for reached in (position.play(column), position):
                if not reached.is_over:
                    wanted[reached] = None
    # The later positions first: what is found there helps with the earlier ones.
    order = sorted(wanted, key=lambda position: -position.ply)
    solver = solver or Solver(table_mb=64)
    found: dict[Position, Result] = {}
    for start in range(0, len(order), 64):
        block = order[start : start + 64]
        found.update(zip(block, solver.solve_many(block, Limit(time_s=time_s)), strict=True))
        if progress:
            progress(min(start + 64, len(order)), len(order))
    qualities = {name: Quality() for record in games for name in (record.first, record.second)}
    for record in games:
        for position, column in _judged_moves(record, from_ply):
            name = record.first if position.turn == 1 else record.second
            then = position.play(column)
            left = (Result.of_finished(then) if then.is_over else found[then]).score
            move = MoveReview(
                number=then.ply,
                player=position.turn,
                column=column,
                best_columns=(),
                score_before=found[position].score,
                score_after=None if left is None else -left,
                position=position,
            )
            _add(qualities[name], move, record.number)
    return qualities


def judged_from(width: int, height: int) -> int:
    """Return the number of discs from which on moves are judged, unless another one is given.

    >>> judged_from(7, 6), judged_from(8, 8)
    (0, 12)
    """
    return 0 if (width, height) == (7, 6) else 12


def _judged_moves(record: GameRecord, from_ply: int | None) -> Iterable[tuple[Position, int]]:
    position = Position(width=record.width, height=record.height)
    if from_ply is None:
        from_ply = judged_from(record.width, record.height)
    for column in parse_moves(record.moves, record.width):
        if position.ply >= max(from_ply, len(record.opening)):
            yield position, column
        position = position.play(column)


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
