"""Every step of every lesson: its answers are those of the solver, and what its texts claim is true."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from fourcast import Position, Solver
from fourcast.certificate.levels import LevelChecker
from fourcast.errors import IllegalMoveError, InvalidNotationError, OptionError
from fourcast.render.catalogue import languages, speaking, texts_of
from fourcast.study.lessons import Step, find_lesson, lesson_progress, lessons

SOLVER = Solver()
STEPS = [step for lesson in lessons() for step in lesson.steps]
MOST_WORDS = 40
Square = tuple[int, int]


def name_of(step: Step) -> str:
    return f"{step.lesson}-{step.number}"


every_step = pytest.mark.parametrize("step", STEPS, ids=name_of)


def square_of(name: str) -> Square:
    column, row = name.split("/")
    return int(column) - 1, int(row) - 1


def landing(position: Position, column: int) -> Square:
    return column, position.heights[column]


def column_of(position: Position, square: Square) -> int:
    """The column of a square that can be played now."""
    assert landing(position, square[0]) == square
    return square[0]


def winning_now(position: Position, player: int) -> set[Square]:
    return {landing(position, column) for column in position.winning_columns(player)}


def turned(position: Position) -> list[list[int]]:
    return position.to_grid(order="columns", top_first=False)


def completes(grid: list[list[int]], player: int, square: Square) -> bool:
    """Whether a disc of *player* on an empty square makes a four, by counting along the four lines."""
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            column, row = square[0] + sign * right, square[1] + sign * up
            while 0 <= column < 7 and 0 <= row < 6 and grid[column][row] == player:
                count += 1
                column, row = column + sign * right, row + sign * up
        if count >= 4:
            return True
    return False


def threats(grid: list[list[int]], player: int) -> set[Square]:
    squares = ((column, row) for column in range(7) for row in range(6))
    return {each for each in squares if not grid[each[0]][each[1]] and completes(grid, player, each)}


def scores(position: Position) -> dict[int, int]:
    return {line.column: line.lower for line in SOLVER.analyze(position, variations=False)}


def outcomes(position: Position) -> list[int]:
    return [(score > 0) - (score < 0) for score in scores(position).values()]


def keeping(position: Position) -> set[int]:
    found = scores(position)
    best = max(found.values())
    return {column for column, score in found.items() if (score > 0, score < 0) == (best > 0, best < 0)}


# ---- What a text may claim ---------------------------------------------------------------------------


def played_out(step: Step) -> Iterator[Position]:
    """The positions of a game in which every answer is the first of those that are right."""
    columns: tuple[int, ...] = ()
    while True:
        tried = step.try_answer(step.answers(columns, SOLVER)[0], columns, SOLVER)
        columns = tried.columns
        yield step.position.play(*columns)
        if tried.state == "done":
            return
        assert tried.state == "open"


def claim_threats(step: Step, player: str, *squares: str) -> bool:
    """These are all threats of a player."""
    return threats(turned(step.position), int(player)) == set(map(square_of, squares))


def claim_threat(step: Step, player: str, square: str) -> bool:
    """This is one of them."""
    return square_of(square) in threats(turned(step.position), int(player))


def claim_disc(step: Step, player: str, square: str) -> bool:
    return step.position.at(*square_of(square)) == int(player)


def claim_empty(step: Step, square: str) -> bool:
    return step.position.at(*square_of(square)) == 0


def claim_next(step: Step, square: str) -> bool:
    """The next disc of its column falls there."""
    return landing(step.position, square_of(square)[0]) == square_of(square)


def claim_odd(step: Step, square: str) -> bool:
    del step
    return square_of(square)[1] % 2 == 0


def claim_even(step: Step, square: str) -> bool:
    return not claim_odd(step, square)


def claim_fork(step: Step, column: str, *squares: str) -> bool:
    """After this column the player wins on each of these squares, and nowhere else, at once."""
    player = step.position.turn
    after = step.position.play(int(column) - 1)
    assert not after.winning_columns(3 - player)
    return len(squares) > 1 and winning_now(after, player) == set(map(square_of, squares))


def claim_after(step: Step, column: str, *squares: str) -> bool:
    """After this column these are threats that were none before."""
    player = step.position.turn
    before = threats(turned(step.position), player)
    made = threats(turned(step.position.play(int(column) - 1)), player) - before
    return set(map(square_of, squares)) <= made


def claim_gives(step: Step, player: str, square: str, threat: str) -> bool:
    """A disc of this player on a square that can be played makes that threat."""
    column, row = square_of(square)
    assert landing(step.position, column) == (column, row)
    grid = turned(step.position)
    grid[column][row] = int(player)
    return square_of(threat) in threats(grid, int(player))


def claim_they(step: Step, word: str, square: str, *both: str) -> bool:
    """The opponent's disc on this square would threaten both of those, each within reach."""
    assert word == "fork"
    opponent = 3 - step.position.turn
    column, row = square_of(square)
    assert landing(step.position, column) == (column, row)
    grid = turned(step.position)
    grid[column][row] = opponent
    heights = [*step.position.heights]
    heights[column] += 1
    found = {each for each in threats(grid, opponent) if heights[each[0]] == each[1]}
    return found == set(map(square_of, both)) and len(both) == 2


