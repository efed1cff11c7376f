"""The pages and their files, the description of the API, and the sign of life."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import mimetypes
from functools import partial
from pathlib import Path
from typing import Annotated

from cachetools import LRUCache
from fastapi import APIRouter, HTTPException, Request, Response
from fastapi import Path as PathParameter
from fastapi.concurrency import run_in_threadpool
from fastapi.encoders import jsonable_encoder
from fastapi.responses import PlainTextResponse

from fourcast import __version__
from fourcast.render.catalogue import languages
from fourcast.web.page.api_page import api_page
from fourcast.web.page.bundled import STATIC, bundled_files, with_preloads
from fourcast.web.page.data import MAP, data_files, text_bytes, with_answers
from fourcast.web.page.previews import preview_tags
from fourcast.web.schemas import AboutView
from fourcast.web.server.limits import CONTENT_SECURITY_POLICY
from fourcast.web.views import about_view, player_views

__all__ = ["missing_page", "router"]

_TYPES = {
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
_TEXTS = ("text/", "image/svg", "application/json", "application/manifest", "application/wasm")

# Files that are made of what the library knows. Some take a second to make, and have no version.
_DATA = data_files()
_UNVERSIONED = (".book", ".svg")
_NAMED_PAGES = ("board", "learn", "puzzles", "train", "explore", "games", "help", "room")
_PAGES = ("/", "/game/{game_id}", "/room/{room_id}", *(f"/{name}" for name in _NAMED_PAGES))
# Scripts that are no modules, which no bundle contains.
_CLASSIC = {"js/theme.js", "js/embed.js"}

log = logging.getLogger("fourcast.web")

router = APIRouter()


class _Sent:
    """Bytes that are sent, with their type and their tag."""

    def __init__(self, content: bytes, media_type: str, zipped: bytes | None = None) -> None:
        self.content = content
        self.media_type = media_type
        is_text = media_type.startswith(_TEXTS) and len(content) > 200
        self.zipped = (zipped or gzip.compress(content, mtime=0)) if is_text else None
        self.etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'


class _File:
    """A file of the page, in memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        guessed = mimetypes.guess_type(path.name)[0]
        self.media_type = _TYPES.get(path.suffix) or guessed or "application/octet-stream"

    def refresh(self) -> _Sent:
        """Read the file again if it has changed."""
        status = self._path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            self._sent = _Sent(self._path.read_bytes(), self.media_type)
            self._stamp = stamp
        return self._sent


# The names listed here are all that is ever looked up: no path of a request reaches the disk.
_FILES = {
    path.relative_to(STATIC).as_posix(): _File(path)
    for path in sorted(STATIC.rglob("*"))
    if path.is_file()
}


# What other sites may show in a frame, and the script that makes it there.
_FRAMED = {
    "content-security-policy": CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
    "x-frame-options": "",
    "cross-origin-resource-policy": "cross-origin",
}
# A picture with a script of its own, opened by itself: it zooms, and can do nothing else.
_PICTURE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; sandbox allow-scripts"
)
_SPECIAL_HEADERS = {
    "js/embed.js": {"cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*"},
    "embed.html": _FRAMED,
    f"data/{MAP}": {"content-security-policy": _PICTURE_POLICY},
}


# The browser may keep a file, but asks each time whether it is still the same.
_ASKS_AGAIN = "no-cache"
# What has its version in its address never changes.
_KEEPS = "public, max-age=31536000, immutable"


def _send(request: Request, file: _Sent, headers: dict[str, str], status: int = 200) -> Response:
    headers = {"etag": file.etag, "vary": "Accept-Encoding", **headers}
    known = request.headers.get("if-none-match", "") if status == 200 else ""
    if file.etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]:
        return Response(status_code=304, headers=headers)
    if file.zipped and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.zipped, status, headers, file.media_type)
    return Response(file.content, status, headers, file.media_type)


def _missing() -> Response:
    return Response('{"detail":"there is no such file"}', 404, media_type="application/json")


def _serve(request: Request, name: str) -> Response:
    """Return a file as it lies in the folder."""
    file = _FILES.get(name)
    if file is None:
        return _missing()
    headers = {**_SPECIAL_HEADERS.get(name, {}), "cache-control": _ASKS_AGAIN}
    return _send(request, file.refresh(), headers)


