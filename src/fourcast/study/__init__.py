"""Reviews, explanations and exploration of positions and games, all based on exact scores."""

from fourcast.study.checker import check

__all__ = ["check"]
