"""What can be asked of any position or list of moves, without a game: to see, to analyze, to review."""

from __future__ import annotations

import re
from typing import Annotated, cast
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field

from fourcast.errors import InvalidNotationError
from fourcast.game import Game
from fourcast.game_file import recognize
from fourcast.notation import quote
from fourcast.web.analysis import ANALYSIS_S, MOST_S, REVIEW_S, Analyst
from fourcast.web.games import make_game
from fourcast.web.routes.plain import REFUSALS, PlainRoute, asker, read_query
from fourcast.web.schemas import AnalysisView, Pasted, PlayerView, PositionView, ReviewView
from fourcast.web.views import analysis_view, player_views, position_view, review_view

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


@router.post("/api/position")
async def post_position(pasted: Pasted) -> PositionView:
    """Return the position of a text that a person has pasted, with its moves if it has any.

    It may be a diagram, moves, a game file (text or JSON), a position in JSON, or a board's address.
    """
    return position_view(_recognize(pasted))


@router.get("/api/analysis")
async def get_analysis(
    request: Request, game: GameQuery, time_s: Annotated[TimeS, Query()] = ANALYSIS_S
) -> AnalysisView:
    """Return the exact score of every column; bounds for what takes longer than *time_s* seconds.

    Closing the connection stops the work.
    """
    found = await _analyst(request).analyze(
        game.position, time_s, request.is_disconnected, address=asker(request)
    )
    return analysis_view(game, found)


@router.get("/api/review")
async def get_review(
    request: Request, game: GameQuery, time_s: Annotated[TimeS, Query()] = REVIEW_S
) -> ReviewView:
    """Return every move judged by what it cost; those that take too long are left open.

    *time_s* is for the whole game. Closing the connection stops the work.
    """
    report = await _analyst(request).review(
        game, time_s, request.is_disconnected, address=asker(request)
    )
    return review_view(game, report)


@router.get("/api/players")
async def get_players() -> list[PlayerView]:
    """Return the computer players, the simple ones first, then the levels."""
    return player_views()


def _recognize(pasted: Pasted) -> Game:
    text = pasted.diagram.strip()
    if not re.match(r"https?://", text):
        return recognize(text, width=pasted.width, height=pasted.height)
    try:
        query = parse_qs(urlsplit(text).query, max_num_fields=10)
    except ValueError:
        raise InvalidNotationError(f"{quote(text)} is not an address") from None
    said = {key: query[key][0] for key in ("moves", "start", "width", "height") if key in query}
    if not said:
        raise InvalidNotationError(f"there is no position in the address {quote(text)}")
    sides = [said.get("width", "7"), said.get("height", "6")]
    if not all(re.fullmatch(r"[0-9]{1,2}", side) for side in sides):
        raise InvalidNotationError(f"the size of the board in {quote(text)} is not a number")
    width, height = map(int, sides)
    return make_game(said.get("moves", ""), start=said.get("start", ""), width=width, height=height)


def _analyst(request: Request) -> Analyst:
    return cast(Analyst, request.app.state.analysis)
