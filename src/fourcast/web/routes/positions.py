"""What can be asked of any position or list of moves, without a game: to see, to analyze, to review."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from fourcast.game import Game
from fourcast.game_file import recognize
from fourcast.notation import parse_column
from fourcast.web.routes.plain import (
    REFUSALS,
    PlainRoute,
    check_fair,
    client_of,
    in_language,
    read_query,
)
from fourcast.web.schemas import (
    MAX_WIDTH,
    AnalysisView,
    ExplanationView,
    FollowedView,
    MoveExplanationView,
    Moves,
    Pasted,
    PlayerView,
    PositionView,
    ReviewView,
)
from fourcast.web.server.analysis import ANALYSIS_S, EXPLAIN_S, MOST_S, REVIEW_S, Analyst
from fourcast.web.views import analysis_view, followed_view, player_views, position_view, review_view

__all__ = ["router"]

router = APIRouter(
    route_class=PlainRoute,
    responses=REFUSALS,
    tags=["positions"],
    dependencies=[Depends(in_language)],
)

GameQuery = Annotated[Game, Depends(read_query)]


async def _fair_query(request: Request, game: GameQuery) -> Game:
    """The game of a query, unless whoever asks is playing it."""
    check_fair(request, game.position)
    return game


FairQuery = Annotated[Game, Depends(_fair_query)]
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
    return position_view(recognize(pasted.diagram.strip(), width=pasted.width, height=pasted.height))


@router.get("/api/analysis")
async def get_analysis(
    request: Request, game: FairQuery, time_s: Annotated[TimeS, Query()] = ANALYSIS_S
) -> AnalysisView:
    """Return the exact score of every column; bounds for what takes longer than *time_s* seconds.

    Closing the connection stops the work.
    """
    analyst = _analyst(request)
    is_popout = game.position.rules.pop and not game.position.is_over
    analyze = analyst.analyze_popout if is_popout else analyst.analyze
    found = await analyze(game.position, time_s, client_of(request))
    return analysis_view(game, found)


@router.get("/api/review")
async def get_review(
    request: Request, game: FairQuery, time_s: Annotated[TimeS, Query()] = REVIEW_S
) -> ReviewView:
    """Return every move judged by what it cost; those that take too long are left open.

    *time_s* is for the whole game. Closing the connection stops the work.
    """
    report = await _analyst(request).review(game, time_s, client_of(request))
    return review_view(game, report)


@router.get("/api/explain", response_model=ExplanationView)
async def get_explanation(
    request: Request, game: FairQuery, time_s: Annotated[TimeS, Query()] = EXPLAIN_S
) -> Response:
    """Return why a position is won, lost or drawn: words, marks for the board, and checked proofs.

    Without a short reason, or if *time_s* seconds are not enough, there are no claims, and the text says
    so. Closing the connection stops the work.
    """
    found = await _analyst(request).explain(game.position, time_s, client_of(request))
    return Response(found.content, media_type="application/json")


@router.get("/api/explain-move", response_model=MoveExplanationView)
async def get_move_explanation(
    request: Request,
    game: FairQuery,
    column: Annotated[int, Query(ge=0, lt=MAX_WIDTH, description="from 0")],
    time_s: Annotated[TimeS, Query()] = EXPLAIN_S,
) -> Response:
    """Return why a move keeps the result or gives it away, what refutes it, and what is better.

    400 if *time_s* seconds are not enough to find what the moves are worth.
    """
    content = await _analyst(request).explain_move(game.position, column, time_s, client_of(request))
    return Response(content, media_type="application/json")


@router.get("/api/follow")
async def get_followed(
    request: Request,
    game: FairQuery,
    player: Annotated[
        int | None, Query(ge=1, le=2, description="whose claim, if each player has one: a draw")
    ] = None,
    replies: Annotated[Moves, Query(description="discs of the other player, a move string")] = "",
    time_s: Annotated[TimeS, Query()] = EXPLAIN_S,
) -> FollowedView:
    """Return how the player of a claim answers these replies: try to break it.

    The game begins at the position that the claims of the explanation are about.
    """
    columns = [parse_column(name, game.position.width) for name in replies]
    found = await _analyst(request).follow(game.position, player, columns, time_s, client_of(request))
    played = Game((*game.columns, *found.line, *found.game.columns), start=game.start)
    return followed_view(played, found.claim, found.marks, found.game)


@router.get("/api/players")
async def get_players() -> list[PlayerView]:
    """Return the computer players, the simple ones first, then the levels."""
    return player_views()


def _analyst(request: Request) -> Analyst:
    return cast(Analyst, request.app.state.analysis)
