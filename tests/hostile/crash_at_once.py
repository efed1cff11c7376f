"""Ends before it is asked anything."""

raise SystemExit(3)
