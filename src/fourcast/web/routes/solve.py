"""Scores for programs: one position in the form that users of gamesolver.org know, and many at once."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from fourcast._core import Analysis, Position
from fourcast.web.games.rules import make_game
from fourcast.web.routes.plain import REFUSALS, PlainRoute, check_fair, client_of
from fourcast.web.schemas import Height, Moves, Width
from fourcast.web.server.analysis import ANALYSIS_S

__all__ = ["router"]

MAX_POSITIONS = 100
FULL = 100
"""What stands for a column that cannot be played there."""

router = APIRouter(route_class=PlainRoute, responses=REFUSALS, tags=["positions"])


class SolvedView(BaseModel):
    """The scores of the columns of a position."""

    pos: str = Field(description="the moves that lead to it, columns counted from 1")
    score: list[int | None] = Field(
        description="of each column from the left, for the side to move: positive if it wins, the "
        "higher the sooner; 100 for a column that cannot be played; null if it was not found in time"
    )


class PositionsToSolve(BaseModel):
    """Positions of one board size."""

    positions: list[Moves] = Field(
        min_length=1, max_length=MAX_POSITIONS, description="move strings: 4455"
    )
    width: Width = 7
    height: Height = 6


@router.get("/solve")
async def get_solved(
    request: Request,
    pos: Annotated[Moves, Query(description="the moves so far, columns counted from 1: 4455")] = "",
) -> SolvedView:
    """Return the exact score of every column, as gamesolver.org answers to the same question."""
    return await _solve(request, pos, _fair_position(request, pos, 7, 6), ANALYSIS_S)


@router.post("/api/solve")
async def post_solved(request: Request, asked: PositionsToSolve) -> list[SolvedView]:
    """Return the exact score of every column of up to 100 positions, in their order.

    All of them together have the time of one analysis; what is not found by then is null.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + ANALYSIS_S
    # What is refused is refused before any work is done.
    positions = [_fair_position(request, pos, asked.width, asked.height) for pos in asked.positions]
    solved = []
    for pos, position in zip(asked.positions, positions, strict=True):
        left = max(0.001, end - loop.time())
        solved.append(await _solve(request, pos, position, left))
    return solved


def _fair_position(request: Request, pos: str, width: int, height: int) -> Position:
    position = make_game(pos, width=width, height=height).position
    check_fair(request, position)
    return position


async def _solve(request: Request, pos: str, position: Position, time_s: float) -> SolvedView:
    analyst = request.app.state.analysis
    found: Analysis = await analyst.analyze(position, time_s, client_of(request))
    scores = [
        score if column in position.legal_columns else FULL for column, score in enumerate(found.scores)
    ]
    return SolvedView(pos=pos, score=scores)
