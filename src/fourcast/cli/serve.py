"""`fourcast serve`: the web app."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from fourcast.errors import missing_extra


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on; 0.0.0.0 for access from other machines."
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, metavar="PORT", help="Port; 0 is any free one.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE", help="Where games are kept: a file, sqlite:///... or postgresql://..."
        ),
    ] = None,
    cup: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder of a tournament to show at /cup, also while it is played."
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check the settings, and exit.")] = False,
) -> None:
    """Serve the web app: play, watch and analyze in a browser.

    Ctrl-C stops it, and games are kept. docs/web.md lists more settings, which are environment
    variables.
    """
    try:
        from fourcast.web.serve import serve as run
        from fourcast.web.settings import Settings
    except ImportError as error:
        raise missing_extra(f"the web app needs {error.name or 'more'}", "web") from None
    if database is not None and "://" not in database:
        database = f"sqlite:///{database}"

    def on_ready(address: str) -> None:
        print(f"fourcast is at {address} (Ctrl-C ends it)", flush=True)
        if settings.cup:
            print(f"the tournament is at {address}cup", flush=True)
        if open_browser:
            webbrowser.open(address)

    settings = Settings.from_environment(host=host, port=port, database_url=database, cup=cup)
    if check:
        from fourcast.web.check import check as look

        fails = False
        for what, wrong, is_fatal in look(settings):
            fails = fails or (is_fatal and wrong is not None)
            mark = "ok     " if wrong is None else "wrong  " if is_fatal else "note   "
            print(mark + what + (f": {wrong}" if wrong else ""))
        raise typer.Exit(1 if fails else 0)
    if not run(settings, on_ready):
        raise typer.Exit(2)
