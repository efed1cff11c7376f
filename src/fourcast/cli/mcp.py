"""`fourcast mcp`: a server of the Model Context Protocol, for language models."""

from __future__ import annotations

import signal
from typing import Annotated

import typer


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp in place of standard input.")
    ] = False,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="With --http: the address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=1, max=65_535, metavar="PORT", help="With --http: the port.")
    ] = 8001,
) -> None:
    """Serve language models by the Model Context Protocol.

    Tools to analyze, explain, review, solve puzzles and play, with exact
    answers. Without options it talks on standard input and output, as desktop
    programs start it: {"command": "fourcast", "args": ["mcp"]}. docs/mcp.md has
    a conversation.
    """
    from fourcast.adapters.mcp_server import run_server

    if not http:  # a thread waits for a line then, and an exception here would wait for that thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    run_server(http=http, host=host, port=port)
