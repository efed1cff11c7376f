"""Positions, games and names, drawn by hypothesis."""

from __future__ import annotations

from datetime import timezone

from hypothesis import strategies as st

from fourcast import Game, Outcome, Position, Termination

SIZES = [(7, 6), (4, 4), (5, 4), (8, 7), (12, 4), (17, 6), (25, 4), (4, 31), (10, 11)]


@st.composite
def playable_columns(draw: st.DrawFn, start: Position, max_moves: int = 130) -> list[int]:
    """Columns that can be played from *start*, up to the end of the game."""
    columns = []
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=max_moves)):
        if start.is_over:
            break
        column = start.legal_columns[choice % len(start.legal_columns)]
        columns.append(column)
        start = start.play(column)
    return columns


@st.composite
def positions(draw: st.DrawFn) -> Position:
    width, height = draw(st.sampled_from(SIZES))
    empty = Position(width=width, height=height)
    return empty.play(*draw(playable_columns(empty)))


names = st.text(max_size=100).filter(lambda name: name.isprintable() and name == name.strip())

stamps = st.none() | st.floats(0, 1e300, allow_nan=False) | st.integers(0, 10**9)

outcomes = st.one_of(
    st.builds(Outcome, st.sampled_from([1, 2]), st.just(Termination.RESIGNATION)),
    st.builds(Outcome, st.sampled_from([1, 2]), st.just(Termination.FORFEIT), names),
    st.just(Outcome(None, Termination.AGREEMENT)),
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Games of any size and length, with all that can be recorded of one, from any start."""
    start = draw(positions())
    if draw(st.booleans()):
        start = Position(width=start.width, height=start.height)
    game = Game(
        start=start,
        first=draw(names),
        second=draw(names),
        started=draw(st.none() | st.datetimes(timezones=st.just(timezone.utc))),
    )
    for column in draw(playable_columns(start)):
        game.play(column, stamp_s=draw(stamps))
    for _ in range(draw(st.integers(0, len(game.columns)))):
        game.undo()
    if not game.is_over and draw(st.booleans()):
        game.end(draw(outcomes))
    return game
