"""Connect Four: play it, solve it, explain it."""

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
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_sources())
