"""Puzzles, training and the explorer in the browser: solved and failed by mouse, keyboard and touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import fourcast as fc
from fourcast.notation import format_column, format_moves
from fourcast.puzzles import Puzzle, daily, load, mistakes_of
from fourcast.puzzles.cards import cards
from fourcast.puzzles.history import History
from fourcast.puzzles.repertoire import load_repertoire
from fourcast.study.explore import explore
from fourcast.study.level_choices import level_choices
from tests.browser.conftest import PHONE, People, Person
from tests.browser.study import check_for_everybody, discs, in_both_themes, remember

# Late enough for the core in the page to be done in a moment.
TWO_MOVES = next(
    puzzle
    for puzzle in load(theme="double threat", lowest=250, highest=450)
    if puzzle.goal == "win" and len(puzzle.moves) >= 20 and len(puzzle.solution) == 3
)
KEEP = next(
    puzzle
    for puzzle in load(theme="zugzwang", lowest=300, highest=700)
    if puzzle.goal == "keep win" and len(puzzle.moves) >= 20 and puzzle.tempting is not None
)
GAME = "53233651363321727745271166512764"  # with mistakes to its end
DAY = timedelta(days=1)


def wrong_column(puzzle: Puzzle) -> int:
    """Return a column, counted from 1, that fails *puzzle*: a win that only takes longer does not."""
    attempt = puzzle.start()
    columns = puzzle.position.legal_columns
    return next(column + 1 for column in columns if attempt.try_move(column).state == "failed")


def phase(page: Page, name: str) -> None:
    expect(page.locator(f".puzzle-main[data-phase={name}]")).to_be_visible()


def kept_history(person: Person, folder: Path) -> History:
    """Return what the browser has kept, read by Python."""
    path = folder / "kept.jsonl"
    path.write_text(str(person.page.evaluate("() => localStorage.getItem('fourcast.training')")))
    return History(path)


def test_a_puzzle_is_solved_by_mouse_and_explained(person: Person, tmp_path: Path) -> None:
    page = person.page
    person.visit(f"/puzzles?id={TWO_MOVES.id}")
    expect(page.locator(".puzzle-question")).to_have_text(TWO_MOVES.question())
    expect(page.locator(".puzzle-difficulty")).to_have_text(f"Rating {TWO_MOVES.rating}")
    expect(page.locator(".lesson")).to_be_hidden()
    phase(page, "open")
    first, reply, last = TWO_MOVES.solution
    person.column(first + 1).click()
    expect(page.locator(".puzzle-feedback")).to_contain_text(f"column {format_column(reply)}.")
    expect(discs(page)).to_have_count(len(TWO_MOVES.moves) + 2)
    person.column(last + 1).click()
    phase(page, "solved")
    expect(page.locator(".puzzle-feedback")).to_have_text("Solved!")
    expect(page.locator(".four")).to_have_count(4)
    lesson = page.locator(".lesson")
    expect(lesson).to_contain_text(f"Why column {format_column(first)} is right")
    assert TWO_MOVES.tempting is not None
    expect(lesson).to_contain_text(f"Why not column {format_column(TWO_MOVES.tempting)}?")
    expect(lesson.locator(".why-verdict")).not_to_have_count(0)
    expect(lesson.locator(".lesson-themes")).to_contain_text("double threat")
    history = kept_history(person, tmp_path)
    assert [each.solved for each in history.answered] == [True]
    assert history.answered[0].puzzle == TWO_MOVES
    rating = history.strength
    expect(page.locator(".standing-figures")).to_contain_text(
        f"{rating.rating:.0f}?"  # after one puzzle nobody knows
    )
    person.do("Next puzzle")
    phase(page, "open")
    expect(page.locator(".puzzle-id")).not_to_have_text(TWO_MOVES.id)


def test_a_puzzle_is_failed_and_solved_by_keyboard(person: Person, tmp_path: Path) -> None:
    page = person.page
    person.visit(f"/puzzles?id={KEEP.id}")
    phase(page, "open")
    wrong = wrong_column(KEEP)
    person.press(str(wrong))
    phase(page, "failed")
    expect(page.locator(".puzzle-feedback")).to_have_text(f"Column {wrong} is not the solution.")
    expect(page.locator(".lesson")).to_be_hidden()  # the answer is not given away
    expect(page.locator(".puzzle-hint")).to_be_hidden()
    page.get_by_role("button", name="Try again").focus()
    person.press("Enter")
    phase(page, "open")
    expect(discs(page)).to_have_count(len(KEEP.moves))
    person.press("h")
    expect(page.locator(".puzzle-hint")).to_contain_text(f"The idea: {KEEP.themes[0]}.")
    person.press("h")
    expect(page.locator(".puzzle-hint")).to_contain_text(f"Column {KEEP.solution[0] + 1}.")
    for number, column in enumerate(KEEP.solution[::2]):
        person.column(column + 1).focus()
        person.press("Enter")
        expect(discs(page)).to_have_count(min(len(KEEP.moves) + 2 * number + 2, _end(KEEP)))
    phase(page, "solved")
    expect(page.locator(".lesson")).to_contain_text(f"Why not column {wrong}?")
    # Only the first try counts.
    assert [(each.solved, each.hints) for each in kept_history(person, tmp_path).answered] == [
        (False, 0)
    ]
    person.press("n")
    phase(page, "open")


def _end(puzzle: Puzzle) -> int:
    return len(puzzle.moves) + len(puzzle.solution)


def test_the_puzzle_of_the_day_is_that_of_the_terminal_and_nothing_is_loaded_before(
    person: Person,
) -> None:
    page = person.page
    person.visit("/")
    expect(page.locator("input[name=player][value=level-3]")).to_be_checked()
    assert not [url for url in person.requests if "train" in url or "puzzles" in url]
    before = daily()
    person.visit("/puzzles?daily=on")
    phase(page, "open")
    expect(page.locator(".puzzle-about h2")).to_contain_text("Puzzle of the day")
    assert page.locator(".puzzle-id").text_content() in (before.id, daily().id)  # midnight may pass
    person.visit("/puzzles?id=aaaaaaaa&theme=nonsense")
    expect(page.locator(".puzzle-feedback")).to_contain_text("There is no puzzle “aaaaaaaa”")
    page.locator("#puzzle-theme").select_option("zugzwang")
    phase(page, "open")
    expect(page).to_have_url(re.compile("theme=zugzwang"))


SLOWER, SLOWER_COLUMN = next(
    (puzzle, column)
    for puzzle in load(lowest=250, highest=450)
    if puzzle.goal == "win" and len(puzzle.moves) >= 22
    for column in puzzle.position.legal_columns
    if puzzle.start().try_move(column).said
)
BREAK = next(
    puzzle
    for puzzle in load(theme="break the plan")
    if len(puzzle.moves) >= 22 and len(puzzle.solution) == 3
)


def solve(person: Person, puzzle: Puzzle) -> None:
    for column in puzzle.solution[::2]:
        phase(person.page, "open")
        person.column(column + 1).click()
        expect(person.page.locator(".puzzle-feedback")).to_have_attribute("data-tone", "right")
    phase(person.page, "solved")


def test_a_slower_win_is_taken_back_and_costs_nothing(person: Person, tmp_path: Path) -> None:
    page = person.page
    person.visit(f"/puzzles?id={SLOWER.id}")
    phase(page, "open")
    person.column(SLOWER_COLUMN + 1).click()
    expect(page.locator(".puzzle-feedback")).to_contain_text("wins too")
    expect(discs(page)).to_have_count(len(SLOWER.moves))
    phase(page, "open")
    solve(person, SLOWER)
    assert [each.solved for each in kept_history(person, tmp_path).answered] == [True]


def test_a_plan_is_broken_and_its_mistake_explained(person: Person) -> None:
    page = person.page
    person.visit(f"/puzzles?id={BREAK.id}")
    expect(page.locator(".puzzle-question")).to_contain_text("to break the plan and win")
    for column in BREAK.solution[::2]:
        phase(page, "open")
        person.column(column + 1).click()
        expect(page.locator(".puzzle-feedback")).to_have_attribute("data-tone", "right")
    phase(page, "solved")
    hole = BREAK.start().hole()
    assert hole
    there, answer, better = hole
    expect(page.locator(".lesson h3").first).to_have_text(
        f"After {' '.join(map(format_column, there.columns))}: the plan answers with column"
        f" {format_column(answer)}. Column {format_column(better)} would have been right."
    )
    expect(page.locator(".lesson .why-verdict")).not_to_have_count(0)


def test_the_puzzle_of_the_day_has_a_streak_and_a_text_to_share(person: Person) -> None:
    page = person.page
    person.visit("/puzzles?daily=on")
    phase(page, "open")
    expect(page.locator(".puzzle-record")).to_have_text("0 puzzles of the day solved in a row.")
    person.do("Show the solution")
    shared = page.get_by_label("Share")
    expect(shared).to_have_value(re.compile(r"^fourcast puzzle of .*: not solved\. http.*daily=on$"))


def test_a_storm_goes_on_until_its_time_is_up(person: Person) -> None:
    page = person.page
    page.clock.install()
    person.visit("/puzzles?storm=on")
    phase(page, "open")
    expect(page.locator(".storm-bar")).to_contain_text("0 solved")
    shown = page.locator(".puzzle-main").get_attribute("data-puzzle")
    puzzle = next(each for each in load() if each.id == shown)
    for column in puzzle.solution[::2]:
        phase(page, "open")
        person.column(column + 1).click()
        page.clock.run_for(2000)
    expect(page.locator(".storm-bar")).to_contain_text("1 solved")
    expect(page.locator(f".puzzle-main[data-puzzle='{shown}']")).to_have_count(0)
    phase(page, "open")
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    page.clock.run_for(180_000)
    expect(page.locator(".storm-bar")).to_contain_text("Time is up: 1 of 2 solved. Your best: 1.")
    assert page.evaluate("() => localStorage.getItem('fourcast.training')") is None


def test_a_card_is_repeated_and_the_history_goes_to_the_terminal_and_back(
    person: Person, tmp_path: Path
) -> None:
    page = person.page
    terminal = History(tmp_path / "terminal.jsonl")
    then = datetime.now(timezone.utc) - 40 * DAY
    terminal.add(TWO_MOVES, solved=False, when=then)
    terminal.add(KEEP, solved=True, hints=1, when=then + 39.5 * DAY)
    person.visit("/train")
    expect(page.locator(".train-figures")).to_have_text("0 due0 resting0 known")
    page.locator("#train-import").set_input_files(terminal.path)
    expect(page.locator(".train-news")).to_have_text("terminal.jsonl: 2 attempts are new.")
    expect(page.locator(".train-figures")).to_have_text("1 due1 resting0 known")
    person.do("Start")
    expect(page.locator(".train-label")).to_have_text("Card 1 of 1")
    phase(page, "open")
    # The card comes as it is or as its mirror image.
    shown = page.locator(".board-picture .layer-discs .disc").count()
    assert shown == len(TWO_MOVES.moves)
    asked = TWO_MOVES
    if not _is_shown(page, TWO_MOVES):
        asked = TWO_MOVES.mirrored()
        assert _is_shown(page, asked)
    for column in asked.solution[::2]:
        phase(page, "open")
        person.column(column + 1).click()
        expect(page.locator(".puzzle-feedback")).to_have_attribute("data-tone", "right")
    phase(page, "solved")
    person.do("Stop")
    expect(page.locator(".train-message")).to_contain_text("1 of 1 solved without help")
    expect(page.locator(".train-figures")).to_have_text("0 due2 resting0 known")
    with page.expect_download() as download:
        person.do("Save as a file")
    saved = tmp_path / "page.jsonl"
    download.value.save_as(saved)
    assert download.value.suggested_filename == "training.jsonl"
    assert terminal.merge(saved) == 1
    assert cards(terminal.answered)[TWO_MOVES.id].box == 1
    assert terminal.answered[-1].card == TWO_MOVES.id
    page.locator("#train-import").set_input_files(terminal.path)
    expect(page.locator(".train-news")).to_have_text("terminal.jsonl: 0 attempts are new.")
    assert terminal.path.read_text() == saved.read_text()
    bad = tmp_path / "bad.jsonl"
    bad.write_text(saved.read_text() + "{}\n{}\n")
    page.locator("#train-import").set_input_files(bad)
    expect(page.locator(".train-news")).to_contain_text("bad.jsonl is not a file of attempts (line 5)")


def _is_shown(page: Page, puzzle: Puzzle) -> bool:
    heights = [
        int(text.split(" ")[0]) if (text := label.split(", ")[1])[0].isdigit() else text
        for label in (
            str(page.locator(".board-column").nth(column).get_attribute("aria-label"))
            for column in range(puzzle.width)
        )
    ]
    wanted = [
        "full" if count == puzzle.height else count or "empty" for count in puzzle.position.heights
    ]
    return heights == wanted


def test_mistakes_of_a_game_become_exercises(person: Person, tmp_path: Path) -> None:
    page = person.page
    late = [each for each in mistakes_of(fc.Game(GAME)) if len(each.moves) >= 20]
    numbers = ".".join(str(len(each.moves) + 1) for each in late)
    person.visit(f"/train?moves={GAME}&mistakes={numbers}")
    for exercise in late[:2]:
        expect(page.locator(".puzzle-question")).to_have_text(exercise.question())
        phase(page, "open")
        right = exercise.start().accepted()
        assert exercise.tempting is not None
        person.column(exercise.tempting + 1).click()
        phase(page, "failed")
        expect(page.locator(".lesson")).to_be_hidden()
        person.do("Try again")
        phase(page, "open")
        person.column(right[-1] + 1).click()  # any move that keeps the outcome is accepted
        phase(page, "solved")
        expect(page.locator(".lesson")).to_contain_text(f"Why column {right[-1] + 1} is right")
        person.do("Next")
    answered = kept_history(person, tmp_path).answered
    assert [each.puzzle for each in answered] == late[:2]
    person.do("Stop")
    expect(page.get_by_role("link", name="Back to the review")).to_be_visible()


@pytest.mark.slow
def test_a_review_leads_to_its_mistakes(person: Person) -> None:
    page = person.page
    exercises = mistakes_of(fc.Game(GAME))
    person.visit(f"/board?moves={GAME}&review=on")
    page.get_by_role("link", name="Train these mistakes").click()
    expect(page.locator(".train-label")).to_contain_text(f"Mistake 1 of {len(exercises)}: move")
    expect(page.locator(".puzzle-question")).to_have_text(exercises[0].question())
    person.visit(f"/train?moves={GAME}")  # the page finds them by itself
    expect(page.locator(".train-label")).to_contain_text(f"Mistake 1 of {len(exercises)}: move")
    person.visit("/train?moves=4")
    expect(page.locator(".train-message")).to_contain_text("No move of this game changed who wins.")


def test_the_explorer_says_what_fourcast_explore_says_and_walks(person: Person) -> None:
    page = person.page
    found = explore(fc.Position("44455"))
    person.visit("/explore?moves=44455")
    expect(page.locator(".explore-testing")).to_have_text(
        f"Most testing: column {format_column(found.most_testing.column)}."
    )
    rows = page.locator(".explore-moves li")
    expect(rows).to_have_count(7)
    for move in found.moves:
        row = rows.nth(move.column)
        assert f"is-{move.line.outcome}" in str(row.get_attribute("class"))
        if move.traps and move.line.outcome != "win":
            expect(row).to_contain_text(f"{move.traps} of {len(move.replies)} replies")
    rows.nth(4).locator("button").click()
    expect(page).to_have_url(re.compile("moves=444555$"))
    expect(page.locator(".explore-testing")).to_contain_text("Most testing")
    person.press("ArrowLeft")
    expect(page.locator(".explore-step[aria-current]")).to_have_text("5")
    expect(discs(page)).to_have_count(5)
    person.column(1).click()
    expect(discs(page)).to_have_count(6)
    person.may_be_refused = True
    page.get_by_label("Moves", exact=True).fill("4444444")
    person.do("Show")
    expect(page.locator(".study-problem")).to_contain_text("column 4 is full")


@pytest.mark.slow
def test_an_opening_is_taught_and_another_good_move_is_no_mistake(
    person: Person, tmp_path: Path
) -> None:
    page = person.page
    cards = load_repertoire("first").cards
    person.visit("/train")
    expect(page.locator(".train-sides")).to_contain_text(f"0 of {len(cards)} cards seen, 0 due")
    person.do("Learn to play Red")
    expect(page.locator(".train-label")).to_have_text(f"Opening, card 1 of {len(cards)}")
    phase(page, "open")
    person.press("4")  # the only winning move of the empty board
    phase(page, "solved")
    expect(page.locator(".lesson")).to_contain_text("Why column 4 is right")
    for card in cards[1:4]:
        person.do("Next")
        expect(discs(page)).to_have_count(card.position.ply)
        phase(page, "open")
        others = set(card.puzzle.start().accepted()) - {card.column}
        if others:
            person.column(min(others) + 1).click()
            expect(page.locator(".puzzle-feedback")).to_contain_text("it is not in the repertoire")
            expect(discs(page)).to_have_count(card.position.ply)
        person.column(card.column + 1).click()
        phase(page, "solved")
    answered = kept_history(person, tmp_path).answered
    assert [each.puzzle for each in answered] == [card.puzzle for card in cards[:4]]
    assert all(each.solved for each in answered)


@pytest.mark.slow
def test_the_map_of_the_opening_is_a_picture_that_zooms_when_it_is_opened(person: Person) -> None:
    page = person.page
    person.visit("/explore?moves=4433")
    expect(page.locator(".explore-orders")).to_contain_text("3344")
    assert not [url for url in person.requests if url.endswith(".svg") and "map" in url]
    page.get_by_text("Map of the opening").click()
    page.wait_for_function("() => document.querySelector('.explore-map').naturalWidth > 0")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open it to zoom").click()
    chart = opened.value
    middle = chart.locator("svg > g.move").nth(3).locator("> rect")
    before = middle.get_attribute("width")
    chart.keyboard.press("+")
    expect(middle).not_to_have_attribute("width", str(before))
    assert chart.evaluate("() => origin") == "null"  # it cannot reach what the page keeps


def test_the_explorer_knows_what_the_levels_play(person: Person) -> None:
    page = person.page
    person.visit("/explore")
    position = fc.Position()
    choices = level_choices(position)
    assert choices is not None
    rows = page.locator(".explore-levels tbody tr")
    expect(rows).to_have_count(10)
    wrong = choices.wrong((3,))
    for level in (0, 4, 9):
        expect(rows.nth(level).locator("td").last).to_have_text(f"{wrong[level]:.0%}")


def puzzles_view(person: Person) -> None:
    person.visit(f"/puzzles?id={TWO_MOVES.id}")
    phase(person.page, "open")
    person.column(wrong_column(TWO_MOVES)).click()
    phase(person.page, "failed")
    person.do("Show the solution")
    expect(person.page.locator(".lesson .why-verdict")).not_to_have_count(0)


def train_view(person: Person) -> None:
    person.visit("/train")
    expect(person.page.locator(".train-figures")).to_be_visible()


def explore_view(person: Person) -> None:
    person.visit("/explore?moves=4445")
    expect(person.page.locator(".explore-testing")).to_contain_text("Most testing")


@pytest.mark.parametrize(
    "view", [puzzles_view, train_view, pytest.param(explore_view, marks=pytest.mark.slow)]
)
@in_both_themes
def test_axe_finds_nothing_on_the_pages_to_train(
    people: People, view: Callable[[Person], None], theme: str, size: tuple[int, int]
) -> None:
    person = people(size=size, color_scheme=theme)
    check_for_everybody(person, view)
    person.screenshot(f"{view.__name__.replace('_view', '')}-{theme}", full_page=True)


def test_on_a_phone_a_round_begins_with_its_question(people: People) -> None:
    person = people(size=PHONE, has_touch=True, is_mobile=True)
    person.visit("/train")
    person.page.get_by_role("button", name="Learn to play Yellow").tap()  # it is far down
    phase(person.page, "open")
    expect(person.page.locator(".puzzle-question")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_the_pages_fit_a_phone_in_german(people: People) -> None:
    person = people(size=PHONE, locale="de", has_touch=True, is_mobile=True)
    page = person.page
    for path, selector in (
        (f"/puzzles?id={KEEP.id}", ".puzzle-main[data-phase=open]"),
        ("/train", ".train-figures"),
        ("/explore?moves=44", ".explore-testing:not(:empty)"),
    ):
        person.visit(path)
        expect(page.locator(selector)).to_be_visible()
        person.has_no_sideways_scroll()
        assert page.locator("h1").text_content() in ("Rätsel", "Üben", "Erkunden")
    person.visit(f"/puzzles?id={KEEP.id}")
    phase(page, "open")
    person.column(wrong_column(KEEP)).tap()
    expect(page.locator(".puzzle-feedback")).to_contain_text("ist nicht die Lösung")


@pytest.mark.slow
def test_a_history_that_cannot_be_read_is_kept_until_somebody_says_otherwise(person: Person) -> None:
    page = person.page
    page.add_init_script("localStorage.getItem('x') || localStorage.setItem('fourcast.training', 'no')")
    person.visit(f"/puzzles?id={TWO_MOVES.id}")
    expect(page.locator(".standing-problem")).to_contain_text("cannot be read (line 1)")
    phase(page, "open")
    solve(person, TWO_MOVES)
    assert page.evaluate("() => localStorage.getItem('fourcast.training')") == "no"
    page.evaluate("() => localStorage.setItem('x', 'y')")
    person.do("Delete them and start again")
    expect(page.locator(".standing-problem")).to_be_empty()


@pytest.mark.slow
def test_training_goes_on_where_it_cannot_be_kept(person: Person) -> None:
    page = person.page
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    person.visit(f"/puzzles?id={TWO_MOVES.id}")
    phase(page, "open")
    person.column(wrong_column(TWO_MOVES)).click()
    phase(page, "failed")
    expect(page.locator(".standing-problem")).to_contain_text("This browser keeps nothing")
    expect(page.locator(".standing-figures")).to_contain_text("0")


@pytest.mark.slow
def test_puzzles_of_other_boards_and_answers_of_a_server(person: Person) -> None:
    """Where the core cannot run in the page, the server says what is right."""
    page = person.page
    remember(person, answers="server")
    person.visit("/puzzles?size=6x5&rating=500")
    phase(page, "open")
    expect(page.locator(".board-column")).to_have_count(6)
    name = str(page.locator(".puzzle-id").text_content())
    puzzle = next(each for each in load(width=6, height=5) if each.id == name)
    assert abs(puzzle.rating - 500) < 200
    person.column(wrong_column(puzzle)).click()
    phase(page, "failed")
    assert format_moves(puzzle.solution)
    person.do("Show the solution")
    expect(page.locator(".lesson")).to_be_visible()
