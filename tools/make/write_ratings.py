"""Write the ratings of the players into the package, from the journals of tournaments.

    python tools/make/write_ratings.py build/levels/journal.jsonl build/everybody/journal.jsonl

The games of all journals count together. Players with options of their own and programs are left out.
Run it after the tournaments of tools/make/levels.toml and tools/make/everybody.toml, whose first lines
have their commands.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fourcast.arena.play import GameRecord
from fourcast.arena.ratings import elo_ratings
from fourcast.players import player_names

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "src" / "fourcast" / "players" / "ratings.py"


def main(arguments: list[str]) -> None:
    """Read the journals, and write the module."""
    if not arguments:
        sys.exit(__doc__)
    names = player_names()
    records = []
    for argument in arguments:
        lines = Path(argument).read_text("utf-8").splitlines()[1:]  # behind the settings
        records += [GameRecord.from_json(json.loads(line)) for line in lines]
    counted = [game for game in records if game.first in names and game.second in names]
    played = {game.first for game in counted} | {game.second for game in counted}
    if missing := [name for name in names if name not in played]:
        sys.exit(f"these have played no game: {', '.join(missing)}")
    ratings = elo_ratings(names, counted)
    zero = ratings["random"].elo
    rows = [f'    "{name}": {ratings[name].elo - zero:.0f},' for name in names]
    MODULE.write_text(
        f'''"""How strong the players are: Elo points above `random`, from {len(counted)} games.

Written by the command
    python tools/make/write_ratings.py {" ".join(arguments)}
whose journals are those of tools/make/levels.toml and tools/make/everybody.toml.
"""

ELO = {{
{chr(10).join(rows)}
}}
''',
        "utf-8",
    )
    print(f"{MODULE.relative_to(ROOT)}: {len(rows)} players, {len(counted)} games")


if __name__ == "__main__":
    main(sys.argv[1:])
