"""A claim, played out: what its player answers to any replies of the opponent.

>>> from fourcast import Position, explain
>>> found = explain(Position("4575274553"))
>>> follow(found.claims_position, found.claims[0])  # column 4 threatens two squares
Followed(columns=(3,), why='line', state='open')
>>> follow(found.claims_position, found.claims[0], [2])  # one of them is blocked
Followed(columns=(3, 2, 3), why='four', state='won')
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from fourcast._core import Position, ask
from fourcast.render.said import Said
from fourcast.study.explain import Claim, Explanation

__all__ = ["Followed", "Why", "follow", "follow_player", "forced_win"]

Why = Literal["line", "four", "block", "force", "table", "top", "group", "elsewhere"]
"""Why a disc is played: as the next of the claim's `start` or of its forcing line; to complete a four;
to block one; to begin a forced win; as the plan's table has it; on top of the opponent's disc;
elsewhere in the group of that disc; or in another group, because that one is full."""


@dataclass(frozen=True)
class Followed:
    """How a game stands in which one player follows a claim."""

    columns: tuple[int, ...]
    """All discs from the position that the claim is about, those of both players."""
    why: Why | None
    """Why the claim's player played the last disc; None if it was not theirs."""
    state: Literal["open", "won", "held"]
    """"won" and "held" once the claim's player has won, or cannot lose any more."""
    said: tuple[Said, ...] = field(default=(), compare=False, repr=False)
    """What there is to say about the last disc and the state."""


def follow(position: Position, claim: Claim, replies: Iterable[int] = ()) -> Followed:
    """Return the game in which the opponent plays *replies* and the claim's player follows *claim*.

    *position* is the one that the claim is about, `Explanation.claims_position`. Raises
    `IllegalMoveError` for a reply that cannot be played, `OptionError` for one that comes after the goal
    is reached, and `ProofError` if the claim, which then is not proven, has no answer.
    """
    return _followed(_ask(position, [claim], None, replies))


def follow_player(
    explanation: Explanation, player: int | None, replies: Iterable[int] = ()
) -> tuple[Claim, Followed]:
    """Return the claim of *player*, None for the first one, and the game in which it is followed.

    Raises `OptionError` if there is no such claim, and what `follow` raises.
    """
    found = _ask(explanation.claims_position, explanation.claims, player, replies)
    claim = next(claim for claim in explanation.claims if claim.player == found["player"])
    return claim, _followed(found)


def forced_win(position: Position, discs: int) -> int | None:
    """Return the column that begins a forced win of at most *discs* discs of the side to move."""
    column: int | None = ask("position.forced_win", {"rows": position.to_rows(), "discs": discs})
    return column


@lru_cache(maxsize=8)
def _json_of(claim: Claim) -> dict[str, Any]:
    """Return the JSON of a claim, which may have thousands of answers and be asked about again."""
    return claim.to_json()


def _ask(
    position: Position, claims: Sequence[Claim], player: int | None, replies: Iterable[int]
) -> dict[str, Any]:
    request = {
        "rows": position.to_rows(),
        "claims": [_json_of(claim) for claim in claims],
        "player": player,
        "replies": [operator.index(column) for column in replies],
    }
    found: dict[str, Any] = ask("claim.follow", request)
    return found


def _followed(found: dict[str, Any]) -> Followed:
    return Followed(tuple(found["columns"]), found["why"], found["state"], tuple(found["said"]))
