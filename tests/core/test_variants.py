"""Other rules: any number in a row, cylinders, misere and PopOut."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fourcast as fc
from fourcast import OptionError, Position, Rules, Solver
from tests.model import RuledModel

ALL_RULES = [
    Rules(connect, wrap=wrap, misere=misere, pop=pop)
    for connect, wrap, misere, pop in product((3, 4, 5), (False, True), (False, True), (False, True))
    if not (misere and pop)
]


def model_of(position: Position) -> RuledModel:
    rules = position.rules
    return RuledModel(
        position.width, position.height, rules.connect, rules.wrap, rules.misere, rules.pop
    )


def sizes_of(rules: Rules) -> list[tuple[int, int]]:
    sizes = [(3, 3), (4, 3), (3, 5), (4, 4), (5, 4), (7, 6), (6, 5), (10, 5)]
    least = 4 if rules.is_standard else 3
    return [
        (width, height)
        for width, height in sizes
        if rules.connect <= max(width, height) and min(width, height) >= least
    ]


@st.composite
def ruled_positions(draw: st.DrawFn) -> Position:
    rules = draw(st.sampled_from(ALL_RULES))
    width, height = draw(st.sampled_from(sizes_of(rules)))
    position = Position(width=width, height=height, rules=rules)
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=60)):
        if position.is_over:
            break
        position = position.play(position.legal_columns[choice % len(position.legal_columns)])
    return position


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_random_games_agree_with_plain_lists(rules: Rules) -> None:
    chance = random.Random(7)
    for width, height in sizes_of(rules):
        for _ in range(3):
            position = Position(width=width, height=height, rules=rules)
            model = model_of(position)
            for _ in range(60):
                assert list(position.legal_columns) == model.moves
                assert position.turn == model.turn
                assert position.winner == model.winner
                assert position.is_over == model.is_over
                if position.winner is not None:
                    assert list(position.winning_squares) == model.winning_squares()
                if position.is_over:
                    break
                for player in (1, 2):
                    assert list(position.threats(player)) == model.threats(player)
                winning = [move for move in model.moves if model.after(move).winner == position.turn]
                assert list(position.winning_columns()) == winning
                move = chance.choice(model.moves)
                position, model = position.play(move), model.after(move)


SCORED_RULES = [rules for rules in ALL_RULES if not (rules.pop or rules.is_standard)]


@pytest.mark.parametrize("rules", [rules for rules in SCORED_RULES if rules.connect < 5], ids=str)
def test_scores_of_all_positions_of_small_boards_agree_with_an_exhaustive_search(rules: Rules) -> None:
    check_all_positions(rules, [(3, 3), (4, 3), (3, 4)])


@pytest.mark.slow
@pytest.mark.parametrize("rules", SCORED_RULES, ids=str)
def test_scores_of_all_positions_of_3x5_agree_with_an_exhaustive_search(rules: Rules) -> None:
    check_all_positions(rules, [(3, 5)])


def check_all_positions(rules: Rules, sizes: list[tuple[int, int]]) -> None:
    solver = Solver(book=False)
    for width, height in sizes:
        if rules.connect > max(width, height):
            continue
        empty = Position(width=width, height=height, rules=rules)
        known: dict[object, int] = {}
        model_of(empty).score(known)
        seen = {empty}
        layer = [(empty, model_of(empty))]
        while layer:
            below = []
            for position, model in layer:
                if not position.is_over:
                    assert solver.score(position) == known[model.columns], position
                for move in model.moves:
                    child = position.play(move)
                    if child not in seen:
                        seen.add(child)
                        below.append((child, model.after(move)))
            layer = below


@pytest.mark.parametrize("rules", SCORED_RULES, ids=str)
def test_scores_near_the_end_of_larger_boards_agree_with_an_exhaustive_search(rules: Rules) -> None:
    chance = random.Random(11)
    solver = Solver(book=False)
    for width, height in [(5, 4), (7, 6), (9, 6)]:
        for _ in range(4):
            position = Position(width=width, height=height, rules=rules)
            model = model_of(position)
            while position.ply < width * height - 8:
                moves = [move for move in model.moves if not model.after(move).is_over]
                if not moves:
                    break
                move = chance.choice(moves)
                position, model = position.play(move), model.after(move)
            if position.ply == width * height - 8:
                assert solver.score(position) == model.score({}), position


def test_scores_of_random_positions_are_the_same_without_proofs_and_equivalent_keys() -> None:
    chance = random.Random(5)
    plain = Solver(book=False, without=["proofs", "child_proofs", "hold", "dead_discs", "mirror"])
    solver = Solver(book=False)
    for rules in [Rules(5), Rules(3), Rules(wrap=True), Rules(5, wrap=True), Rules(misere=True)]:
        for width, height in [(5, 5), (6, 5), (7, 4), (9, 6)]:
            for _ in range(4):
                position = Position(width=width, height=height, rules=rules)
                while not position.is_over and position.ply < width * height - 13:
                    following = [child for child in position.children().values() if not child.is_over]
                    if not following:
                        break
                    position = chance.choice(following)
                if position.ply >= width * height - 13:
                    assert solver.score(position) == plain.score(position), position


VALUES = [
    ("connect=3", {(4, 4): 4, (5, 4): 6, (7, 6): 17, (3, 3): 0, (3, 8): 0, (4, 5): 5, (4, 8): 11}),
    ("connect=5", {(5, 4): 0, (4, 5): 0, (4, 6): 0, (6, 4): 0, (5, 5): 0, (7, 4): 0}),
    ("connect=6", {(6, 4): 0, (4, 6): 0}),
    ("connect=3,wrap", {(3, 3): 1, (4, 4): 4, (7, 6): 17, (3, 6): 4, (3, 7): 6, (3, 8): 7}),
    ("wrap", {(4, 4): 0, (4, 5): 0, (4, 6): 0, (5, 4): 0, (6, 4): 0, (5, 5): 0, (5, 6): -1}),
    ("connect=5,wrap", {(5, 4): 0}),
    ("connect=3,misere", {(3, 3): 1, (4, 3): -1, (4, 4): -2, (5, 5): 2}),
    ("misere", {(4, 4): -2, (5, 4): -2, (5, 5): 2, (3, 4): 0, (3, 5): 0, (3, 6): 0}),
]
SLOW_VALUES = [
    ("connect=5", {(4, 7): 0, (4, 8): 0, (5, 6): 0, (6, 5): 0, (6, 6): 0}),
    ("connect=6", {(7, 4): 0, (6, 5): 0, (5, 6): 0}),
    ("wrap", {(4, 7): 0, (4, 8): 0, (7, 4): 0, (8, 4): 0, (6, 5): 1, (5, 7): 4, (7, 5): 2, (6, 6): -2}),
    ("connect=5,wrap", {(6, 4): 0, (5, 5): 0, (5, 6): 0}),
    ("connect=3,misere", {(7, 5): 4}),
    ("misere", {(5, 6): -3, (6, 5): -2, (8, 4): -4, (6, 6): -3, (7, 5): 2, (5, 7): 3}),
]


def check_values(text: str, by_size: dict[tuple[int, int], int], table_mb: int) -> None:
    solver = Solver(book=False, table_mb=table_mb)
    for (width, height), score in by_size.items():
        position = Position(width=width, height=height, rules=Rules.parse(text))
        assert solver.solve(position, best_columns=False).score == score, position


@pytest.mark.parametrize(("text", "by_size"), VALUES)
def test_empty_boards_have_the_values_of_an_independent_program(
    text: str, by_size: dict[tuple[int, int], int]
) -> None:
    check_values(text, by_size, 16)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "size", "score"),
    [(text, size, score) for text, by_size in SLOW_VALUES for size, score in by_size.items()],
)
def test_larger_empty_boards_have_the_values_of_an_independent_program(
    text: str, size: tuple[int, int], score: int
) -> None:
    check_values(text, {size: score}, 256)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("without", [[], ["proofs", "child_proofs", "hold", "dead_discs"]], ids=str)
def test_the_cylinder_of_7x6_is_won_with_disc_39_with_and_without_proofs(without: list[str]) -> None:
    result = Solver(book=False, table_mb=512, without=without).solve(
        Position(rules=Rules(wrap=True)), best_columns=False
    )
    assert (result.score, result.final_ply) == (2, 39)


@pytest.mark.slow
def test_misere_on_7x6_is_won_by_the_second_player_as_published() -> None:
    """Where the width is at least the number in a row, an even number of squares is the second's."""
    position = Position(rules=Rules(misere=True))
    assert Solver(book=False, table_mb=512).bound(position, -1).upper < 0


