"""A tournament of programs, shown by `fourcast serve --cup`."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from fourcast.web.cup import Cup, CupView
from fourcast.web.games.rules import RefusedError
from fourcast.web.routes.games import refusals

__all__ = ["router"]

router = APIRouter(tags=["cup"])


@router.get("/api/cup", response_model=CupView, responses=refusals(404))
async def get_cup(request: Request) -> Response:
    """Return how the tournament stands that this server shows; 404 if it shows none."""
    cup: Cup | None = request.app.state.cup
    if cup is None:
        raise RefusedError(404, "error.no_cup")
    return Response(await cup.look(), media_type="application/json")
