"""Reasons over the API: of positions, of moves, and played out."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from fourcast import Game, Limit, Position, Solver, explain, explain_move
from fourcast.render.catalogue import catalogue
from fourcast.render.explain import explanation_object, move_object
from fourcast.study.explain import Cases, Claim, Explanation, MoveExplanation
from fourcast.study.follow import Followed, follow
from fourcast.study.marks import Marks
from fourcast.web.server.analysis import Analyst
from fourcast.web.views import followed_view
from tests.study.plain_search import random_positions

PLAN = "14642545655244774665"
DRAW = "4623177244664763555563334225234652"
NAMES = ("Red", "Yellow")
SOLVER = Solver()


def get(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, path: str, **query: Any) -> str:
    answer = client.get(f"/api/{path}", params=query)
    assert answer.status_code == 400, answer.text
    return str(answer.json()["detail"])


def same(found: Any, expected: Any) -> bool:
    """Whether two explanations say the same, whatever effort it took to find."""
    effort = ("nodes", "time_s", "legend")

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(part) for key, part in value.items() if key not in effort}
        return [plain(part) for part in value] if isinstance(value, list) else value

    return bool(plain(found) == plain(json.loads(json.dumps(expected))))


# ---- Positions and moves -----------------------------------------------------------------------------


def test_sentences_call_the_sides_by_the_colors_that_are_asked_for(client: TestClient) -> None:
    usual = get(client, "explain", moves=PLAN)
    other = get(client, "explain", moves=PLAN, colors="green-pink")
    assert "Yellow" in usual["text"]
    assert other["text"] == usual["text"].replace("Red", "Green").replace("Yellow", "Pink")
    german = get(client, "explain", moves=PLAN, colors="green-pink", lang="de")
    assert "Rosa" in german["text"] or "Grün" in german["text"]
    assert get(client, "explain", moves=PLAN) == usual  # each is kept for itself
    for colors in ("plaid-red", "red", "", "red-yellow-blue"):
        assert "colors" in refused(client, "explain", moves=PLAN, colors=colors)


@pytest.mark.parametrize("moves", [PLAN, DRAW, "4575274553", "4623433443213412"])
def test_a_position_is_explained_as_the_library_does_it(client: TestClient, moves: str) -> None:
    found = get(client, "explain", moves=moves)
    expected = explain(Position(moves))
    assert same(found, explanation_object(expected, NAMES))
    assert Explanation.from_json(found) == expected
    assert found["text"].splitlines()[0].startswith("Red, to move,")
    assert len(found["text"].splitlines()) == 2
    assert len(found["marks"]) == len(found["claims"]) == len(found["proof"].splitlines()) - 1


def test_a_move_is_explained_with_its_refutation_and_what_was_better(client: TestClient) -> None:
    found = get(client, "explain-move", moves=PLAN[:-1], column=0)
    expected = explain_move(Position(PLAN[:-1]), 0)
    assert same(found, {**move_object(expected, NAMES), "instead": 4})
    assert MoveExplanation.from_json(found) == expected
    assert found["text"].startswith("Column 1 turns a win into a loss. Only column 5 kept the win, and")
    for part in ("reason", "better"):
        assert found[part]["claims"]
        assert len(found[part]["marks"]) == len(found[part]["claims"])


def test_what_was_better_is_about_the_column_instead(client: TestClient) -> None:
    """Also where several are best, and it is not the first of them."""
    position = Position.from_rows("......./O...O../OXX.XO./XXXOXOX/OOXOXOO/XXOOOXX")
    for column in position.legal_columns:
        found = get(client, "explain-move", start=position.to_rows(), column=column)
        if found["better"]:
            verdict, after = found["better"]["verdict"], position.play(found["instead"])
            assert (int(verdict["first"]), int(verdict["second"])) == after.bitboards
        elif found["instead"] is not None:
            assert position.play(found["instead"]).winner == position.turn


def test_a_move_that_ends_the_game_needs_no_reason(client: TestClient) -> None:
    found = get(client, "explain-move", moves="112233", column=3)
    assert (found["text"], found["reason"], found["better"]) == (
        "Column 4 completes a four.",
        None,
        None,
    )


def test_a_position_that_was_set_up_is_explained(client: TestClient) -> None:
    start = "......./......./...O.../...XO../...OX.O/OXXXO.X"
    assert same(
        get(client, "explain", start=start, moves="65646646"),
        explanation_object(explain(Position("44447527315565646646")), NAMES),
    )


def test_what_takes_too_long_is_said_to_be_open(client: TestClient) -> None:
    found = get(client, "explain", width=10, height=9, time_s=0.05)
    assert (found["complete"], found["claims"]) == (False, [])
    assert "in time" in found["text"]
    text = refused(client, "explain-move", width=10, height=9, column=4, time_s=0.05)
    assert "too small to find what the moves are worth" in text


def test_nonsense_is_refused_in_one_sentence(client: TestClient) -> None:
    over = "1122334"
    for path in ("explain", "explain-move", "follow"):
        more = {"column": 0} if path == "explain-move" else {}
        for query in ({"moves": "9"}, {"moves": over}, {"moves": "44", "time_s": "-1"}, {"width": "99"}):
            text = refused(client, path, **query, **more)
            assert text, path
            assert "\n" not in text, path
    assert "column is missing" in refused(client, "explain-move", moves="44")
    assert "column must be" in refused(client, "explain-move", moves="44", column="four")
    assert "column must be at least 0" in refused(client, "explain-move", moves="44", column=-1)
    assert "there is no column 7: counted from 0" in refused(
        client, "explain-move", moves="44", column=7
    )
    assert "full" in refused(client, "explain-move", moves="444444", column=3)


# ---- Played out --------------------------------------------------------------------------------------


def test_a_claim_answers_every_reply_until_it_is_won(client: TestClient) -> None:
    found = get(client, "follow", moves=PLAN)
    assert (found["columns"], found["answer"], found["why"], found["text"]) == ([], None, None, "")
    assert (found["player"], found["goal"], found["state"]) == (2, "win", "open")
    assert found["position"]["moves"] == PLAN
    found = get(client, "follow", moves=PLAN, replies="6")
    assert (found["answer"], found["why"]) == ([5, 5], "top")
    assert found["text"] == "Yellow plays on top of it: 6/6."
    found = get(client, "follow", moves=PLAN, replies="653")
    assert found["state"] == "won"
    assert found["position"]["moves"] == PLAN + "665133"
    assert found["position"]["winner"] == 2
    assert found["text"] == "Yellow completes a four on 3/2."


def test_each_side_of_a_draw_can_be_tried(client: TestClient) -> None:
    for claim in explain(Position(DRAW)).claims:
        replies = ""
        query = {"moves": DRAW, "player": claim.player}
        while (found := get(client, "follow", **query, replies=replies))["state"] == "open":
            replies += str(found["position"]["legal_columns"][-1] + 1)
        assert found["player"] == claim.player
        assert (found["state"], found["position"]["winner"]) == ("held", None)
        assert "cannot lose any more" in found["text"]


def test_a_claim_after_a_line_of_best_play_is_followed_from_there(client: TestClient) -> None:
    moves = next(
        moves for moves in ("444475273155", "44444253", "4343") if explain(Position(moves)).line
    )
    expected = explain(Position(moves))
    found = get(client, "follow", moves=moves, time_s=20)
    line = "".join(str(column + 1) for column in (*expected.line, *found["columns"]))
    assert found["position"]["moves"] == moves + line


def test_nonsense_about_replies_is_refused(client: TestClient) -> None:
    assert "no claim of player 1" in refused(client, "follow", moves=PLAN, player=1)
    assert "player must be at most 2" in refused(client, "follow", moves=PLAN, player=3)
    assert "full" in refused(client, "follow", moves=PLAN, replies="4")
    assert "reached its goal" in refused(client, "follow", moves=PLAN, replies="36")
    assert "column" in refused(client, "follow", moves=PLAN, replies="x")
    assert "1000" in refused(client, "follow", moves=PLAN, replies="1" * 1001)


# ---- Every sentence is true --------------------------------------------------------------------------

Said = tuple[Position, Position, Claim, Followed]
"""The position before the answer, the one after it, the claim, and how it was followed."""


def square_of(said: Said) -> tuple[int, int]:
    before, _, _, followed = said
    return followed.columns[-1], before.heights[followed.columns[-1]]


def threats(position: Position, player: int) -> set[tuple[int, int]]:
    """Squares on which the next disc completes a four."""
    return {(column, position.heights[column]) for column in position.winning_columns(player)}


def proofs_of(said: Said) -> list[Any]:
    """The claim's proof; case by case, also those of the ends that the game may have come to."""
    before, _, claim, _ = said
    proofs: list[Any] = [claim.proof]
    if isinstance(claim.proof, Cases):
        for end in claim.proof.ends:
            is_theirs = all(before.at(*square) == 3 - claim.player for square in end.theirs)
            if is_theirs and all(before.at(*square) == claim.player for square in end.mine):
                proofs.append(end.proof)
    return proofs