class _Release:
    """The files that pages name, under an address that changes with any of them.

    So that browsers may keep them for good, and no old module meets a new one.
    """

    def __init__(self) -> None:
        self._of: tuple[str, ...] | None = None
        self.version = ""
        self._is_bundled = False
        self._files: dict[str, _Sent] = {}
        self._made: dict[str, _Sent] = {}

    def refresh(self) -> None:
        """Read the files again if one has changed: a developer sees the change at once, unbundled."""
        sent = {name: file.refresh() for name, file in _FILES.items()}
        tags = tuple(file.etag for file in sent.values())
        if tags == self._of:
            return
        bundled = bundled_files()
        for name, path in bundled.items():
            sent[name] = _Sent(path.read_bytes(), "text/javascript")
        self._is_bundled = bool(bundled)
        digest = hashlib.sha256(__version__.encode())
        for name, file in sorted(sent.items()):
            digest.update(f"{name} {file.etag}\n".encode())
        for name in sorted(_DATA):
            if not name.endswith(_UNVERSIONED):
                digest.update(_DATA[name]())
        self.version = digest.hexdigest()[:16]
        self._files = sent
        self._of = tags

    def get(self, name: str) -> _Sent | None:
        """Return a file; None if there is none of that name."""
        return self._files.get(name)

    def make(self, name: str) -> _Sent | None:
        """Return a file that is made of what the library knows; None if there is none of that name."""
        make = _DATA.get(name.removeprefix("data/")) if name.startswith("data/") else None
        if make and name not in self._made:
            media_type = _TYPES.get(Path(name).suffix, "application/octet-stream")
            self._made[name] = _Sent(make(), media_type)
        return self._made.get(name)

    def to_keep(self) -> dict[str, tuple[str, bytes]]:
        """Return all files that a page of this version may ask for, zipped; none without a bundle.

        Opening books and the map are left out: those of another version do as well.
        """
        if not self._is_bundled:
            return {}
        modules = {path.relative_to(STATIC).as_posix() for path in (STATIC / "js").rglob("*.?s")}
        replaced = modules - set(bundled_files()) - _CLASSIC  # by the bundle
        names = [name for name in self._files if name not in replaced]
        names += [f"data/{name}" for name in _DATA if not name.endswith(_UNVERSIONED)]
        files = {name: self.get(name) or self.make(name) for name in names}
        return {
            name: (file.media_type, file.zipped or gzip.compress(file.content))
            for name, file in files.items()
            if file
        }

    def page(self, name: str, language: str, first: dict[str, object], tags: str) -> _Sent:
        """Return a page with what it would ask for first, and more *tags* in its head."""
        self.refresh()
        text = _FILES[name].refresh().content.decode()
        if self._is_bundled and name == "index.html":
            text = with_preloads(text)
        text = text.replace('"/static/', f'"/static/v-{self.version}/')
        text = text.replace("</head>", f"{tags}</head>", 1)
        text = with_answers(text, jsonable_encoder(first), language)
        return _Sent(text.encode(), "text/html")


_RELEASE = _Release()
_OTHERS: LRUCache[tuple[str, str], _Sent] = LRUCache(100)
"""Files of other versions that were asked for."""


async def _keep_release(request: Request) -> None:
    """Keep the files of this version where all servers find them, before a page names them.

    While servers are upgraded one after the other, a page and its files come from different ones.
    """
    state = request.app.state
    if not _RELEASE.version:
        _RELEASE.refresh()
    if not hasattr(state, "games") or state.kept_version == _RELEASE.version:
        return
    try:
        files = await run_in_threadpool(_RELEASE.to_keep)
        if files:
            await state.games.read(partial(state.games.store.keep_page, _RELEASE.version, files))
        state.kept_version = _RELEASE.version
    except Exception:  # the page is shown all the same, and the next one tries again
        log.exception("the files of the page were not stored")


async def _file_of(request: Request, version: str, name: str) -> _Sent | None:
    """Return a file of another version, if it is kept."""
    if (version, name) in _OTHERS:
        return _OTHERS[version, name]
    games = request.app.state.games
    found = await games.read(partial(games.store.page_file, version, name))
    if found is None:
        return None
    file = await run_in_threadpool(_Sent, gzip.decompress(found[1]), *found)
    _OTHERS[version, name] = file
    return file