def test_three_in_a_row_is_won_with_disc_9_on_nearly_every_board() -> None:
    solver = Solver(book=False)

    def last_disc(width: int, height: int, rules: Rules) -> int | None:
        result = solver.solve(Position(width=width, height=height, rules=rules), best_columns=False)
        assert result.score is not None
        assert result.score >= 0, result
        return result.final_ply if result.score else None

    for height in range(3, 9):
        assert last_disc(3, height, Rules(3)) is None
        assert last_disc(4, height, Rules(3)) == (9 if height < 5 else 11)
        assert last_disc(3, height, Rules(3, wrap=True)) == (9 if height < 6 else 11)
    for width, height in product(range(5, 8), range(3, 7)):
        assert last_disc(width, height, Rules(3)) == 9
    for width, height in product(range(4, 8), range(3, 7)):
        assert last_disc(width, height, Rules(3, wrap=True)) == 9


def test_an_analysis_has_exact_scores_and_lines_that_end_when_they_say() -> None:
    solver = Solver(book=False)
    for text in ["connect=3", "wrap", "misere", "connect=3,wrap,misere", "connect=5"]:
        position = Position("1234", width=5, height=4, rules=Rules.parse(text))
        if position.is_over:
            continue
        analysis = solver.analyze(position)
        assert type(analysis).from_json(analysis.to_json()) == analysis
        for line in analysis.lines:
            end = position.play(*line.variation)
            assert end.is_over
            assert end.ply == line.final_ply
            assert end.winner == line.winner
        # A cylinder that is turned around is worth the same.
        if position.rules.wrap:
            turned = Position("2345", width=5, height=4, rules=position.rules)
            assert solver.score(turned) == analysis.score