def groups_of(said: Said) -> list[Any]:
    """The groups that the opponent's last disc is in."""
    column = said[3].columns[-2]
    groups = [group for proof in proofs_of(said) for group in getattr(proof, "groups", ())]
    return [group for group in groups if column in group.columns]


def answers_of(said: Said) -> set[tuple[int, int]]:
    """The squares of the tables."""
    answers = [answer for proof in proofs_of(said) for answer in getattr(proof, "answers", ())]
    return {square for a in answers for square in getattr(a, "squares", None) or (a.answer,)}


PREDICATES: dict[str, Callable[[Said], bool]] = {
    "plays": lambda said: square_of(said)[0] in said[2].start + getattr(said[2].proof, "line", ()),
    "four": lambda said: said[1].winner == said[2].player,
    "follow_block": lambda said: threats(said[0], 3 - said[2].player) == {square_of(said)},
    "follow_force": lambda said: (
        SOLVER.solve(said[1]).score is not None and SOLVER.solve(said[1]).winner == said[2].player
    ),
    "follow_table": lambda said: square_of(said) in answers_of(said),
    "follow_top": lambda said: said[3].columns[-1] == said[3].columns[-2],
    "follow_group": lambda said: any(said[3].columns[-1] in g.columns for g in groups_of(said)),
    "follow_elsewhere": lambda said: any(
        not any(map(said[0].can_play, group.columns)) for group in groups_of(said)
    ),
    "follow_held": lambda said: holds(said[1], said[2].player),
}


