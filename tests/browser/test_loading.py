"""What is clicked while a page is still loading, or while an answer is on its way, is not lost."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import WAIT_MS, Person
from tests.browser.study import discs
from tests.browser.test_train import TWO_MOVES, phase, wrong_column


class Held:
    """Requests that are not answered before the test says so."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._routes: list[Route] | None = []
        page.route(pattern, self._take)

    def _take(self, route: Route) -> None:
        if self._routes is None:
            route.continue_()
        else:
            self._routes.append(route)

    def wait(self) -> None:
        """Wait until there is one."""
        for _ in range(WAIT_MS // 20):
            if self._routes:
                return
            self._page.wait_for_timeout(20)
        raise AssertionError("nothing was asked")

    def release(self) -> None:
        """Answer them, and hold no more."""
        self.wait()
        held, self._routes = self._routes or [], None
        for route in held:
            route.continue_()


def test_what_is_done_on_a_board_that_is_loading_is_done_when_it_is_there(person: Person) -> None:
    page = person.page
    count = page.locator(".study-count")
    positions = Held(page, "**/api/position?*")
    person.visit("/board?moves=44551&at=2")
    page.get_by_role("button", name="One move forward").click()
    page.get_by_role("switch", name="Threats").click()
    expect(page.get_by_role("switch", name="Threats")).to_be_checked()
    explorer = page.get_by_role("link", name="Explore").last
    expect(explorer).to_have_attribute("href", "/explore?moves=44")
    person.press("4")
    expect(page.locator(".board-note")).to_have_text("The position is still being loaded.")
    positions.release()
    expect(count).to_have_text("3 of 5")
    expect(page.locator(".board-note")).to_be_hidden()
    expect(page.locator(".study-threats")).to_be_visible()
    expect(explorer).to_have_attribute("href", "/explore?moves=445")


def test_steps_are_made_from_the_moves_before_them_however_late_the_answers(person: Person) -> None:
    page = person.page
    person.visit("/board")
    expect(page.locator(".study-count")).to_have_text("0 of 0")
    positions = Held(page, "**/api/position?*")
    person.press("4", "4", "5", "ArrowLeft", "ArrowLeft", "1", "ArrowLeft")
    expect(discs(page)).to_have_count(4)  # drawn ahead, until the steps are made
    positions.release()
    expect(page.locator(".study-count")).to_have_text("1 of 2")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("41")


def test_the_explorer_walks_two_moves_before_the_first_is_answered(person: Person) -> None:
    page = person.page
    person.visit("/explore?moves=44")
    expect(page.locator(".explore-step[aria-current]")).to_have_text("4")
    positions = Held(page, "**/api/position?*")
    person.press("5", "1")
    expect(discs(page)).to_have_count(4)
    positions.release()
    expect(page).to_have_url(re.compile(r"\?moves=4451$"))
    expect(page.locator(".explore-step")).to_have_text(["Start", "4", "4", "5", "1"])


def test_a_game_says_that_it_is_loading_and_that_a_move_is_on_its_way(person: Person) -> None:
    page = person.page
    person.begin(moves="44")
    is_mute = True

    def answer(socket: WebSocketRoute) -> None:
        if not is_mute:
            socket.connect_to_server()

    page.route_web_socket("**/live", answer)
    page.reload()
    for name in ("First position", "One move back", "One move forward", "Last position"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    person.press("4")
    expect(page.locator(".board-note")).to_have_text("The position is still being loaded.")
    is_mute = False
    page.reload()
    person.sees_moves("44")
    moves = Held(page, "**/moves")
    person.column(5).click()
    expect(discs(page)).to_have_count(3)
    person.press("6")
    expect(page.locator(".board-note")).to_have_text("Your move is on its way.")
    moves.release()
    person.sees_moves("445")
    expect(person.status).to_contain_text("Yellow to move")


def test_a_puzzle_takes_no_other_wish_while_a_move_is_checked(person: Person) -> None:
    page = person.page
    person.visit(f"/puzzles?id={TWO_MOVES.id}")
    phase(page, "open")
    core = Held(page, "**/api/position?*")  # what the move leads to
    person.column(wrong_column(TWO_MOVES)).click()
    show = page.get_by_role("button", name="Show the solution")
    expect(show).to_be_disabled()
    person.press("1")
    expect(page.locator(".board-note")).to_have_text("Your move is being checked.")
    core.release()
    phase(page, "failed")
    show.click()  # it waits until that can be done
    phase(page, "shown")


def test_a_round_that_is_left_while_it_loads_does_not_get_into_the_next(person: Person) -> None:
    page = person.page
    puzzles = Held(page, "**/7x6.puzzles")
    person.visit("/train")
    person.do("Start")
    expect(page.locator(".train-label")).to_have_text("Preparing the next one …")
    puzzles.wait()
    person.do("Stop")
    expect(page.locator(".train-figures")).to_be_visible()
    person.do("Learn to play Red")
    phase(page, "open")
    label = page.locator(".train-label").text_content()
    puzzles.release()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".train-label")).to_have_text(label or "")


def test_a_form_that_somebody_comes_back_to_can_be_sent_again(person: Person) -> None:
    page = person.page
    person.visit("/")
    page.locator("input[name=mode][value=here]").check()
    person.do("Start the game")
    page.wait_for_url("**/game/*")
    expect(person.status).to_contain_text("Red to move")
    first = page.url
    page.go_back()
    person.do("Start the game")
    page.wait_for_url(lambda url: "/game/" in url and url != first)
    expect(person.status).to_contain_text("Red to move")
