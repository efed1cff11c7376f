"""Refusals over HTTP: a code with facts for the page, and the sentence for everybody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection

from fourcast.errors import FourcastError
from fourcast.render.catalogue import languages, speaking
from fourcast.web.schemas import ErrorView

__all__ = ["error_view", "refusal", "speaking_as_asked"]


@contextmanager
def speaking_as_asked(request: HTTPConnection) -> Iterator[None]:
    """Make sentences in the language that the query of *request* names, if it is known."""
    wanted = request.query_params.get("lang", "")
    with speaking(wanted if wanted in languages() else "en"):
        yield


def error_view(error: FourcastError) -> ErrorView:
    """Return *error* as it is sent.

    >>> error_view(FourcastError("error.column_full", facts={"column": 4}))
    ErrorView(detail='column 4 is full', code='error.column_full', facts={'column': 4})
    """
    return ErrorView(detail=str(error), code=error.code, facts=error.facts)


def refusal(
    request: HTTPConnection,
    status: int,
    error: FourcastError,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return the answer that says *error*."""
    with speaking_as_asked(request):
        return JSONResponse(error_view(error).model_dump(), status, headers)
