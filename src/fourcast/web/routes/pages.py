"""The pages and their files, the description of the API, and the sign of life."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi import Path as PathParameter

from fourcast import __version__
from fourcast.web.api_page import api_page

__all__ = ["router"]

STATIC = Path(__file__).parent.parent / "static"
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
_TEXTS = ("text/", "image/svg", "application/manifest")

router = APIRouter()


@dataclass(frozen=True)
class _File:
    """A file of the page in memory, as it is on the disk."""

    stamp: tuple[int, int]
    content: bytes
    zipped: bytes | None
    etag: str
    media_type: str


_files: dict[str, _File] = {}


def _load(name: str) -> _File | None:
    """Return a file of the page; it is read again when it has changed."""
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC) or not path.is_file():
        return None
    status = path.stat()
    stamp = (status.st_mtime_ns, status.st_size)
    found = _files.get(name)
    if found is None or found.stamp != stamp:
        content = path.read_bytes()
        guessed = mimetypes.guess_type(path.name)[0]
        media_type = _TYPES.get(path.suffix) or guessed or "application/octet-stream"
        is_text = media_type.startswith(_TEXTS)
        zipped = gzip.compress(content, mtime=0) if is_text and len(content) > 200 else None
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found = _files[name] = _File(stamp, content, zipped, etag, media_type)
    return found


def _serve(request: Request, name: str) -> Response:
    file = _load(name)
    if file is None:
        return Response('{"detail":"there is no such file"}', 404, media_type="application/json")
    # The browser may keep a file, and asks each time whether it is still the same: after an upgrade no
    # old module meets a new one.
    headers = {"etag": file.etag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if file.etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]:
        return Response(status_code=304, headers=headers)
    if file.zipped and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.zipped, headers=headers, media_type=file.media_type)
    return Response(file.content, headers=headers, media_type=file.media_type)


@router.get("/", include_in_schema=False)
@router.get("/board", include_in_schema=False)
@router.get("/game/{game_id}", include_in_schema=False)
async def page(request: Request) -> Response:
    """Return the page: which one it is, it sees from its address."""
    return _serve(request, "index.html")


@router.get("/favicon.ico", include_in_schema=False)
async def icon(request: Request) -> Response:
    """Return the picture that browsers ask for by themselves."""
    return _serve(request, "favicon.svg")


@router.get("/static/{name:path}", include_in_schema=False)
async def static(request: Request, name: Annotated[str, PathParameter(max_length=200)]) -> Response:
    """Return a file of the page."""
    return _serve(request, name) if "\0" not in name else _serve(request, "/")


@router.get("/api/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Return the description of the API as a page to read."""
    return Response(api_page(request.app.openapi()), media_type="text/html")


@router.get("/healthz", tags=["server"])
async def healthz(request: Request) -> dict[str, str | int]:
    """Say that the server is alive. It waits for nothing: no solve and no database."""
    return {"status": "ok", "version": __version__, "connections": len(request.app.state.games.hub)}
