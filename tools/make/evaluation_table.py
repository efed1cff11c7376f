"""Writes the table and the plot of docs/evaluation.md from what `fourcast evaluate` answered.

    for p in random winning ...; do fourcast evaluate $p --json > build/evaluation/$p.json; done
    python tools/make/evaluation_table.py build/evaluation/*.json

The table is printed, the plot is docs/evaluation-players.svg.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fourcast.arena.evaluation import Measure
from fourcast.arena.plots import plot_measures
from fourcast.players import player_names

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> None:
    """Read the answers, print the table and write the plot."""
    if not arguments:
        sys.exit(__doc__)
    answers = [json.loads(Path(argument).read_text("utf-8")) for argument in arguments]
    measures = {answer["agent"]: Measure(**answer["total"]) for answer in answers}
    order = {name: place for place, name in enumerate(player_names())}
    names = sorted(measures, key=lambda name: (order.get(name, len(order)), name))
    print("| player | perfect | keeps outcome | score lost |\n|-|-|-|-|")
    for name in names:
        each = measures[name]
        shares = ((each.perfect, each.perfect_error), (each.kept, each.kept_error))
        cells = [f"{share:.1%} ± {error * 100:.1f}" for share, error in shares]
        print(f"| `{name}` | {' | '.join(cells)} | {each.loss:.2f} ± {each.loss_error:.2f} |")
    by_strength = dict(sorted(measures.items(), key=lambda item: -item[1].perfect))
    plot = plot_measures(by_strength, "evaluation-players", "Perfect moves of the players")
    path = ROOT / "docs" / f"{plot.file}.svg"
    path.write_text(plot.svg, "utf-8")
    print(f"{path.relative_to(ROOT)}: {len(names)} players", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
