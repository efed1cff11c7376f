"""`fourcast community`: the game on the issues of a GitHub repository, from its owner's side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.errors import CommunityError

Folder = Annotated[Path, typer.Option(help="The repository on this machine.")]
Repository = Annotated[
    str | None, typer.Option(help="OWNER/NAME on GitHub; if not said, that of the remote 'origin'.")
]


def community() -> None:
    """Run a community game on the issues of a GitHub repository."""


def init(
    folder: Folder = Path("."),
    repository: Repository = None,
    action: Annotated[
        str | None,
        typer.Option(help="Where fourcast's action.yml is: OWNER/NAME@COMMIT, with 40 digits."),
    ] = None,
) -> None:
    """Switch the game on: write the workflow, the settings and the markers in the README.

    What is there already is left as it is, and a second time changes nothing.
    """
    from fourcast.community import config, setup

    action = action or setup.find_action()
    if action is None and not (folder / setup.WORKFLOW).exists():
        raise CommunityError(
            "where is fourcast on GitHub? Say --action OWNER/NAME@COMMIT, or install fourcast from "
            "there: pip install 'fourcast[community] @ git+https://github.com/OWNER/NAME'"
        )
    site = setup.find_site(folder, repository)
    written = setup.init(folder, site, action)
    for path in written:
        print(f"wrote {path}")
    if not written:
        print("Everything is there already, nothing was changed.")
    print(
        f"""
What to do next:
  1. Look at {config.PATH}: the teams, the bot, who may do what.
  2. Commit and push all of it to the default branch of {site.repository}.
  3. On {site.url}/settings: under General, Issues must be on; under
     Actions, General, workflows must be allowed to run.
  4. Open the page and play the first move.
To see a game beforehand: fourcast community simulate"""
    )


def simulate(
    folder: Annotated[Path, typer.Option(help="An empty folder to play in.")] = Path("."),
    moves: Annotated[int, typer.Option(min=0, max=1000, help="How many moves are played.")] = 12,
    seed: Annotated[int | None, typer.Option(help="Make it repeatable.")] = None,
    bot: Annotated[str | None, typer.Option(help="The bot: a player's name.")] = None,
    settings: Annotated[Path | None, typer.Option(help="The settings to try, a .toml file.")] = None,
) -> None:
    """Play on this machine, with made-up people and a scratch repository, to see how it looks."""
    from fourcast.community.simulate import ISSUES
    from fourcast.community.simulate import simulate as play

    text = settings.read_text("utf-8") if settings else None
    ledger = play(folder, moves=moves, seed=seed, bot=bot, config=text)
    print(f"\n{ledger.moves} moves were played in {folder.absolute()}. Look at:")
    print("  README.md               the page, as GitHub would show it")
    print("  connect4/board.svg      the board, in any browser")
    print("  connect4/ledger.jsonl   the ledger")
    print(f"  {ISSUES + '/':24}what people asked for, and the answers")
    print("  git log                 one commit a move")


def rebuild(folder: Folder = Path("."), repository: Repository = None) -> None:
    """Make the page, the board and the past games anew from the ledger."""
    from fourcast.community import setup

    changed = setup.rebuild(folder, setup.find_site(folder, repository))
    for path in changed:
        print(f"wrote {path}")
    if not changed:
        print("Everything is as the ledger says, nothing was changed.")


def run() -> None:
    """Play the moves of all open issues; this is what the workflow on GitHub calls."""
    from fourcast.community.run import main

    raise typer.Exit(main())


SUBCOMMANDS = (init, simulate, rebuild, run)
