"""Connect Four: play it, solve it, explain it."""

# The public names are listed in `__init__.pyi`. They are imported when they are asked for, so that
# `import fourcast` takes next to no time.


def _sources() -> dict[str, tuple[str, str]]:
    """Return the module of each public name, and its name there."""
    with open(__file__.rpartition(".")[0] + ".pyi", encoding="utf-8") as stub:
        words = [line.split() for line in stub if line.startswith("from ")]
    modules = {each[3]: (each[1], each[3]) for each in words}  # from MODULE import NAME as NAME
    return {**modules, "__version__": ("fourcast._core", "version")}


def __getattr__(name: str) -> object:
    from importlib import import_module

    value: object
    if name in ("_core", "errors"):  # which were always there after `import fourcast`
        value = import_module(f"fourcast.{name}")
    elif name == "__all__":
        value = sorted(_sources())
    elif source := _sources().get(name):
        value = getattr(import_module(source[0]), source[1])
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_sources())