def test_limits_give_bounds_and_threads_give_the_same_score() -> None:
    position = Position(width=6, height=5, rules=Rules(wrap=True))
    bounded = Solver(book=False).solve(position, fc.Limit(nodes=500))
    assert not bounded.complete
    assert bounded.lower <= 1 <= bounded.upper
    small = Position(width=5, height=5, rules=Rules(wrap=True))
    assert Solver(book=False, threads=2).score(small) == 0
    misere = Position(width=5, height=4, rules=Rules(misere=True))
    assert Solver(book=False, threads=2).score(misere) == -2


def test_many_positions_of_other_rules_are_solved_at_once() -> None:
    positions = [Position(str(column), width=4, height=4, rules=Rules(3)) for column in (1, 2, 3, 4)]
    results = Solver(book=False).solve_many(positions)
    assert [result.score for result in results] == [
        Solver(book=False).score(position) for position in positions
    ]


@given(ruled_positions())
def test_rows_pickles_and_copies_keep_the_rules(position: Position) -> None:
    assert Position.from_rows(position.to_rows()) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.deepcopy(position) == position
    assert eval(repr(position), {"Position": Position, "Rules": Rules}) == position
    assert hash(Position.from_rows(position.to_rows())) == hash(position)
    assert position.mirror().mirror() == position


