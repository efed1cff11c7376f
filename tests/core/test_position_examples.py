"""The examples of the texts that the project grew from, under their own names.

Where they contradict the game, they are settled as the project settled them: a move in a full column
is an error, and ignored only by a lenient replay (`skip_illegal=True`).
"""

from __future__ import annotations

import pytest

from fourcast import IllegalMoveError, Position

EMPTY, RED, YELLOW = 0, 1, 2
GAME = Position()


def check_board_at(row: int, column: int, game: Position) -> int:
    return game.at(column, row)


def make_move(column: int, game: Position) -> Position:
    return game.play(column)


def play_connect_4_with(moves: list[int]) -> Position:
    return Position.from_columns(moves, skip_illegal=True)


def connect_four(game: Position) -> bool:
    return game.winner is not None


class TestSeed000:
    """A game grown test by test."""

    def test_bottom_left_position_should_be_empty_for_a_new_board(self) -> None:
        assert check_board_at(0, 0, GAME) == EMPTY

    def test_player_one_move_at_column_one_results_in_red_at_bottom_left(self) -> None:
        assert check_board_at(0, 0, make_move(0, GAME)) == RED

    def test_player_one_move_at_column_two_results_in_red_at_bottom_column_two(self) -> None:
        assert check_board_at(0, 0, make_move(1, GAME)) == EMPTY
        assert check_board_at(0, 1, make_move(1, GAME)) == RED

    def test_player_one_move_at_column_three_results_in_red_at_bottom_column_three(self) -> None:
        assert check_board_at(0, 0, make_move(2, GAME)) == EMPTY
        assert check_board_at(0, 1, make_move(2, GAME)) == EMPTY
        assert check_board_at(0, 2, make_move(2, GAME)) == RED

    def test_player_one_move_at_column_one_player_two_column_two(self) -> None:
        assert check_board_at(0, 0, make_move(1, make_move(0, GAME))) == RED
        assert check_board_at(0, 1, make_move(1, make_move(0, GAME))) == YELLOW

    def test_player_one_move_at_column_one_player_two_column_one(self) -> None:
        assert check_board_at(0, 0, make_move(0, make_move(0, GAME))) == RED
        assert check_board_at(1, 0, make_move(0, make_move(0, GAME))) == YELLOW

    def test_play_connect_4_with(self) -> None:
        game = play_connect_4_with([0, 0, 1, 2, 3, 2, 4])
        assert str(game).splitlines()[-2:] == ["O . O . . . .", "X X O X X . ."]

    def test_the_board_that_is_printed(self) -> None:
        rows = [
            [0, 0, 0, 0, 0, 0, 0],
            [0, 0, 2, 0, 0, 0, 0],
            [0, 0, 1, 2, 0, 0, 0],
            [0, 2, 1, 2, 1, 0, 0],
            [0, 1, 1, 1, 2, 0, 0],
            [0, 1, 2, 2, 2, 1, 0],
        ]
        game = Position.from_grid(rows, order="rows")
        assert game.ply == 16
        assert not game.is_over

    def test_is_draw(self) -> None:
        moves = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 3, 3]
        moves += [3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6]
        game = Position.from_columns(moves)
        assert game.is_full
        assert game.is_draw
        assert not connect_four(game)

    def test_full_column_when_inserted_results_in_no_operation(self) -> None:
        full = play_connect_4_with([0, 0, 0, 0, 0, 0])
        assert play_connect_4_with([0, 0, 0, 0, 0, 0, 0]) == full
        assert full.is_column_full(0)
        with pytest.raises(IllegalMoveError):
            full.play(0)

    def test_check_no_connect_four(self) -> None:
        assert not connect_four(play_connect_4_with([3, 3]))

    def test_check_horizontal_four_player_one(self) -> None:
        game = play_connect_4_with([0, 0, 1, 1, 2, 2, 3])
        assert game.winner == RED
        assert game.winning_squares == ((0, 0), (1, 0), (2, 0), (3, 0))

    def test_check_horizontal_four_player_two(self) -> None:
        assert play_connect_4_with([0, 1, 1, 2, 2, 3, 3, 4]).winner == YELLOW

    def test_check_vertical_four_player_one(self) -> None:
        assert play_connect_4_with([0, 1, 0, 1, 0, 1, 0]).winner == RED

    def test_check_vertical_four_player_two(self) -> None:
        assert play_connect_4_with([0, 1, 0, 1, 0, 1, 2, 1]).winner == YELLOW

    def test_check_diagonal_four_player_one(self) -> None:
        game = play_connect_4_with([0, 1, 1, 2, 2, 3, 2, 3, 3, 5, 3])
        assert game.winner == RED
        assert game.winning_squares == ((0, 0), (1, 1), (2, 2), (3, 3))

    def test_winning_move_ratings_for_connect_four(self) -> None:
        """The winning move is found; what it is worth is the solver's business."""
        assert list(play_connect_4_with([0, 6, 0, 5, 1, 4, 1]).winning_columns()) == [3]


class TestSeed002:
    """Two bitboards and the peaks of the columns."""

    X = 2146432
    O = 272695297  # noqa: E741
    PEAKS = (1, 8, 17, 23, 29, 35, 42)

    def test_the_worked_bitboards(self) -> None:
        """In the text's diagram both have four stones, and X may have begun."""
        game = Position.from_bitboards(self.X, self.O)
        assert str(game).splitlines() == [
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
            ". . O . . . .",
            ". . X O . . .",
            "O X X X O . .",
        ]
        assert game.bitboards == (self.X, self.O)

    def test_the_worked_peaks(self) -> None:
        assert Position.from_bitboards(self.X, self.O).peaks == self.PEAKS

    def test_a_move_flips_the_bit_that_the_peaks_name(self) -> None:
        game = Position.from_bitboards(self.X, self.O)
        for column in range(7):
            assert game.play(column).bitboards == (self.X ^ 1 << self.PEAKS[column], self.O)

    def test_the_peak_of_a_full_column_is_its_guard_bit(self) -> None:
        assert Position("111111").peaks == (6, 7, 14, 21, 28, 35, 42)


class TestSeed004:
    """A board of seven arrays of six; a piece dropped makes a new board."""

    GAME_BOARD = [[0, 0, 0, 0, 0, 0] for _ in range(7)]  # noqa: RUF012

    def test_the_empty_board_is_an_array_of_arrays(self) -> None:
        assert Position().to_grid(order="columns") == self.GAME_BOARD
        assert Position.from_grid(self.GAME_BOARD, order="columns") == Position()

    def test_drop_piece_puts_the_piece_on_the_lowest_empty_space(self) -> None:
        game = Position().play(2, 2, 2)
        assert game.to_grid(order="columns", top_first=False)[2] == [
            RED,
            YELLOW,
            RED,
            EMPTY,
            EMPTY,
            EMPTY,
        ]

    def test_replace_returns_a_new_array_without_modifying_the_original(self) -> None:
        before = Position("44")
        grid = before.to_grid(order="columns")
        after = before.play(3)
        grid[0][0] = RED
        assert before == Position("44")
        assert before.to_grid(order="columns")[0][0] == EMPTY
        assert after.to_grid(order="columns") != before.to_grid(order="columns")

    def test_next_states_has_a_board_for_each_column_that_is_not_full(self) -> None:
        game = Position("111111")
        assert len({game.play(column) for column in game.legal_columns}) == 6
