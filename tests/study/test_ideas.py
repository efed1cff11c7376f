"""Ideas: every sentence is true, and they read as people would say it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fourcast import Explanation, Limit, Line, Position, Solver, explain, explain_move
from fourcast.notation import parse_column
from fourcast.render.catalogue import catalogue
from fourcast.render.said import said_text
from fourcast.study.explain import Square, columns_said, explain_columns
from tests.render.test_explain import PREDICATES, SOLVER, Said, game_positions, goes_through, text_after
from tests.study.idea_predicates import BRIEFS, IDEAS, Told, check_brief, check_idea

MOST_WORDS = 90


def text_of(moves: str) -> str:
    return explain(Position(moves), solver=SOLVER).words(("X", "O"))


@pytest.mark.parametrize("seed", range(60, 68))
def test_every_sentence_of_the_ideas_of_a_game_is_true(seed: int) -> None:
    for position in game_positions(seed)[seed % 2 :: 2]:
        found = explain(position, solver=SOLVER)
        assert check_idea(found)
        assert len(found.words().split()) <= MOST_WORDS


@pytest.mark.slow
@pytest.mark.timeout(2400)
@pytest.mark.parametrize("part", range(10))
def test_every_sentence_of_thousands_of_ideas_is_true(part: int) -> None:
    count, seed, patterns = 0, 5000 + 100 * part, set[str]()
    while count < 1000:
        for position in game_positions(seed):
            found = check_idea(explain(position, solver=SOLVER))
            patterns.update(found)
            count += len(found)
        seed += 1
    assert {"idea_has", "idea_count_other", "idea_then", "rule_even", "not_above"} <= patterns


def test_every_sentence_of_an_idea_has_a_predicate() -> None:
    prefixes = ("idea_", "rule_", "vain_", "not_", "then_", "stop_")
    named = {name for name in catalogue() if name.startswith(prefixes)} - {"rule_key"}
    assert named <= set(IDEAS)


def test_every_reason_in_brief_has_a_predicate() -> None:
    named = {name for name in catalogue() if name.startswith("brief_")}
    named -= {"brief_on_top", "brief_unless_2", "brief_unless_3", "brief_unless_4"}
    assert named == set(BRIEFS)


@pytest.mark.parametrize("seed", range(30, 34))
def test_every_sentence_about_columns_is_true(seed: int) -> None:
    patterns = set()
    for position in game_positions(seed)[3::6]:
        explanation = explain(position, solver=SOLVER)
        columns = list(explain_columns(position, solver=SOLVER))
        reasons = {line.column: reason for line, reason in columns}
        named = list[int]()
        for sentence in columns_said(columns, explanation):
            pattern, facts = sentence["pattern"], sentence["facts"]
            patterns.add(pattern)
            if pattern.startswith(("move_wins", "move_draws", "column_")) or pattern == "column":
                of = [parse_column(facts["column"], position.width)]
            elif pattern.startswith("columns_each"):
                of = list(Said(sentence, position).columns)
            else:
                of = list(position.legal_columns)
            named += of
            if "text" in facts:
                assert says_what_follows(facts["text"], [text_after(position, column) for column in of])
            for column in of:
                reason = reasons[column]
                if pattern.endswith("_same"):
                    disc = column, position.heights[column]
                    assert is_same_way(idea_of(explanation), idea_of(reason), disc)
                if pattern.endswith("_why"):
                    assert reason is not None
                    if facts["reason"]["pattern"].startswith("brief_answer"):
                        told = Told(Said(facts["reason"], reason.position, reason), reason)
                        assert BRIEFS[told.pattern](told), (position, column, told.words)
                        continue
                    check_brief(reason)
                    brief = (reason.idea or {})["brief"]["pattern"]
                    on_top = brief == "brief_four" and facts["reason"]["pattern"] == "brief_on_top"
                    assert on_top or facts["reason"]["facts"] == (reason.idea or {})["brief"]["facts"]
        assert sorted(named) == list(position.legal_columns), "each column once"
    assert "column_why" in patterns
    assert patterns & {"columns_each", "columns_each_why"}


def test_columns_that_lead_to_what_the_text_says_share_a_sentence() -> None:
    position = Position("424456556577775")
    found = explain(position, solver=SOLVER)
    lines = columns_said(list(explain_columns(position, solver=SOLVER)), found)
    assert [said_text(each, ("X", "O")) for each in lines] == [
        "Each of columns 1, 2, 5 and 7 wins in 11 to 12 moves: the same plan works.",
        "Column 3 loses in 1 move: X then wins on top, on 3/2.",
        "Column 4 wins in 10 moves: the same plan works.",
        # The square below one that the plan needs.
        "Column 6 wins in 11 moves: in the end X must play below a winning square of O's, "
        "for example 3/1.",
    ]


def test_columns_of_which_only_bounds_are_known_are_said_one_by_one() -> None:
    position = Position("424456556577775")
    found = explain(position, solver=SOLVER)
    columns = [
        (Line(position, line.column, 1 + line.column, 9), reason)
        for line, reason in explain_columns(position, solver=SOLVER)
        if line.outcome == "win"
    ]
    lines = [said_text(each, ("X", "O")) for each in columns_said(columns, found)]
    assert len(lines) == len(columns)
    assert lines[0] == "Column 1 wins in at most 14 moves: the same plan works."


def says_what_follows(text: dict[str, Any], outcomes: list[str]) -> bool:
    """Whether a text says what each of several columns leads to, or the range of that."""
    if not text["pattern"].endswith("_range"):
        return {said_text(text)} == set(outcomes)
    counts = [int(number) for outcome in outcomes for number in outcome.split() if number.isdigit()]
    kind = text["pattern"].removeprefix("score.").removesuffix("_range")
    return (
        all(outcome.startswith(kind) for outcome in outcomes)
        and (min(counts), max(counts)) == (text["facts"]["from"], text["facts"]["to"])
        and len(counts) == len(outcomes)
    )


def is_same_way(idea: dict[str, Any], other: dict[str, Any], disc: Square) -> bool:
    """Whether two ideas are of one player and kind, share a winning square, and the disc spoils none."""
    column, row = disc
    return (
        (idea["kind"], idea["player"]) == (other["kind"], other["player"])
        and idea["kind"] in ("zugzwang", "threats", "mixed")
        and any(square in idea["squares"] for square in other["squares"])
        and [column, row] not in idea["squares"]
        and [column, row + 1] not in idea["squares"]
    )


@pytest.mark.parametrize("seed", range(20, 24))
def test_every_sentence_about_what_follows_a_move_is_true(seed: int) -> None:
    for position in game_positions(seed)[4::7]:
        for column in tuple(position.legal_columns)[::2]:
            move = explain_move(position, column, solver=SOLVER)
            for sentence in [each for paragraph in move.said[1:] for each in paragraph]:
                said = Said(sentence, position, move=move)
                if said.pattern == "column_why":
                    assert said.column == move.better_column
                    assert said.text == text_after(position, said.column)
                    assert move.better is not None
                    check_brief(move.better)
                elif said.pattern == "column_then":
                    assert said.column == move.better_column
                    assert move.better is not None
                    told = Told(Said(sentence["facts"]["sentence"], move.better.position), move.better)
                    assert IDEAS[told.pattern](told), (position, column, told.words)
                elif said.pattern in PREDICATES:
                    assert PREDICATES[said.pattern](said), (position, column, said.words)
                elif said.pattern == "key_square":
                    assert move.better_column == said.square[0] == move.only_keeping
                    assert position.heights[said.square[0]] == said.square[1]
                    assert idea_of(move.reason)["player"] == said.player == 3 - position.turn
                    assert goes_through(idea_of(move.reason), said.square, said.other)
                elif said.pattern == "but_after":
                    assert said.column == column
                    assert move.is_mistake
                elif said.pattern == "rule_key":
                    assert idea_of(move.reason)["player"] == 1
                else:
                    assert move.reason is not None
                    told = Told(Said(sentence, move.reason.position), move.reason)
                    assert IDEAS[told.pattern](told), (position, column, told.words)
            assert len(move.words().split()) <= MOST_WORDS


def idea_of(explanation: Explanation | None) -> dict[str, Any]:
    assert explanation is not None
    return dict(explanation.idea or {})


GOLDEN = {
    "5516545455474674676766412222": [
        "Zugzwang: O has an even-row threat at 3/2",
        "Apart from 3/1 upward, 8 squares remain: X plays first, O last.",
        "Then X must play 3/1, and O wins on top.",
        "O: follow up",
        "Rule: the second player's even-row threat wins by zugzwang.",
    ],
    "15635524465362262533": [
        "Zugzwang: X has an odd-row threat at 1/5 (diagonal 1/5-4/2).",
        "Apart from 1/4 upward, 19 squares remain: X plays first and last.",
        "Then O must play 1/4, and X wins on top.",
        "This is slower than X's quickest win",
        "then follow up (on top), but when O takes one of 5/6 and 6/6, take the other",
        "Rule: the first player's odd-row threat wins by zugzwang.",
    ],
    "34453464": ["O just follows up", "do not think, follow up"],
    "342224344655564265665651": [
        "threats at 3/4 and 7/2",
        "8 squares remain",
        "or X walks into a double threat first",
        "Rule: count the free squares",
    ],
    "7134145353": [
        "O gets an even-row threat at 2/2 (diagonal 1/1-4/4, once O has 4/4)",
        "26 squares remain: X plays first, O last.",
        "other defenses lose faster",
    ],
    "5343573535": ["X gets threats on top of each other, 4/2 and 4/3", "Rule: threats on top"],
    "2414323447271776": ["X must block 5/1.", "threatens 5/3 and 6/4 at once"],
    "1771533523335551142222131257": [
        "X's threat at 4/4 (row 4) lies above O's at 4/3 (row 3), and X never has to play 4/2",
        "Only column 7 draws: it keeps O from an odd-row threat at 6/3 (diagonal 4/1-7/4).",
        "only if the opponent must play below it",
    ],
    "322533365567444646445667": [
        "even-row threat at 2/4",
        "Apart from 2/3 upward, 14 squares remain",
    ],
    "4763642522176671": ["odd-row threat at 3/3"],
    "2754425255": [
        "odd-row threat at 3/3 (diagonal 2/4-5/1, once X has 2/4)",
        "2/4 is the key: after columns 1, 3, 5, 6 and 7 O",
    ],
    "73314131": ["X must block 1/4.", "odd-row threat at 2/3"],
    "544547276415": ["X must block 6/2.", "O wins on top, in most lines."],
    "455533": [
        "Only columns 1 and 3 draw.",
        "After column 6 best play ends in zugzwang: X must play 4/3, and O wins on top.",
    ],
    "7631675": [
        "Only column 3 draws: it takes 3/2, the busiest square",
        "Not columns 1, 5 and 6: X answers 2/1 and wins.",
        "Not column 4: X answers 4/2 and wins.",
    ],
    "747345": ["O has an open three in row 1"],
}


@pytest.mark.parametrize("moves", GOLDEN)
def test_the_golden_examples_are_said_in_substance(moves: str) -> None:
    text = text_of(moves)
    for part in GOLDEN[moves]:
        assert part in text, text
    assert len(text.split()) <= MOST_WORDS
    check_idea(explain(Position(moves), solver=SOLVER))


def test_a_mistake_is_said_with_its_key_square() -> None:
    text = explain_move(Position("1542155373253"), 2, solver=SOLVER).words(("X", "O"))
    for part in (
        "Column 3 turns a win into a loss. Only column 2 kept the win.",
        "Column 2 takes 2/3, the key square: X's four on 4/3 needs it.",
        "X gets an odd-row threat at 4/3 (row 3, once X has 2/3)",
        "Rule: take the square that would give the first player an odd-row threat.",
    ):
        assert part in text, text
    assert len(text.split()) <= MOST_WORDS


MISTAKES = {
    # The reply on 2/1 opens what the loser is to open.
    ("74513114334443314175", 0): (["then X must play 2/1"], "2/1, for"),
    # Gaps of one line are never threatened at once.
    ("46252641742241246656", 0): (
        ["O gets a threat at 3/2 or 5/4 (diagonal 3/2-6/5)."],
        "O gets threats at",
    ),
    ("53556254144", 6): (["odd-row threat at 6/3"], "busiest"),
}


@pytest.mark.parametrize(("moves", "column"), MISTAKES)
def test_what_follows_a_mistake_agrees_with_its_idea(moves: str, column: int) -> None:
    text = explain_move(Position(moves), column, solver=SOLVER).words(("X", "O"))
    parts, absent = MISTAKES[moves, column]
    for part in parts:
        assert part in text, text
    assert absent not in text


def test_a_block_that_was_missed_is_said_first() -> None:
    text = explain_move(Position("43434"), 6, solver=SOLVER).words(("X", "O"))
    assert "O left X's three in column 4 unblocked: X can win on 4/4." in text


def test_no_column_has_a_reply_that_opens_what_the_loser_is_to_open() -> None:
    position = Position.from_rows("......./......./.O...../.X...XO/.O..OOX/.XOXXOX")
    found = explain(position, solver=SOLVER)
    columns = columns_said(list(explain_columns(position, solver=SOLVER)), found)
    assert "then X must play 3/3 or 4/3" in found.words(("X", "O"))
    assert "O answers 4/3" not in " ".join(said_text(each, ("X", "O")) for each in columns)


@pytest.mark.parametrize("seed", range(70, 74))
def test_no_idea_is_a_dump(seed: int) -> None:
    for position in game_positions(seed)[::2]:
        text = explain(position, solver=SOLVER).words()
        for word in ("table", "case by case", "answer to everything", "at the latest"):
            assert word not in text


def test_an_idea_is_data_that_is_read_again() -> None:
    found = explain(Position("15635524465362262533"), solver=SOLVER)
    assert found.idea is not None
    idea = {name: found.idea[name] for name in ("kind", "tier", "player", "squares", "count", "after")}
    assert idea == {
        "kind": "zugzwang",
        "tier": 1,
        "player": 1,
        "squares": [[0, 4]],
        "count": 19,
        "after": 0,
    }
    assert found.idea["threats"] == [
        {"player": 1, "square": [0, 4], "line": [[0, 4], [1, 3], [2, 2], [3, 1]]}
    ]
    again = Explanation.from_json(json.loads(json.dumps(found.to_json())))
    assert again == found
    assert again.words() == found.words()


def test_ideas_depend_on_the_position_alone() -> None:
    for moves in ("7134145353", "2754425255", "433444613"):
        other = explain(Position(moves), solver=Solver(book=None, table_mb=16, threads=2))
        assert other.idea == explain(Position(moves), solver=SOLVER).idea


def test_without_time_the_idea_needs_no_solver() -> None:
    found = explain(Position("4"), solver=Solver(book=None), limit=Limit(time_s=0.005))
    assert not found.complete
    assert found.words()


@pytest.mark.parametrize("nodes", [200_000, 400_000, 600_000, 800_000])
def test_a_draw_whose_best_columns_are_not_known_yet_is_explained_all_the_same(nodes: int) -> None:
    board = Position(width=6, height=5)
    found = explain(board, solver=Solver(table_mb=8, book=False), limit=Limit(nodes=nodes))
    assert str(found).startswith("Red, to move, ")