def _page(request: Request, name: str, status: int = 200, tags: str = "") -> Response:
    games = getattr(request.app.state, "games", None)  # there is none before the server has started
    first: dict[str, object] = {}
    if games:
        first = {"/api/about": about_view(games.hub.notice), "/api/players": player_views()}
    language = _language_of(request.headers.get("accept-language", ""))
    first[f"text-{language}"] = json.loads(text_bytes(language))
    page = _RELEASE.page(name, language, first, tags)
    headers = {**_SPECIAL_HEADERS.get(name, {}), "cache-control": _ASKS_AGAIN}
    headers["vary"] = "Accept-Encoding, Accept-Language"
    return _send(request, page, headers, status)


def _language_of(accepted: str) -> str:
    """Return the language that a browser probably chooses: the first that exists.

    >>> _language_of("fr-CH, de-CH;q=0.8, en;q=0.7"), _language_of("*")
    ('de', 'en')
    """
    wanted = (each.partition(";")[0].partition("-")[0].strip().lower() for each in accepted.split(","))
    return next((each for each in wanted if each in languages()), "en")


async def page(request: Request) -> Response:
    """Return the page: which one it is, it sees from its address. Tags say what a link to it shows."""
    await _keep_release(request)
    return _page(request, "index.html", tags=await preview_tags(request))


for _path in _PAGES:
    router.get(_path, include_in_schema=False)(page)


@router.get("/cup", include_in_schema=False)
async def cup_page(request: Request) -> Response:
    """Return the page of the tournament that this server shows, if it shows one."""
    if request.app.state.cup is None:
        raise HTTPException(404)
    await _keep_release(request)
    return _page(request, "index.html")


@router.get("/embed", include_in_schema=False)
@router.get("/embed.html", include_in_schema=False)
async def embed(request: Request) -> Response:
    """Return the board that other sites show in a frame."""
    await _keep_release(request)
    return _page(request, "embed.html")


def missing_page(request: Request) -> Response | None:
    """Return the page for a mistyped address, which says so; None to a client that reads no pages."""
    is_reader = "text/html" in request.headers.get("accept", "")
    is_page = not request.url.path.startswith(("/api/", "/static/"))
    if not (is_reader and is_page and request.method in ("GET", "HEAD")):
        return None
    return _page(request, "index.html", 404)


@router.get("/favicon.ico", include_in_schema=False)
async def icon(request: Request) -> Response:
    """Return the picture that browsers ask for by themselves."""
    return _serve(request, "favicon.svg")


@router.get("/static/v-{version}/{name:path}", include_in_schema=False)
async def released(
    request: Request,
    version: Annotated[str, PathParameter(max_length=40)],
    name: Annotated[str, PathParameter(max_length=200)],
) -> Response:
    """Return a file of a version of the page: the one that is served now, or one that is kept."""
    _RELEASE.refresh()
    is_ours = version == _RELEASE.version
    is_any = name.startswith("data/") and name.endswith(_UNVERSIONED)
    if is_ours or is_any:
        # Cutting a book takes a second, once.
        file = _RELEASE.get(name) or await run_in_threadpool(_RELEASE.make, name)
    else:
        file = await _file_of(request, version, name)
    if file is None or not file.content:
        return _missing()
    cache = _ASKS_AGAIN if is_any and not is_ours else _KEEPS
    return _send(request, file, {**_SPECIAL_HEADERS.get(name, {}), "cache-control": cache})


@router.get("/static/{name:path}", include_in_schema=False)
async def static(request: Request, name: Annotated[str, PathParameter(max_length=200)]) -> Response:
    """Return a file as it is, or one that is made of what the library knows."""
    if not name.startswith("data/"):
        return _serve(request, name)
    file = await run_in_threadpool(_RELEASE.make, name)
    if file is None or not file.content:
        return _missing()
    return _send(request, file, {"cache-control": _ASKS_AGAIN})


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


@router.get("/readyz", tags=["server"])
async def readyz(request: Request, response: Response) -> dict[str, str]:
    """Say whether the server can store moves: a proxy sends people elsewhere while it cannot."""
    is_ready = await request.app.state.games.is_ready()
    response.status_code = 200 if is_ready else 503
    return {"status": "ready" if is_ready else "the database does not answer"}


@router.get("/metrics", tags=["server"], response_class=PlainTextResponse)
async def metrics(request: Request) -> PlainTextResponse:
    """Return figures in the text form of Prometheus, to programs on this machine only."""
    peer = request.client.host if request.client else ""
    if peer not in ("127.0.0.1", "::1") or "x-forwarded-for" in request.headers:
        raise HTTPException(404)
    state = request.app.state
    gauges = state.games.gauges()
    gauges["room_sockets"] = ("live connections to rooms", state.rooms.sockets)
    text = state.metrics.text(gauges)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")
