"""`fourcast serve`: the web app."""

from __future__ import annotations

import errno
import gc
import socket
import sys
import webbrowser
from typing import Annotated

import typer

from fourcast.errors import FourcastError, MissingExtraError

MAX_MESSAGE = 4_096
"""Bytes of the largest message that is read from a socket."""
MAX_FILES = 65_536
UNREAD_MS = 30_000
"""After which a connection ends that takes nothing of what is sent."""


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; 0.0.0.0 lets in other machines.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="Port; 0 is any free one.")] = None,
    database: Annotated[
        str | None, typer.Option(help="Where games are kept: a file, sqlite:///... or postgresql://...")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Show the page in a browser.")] = False,
) -> None:
    """Serve the web app: play, watch and analyze in a browser.

    Ctrl-C ends it. Games are kept. Everything else is set by environment variables; docs/web.md lists
    them.
    """
    try:
        import uvicorn

        from fourcast.web.app import create_app
        from fourcast.web.logs import LOGGING
        from fourcast.web.settings import Settings
        from fourcast.web.store import Store
    except ImportError as error:
        raise MissingExtraError(
            f"the web app needs {error.name or 'more'}: pip install 'fourcast[web]'"
        ) from None
    if database is not None and "://" not in database:
        database = f"sqlite:///{database}"
    settings = Settings.from_environment().with_options(host=host, port=port, database_url=database)
    Store(settings.database_url).close()  # complains before there is a server to be seen
    app = create_app(settings)
    listener = _listen(settings.host, settings.port)
    address = _address(settings.host, listener.getsockname()[1])
    config = uvicorn.Config(
        app,
        log_config=LOGGING,
        access_log=False,  # ours is a line of JSON
        proxy_headers=False,  # ours believes them only if told to
        server_header=False,
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,  # of messages so small it saves little and costs time
        timeout_keep_alive=30,
        timeout_graceful_shutdown=settings.shutdown_s,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            # What is there now stays: the collector need not look at all of it again and again, which
            # takes tens of milliseconds each time.
            gc.collect()
            gc.freeze()
            if self.started:
                print(f"fourcast is at {address} (Ctrl-C ends it)", flush=True)
                if open_browser:
                    webbrowser.open(address)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.analysis.close()  # who waits for a solve gets what is proven so far, now
            await super().shutdown(sockets)

    _allow_many_connections()
    # A thread that has waited for the disk gets its turn at once, not after 5 ms: with a busy event loop
    # each of a transaction's statements would wait so long.
    sys.setswitchinterval(0.0005)
    server = Server(config)
    server.run(sockets=[listener])
    if not server.started:
        raise typer.Exit(2)


def _allow_many_connections() -> None:
    """Open as many files as this process may, not as many as is usual."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if most == resource.RLIM_INFINITY else min(most, MAX_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there can be none."""
    listener = None
    try:
        family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, number)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            # Whoever reads nothing of what he is sent is cut off: the connections take this over.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        listener.bind(place)
        listener.listen(1024)
    except OSError as error:
        if listener:
            listener.close()
        reason = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            reason = "another program is there already; --port 0 takes any free port"
        raise FourcastError(f"cannot listen on {host} port {port}: {reason}") from None
    return listener


def _address(host: str, port: int) -> str:
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"
