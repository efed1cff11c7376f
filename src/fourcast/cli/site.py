"""`fourcast site`: the web page as a static site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.errors import missing_extra


def site(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder to write; a site in it is replaced.")
    ],
    book: Annotated[
        int,
        typer.Option(
            min=8, max=12, metavar="N", help="Plies of the opening book that the page loads when idle."
        ),
    ] = 10,
) -> None:
    """Write the web page as a static site that works offline.

    The core runs in the page, so everything works except live games. Any web server will do, for
    example GitHub Pages.
    """
    try:
        from fourcast.web.page.site import write_site
    except ImportError as error:
        raise missing_extra(f"the web page needs {error.name or 'more'}", "web") from None
    size = write_site(out, book_plies=book)
    print(f"{out}: {size:,} bytes. To see it: python -m http.server --directory {out}")
