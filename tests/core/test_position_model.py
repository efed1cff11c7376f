"""Position against the plain model of the rules: whatever is played, they agree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fourcast import IllegalMoveError, Position
from tests.model import Model
from tests.strategies import SIZES

ALL_SIZES = [
    (width, height) for width in range(4, 26) for height in range(4, 32) if width * (height + 1) <= 128
]


class GameAgainstModel(RuleBasedStateMachine):
    """Plays the same game on both, and compares all that can be asked after every step."""

    @initialize(size=st.one_of(st.just((7, 6)), st.sampled_from(SIZES), st.sampled_from(ALL_SIZES)))
    def start(self, size: tuple[int, int]) -> None:
        width, height = size
        self.model = Model(width, height)
        self.position = Position(width=width, height=height)
        self.history = [self.position]

    @rule(pick=st.integers(0, 24))
    @precondition(lambda self: not self.model.is_over)
    def play(self, pick: int) -> None:
        legal = self.model.legal_columns
        column = legal[pick % len(legal)]
        before = self.position
        self.model.play(column)
        self.position = before.play(column)
        self.history.append(self.position)
        assert before == self.history[-2]
        assert before != self.position

    @rule(pick=st.integers(0, 24))
    @precondition(lambda self: not self.model.is_over)
    def pile_up(self, pick: int) -> None:
        """Fill columns, so that full ones and full boards come up."""
        open_columns = self.model.legal_columns
        fullest = max(open_columns, key=lambda column: (len(self.model.columns[column]), column == pick))
        self.play(open_columns.index(fullest))

    @rule(column=st.integers(-3, 30))
    def play_what_is_illegal(self, column: int) -> None:
        if column not in self.model.legal_columns:
            with pytest.raises(IllegalMoveError):
                self.position.play(column)

    @rule(back=st.integers(1, 3))
    @precondition(lambda self: self.model.is_over)
    def go_back(self, back: int) -> None:
        """Go on from an earlier position: it must not have changed."""
        del self.history[-back:]
        self.position = self.history[-1]
        self.model.columns = [
            [self.position.at(column, row) for row in range(height)]
            for column, height in enumerate(self.position.heights)
        ]

    @invariant()
    def both_say_the_same(self) -> None:
        position, model = self.position, self.model
        assert position.ply == model.ply
        assert position.turn == model.turn
        assert position.winner == model.winner
        assert position.is_over == model.is_over
        assert position.is_full == model.is_full
        assert position.is_draw == (model.is_full and model.winner is None)
        assert list(position.winning_squares) == model.winning_squares
        assert list(position.legal_columns) == model.legal_columns
        assert [column for column in range(-2, 30) if position.can_play(column)] == model.legal_columns
        assert list(position.winning_columns()) == model.winning_columns(model.turn)
        for player in (1, 2):
            assert list(position.winning_columns(player)) == model.winning_columns(player)
            assert list(position.threats(player)) == model.threats(player)
        assert list(position.heights) == [len(column) for column in model.columns]
        assert position.to_grid(order="rows") == model.grid()
        assert position.bitboards == (model.bitboard(1), model.bitboard(2))
        assert position.mirror().to_grid(order="rows") == model.mirrored().grid()
        for column in range(model.width):
            assert position.is_column_full(column) == (len(model.columns[column]) == model.height)
            assert position.peaks[column] == column * (model.height + 1) + len(model.columns[column])

    @invariant()
    def it_can_be_built_from_what_it_shows(self) -> None:
        """A position that was played is never refused."""
        position = self.position
        size: dict[str, Any] = {"width": position.width, "height": position.height}
        assert Position.from_bitboards(*position.bitboards, **size) == position
        assert Position.from_grid(position.to_grid(order="rows"), order="rows") == position


TestGameAgainstModel = GameAgainstModel.TestCase
TestGameAgainstModel.settings = settings(max_examples=15, stateful_step_count=60)


class GameAgainstModelAtLength(GameAgainstModel):
    """The same, many more times."""


TestGameAgainstModelAtLength = pytest.mark.slow(GameAgainstModelAtLength.TestCase)
TestGameAgainstModelAtLength.settings = settings(max_examples=2000, stateful_step_count=60)
