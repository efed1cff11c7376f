"""What there is to learn from positions and games. All of it is exact: the solver has the last word."""

from fourcast.study.checker import check

__all__ = ["check"]
