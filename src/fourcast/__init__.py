"""Connect Four: play it, solve it, explain it.

>>> import fourcast as fc
>>> print(fc.Solver().solve("4455"))  # a position by its moves: the columns, counted from 1
X, to move, wins in 2 moves (score 18).
Best: columns 3 and 6.
>>> game = fc.Game(second="winning")
>>> game.play(3)  # ints count from 0
>>> game.play(fc.player("winning", seed=1).choose(game.position))

    Position, Rules, Game        boards, and games with their moves and results; `Game.load` reads files
    Solver, Limit                exact scores, the best columns and lines of best play
    explain, review              why a position is won, and what each move of a game cost
    player, player_names         the computer players; one of your own is any object with `choose`
    Match, Tournament, arena     games of players and programs, with ratings and reports
    puzzles                      positions with one right answer
    render, show                 boards as text, SVG and PNG, and in notebooks
    data, perft, playouts        many positions at once
    popout                       who wins at PopOut
    errors                       the exceptions, all of them a `FourcastError`
"""

# The public names are listed in `__init__.pyi`. They are imported when they are asked for, so that
# `import fourcast` takes next to no time.


def _sources() -> dict[str, tuple[str, str]]:
    """Return the module of each public name, and its name there; that of a module is empty."""
    with open(__file__.rpartition(".")[0] + ".pyi", encoding="utf-8") as stub:
        words = [line.split() for line in stub if line.startswith("from ")]
    found = {"__version__": ("fourcast._core", "version")}
    for _, source, _, name, *_ in words:  # from SOURCE import NAME as NAME
        found[name] = (f"fourcast.{name}", "") if source == "fourcast" else (source, name)
    return found


def __getattr__(name: str) -> object:
    from importlib import import_module

    value: object
    if name == "__all__":
        value = sorted(each for each, (_, inside) in _sources().items() if inside)
    elif source := _sources().get(name):
        module = import_module(source[0])
        value = getattr(module, source[1]) if source[1] else module
    else:
        # With *obj*, Python looks for a name that was meant.
        import sys

        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__]
        )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_sources())