def claim_rest(step: Step, square: str, count: str) -> bool:
    """So many squares are empty without this one and those above it; who begins there also ends."""
    assert int(count) % 2 == 1
    column, row = square_of(square)
    assert landing(step.position, column) == (column, row)
    return sum(6 - height for height in step.position.heights) - (6 - row) == int(count)


def claim_ends(step: Step, squares: str) -> bool:
    """The game is won on one of these squares: for zugzwang by the opponent's disc right below."""
    before = step.position
    positions = list(played_out(step))
    if len(positions) > 1:
        before = positions[-2]
    (last,) = {
        (column, row)
        for column in range(7)
        for row in range(6)
        if positions[-1].at(column, row) and not before.at(column, row)
    }
    return positions[-1].winner == step.position.turn and last in map(square_of, squares.split("|"))


def claim_diagram(step: Step, *levels: str) -> bool:
    """By this level diagram the player wins every game from here, and the first move is the answer."""
    checker = LevelChecker(b"C4WN\x03" + bytes([7, 6, step.position.turn, 1, 0, 1]))
    squares = [sum(1 << 7 * c + r for c, r in map(square_of, level.split("|"))) for level in levels]
    ours, theirs = step.position.bitboards[:: 1 if step.position.turn == 1 else -1]
    move = checker.move_by(squares, ours, theirs)
    checker.follow(squares, (ours | move, theirs))
    return [str(move.bit_length() // 7 + 1)] == list(step.answers(solver=SOLVER))


def claim_then(step: Step, first: str, reply: str, second: str) -> bool:
    """The player's disc forces this reply, and the player's next disc is right there."""
    column, player = column_of(step.position, square_of(first)), step.position.turn
    after = step.position.play(column)
    assert winning_now(after, player) == {square_of(reply)}
    tried = step.try_answer(str(column + 1), (), SOLVER)
    assert tried.columns == (column, square_of(reply)[0])
    there = step.position.play(*tried.columns)
    return str(column_of(there, square_of(second)) + 1) in step.answers(tried.columns, SOLVER)


def claim_others(step: Step, word: str) -> bool:
    """Every column that is no answer loses."""
    assert word == "lose"
    found = scores(step.position)
    return all(score < 0 for column, score in found.items() if str(column + 1) not in step.answers())


def claim_worth(step: Step, *counts: str) -> bool:
    """So many columns win, draw and lose."""
    found = outcomes(step.position)
    return [found.count(1), found.count(0), found.count(-1)] == list(map(int, counts))


def claim_draws(step: Step, column: str) -> bool:
    return scores(step.position)[int(column) - 1] == 0


def claim_most(step: Step, word: str, square: str) -> bool:
    """More fours go through this square than through any other of its row."""
    assert (word, step.moves) == ("fours", "")
    column, row = square_of(square)

    def fours(column: int) -> int:
        lines = [
            [(a + i * x, b + i * y) for i in range(4)]
            for a in range(7)
            for b in range(6)
            for x, y in ((1, 0), (0, 1), (1, 1), (1, -1))
        ]
        inside = [line for line in lines if all(0 <= a < 7 and 0 <= b < 6 for a, b in line)]
        assert len(inside) == 69
        return sum((column, row) in line for line in inside)

    return all(fours(column) > fours(other) for other in range(7) if other != column)


CLAIMS: dict[str, Callable[..., bool]] = {
    name.removeprefix("claim_"): function
    for name, function in list(globals().items())
    if name.startswith("claim_")
}


@every_step
def test_what_a_step_claims_is_true(step: Step) -> None:
    for claim in step.data["claims"]:
        name, *facts = claim.split()
        assert CLAIMS[name](step, *facts), claim


@every_step
def test_every_square_that_a_text_names_is_part_of_a_claim_or_an_answer(step: Step) -> None:
    """In German the same squares and numbers as in English."""
    key = f"lesson.{step.lesson}.{step.number}."
    known = set(re.findall(r"\d/\d", " ".join([*step.data["claims"], *step.data.get("accept", ())])))
    found = []
    for language in languages():
        texts = {name: str(t) for name, t in texts_of("learn", language).items() if name.startswith(key)}
        named = {name: sorted(re.findall(r"\d/\d|\d+", text)) for name, text in texts.items()}
        found.append(named)
        squares = {square for all_of in named.values() for square in all_of if "/" in square}
        # A wrong answer that has a text of its own is named by it.
        assert squares - set(step.data.get("wrong", ())) <= known, language
    assert all(each == found[0] for each in found)


@every_step
def test_numbers_of_squares_in_a_text_are_counted_by_a_claim(step: Step) -> None:
    text = step.text()
    counts = re.findall(r"(\d+) squares", text)
    claimed = [claim.split()[2] for claim in step.data["claims"] if claim.startswith("rest ")]
    assert set(counts) <= set(claimed)


# ---- Answers -----------------------------------------------------------------------------------------


@every_step
def test_the_answers_are_exactly_those_of_the_solver(step: Step) -> None:
    position, task = step.position, step.data["task"]
    player = position.turn
    if task == "point":
        assert step.points
        assert all(position.at(*square_of(square)) == 0 for square in step.answers())
        return
    found = scores(position)
    best = {column for column, score in found.items() if score == max(found.values())}
    answers = {int(name) - 1 for name in step.answers(solver=SOLVER)}
    assert answers, "there is something to find"
    assert max(found.values()) > 0, "every lesson is about a win"
    if task == "four":
        assert answers == set(position.winning_columns(player)) == best
    elif task == "block":
        assert not position.winning_columns(player)
        assert answers == set(position.winning_columns(3 - player)) == keeping(position)
    elif task == "fork":
        assert answers == best
        assert all(len(winning_now(position.play(each), player)) >= 2 for each in answers)
    elif task == "force":
        assert answers == best
    else:
        assert task in ("keep", "play")
        assert answers == keeping(position)
    assert len(answers) < len(found) or task == "play", "something can be wrong"


@every_step
def test_every_wrong_column_is_answered_as_the_text_says(step: Step) -> None:
    if step.points:
        return
    position, player = step.position, step.position.turn
    found = scores(position)
    for column in position.legal_columns:
        answer = str(column + 1)
        if answer in step.answers(solver=SOLVER):
            continue
        tried = step.try_answer(answer, (), SOLVER)
        assert tried.state == ("slower" if found[column] > 0 else "wrong")
        assert tried.columns[0] == column
        assert tried.text()
        if len(tried.columns) == 1:
            assert tried.state == "slower"
            continue
        there = position.play(*tried.columns)
        value = -1 if there.winner == 3 - player else max(outcomes(there))
        assert value == (found[column] > 0) - (found[column] < 0), "the reply is a best one"
        patterns = [said["pattern"] for said in tried.said]
        if "learn.then_four" in patterns or "missed_block" in patterns or "gave_above" in patterns:
            assert there.winner == 3 - player
        if "learn.then_draws" in patterns:
            assert value == 0
        if "learn.then_loses" in patterns:
            assert value < 0


@every_step
def test_a_step_is_done_by_its_answers(step: Step) -> None:
    if step.data["task"] in ("play", "force"):
        positions = list(played_out(step))
        assert positions[-1].winner == step.position.turn
        assert len(positions) <= 6, "nobody plays longer than that"
        return
    for answer in step.answers():
        tried = step.try_answer(answer, (), SOLVER)
        assert (tried.state, len(tried.columns)) == ("done", 0 if step.points else 1)


@every_step
def test_a_wrong_square_gets_a_hint(step: Step) -> None:
    if not step.points:
        return
    for column in range(7):
        for row in range(6):
            square = f"{column + 1}/{row + 1}"
            if square in step.answers():
                continue
            tried = step.try_answer(square)
            assert (tried.state, tried.columns) == ("wrong", ())
            own = f"lesson.{step.lesson}.{step.number}.wrong.{square}"
            has_own = square in step.data.get("wrong", ())
            assert (tried.said[0]["pattern"] == own) == has_own
            assert tried.said[-1]["pattern"].endswith(".hint")


# ---- Texts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_every_text_of_a_step_is_there_and_short(language: str) -> None:
    texts = dict(texts_of("learn", language))
    wanted: set[str] = set()
    for lesson in lessons():
        wanted |= {f"lesson.{lesson.id}.title", f"lesson.{lesson.id}.about"}
        for step in lesson.steps:
            key = f"lesson.{step.lesson}.{step.number}."
            wanted |= {key + "text", key + "right"}
            wanted |= {key + "task", key + "hint"} if step.points else set()
            wanted |= {f"{key}wrong.{each}" for each in step.data.get("wrong", ())}
    own = {name for name in texts if name.startswith("lesson.")}
    assert own == wanted
    for name in wanted:
        assert len(str(texts[name]).split()) <= MOST_WORDS, name


@pytest.mark.parametrize("language", languages())
def test_every_step_speaks_every_language(language: str) -> None:
    with speaking(language):
        for step in STEPS:
            assert not re.search(r"[{}]|lesson\.|learn\.", step.text(("A", "B")) + step.task(("A", "B")))


def test_there_are_a_dozen_lessons_of_three_to_six_steps() -> None:
    assert 12 <= len(lessons()) <= 14
    assert all(3 <= len(lesson.steps) <= 6 for lesson in lessons())
    assert len({lesson.id for lesson in lessons()}) == len(lessons())
    assert len({step.moves + step.data["task"] for step in STEPS}) == len(STEPS)


def test_squares_are_taught_before_a_text_uses_them() -> None:
    for step in lessons()[0].steps:
        answers = [step.try_answer(str(column + 1), (), SOLVER) for column in range(7)]
        for text in (step.text(), *(tried.text() for tried in answers)):
            assert not re.search(r"\d/\d|, row \d", text), text


# ---- Finding, and progress ---------------------------------------------------------------------------


def test_a_lesson_is_found_by_number_and_name() -> None:
    assert find_lesson("10") is find_lesson("Zugzwang") is lessons()[9]
    with pytest.raises(OptionError, match="there is no lesson 'zugzang'; did you mean 'zugzwang'"):
        find_lesson("zugzang")
    with pytest.raises(OptionError, match="there are 1 to 14"):
        find_lesson("99")


def test_progress_goes_on_with_the_first_step_that_is_not_done() -> None:
    four, threats_ = lesson_progress([("four", 2), ("four", 1), ("four", 2), ("unknown", 7)])[:2]
    assert (four.done, four.step, four.is_done, four.is_next) == ((1, 2), 3, False, True)
    assert (threats_.done, threats_.step, threats_.is_next) == ((), 1, False)
    done = lesson_progress([("four", number) for number in (1, 2, 3, 4)])
    assert (done[0].is_done, done[0].step, done[0].is_next, done[1].is_next) == (True, 1, False, True)
    assert not lesson_progress([("four", 1), (None, 0)])[0].done
    everything = lesson_progress([(step.lesson, step.number) for step in STEPS])
    assert all(each.is_done and not each.is_next for each in everything)


def test_a_column_that_cannot_be_played_is_refused() -> None:
    step = find_lesson("opening").steps[4]
    with pytest.raises(IllegalMoveError, match="column 4 is full"):
        step.try_answer("4")
    with pytest.raises(InvalidNotationError):
        step.try_answer("8")
