"""What small programs, written with `help()` alone, stumbled over."""

from __future__ import annotations

import numpy as np
import pytest

import fourcast as fc
from fourcast.errors import IllegalMoveError, InvalidNotationError, OptionError


def test_lines_of_a_file_are_solved_as_they_are() -> None:
    assert fc.Solver().solve("4455\n").score == fc.Solver().score("44 55")


def test_a_line_of_an_analysis_says_what_its_column_leads_to() -> None:
    line = fc.Solver().analyze("4455").lines[2]
    assert str(line) == "Column 3 wins in 2 moves (score 18): 362, and X wins with disc 7."
    unknown = fc.Solver(book=False).analyze("", fc.Limit(nodes=1)).lines[3]
    assert "there was no time for more" in str(unknown)


def test_the_repr_of_an_error_is_its_sentence_and_not_its_code() -> None:
    with pytest.raises(InvalidNotationError) as caught:
        fc.Position("x")
    assert repr(caught.value) == f"InvalidNotationError({str(caught.value)!r})"
    assert "is not a column" in repr(caught.value)


def test_results_say_why_a_player_is_out() -> None:
    class Wrong:
        name = "wrong"

        def choose(self, position: fc.Position) -> int:
            return position.width

    lines = str(fc.Match(Wrong(), "random", games=2).run()).splitlines()
    detail = "there is no column 7: counted from 0, the columns are 0 to 6"
    assert lines[1:] == ["wrong  is out", f"games 1, 2: wrong lost by illegal move: {detail}"]


def test_a_tournament_takes_the_settings_of_a_match() -> None:
    results = fc.Tournament(["random", "winning"], games=2, seed=3).run()
    assert str(results.records[0]).startswith("1. random - winning: ")
    given = fc.arena.Settings(games=4, seed=5)
    both = fc.Tournament(["random", "winning"], given, games=2).settings
    assert (both.games, both.seed) == (2, 5)
    with pytest.raises(OptionError, match="did you mean 'games'"):
        fc.Tournament(["random", "winning"], game=2)  # type: ignore[call-arg]


def test_popout_is_solved_from_a_string_of_moves() -> None:
    limit = fc.Limit(nodes=1000)
    found = fc.popout.solve_popout("44", limit)
    assert found.position == fc.Position("44", rules="pop")
    with pytest.raises(TypeError, match="position must be a Position or a move string, not int"):
        fc.popout.solve_popout(3)  # type: ignore[arg-type]


def test_an_attempt_at_a_puzzle_shows_the_board_and_how_it_stands() -> None:
    puzzle = fc.puzzles.daily()
    assert str(puzzle.start()) == f"{puzzle.position}\n\nPuzzle {puzzle.id}: open"


def test_integers_of_numpy_are_integers() -> None:
    three = np.int64(3)
    assert fc.player("depth", depth=three, seed=three).choose("4455") in range(7)
    assert fc.player("random", seed=three).choose("44") == fc.player("random", seed=3).choose("44")
    puzzle = fc.puzzles.load(lowest=np.int64(700), highest=701)[0]
    solution = np.array(puzzle.solution)
    assert puzzle.start().try_move(solution[0]) == puzzle.start().try_move(puzzle.solution[0])
    with pytest.raises(TypeError, match="column must be an int, not ndarray"):
        fc.Position().play(np.array([1, 2]))  # type: ignore[arg-type]


def test_a_name_that_no_file_can_have_is_refused_in_a_sentence() -> None:
    for name in ("a\0b", "\ud800"):
        with pytest.raises(OptionError, match="path cannot be the name of a file"):
            fc.Game.load(name)


def test_rules_of_a_game_may_be_given_as_a_text() -> None:
    game = fc.Game("11", rules="misere")
    assert game.position.rules == fc.Rules(misere=True)
    assert fc.Game(start=game.position, rules="misere").position == game.position
    with pytest.raises(IllegalMoveError):
        fc.Game("1111111", rules="connect=5")
