"""Positions as people like to see them. A printer never decides anything."""
