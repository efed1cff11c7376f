"""The game that `fourcast play` plays at a terminal, or through a pipe."""