def holds(position: Position, player: int) -> bool:
    """Whether the opponent has no four even if all empty squares are theirs."""
    if position.is_over:
        return position.winner is None
    squares = [
        [position.at(column, row) in (0, 3 - player) for row in range(position.height)]
        for column in range(position.width)
    ]
    return not any(
        all(
            0 <= x + i * dx < position.width
            and 0 <= y + i * dy < position.height
            and squares[x + i * dx][y + i * dy]
            for i in range(4)
        )
        for x in range(position.width)
        for y in range(position.height)
        for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def games_against_claims(count: int, seed: int) -> Iterator[tuple[Game, Claim, Marks, Followed]]:
    chance = random.Random(seed)
    sizes = ((7, 6, 12, 34), (6, 5, 8, 24), (5, 5, 4, 18))
    some = [position for size in sizes for position in random_positions(count, seed, *size)]
    # A draw in which either side has fours to block.
    for position in (*some, *[Position("342332477364445141221651")] * count):
        found = explain(position, solver=SOLVER, limit=Limit(time_s=1))
        for number, claim in enumerate(found.claims):
            start, replies, marks = found.claims_position, list[int](), found.marks(number)
            while (followed := follow(start, claim, replies)).state == "open":
                yield Game(followed.columns, start=start), claim, marks, followed
                after = start.play(*followed.columns)
                replies.append(chance.choice(after.legal_columns))
            yield Game(followed.columns, start=start), claim, marks, followed


def test_every_pattern_about_answers_has_a_predicate() -> None:
    patterns = {name for name in catalogue() if name.startswith("follow_")}
    assert set(PREDICATES) == patterns | {"plays", "four"}


def test_every_sentence_about_an_answer_is_true() -> None:
    said = set()
    for game, claim, marks, followed in games_against_claims(12, 1114):
        text = followed_view(game, claim, marks, followed).text
        patterns = ["follow_held"] if followed.state == "held" else []
        if followed.why:
            patterns.append(
                {"line": "plays", "four": "four"}.get(followed.why, f"follow_{followed.why}")
            )
        before = game.start.play(*followed.columns[:-1]) if followed.columns else game.start
        for pattern in patterns:
            facts = (before, game.position, claim, followed)
            assert PREDICATES[pattern](facts), (game, claim, text)
        said.update(patterns)
    assert said >= {"four", "follow_block", "follow_top", "follow_group", "follow_held", "plays"}


# ---- Shared, remembered, stopped ---------------------------------------------------------------------


def test_what_was_explained_is_remembered_and_so_are_the_parts_of_a_move() -> None:
    async def ask(analyst: Analyst) -> list[int]:
        counts = []
        for _ in range(2):
            await analyst.explain(Position(PLAN))
            counts.append(analyst.solves)
        await analyst.follow(Position(PLAN), 2, [5])
        counts.append(analyst.solves)
        await analyst.explain_move(Position(PLAN[:-1]), 0)
        counts.append(analyst.solves)
        await analyst.explain_move(Position(PLAN[:-1]), 0)
        await analyst.explain(Position(PLAN[:-1]).play(0))
        await analyst.follow(Position(PLAN[:-1]).play(0), None, [])
        counts.append(analyst.solves)
        return counts

    analyst = Analyst(workers=1)
    try:
        assert asyncio.run(ask(analyst)) == [1, 1, 1, 2, 2]
    finally:
        analyst.close()


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcast.web.server.analysis.EXPLAINED_BYTES", 10)  # less than any of them
    analyst = Analyst(workers=1)
    try:
        for solves in (1, 2):
            asyncio.run(analyst.explain(Position(PLAN)))
            assert analyst.solves == solves
    finally:
        analyst.close()


def test_a_search_for_reasons_ends_when_the_client_has_left() -> None:
    """Whoever asks for a minute and leaves does not keep a thread busy."""

    async def leave(analyst: Analyst) -> None:
        hard = Position(width=10, height=9)
        for work in (analyst.explain(hard, 60), analyst.explain_move(hard, 4, 60)):
            task = asyncio.create_task(work)
            while not analyst.pool.running:
                await asyncio.sleep(0.005)
            task.cancel()
            async with asyncio.timeout(10):
                while analyst.pool.running:
                    await asyncio.sleep(0.005)

    analyst = Analyst(workers=1)
    try:
        asyncio.run(leave(analyst))
    finally:
        analyst.close()
