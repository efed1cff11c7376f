"""`fourcast community`: the game on the issues of a GitHub repository, from its owner's side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.cli._support import options
from fourcast.errors import CommunityError

Folder = Annotated[
    Path, typer.Option(metavar="FOLDER", help="The clone of the repository on this machine.")
]
Repository = Annotated[
    str | None,
    typer.Option(metavar="OWNER/NAME", help="On GitHub; by default that of the remote 'origin'."),
]


def community() -> None:
    """Run a community game on the issues of a GitHub repository."""


def init(
    folder: Folder = Path("."),
    repository: Repository = None,
    action: Annotated[
        str | None,
        typer.Option(
            metavar="OWNER/NAME@COMMIT",
            help="The repository with fourcast's action.yml, and all 40 digits of a commit.",
        ),
    ] = None,
) -> None:
    """Set up the game: write workflow, settings and markers.

    The board is shown between two markers in the README. Existing files are not changed, and a second
    run changes nothing.
    """
    from fourcast.community import config, setup

    action = action or setup.find_action()
    if action is None and not (folder / setup.WORKFLOW).exists():
        raise CommunityError(
            "this fourcast was not installed from a commit on GitHub: say which one the workflow runs, "
            "--action OWNER/NAME@COMMIT with all 40 digits of the commit"
        )
    site = setup.find_site(folder, repository)
    written = setup.init(folder, site, action)
    for path in written:
        print(f"wrote {path}")
    if not written:
        print("Everything is in place already, nothing was changed.")
    print(
        f"""
What to do next:
  1. Check {config.PATH}: the teams, the bot, who may do what.
  2. Commit everything and push it to the default branch of {site.repository}.
  3. On {site.url}/settings: under General, Issues must be on; under
     Actions, General, workflows must be allowed to run.
  4. Open the page and play the first move.
To see a game first: fourcast community simulate"""
    )


def simulate(
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="An empty folder to play in.")] = Path(
        "."
    ),
    moves: Annotated[int, typer.Option(min=0, max=1000, metavar="N", help="Moves to play.")] = 12,
    seed: options.Seed = None,
    bot: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The bot: a player such as streaks:depth=6, or a program."),
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The settings to try, a .toml file.")
    ] = None,
) -> None:
    """Try a game with made-up people in a scratch repository."""
    from fourcast.community.setup import load_config
    from fourcast.community.simulate import ISSUES
    from fourcast.community.simulate import simulate as play

    text = settings.read_bytes() if settings else None
    ledger = play(folder, moves=moves, seed=seed, bot=bot, config=text)
    config = load_config(folder)
    print(f"\n{ledger.moves} moves were played in {folder.absolute()}. Look at:")
    for path, what in (
        (config.readme, "the page, as GitHub would show it"),
        (f"{config.folder}/board.svg", "the board, in any browser"),
        (config.ledger_path, "the ledger"),
        (f"{ISSUES}/", "the issues, with their answers"),
        ("git log", "one commit for each move"),
    ):
        print(f"  {path:23} {what}")


def rebuild(folder: Folder = Path("."), repository: Repository = None) -> None:
    """Verify the ledger, and write everything else from it."""
    from fourcast.community import setup

    changed = setup.rebuild(folder, setup.find_site(folder, repository))
    for path in changed:
        print(f"wrote {path}")
    if not changed:
        print("Everything follows from the ledger, nothing was changed.")


def run() -> None:
    """Play the moves of all open issues; the workflow calls this."""
    from fourcast.community.run import main

    raise typer.Exit(main())


SUBCOMMANDS = (init, simulate, rebuild, run)
