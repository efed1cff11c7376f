"""Positions as text and pictures: `text.board`, `svg.board`, `png.to_png`.

>>> import fourcast as fc
>>> print(fc.render.text.board("44", last=3))
 1 2 3 4 5 6 7
 . . . . . . .
 . . . . . . .
 . . . . . . .
 . . . . . . .
 . . .[O]. . .
 . . . X . . .
>>> fc.render.svg.board("44").startswith("<svg")
True
"""

__all__ = ["png", "svg", "text"]

TYPE_CHECKING = False  # `typing` takes longer to import than everything here
if TYPE_CHECKING:
    from fourcast.render import png, svg, text


def __getattr__(name: str) -> object:
    """Import a module of `__all__` when it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")
