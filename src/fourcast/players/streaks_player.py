"""The player `streaks`."""

from __future__ import annotations

from fourcast.players.lookahead_player import LookAheadPlayer


class StreaksPlayer(LookAheadPlayer):
    """Looks ahead and counts streaks: two or three in a line that can still become four."""

    # With one open end a streak of two is worth 10 and one of three 200, with two 100 and 2000; the
    # opponent's count against it. `native/players/evaluations.hpp` says what an open end and a gap are.
    name = "streaks"
    evaluation = "streaks"
