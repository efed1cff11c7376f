"""What a beginner looks for: rules, a hint, a warning, best play in steps, keys, colors, a replay."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import expect

from .conftest import Person
from .study import remember

BETWEEN_MOVES_MS = 900  # of a replay


def test_the_start_page_has_the_rules_in_a_sentence_and_three_pictures(person: Person) -> None:
    person.visit("/")
    rules = person.page.locator(".rules")
    expect(rules).to_contain_text("four in a row")
    expect(rules.locator("svg")).to_have_count(3)
    expect(rules.locator("figcaption")).to_have_text(["across", "up", "diagonally"])


def test_a_hint_is_a_column_and_then_the_reason(person: Person) -> None:
    page = person.page
    person.begin(name="Ada", moves="4575274553", other="level-1")
    expect(person.status).to_contain_text("Your turn")
    person.do("Hint")
    hint = page.get_by_role("region", name="Hint")
    expect(hint).to_contain_text("Try column 4.")
    expect(page.locator("#board .preview")).to_have_count(1)
    expect(hint).not_to_contain_text("Why column")
    hint.get_by_role("button", name="Why?").click()
    expect(hint.locator(".why-verdict").first).to_be_visible()
    for color in ("Red", "Yellow"):  # the players have names
        expect(hint).not_to_contain_text(color)
    # The reason is about the position after the move; the board is still the one to play on.
    show = hint.get_by_role("button", name="Show on the board")
    expect(show).to_have_attribute("aria-pressed", "false")
    show.click()
    expect(page.locator("#board")).to_be_hidden()
    show.click()
    expect(page.locator("#board")).to_be_visible()
    person.column(4).click()
    expect(hint).to_be_hidden()
    expect(page.locator("#board .preview")).to_have_count(0)
    # Nor does it stay when the game is given up.
    expect(person.status).to_contain_text("Your turn")
    person.do("Hint")
    expect(page.locator("#board .preview")).to_have_count(1)
    person.do("Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(hint).to_be_hidden()
    expect(page.locator("#board .preview")).to_have_count(0)


def test_two_people_get_no_hint(person: Person) -> None:
    person.begin(moves="44")
    expect(person.status).to_contain_text("to move")
    expect(person.page.get_by_role("button", name="Hint")).to_have_count(0)


def test_a_blunder_is_asked_about_only_if_somebody_wants_it(person: Person) -> None:
    """After 4455 column 3 or 6 wins for the side to move, and column 1 gives it away."""
    page = person.page
    person.begin(moves="4455", other="level-1")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Warn me before a blunder").check()
    person.do("Done")
    expect(person.status).to_contain_text("Your turn")
    person.column(1).click()
    dialog = page.get_by_role("dialog", name="Play it anyway?")
    expect(dialog).to_contain_text("Column 1 turns a win into a loss.")
    expect(dialog.get_by_role("button")).to_have_text(["Choose another column", "Play it anyway"])
    expect(dialog.get_by_role("button").first).to_be_focused()
    dialog.get_by_role("button", name="Choose another column").click()
    expect(dialog).to_be_hidden()
    expect(person.moves).to_have_count(4)
    person.column(1).click()
    dialog.get_by_role("button", name="Play it anyway").click()
    expect(person.moves.nth(4)).to_contain_text("1")


def test_a_good_move_is_not_asked_about(person: Person) -> None:
    remember(person, warn=True)
    person.begin(moves="4455", other="level-1")
    expect(person.status).to_contain_text("Your turn")
    person.column(3).click()
    expect(person.moves.nth(4)).to_contain_text("3")
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def test_best_play_is_stepped_through_and_the_line_that_was_left_is_kept(person: Person) -> None:
    page = person.page
    remember(person, **{"study.analysis": True})
    person.visit("/board?moves=4455123&at=4")
    line = page.locator(".study-line[data-column='2']")
    line.click()
    steps = page.get_by_role("group", name="Step through best play")
    expect(steps.get_by_role("button")).not_to_have_count(0)
    steps.get_by_role("button").nth(1).click()
    count = page.locator(".study-count")
    expect(count).to_have_text("6 of 7")
    person.press("ArrowRight")
    expect(count).to_have_text("7 of 7")
    expect(page.locator(".study-turn")).to_contain_text("Red has won")
    person.press("ArrowLeft", "ArrowLeft")
    expect(count).to_have_text("5 of 7")
    branch = page.get_by_role("group", name="Other lines").get_by_role("button")
    expect(branch).to_have_text(["From move 5: 1, 2, 3"])
    branch.click()
    expect(count).to_have_text("5 of 7")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("4455123")
    expect(branch).to_have_count(1)


def test_what_is_not_solved_has_an_estimate_that_says_so(person: Person) -> None:
    remember(person, **{"study.analysis": True})
    person.visit("/board?width=10&height=7")
    estimate = person.page.locator(".study-estimate")
    expect(estimate).to_contain_text("Estimate, not proven: Red wins about")
    expect(person.page.locator(".study-bar")).to_have_class(re.compile("is-unknown"))
    expect(person.page.locator(".study-bar")).to_have_attribute("aria-label", re.compile("^Estimate"))


def test_the_question_mark_says_which_keys_there_are(person: Person) -> None:
    page = person.page
    person.visit("/board")
    expect(page.locator(".study-turn")).to_contain_text("Red to move")
    person.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Undo and redo, on the board page")
    person.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_label("Moves", exact=True).focus()
    person.press("?")
    expect(dialog).to_have_count(0)


def test_own_colors_are_named_and_never_the_same(person: Person) -> None:
    page = person.page
    person.begin(moves="44")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Own colors").check()
    page.get_by_label("Color of the side that starts").select_option("Green")
    other = page.get_by_label("Color of the other side")
    expect(other.locator("option[value=green]")).to_be_disabled()
    other.select_option("White")
    person.do("Done")
    expect(person.status).to_contain_text("Green to move")
    expect(page.locator(".seat.second")).to_contain_text("White")
    disc = page.locator("#board .layer-discs .disc.second .body").first
    assert disc.evaluate("element => getComputedStyle(element).fill") == "rgb(247, 248, 251)"
    expect(page.locator("#board p").first).to_contain_text("Green to move after 2 moves, white was last")


def test_a_finished_game_is_replayed(person: Person) -> None:
    page = person.page
    page.clock.install()
    person.begin(moves="121212")
    expect(page.get_by_role("button", name="Replay the game")).to_be_hidden()
    person.click(1)
    replay = page.get_by_role("button", name="Replay the game")
    count = page.locator(".count")
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))  # from here on, time passes by the test
    replay.click()
    expect(count).to_have_text("0 / 7")
    for number in (1, 2, 3):
        page.clock.run_for(BETWEEN_MOVES_MS)
        expect(count).to_have_text(f"{number} / 7")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5 * BETWEEN_MOVES_MS)
    expect(count).to_have_text("3 / 7")
    replay.click()
    for number in (4, 5, 6, 7):
        page.clock.run_for(BETWEEN_MOVES_MS)
        expect(count).to_have_text(f"{number} / 7")
    expect(replay).to_be_visible()


def test_a_diagram_in_letters_of_the_colors_and_moves_as_squares_are_read(person: Person) -> None:
    page = person.page
    person.visit("/board")
    page.get_by_text("Paste a diagram or a game").click()
    text = page.get_by_label("Diagram, move string or game file")
    text.fill("4 . . . .\n3 . . . .\n2 . Y . .\n1 R R . .\n  a b c d")
    person.do("Read")
    expect(page.locator(".study-counts")).to_have_text("2 red, 1 yellow")
    text.fill("1. d1 d2 2. c1")
    person.do("Read")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("443")
