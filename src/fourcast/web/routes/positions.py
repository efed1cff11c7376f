"""What can be asked of any position or list of moves, without a game: to see, to analyse, to review."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field

from fourcast.game import Game
from fourcast.web.analysis import ANALYSIS_S, MOST_S, Analyst
from fourcast.web.routes.plain import REFUSALS, PlainRoute, read_query
from fourcast.web.schemas import AnalysisView, PlayerView, PositionView
from fourcast.web.views import analysis_view, player_views, position_view

__all__ = ["router"]

router = APIRouter(route_class=PlainRoute, responses=REFUSALS, tags=["positions"])

GameQuery = Annotated[Game, Depends(read_query)]
TimeS = Annotated[
    float, Field(gt=0, allow_inf_nan=False, description=f"seconds to work; at most {MOST_S:g} are taken")
]


@router.get("/api/position")
async def get_position(game: GameQuery) -> PositionView:
    """Return a position as a page draws it."""
    return position_view(game)


@router.get("/api/analysis")
async def get_analysis(
    request: Request, game: GameQuery, time_s: Annotated[TimeS, Query()] = ANALYSIS_S
) -> AnalysisView:
    """Return the exact score of every column; bounds for what takes longer than *time_s* seconds.

    Who closes the connection stops the work.
    """
    return analysis_view(
        game, await _analyst(request).analyze(game.position, time_s, request.is_disconnected)
    )


@router.get("/api/players")
async def get_players() -> list[PlayerView]:
    """Return the players of the computer's, the simple ones first, then the levels."""
    return player_views()


def _analyst(request: Request) -> Analyst:
    return cast(Analyst, request.app.state.analysis)