@given(st.sampled_from(ALL_RULES))
def test_rules_are_values(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert hash(Rules.parse(str(rules))) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert eval(repr(rules)) == rules


@given(st.text("connect=,wrapmiseo 0123456789", max_size=30))
def test_a_text_is_rules_that_are_written_the_same_way_or_is_refused(text: str) -> None:
    try:
        rules = Rules.parse(text)
    except (fc.InvalidNotationError, OptionError):
        return
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize(
    "text",
    ["connect=two", "connect=", "wrap=1", "wrap;pop", "wrap,wrap", "connect=3,connect=4", ",", "Wrap"],
)
def test_broken_rules_are_refused_wherever_they_are_read(text: str) -> None:
    words = "is not a set of rules; give connect=5, wrap, misere and pop"
    with pytest.raises(fc.InvalidNotationError, match=words):
        Rules.parse(text)
    with pytest.raises(fc.InvalidNotationError, match="is not a set of rules"):
        Position.from_rows(f"..../..../..../....:{text}")


def test_positions_of_different_rules_are_different() -> None:
    positions = {Position("44", rules=rules) for rules in ALL_RULES if not rules.pop}
    assert len(positions) == len([rules for rules in ALL_RULES if not rules.pop])
    assert Position("44", rules=Rules()) == Position("44")


def test_perft_by_rules_counts_what_plain_lists_count() -> None:
    def count(model: RuledModel, depth: int) -> int:
        return 1 if depth == 0 else sum(count(model.after(move), depth - 1) for move in model.moves)

    for rules in ALL_RULES:
        for width, height in [(4, 3), (3, 5)]:
            if (width, height) in sizes_of(rules):
                position = Position(width=width, height=height, rules=rules)
                assert fc.perft(position, 5) == count(model_of(position), 5), rules


def test_a_line_across_the_edge_of_a_cylinder_wins() -> None:
    row = Position.from_columns([5, 5, 6, 6, 0, 0, 1], rules=Rules(wrap=True))
    assert row.winner == 1
    assert row.winning_squares == ((0, 0), (1, 0), (5, 0), (6, 0))
    assert Position.from_columns([5, 5, 6, 6, 0, 0, 1]).winner is None


def test_whoever_makes_a_line_in_misere_loses() -> None:
    position = Position("1212121", rules=Rules(misere=True))
    assert position.winner == 2
    assert position.final_score == 18
    assert position.winning_squares == ((0, 0), (0, 1), (0, 2), (0, 3))


def test_a_disc_that_is_taken_out_lets_the_others_fall() -> None:
    position = Position("1212", rules=Rules(pop=True))
    popped = position.play(7)
    assert popped.heights[:2] == (1, 2)
    assert popped.at(0, 0) == 1
    assert popped.turn == 2
    assert position.refusal(8).reason == "not possible"  # type: ignore[union-attr]
    assert Position("1212p1", rules=Rules(pop=True)) == popped


def test_if_both_have_a_line_after_a_pop_the_side_that_moved_wins() -> None:
    both = Position.from_rows("......./......./......./X....../OXXX.../XOOO...:pop")
    assert both.winner is None
    assert both.play(7).winner == 1
    assert 7 in both.winning_columns()
    theirs = Position.from_rows("......./......./......./X....../OXOX.../XOOO...:pop")
    assert theirs.play(7).winner == 2


def test_a_full_board_can_be_claimed_as_a_draw_in_popout() -> None:
    rows = "OXO/XOX/OXO/XOX:connect=4,pop"
    position = Position.from_rows(rows)
    assert position.is_full
    assert not position.is_over
    claimed = position.play(6)
    assert claimed.is_draw
    assert claimed.winner is None
    assert Position.from_rows(claimed.to_rows()) == claimed
    assert position.move_name(6) == "="


def test_what_no_rules_have_is_refused_in_a_sentence() -> None:
    with pytest.raises(OptionError, match="2 in a row is not possible: it must be from 3 to 16"):
        Rules(2)
    with pytest.raises(OptionError, match="misere and pop cannot be combined"):
        Rules(misere=True, pop=True)
    with pytest.raises(fc.InvalidPositionError, match="7 in a row do not fit on a board of 6x5"):
        Position(width=6, height=5, rules=Rules(7))
    with pytest.raises(fc.InvalidPositionError, match="the width must be from 3 to 25"):
        Position(width=2, height=5, rules=Rules(3))
    with pytest.raises(fc.InvalidNotationError, match="is not a set of rules"):
        Position.from_rows("..../..../..../....:five")


def test_what_exists_for_the_standard_rules_only_says_so() -> None:
    position = Position(rules=Rules(5))
    with pytest.raises(OptionError, match="for the standard rules only, not for connect=5"):
        fc.explain(position)
    with pytest.raises(OptionError, match="games of PopOut have no score"):
        Solver().solve(Position(rules=Rules(pop=True)))
    # The book of the standard rules is not asked.
    assert Solver().solve(Position(width=7, height=6, rules=Rules(3))).score == 17
