"""Records what the native core answers about a sample of positions, in tests/fixtures/core-answers.json.

The tests of the core in WebAssembly (tests/page/core.test.js) want the same answers from it, and
tests/web/test_core_answers.py holds the native core to them, so that neither can drift away.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from fourcast import Limit, Solver
from fourcast._core import ask, look_ahead, search_tree
from fourcast.game import Game
from fourcast.web.views import analysis_view, position_view

FILE = Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "core-answers.json"
SIZES = [(7, 6), (4, 4), (5, 4), (5, 5), (6, 5), (8, 7), (9, 7), (12, 4), (4, 25), (25, 4)]
SAMPLE = {(7, 6): 24}  # of the others 4 each
NODES = 6_000  # of an analysis at most: the tests should be quick


def without_words(view: Any) -> Any:
    """Return *view* without its sentences and what an answer took."""
    if isinstance(view, dict):
        left_out = ("text", "nodes", "time_s")
        return {name: without_words(value) for name, value in view.items() if name not in left_out}
    return [without_words(value) for value in view] if isinstance(view, list) else view


def random_game(width: int, height: int, stones: int, chance: random.Random) -> Game:
    game = Game(width=width, height=height)
    while game.position.ply < stones and not game.position.is_over:
        game.play(chance.choice(tuple(game.position.legal_columns)))
    return game


def position_answers(game: Game) -> dict[str, Any]:
    return {"position": without_words(position_view(game).model_dump(mode="json"))}


def answers(game: Game, solver: Solver, *, with_reason: bool) -> dict[str, Any]:
    """Return what the core says about the position where *game* stands, which is not over."""
    position = game.position
    ahead = look_ahead(position, 3, "streaks", every_column=True)
    tree = search_tree(position, playouts=200, seed=7)
    result = {
        **position_answers(game),
        "analysis": without_words(
            analysis_view(game, solver.analyze(position)).model_dump(mode="json", exclude={"position"})
        ),
        "best_columns": list(solver.solve(position).best_columns or []),
        "look_ahead": {
            "values": list(ahead.values),
            "best_columns": list(ahead.best_columns),
            "depth": ahead.depth,
            "win_base": ahead.win_base,
        },
        "search_tree": {
            "visits": list(tree.visits),
            "means": list(tree.means),
            "best_columns": list(tree.best_columns),
            "playouts": tree.playouts,
        },
    }
    if with_reason:
        found = ask("position.explain", {"rows": position.to_rows()}, solver)
        reason = {name: found[name] for name in ("line", "claims", "complete")}
        result["explanation"] = {"score": found["verdict"]["score"], **reason}
    return result


def sample(seed: int) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    solver = Solver(book=None)
    found = []
    for width, height in SIZES:
        cells = width * height
        wanted = SAMPLE.get((width, height), 4)
        found.append(position_answers(random_game(width, height, cells, chance)))  # one that is over
        while wanted:
            game = random_game(width, height, chance.randrange(cells), chance)
            if game.position.is_over:
                continue
            if Solver(book=None).analyze(game.position, Limit(nodes=NODES)).complete:
                found.append(answers(game, solver, with_reason=wanted % 4 == 0))
                wanted -= 1
    return found


def main() -> None:
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in sample(seed=20261116))
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
