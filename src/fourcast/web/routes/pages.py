"""The pages and their files, the description of the API, and the sign of life."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi import Path as PathParameter

from fourcast import __version__
from fourcast.web.api_page import api_page
from fourcast.web.schemas import AboutView
from fourcast.web.views import about_view

__all__ = ["missing_page", "router"]

STATIC = Path(__file__).parent.parent / "static"
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
_TEXTS = ("text/", "image/svg", "application/manifest")

router = APIRouter()


class _File:
    """A file of the page, in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        guessed = mimetypes.guess_type(path.name)[0]
        self.media_type = _TYPES.get(path.suffix) or guessed or "application/octet-stream"

    def refresh(self) -> None:
        """Read the file again if it has changed: a developer sees the change at once."""
        status = self._path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            self.content = self._path.read_bytes()
            is_text = self.media_type.startswith(_TEXTS) and len(self.content) > 200
            self.zipped = gzip.compress(self.content, mtime=0) if is_text else None
            self.etag = f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'
            self._stamp = stamp


# The names listed here are all that is ever looked up: no path of a request reaches the disk.
_FILES = {
    path.relative_to(STATIC).as_posix(): _File(path)
    for path in sorted(STATIC.rglob("*"))
    if path.is_file()
}


def _serve(request: Request, name: str, status: int = 200) -> Response:
    file = _FILES.get(name)
    if file is None:
        return Response('{"detail":"there is no such file"}', 404, media_type="application/json")
    file.refresh()
    # The browser may keep a file, but asks each time whether it is still the same: after an upgrade no
    # old module meets a new one.
    headers = {"etag": file.etag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "") if status == 200 else ""
    if file.etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]:
        return Response(status_code=304, headers=headers)
    if file.zipped and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.zipped, status, headers, file.media_type)
    return Response(file.content, status, headers, file.media_type)


@router.get("/", include_in_schema=False)
@router.get("/board", include_in_schema=False)
@router.get("/game/{game_id}", include_in_schema=False)
async def page(request: Request) -> Response:
    """Return the page: which one it is, it sees from its address."""
    return _serve(request, "index.html")


def missing_page(request: Request) -> Response | None:
    """Return the page for a mistyped address, which says so; None to a client that reads no pages."""
    is_reader = "text/html" in request.headers.get("accept", "")
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    if not (is_reader and is_page and request.method in ("GET", "HEAD")):
        return None
    return _serve(request, "index.html", 404)


@router.get("/favicon.ico", include_in_schema=False)
async def icon(request: Request) -> Response:
    """Return the picture that browsers ask for by themselves."""
    return _serve(request, "favicon.svg")


@router.get("/static/{name:path}", include_in_schema=False)
async def static(request: Request, name: Annotated[str, PathParameter(max_length=200)]) -> Response:
    """Return a file of the page."""
    return _serve(request, name)


@router.get("/api/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Return the description of the API as a page to read."""
    return Response(api_page(request.app.openapi()), media_type="text/html")


@router.get("/api/about", tags=["server"])
async def about(request: Request) -> AboutView:
    """Return what a page needs to know about this server: its limits, its names for things."""
    return about_view(request.app.state.games.hub.notice)


@router.get("/healthz", tags=["server"])
async def healthz(request: Request) -> dict[str, str | int]:
    """Say that the server is alive. It waits for nothing: no solve and no database."""
    return {"status": "ok", "version": __version__, "connections": len(request.app.state.games.hub)}
