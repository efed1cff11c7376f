"""Acceptance examples: what the texts that the project grew from promise, under their own names.

Where they contradict the game, they are settled as the project settled them: a move in a full column
is an error, and ignored only by a lenient replay (`skip_illegal=True`).
"""

from __future__ import annotations

import pytest

from fourcast import IllegalMoveError, Position, Streaks, evaluate, player, rate_columns, streaks

EMPTY, RED, YELLOW = 0, 1, 2
GAME = Position()


def play_connect_4_with(moves: list[int]) -> Position:
    return Position.from_columns(moves, skip_illegal=True)


class TestSeed000:
    """A game grown test by test."""

    def test_bottom_left_position_should_be_empty_for_a_new_board(self) -> None:
        assert GAME.at(0, 0) == EMPTY

    def test_player_one_move_at_column_one_results_in_red_at_bottom_left(self) -> None:
        assert GAME.play(0).at(0, 0) == RED

    def test_player_one_move_at_column_two_results_in_red_at_bottom_column_two(self) -> None:
        assert GAME.play(1).at(0, 0) == EMPTY
        assert GAME.play(1).at(1, 0) == RED

    def test_player_one_move_at_column_three_results_in_red_at_bottom_column_three(self) -> None:
        assert GAME.play(2).at(0, 0) == EMPTY
        assert GAME.play(2).at(1, 0) == EMPTY
        assert GAME.play(2).at(2, 0) == RED

    def test_player_one_move_at_column_one_player_two_column_two(self) -> None:
        assert GAME.play(0, 1).at(0, 0) == RED
        assert GAME.play(0, 1).at(1, 0) == YELLOW

    def test_player_one_move_at_column_one_player_two_column_one(self) -> None:
        assert GAME.play(0, 0).at(0, 0) == RED
        assert GAME.play(0, 0).at(0, 1) == YELLOW

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
        assert game.winner is None

    def test_full_column_when_inserted_results_in_no_operation(self) -> None:
        full = play_connect_4_with([0, 0, 0, 0, 0, 0])
        assert play_connect_4_with([0, 0, 0, 0, 0, 0, 0]) == full
        assert full.is_column_full(0)
        with pytest.raises(IllegalMoveError):
            full.play(0)

    def test_check_no_connect_four(self) -> None:
        assert play_connect_4_with([3, 3]).winner is None

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
        position = play_connect_4_with([0, 6, 0, 5, 1, 4, 1])
        assert rate_columns(position) == [0, 0, 0, 18, 0, 0, 0]

    def test_the_ai_player_plays_the_winning_move(self) -> None:
        position = play_connect_4_with([0, 6, 0, 5, 1, 4, 1])
        assert player("rated").choose(position) == player("winning").choose(position) == 3

    def test_generate_random_ai_move(self) -> None:
        assert all(player("random", seed=seed).choose(GAME) in range(7) for seed in range(50))


class TestSeed001:
    """An evaluation by the sets of squares that are missing for a four."""

    def test_the_evaluation_is_what_one_side_has_less_what_the_other_has(self) -> None:
        assert evaluate(GAME, "winsets") == 0
        assert evaluate(Position("4"), "winsets") < 0 < evaluate(Position("41"), "winsets")

    def test_the_fewer_squares_are_missing_the_more_it_is_worth(self) -> None:
        three, two, one = (evaluate(Position(moves), "winsets") for moves in ("41", "4151", "415161"))
        assert one > two > three


class TestSeed002:
    """Two bitboards and the peaks of the columns."""

    X = 2146432
    O = 272695297  # noqa: E741
    PEAKS = (1, 8, 17, 23, 29, 35, 42)

    def test_the_worked_bitboards(self) -> None:
        """In the text's diagram both have four discs, and X may have begun."""
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
        assert game.children() == {column: game.play(column) for column in range(1, 7)}

    @pytest.mark.parametrize(
        ("moves", "expected"),
        [
            ("44", Streaks()),
            ("4151", Streaks(twos_two_ends=1)),
            ("1727", Streaks(twos_one_end=1)),
            ("17273", Streaks(threes_one_end=1)),
            ("41516", Streaks(threes_two_ends=1)),
            ("1213", Streaks(twos_one_end=1)),
            ("1212121", Streaks(fours=1)),
        ],
    )
    def test_total_streaks_has_a_count_for_each_length_and_number_of_open_sides(
        self, moves: str, expected: Streaks
    ) -> None:
        assert streaks(Position(moves), RED) == expected

    def test_get_score_adds_the_ai_s_streaks_and_subtracts_the_human_s(self) -> None:
        assert evaluate(Position("41516"), "streaks") == 10 - 2000
        assert evaluate(Position("4151"), "streaks") == 100 - 10

    def test_maxi_and_mini_choose_the_best_of_the_worst(self) -> None:
        """Red threatens a three with two open ends, so yellow has to play beside it."""
        assert player("streaks", depth=4).choose(Position("415")) in (2, 5)
