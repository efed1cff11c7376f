"""Games on one screen and against the computer, by mouse, by keyboard alone and by touch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, People, Person, Server
from tests.browser.study import remember


def test_two_friends_play_a_whole_game_on_one_screen_by_mouse(person: Person) -> None:
    person.start("here", name="Ada", friend="Bo")
    expect(person.status).to_contain_text("Ada to move")
    person.click(4)
    expect(person.status).to_contain_text("Bo to move")
    person.click(4, 3, 5, 2, 6, 1)
    expect(person.status).to_contain_text("Ada wins")
    expect(person.status).to_contain_text("four in a row")
    expect(person.page.locator("#board .four")).to_have_count(4)
    person.sees_moves("4435261")
    # The game is over: a click does nothing.
    person.column(7).click(force=True)
    person.sees_moves("4435261")


def test_the_first_disc_on_the_start_page_starts_the_game(person: Person) -> None:
    person.visit("/")
    person.page.locator("input[name=mode][value=here]").check()
    expect(person.page.locator("#hint")).to_have_text("Drop the first disc to start.")
    person.column(3).click()
    person.page.wait_for_url(person.game_pattern)
    person.sees_moves("3")
    expect(person.status).to_contain_text("Yellow to move")


def test_a_game_is_played_by_keyboard_alone(person: Person) -> None:
    """From the start page to the four, without a mouse: Tab, arrows, Enter, Space and digits."""
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    computer = person.page.locator("input[name=mode][value=computer]")
    for _ in range(20):
        person.press("Tab")
        if computer.evaluate("element => element === document.activeElement"):
            break
    person.press("ArrowRight")  # the next way to play: a friend here
    expect(person.page.locator("input[name=mode][value=here]")).to_be_checked()
    start = person.page.get_by_role("button", name="Start the game")
    for _ in range(20):
        if start.evaluate("element => element === document.activeElement"):
            break
        person.press("Tab")
    person.press("Enter")
    person.page.wait_for_url("**/game/*")
    expect(person.status).to_contain_text("Red to move")

    person.press("1")
    person.sees_moves("1")
    middle = person.column(4)
    for _ in range(20):
        person.press("Tab")
        if person.page.locator(".board-column:focus").count():
            break
    person.press("End", "ArrowLeft", "ArrowLeft", "Enter")
    person.sees_moves("15")
    person.press("Home", "Space")
    person.sees_moves("151")
    person.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(middle).to_be_focused()
    person.press("Enter")
    person.sees_moves("1514")
    for key, moves in (("1", "15141"), ("5", "151415"), ("1", "1514151")):
        person.press(key)
        person.sees_moves(moves)
    expect(person.status).to_contain_text("Red wins")


def test_every_move_is_announced_to_screen_readers(person: Person) -> None:
    person.begin(name="Ada")
    announcer = person.page.get_by_role("status").and_(person.page.locator("#announcer"))
    person.click(4)
    expect(announcer).to_contain_text("Ada: column 4.")
    person.click(1)
    expect(announcer).to_contain_text("Yellow: column 1.")
    expect(person.column(4)).to_have_accessible_name("Column 4, 1 of 6")
    expect(person.column(7)).to_have_accessible_name("Column 7, empty")
    described = person.page.get_by_role("group", name="Board")
    expect(described).to_have_accessible_description(re.compile("column 4 red", re.IGNORECASE))
    person.click(4, 1, 4, 1, 4)
    expect(announcer).to_contain_text("Ada wins")


def test_a_full_column_is_refused_in_words(person: Person) -> None:
    person.begin(moves="11111")
    person.click(1)
    expect(person.column(1)).to_have_attribute("aria-disabled", "true")
    person.press("1")
    expect(person.page.locator("#announcer")).to_contain_text("Column 1 is full.")
    person.sees_moves("111111")


def test_undo_and_redo_on_one_screen(person: Person) -> None:
    person.begin()
    person.click(4, 5, 6)
    person.do("Undo")
    person.sees_moves("45")
    person.do("Undo")
    person.sees_moves("4")
    expect(person.discs).to_have_count(1)
    person.do("Redo")
    person.sees_moves("45")
    person.click(1)
    expect(person.page.get_by_role("button", name="Redo")).to_have_attribute("aria-disabled", "true")


def test_stepping_through_shows_earlier_positions_marked_as_such(person: Person) -> None:
    person.begin(moves="456")
    past = person.page.locator(".past")
    expect(past).to_be_hidden()
    person.page.locator("#moves-title").click()  # away from the board
    person.press("ArrowLeft")
    expect(past).to_contain_text("Move 2 of 3")
    expect(person.discs).to_have_count(2)
    person.press("Home")
    expect(past).to_contain_text("Before move 1 of 3")
    expect(person.discs).to_have_count(0)
    person.press("4")  # the board shows the past: nothing is played there
    person.press("ArrowRight")
    expect(person.discs).to_have_count(1)
    person.do("Last position")
    expect(past).to_be_hidden()
    expect(person.discs).to_have_count(3)
    person.moves.nth(1).click()
    expect(past).to_contain_text("Move 2 of 3")
    person.do("Back to the game")
    expect(past).to_be_hidden()
    person.sees_moves("456")


def test_a_game_against_the_computer_until_it_ends(person: Person) -> None:
    """Column by column from the left: the computer answers every move, and somebody wins or nobody."""
    remember(person, pause=False)
    person.start("computer", name="Ada", player="level-1")
    expect(person.page.locator(".seat.second")).to_contain_text("Level 1")
    over = person.page.locator(".status.is-over")
    for _ in range(21):
        expect(over.or_(person.page.get_by_text("Your turn", exact=True)).first).to_be_visible()
        if over.count():
            break
        before = person.moves.count()
        person.page.locator(".board-column[aria-disabled=false]").first.click()
        expect(over.or_(person.moves.nth(before + 1)).first).to_be_visible()
    expect(over).to_contain_text(re.compile("You win|You lose|Draw"))


def test_the_computer_may_begin_and_its_moves_are_taken_back_with_mine(person: Person) -> None:
    person.start("computer", player="level-4", starts="other")
    expect(person.status).to_contain_text("Your turn")
    expect(person.moves).to_have_count(1)
    expect(person.page.locator(".seat.first")).to_contain_text("Level 4")
    person.column(1).click()
    expect(person.moves).to_have_count(3)
    person.do("Undo")
    expect(person.moves).to_have_count(1)


def test_one_may_choose_a_player_that_is_no_level_and_sees_it_think(person: Person) -> None:
    person.start("computer", player="perfect")
    expect(person.page.locator(".seat.second")).to_contain_text("Perfect")
    person.status.evaluate(
        "status => { window.said = []; new MutationObserver(() => window.said.push(status.textContent))"
        ".observe(status, { childList: true }); }"
    )
    person.column(4).click()
    expect(person.moves).to_have_count(2)
    expect(person.status).to_contain_text("Your turn")
    assert "Perfect is thinking" in person.page.evaluate("() => window.said")


def test_after_resigning_a_game_is_played_again_with_colors_changed(person: Person) -> None:
    person.begin(name="Ada", other="random")
    person.column(4).click()
    expect(person.moves).to_have_count(2)
    person.do("Resign")
    person.do("Play on")
    expect(person.status).to_contain_text("Your turn")
    person.do("Resign")
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(person.status).to_contain_text("You lose")
    before = person.page.url
    person.do("Play again")
    person.page.wait_for_url(lambda url: url != before)
    expect(person.page.locator(".seat.second")).to_contain_text("Ada")
    expect(person.status).to_contain_text("Your turn")
    expect(person.moves).to_have_count(1)


@pytest.mark.parametrize("size", [pytest.param("5x4", marks=pytest.mark.slow), "10x7"])
def test_other_sizes_of_the_board(person: Person, size: str) -> None:
    width, height = map(int, size.split("x"))
    person.start("here", size=size)
    expect(person.page.locator(".board-column")).to_have_count(width)
    expect(person.page.locator("#board .rims circle")).to_have_count(width * height)
    person.press("a" if width > 9 else str(width))
    person.sees_moves("a" if width > 9 else str(width))
    person.click(1, 2)
    person.screenshot(f"size-{size}")


def test_the_widest_board_can_be_played_on_a_phone(people: People) -> None:
    person = people(size=PHONE, has_touch=True)
    person.may_be_refused = True  # with 25 columns, before the rows are given
    person.visit("/")
    person.page.locator("input[name=mode][value=here]").check()
    person.page.get_by_label("Board size").select_option("custom")
    person.page.get_by_label("Columns").fill("25")
    person.page.get_by_label("Rows").fill("4")
    person.do("Start the game")
    person.page.wait_for_url("**/game/*")
    person.column(25).tap()
    person.sees_moves("p")
    box = person.column(25).bounding_box()
    assert box is not None
    assert box["width"] >= 24
    person.has_no_sideways_scroll()
    person.screenshot("size-25x4-phone")


def test_a_size_of_ones_own_and_one_that_cannot_be(person: Person) -> None:
    person.may_be_refused = True
    person.visit("/")
    person.page.locator("input[name=mode][value=here]").check()
    person.page.get_by_label("Board size").select_option("custom")
    person.page.get_by_label("Columns").fill("25")
    person.page.get_by_label("Rows").fill("31")
    expect(person.page.locator("#hint")).to_contain_text("25")
    person.do("Start the game")
    expect(person.page.get_by_role("alert")).to_contain_text("25")
    person.page.get_by_label("Columns").fill("9")
    person.page.get_by_label("Rows").fill("5")
    person.do("Start the game")
    person.page.wait_for_url("**/game/*")
    expect(person.page.locator(".board-column")).to_have_count(9)


def test_name_theme_and_sound_are_kept_in_the_browser(person: Person) -> None:
    person.visit("/")
    person.page.get_by_label("Your name").fill("Ada")
    person.do("Sound")
    theme = person.page.get_by_role("button", name=re.compile("Theme"))
    theme.click()
    theme.click()
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    person.page.reload()
    expect(person.page.get_by_label("Your name")).to_have_value("Ada")
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(person.page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    person.page.locator("input[name=mode][value=here]").check()
    person.column(4).click()
    expect(person.page.locator(".seat.first")).to_contain_text("Ada")
    person.click(4)  # discs land with a sound now


def test_the_colors_are_a_choice_that_words_and_discs_follow(person: Person) -> None:
    """Red and yellow as in the box, or red and blue; the game goes on meanwhile."""
    page = person.page
    person.begin(moves="443526")
    disc = page.locator("#board .layer-discs .disc.second .body").first
    yellow = disc.evaluate("element => getComputedStyle(element).fill")
    switch = page.get_by_role("button", name="Settings")
    switch.focus()
    person.press("Enter")
    expect(page.get_by_label("Red and yellow")).to_be_checked()
    page.get_by_label("Red and blue").check()
    person.do("Done")
    expect(page.locator(".seat.second")).to_contain_text("Blue")
    expect(switch).to_be_focused()
    assert disc.evaluate("element => getComputedStyle(element).fill") != yellow
    person.click(7)
    expect(person.status).to_contain_text("Blue to move")
    person.do("Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#announcer")).to_contain_text("Red wins: blue has resigned.")
    expect(person.status).to_contain_text("blue has resigned")
    person.visit("/board?moves=4")
    expect(page.locator(".study-turn")).to_contain_text("Blue to move")
    expect(page.get_by_label("Set a blue disc")).to_be_attached()
    expect(page.locator(".study-board p").first).to_contain_text("Blue to move after 1 move")
    switch.click()
    page.get_by_label("Red and yellow").check()
    person.press("Escape")
    expect(page.locator(".study-turn")).to_contain_text("Yellow to move")


def test_games_can_be_continued_from_the_start_page_and_forgotten(person: Person) -> None:
    person.start("computer", player="level-2", name="Ada")
    person.column(4).click()
    expect(person.moves).to_have_count(2)
    game = person.page.url
    person.visit("/")
    link = person.page.get_by_role("link", name=re.compile("Against Level 2"))
    expect(link).to_contain_text("Your turn")
    expect(link).to_contain_text("2 moves, today ")  # which one it is, of several
    link.click()
    person.page.wait_for_url(game)
    expect(person.moves).to_have_count(2)
    person.column(1).click()  # the browser still holds the right to play
    expect(person.moves).to_have_count(4)
    person.begin(name="Ada", moves="443526")
    person.click(1)
    expect(person.status).to_contain_text("Ada wins")
    person.visit("/")
    expect(person.page.locator(".your-games li")).to_have_count(1)  # a game that is over is not
    person.page.get_by_role("button", name=re.compile("Remove from list")).click()
    expect(person.page.locator(".your-games li")).to_have_count(0)


def test_a_game_is_played_by_touch_on_a_phone(people: People) -> None:
    person = people(size=PHONE, has_touch=True, is_mobile=True)
    person.begin()
    for number in (4, 4, 3, 5, 2, 6, 1):
        before = person.moves.count()
        person.column(number).tap()
        expect(person.moves).to_have_count(before + 1)
    expect(person.status).to_contain_text("Red wins")
    person.has_no_sideways_scroll()


def test_names_are_text_and_never_markup(person: Person) -> None:
    name = "<img src=x onerror=alert(1)>"
    person.begin(name=name)
    expect(person.page.locator(".seat.first .seat-name")).to_have_text(name)
    assert person.page.locator("main img").count() == 0
    person.visit("/")
    expect(person.page.get_by_role("link", name=re.compile("img src"))).to_be_visible()


def test_a_game_that_does_not_exist_and_a_page_that_does_not(person: Person, server: Server) -> None:
    person.may_be_refused = True
    person.visit("/game/AAAAAAAAAAAA")
    expect(person.page.get_by_role("heading", name="There is no such game")).to_be_visible()
    person.page.get_by_role("link", name="Start a new one").click()
    expect(person.page.get_by_role("heading", name="Connect Four")).to_be_visible()
    assert person.page.url == f"{server.address}/"


@pytest.mark.slow
def test_discs_fall_unless_somebody_wants_less_motion(people: People) -> None:
    lively = people(reduced_motion="no-preference")
    calm = people(reduced_motion="reduce")
    for person, moving in ((lively, True), (calm, False)):
        person.begin(moves="443526")
        person.page.evaluate(
            "() => { window.seen = 0; const animate = Element.prototype.animate;"
            " Element.prototype.animate = function (...given)"
            " { window.seen += 1; return animate.apply(this, given); }; }"
        )
        person.click(1)
        assert (person.page.evaluate("() => window.seen") > 0) is moving
        name = person.page.locator("#board .four").first.evaluate(
            "e => getComputedStyle(e).animationName"
        )
        assert (name != "none") is moving


def test_the_answer_is_seen_before_the_next_move_can_be_made(people: People) -> None:
    person = people(reduced_motion="no-preference")
    person.begin(other="level-1")
    # A click as soon as the answer has come, while its disc falls.
    person.page.evaluate(
        "() => new MutationObserver((_, observer) => {"
        " if (document.querySelectorAll('.moves .move').length < 2) return;"
        " observer.disconnect();"
        " document.querySelector('.board-column[data-column=\"3\"]').click();"
        "}).observe(document.body, { childList: true, subtree: true })"
    )
    person.column(4).click()
    expect(person.page.locator(".board-note")).to_contain_text("turn")
    expect(person.moves).to_have_count(2)
    person.click(3)
    expect(person.moves).to_have_count(4)
