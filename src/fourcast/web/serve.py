"""The app behind a listening socket: uvicorn, tuned for many small requests, with bounds."""

from __future__ import annotations

import errno
import gc
import logging.config
import os
import socket
import sys
import threading
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from fourcast.errors import FourcastError
from fourcast.web.app import create_app
from fourcast.web.games.news import make_news
from fourcast.web.games.store import Store, only_server
from fourcast.web.server.connections import IDLE_S, UNREAD_S, Door, bounded_protocols
from fourcast.web.server.limits import Buckets
from fourcast.web.server.logs import LOGGING, log
from fourcast.web.server.self_check import prove_limits
from fourcast.web.settings import Settings

__all__ = ["Server", "check_files", "check_memory", "listen", "serve"]

MAX_MESSAGE = 4_096
"""Bytes of the largest message that is read from a WebSocket."""
MAX_FILES = 65_536
OTHER_FILES = 100
"""Files that are open besides connections: the database, the log, books."""
LEAST_CONNECTIONS = 50
LEAST_MB = 700 + 150 * (os.cpu_count() or 1)
"""Address space: mostly what threads reserve, of which little is ever used."""


def serve(settings: Settings, on_ready: Callable[[str], object]) -> bool:
    """Serve the app until a signal ends it; *on_ready* is called with its address.

    Returns whether the server could be started. Raises a `FourcastError` if the database or the address
    cannot be used, or the limits of the system (`ulimit`) are too small.
    """
    check_memory()
    Store(settings.database_url).close()  # fail early if the database cannot be opened
    make_news(settings.database_url, settings.redis_url)
    with only_server(settings.database_url):
        return _serve(settings, on_ready)


def _serve(settings: Settings, on_ready: Callable[[str], object]) -> bool:
    app = create_app(settings)
    listener = listen(settings.host, settings.port)
    address = _address(settings.host, listener.getsockname()[1])
    logging.config.dictConfig(LOGGING)
    # A thread that has waited for the disk gets its turn at once, not after 5 ms: with a busy event loop
    # every statement of a transaction would wait that long.
    sys.setswitchinterval(0.0005)
    server = Server(app, settings, lambda: on_ready(address))
    server.cut_off = _cut_off
    server.run(sockets=[listener])
    return server.started


class Server(uvicorn.Server):
    """uvicorn with the app's limits and logs.

    *cut_off* is called, on another thread, when a shutdown takes longer than the settings allow.
    """

    cut_off: Callable[[], object] = staticmethod(lambda: None)

    def __init__(
        self, app: FastAPI, settings: Settings, on_ready: Callable[[], object] = lambda: None
    ) -> None:
        self._app = app
        self._on_ready = on_ready
        self._shutdown_s = settings.shutdown_s
        door = _door(settings)
        http, websocket = bounded_protocols(door)
        super().__init__(
            uvicorn.Config(
                app,
                http=http,
                ws=websocket,
                log_config=None,
                access_log=False,  # `AccessLog` writes it, as JSON
                proxy_headers=False,  # `client_address` reads them, if the settings say so
                server_header=False,
                ws_max_size=MAX_MESSAGE,
                ws_per_message_deflate=False,  # for messages this small it saves little and costs time
                timeout_keep_alive=int(IDLE_S),
                # The rest is for what the app has to finish.
                timeout_graceful_shutdown=max(1, settings.shutdown_s * 2 // 3),
            )
        )
        if door.most < settings.max_connections:
            text = "the limit of open files (ulimit -n) allows fewer connections than the settings"
            log.warning(text, extra={"connections": door.most, "wanted": settings.max_connections})

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so. Raises `FourcastError` if the limits on connections do not hold."""
        prove_limits()
        await super().startup(sockets)
        # What exists now stays. The garbage collector need not look at all of it again and again, which
        # takes tens of milliseconds each time.
        gc.collect()
        gc.freeze()
        if self.started:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down. Analyses under way answer with what is proven so far, instead of going on."""
        timer = threading.Timer(self._shutdown_s, self.cut_off)
        timer.daemon = True
        timer.start()
        self._app.state.analysis.close()
        await super().shutdown(sockets)
        timer.cancel()


def _cut_off() -> None:
    """End the process at once. What was acknowledged is on the disk."""
    log.error("the shutdown took too long and was cut off; no acknowledged move is lost")
    os._exit(1)


def check_memory() -> None:
    """Raise `FourcastError` if the address space is limited too much: threads would fail, one by one."""
    try:
        import resource
    except ImportError:
        return
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most != resource.RLIM_INFINITY and most < LEAST_MB * 2**20:
        raise FourcastError(
            f"the limit of memory (ulimit -v) is {most // 2**20} MB, and the server needs {LEAST_MB} MB "
            "of address space"
        )


def check_files() -> int:
    """Return how many files may be open. Raises `FourcastError` if that are too few."""
    files = _allow_many_files()
    if files < OTHER_FILES + LEAST_CONNECTIONS:
        raise FourcastError(
            f"the limit of open files (ulimit -n) is {files}, and the server needs "
            f"{OTHER_FILES + LEAST_CONNECTIONS}"
        )
    return files


def _door(settings: Settings) -> Door:
    files = check_files()
    most = min(settings.max_connections, files - OTHER_FILES)
    per_address = None if settings.trust_proxy else settings.connections_per_address
    # A connection is for one request at least.
    opened = Buckets(settings.requests_per_s, settings.request_burst)
    sockets = settings.sockets_per_address
    return Door(most=most, per_address=per_address, sockets=sockets, opened=opened)


def _allow_many_files() -> int:
    """Raise the limit of open files as far as this process may, and return it."""
    try:
        import resource
    except ImportError:
        return MAX_FILES
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if most == resource.RLIM_INFINITY else min(most, MAX_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises `FourcastError`, with the reason, if that is not possible."""
    listener = None
    try:
        family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, number)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            # A client that reads nothing is cut off; connections inherit this from the listener.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_S * 1000))
        listener.bind(place)
        listener.listen(1024)
    except OSError as error:
        if listener:
            listener.close()
        reason = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            reason = "another program uses it; --port 0 takes any free port"
        raise FourcastError(f"cannot listen on {host} port {port}: {reason}") from None
    return listener


def _address(host: str, port: int) -> str:
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"
