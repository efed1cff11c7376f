"""Analysis at hand: figures, bar, lines, threats, and what is said when there is nothing to show yet."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import fourcast as fc
from tests.browser.conftest import PHONE, People, Person, Server
from tests.browser.study import EARLY, GAME, figures, forgive, remember


def test_a_switch_shows_what_every_column_is_worth_and_stays_on(person: Person) -> None:
    page = person.page
    person.visit(f"/board?moves={EARLY}")
    switch = page.get_by_role("switch", name="Analysis")
    expect(switch).not_to_be_checked()
    expect(page.locator(".figure")).to_have_count(0)
    switch.click()
    expect(page.locator(".figure")).to_have_count(7)
    expected = figures(EARLY)
    for column, text in expected.items():
        best = ", best" if column == 4 else ""
        name = f"Column {column + 1}: {text}{best}"
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    # In large figures: the number of moves, and what it means.
    assert expected[0] == "loses in 12 moves"
    expect(page.locator(".figure[data-column='0'] .figure-text")).to_have_text("12")
    expect(page.locator(".figure[data-column='0'] .figure-detail")).to_have_text("loses in")
    expect(page.locator(".figure[data-column='4'] .figure-detail")).to_have_text("draw")
    size = page.locator(".figure[data-column='0'] .figure-text").evaluate(
        "element => parseFloat(getComputedStyle(element).fontSize)"
    )
    assert size >= 20
    expect(page.locator(".study-verdict")).to_have_text("Red draws. Best: column 5.")
    expect(page.get_by_role("img", name="Evaluation: Red draws")).to_be_visible()

    page.reload()
    expect(switch).to_be_checked()
    expect(page.locator(".figure-text").first).to_have_text("12")
    # The next position at once, without being asked for.
    person.column(1).click()
    expect(page.locator(".study-verdict")).to_contain_text("Yellow wins in 12 moves")
    expect(page.locator("#announcer")).to_contain_text("Yellow wins in 12 moves")
    switch.click()
    expect(page.locator(".figure")).to_have_count(0)


def test_the_bar_leans_to_the_side_that_wins(person: Person) -> None:
    remember(person, study_analysis=True)
    shares = []
    for moves in ("4444452222", EARLY, EARLY + "1"):
        person.visit(f"/board?moves={moves}")
        expect(person.page.locator(".study-line").first).to_be_visible()
        shares.append(float(person.page.locator(".study-bar-first").get_attribute("width") or "nan"))
    assert shares[0] > 60
    assert shares[1] == 50
    assert shares[2] < 40


def test_the_best_line_is_played_out_step_by_step_where_one_points(people: People) -> None:
    person = people(reduced_motion="no-preference")
    remember(person, study_analysis=True)
    person.visit("/board?moves=4444452222")
    page = person.page
    preview = page.locator(".layer-preview .preview")
    first = page.locator(".figure[data-column='0']")
    expect(first).to_have_attribute("aria-label", "Column 1: loses in 3 moves")
    expect(preview).to_have_count(0)
    page.locator(".layer-preview").evaluate(
        """layer => {
            window.counts = [];
            const watcher = new MutationObserver(() => window.counts.push(layer.children.length));
            watcher.observe(layer, {childList: true});
        }"""
    )
    first.hover()
    line = next(line for line in fc.Solver().analyze(fc.Position("4444452222")) if line.column == 0)
    assert len(line.variation) == 6
    expect(preview).to_have_count(6)
    expect(preview.locator(".number")).to_have_text(list("123456"))
    expect(page.locator(".layer-preview .first")).to_have_count(3)
    assert page.evaluate("() => window.counts.filter(count => count)") == [1, 2, 3, 4, 5, 6]
    page.mouse.move(2, 2)
    expect(preview).to_have_count(0)


def test_the_line_is_there_at_once_for_the_keyboard_and_for_who_wants_no_motion(person: Person) -> None:
    remember(person, study_analysis=True)
    person.visit("/board?moves=4444452222")
    page = person.page
    row = page.get_by_role(
        "button", name=re.compile(r"^Column 5 wins in 13 moves, best\. Line: 5, 5, 5")
    )
    expect(row).to_be_visible()
    for _ in range(60):
        if row.evaluate("element => element === document.activeElement"):
            break
        person.press("Tab")
    expect(row).to_be_focused()
    expect(page.locator(".layer-preview .preview")).to_have_count(25)
    person.press("Tab", "Tab")  # "Why?" stands between the columns
    # The next column's line in its place; at last none.
    expect(page.locator(".layer-preview .preview")).to_have_count(6)


def test_threats_of_both_sides_are_marked_with_odd_and_even_rows_by_choice(person: Person) -> None:
    moves = GAME[:20]
    position = fc.Position(moves)
    person.visit(f"/board?moves={moves}")
    page = person.page
    expect(page.locator(".study-counts")).to_have_text("10 red, 10 yellow")
    expect(page.locator(".threat")).to_have_count(0)
    page.get_by_role("switch", name="Threats").click()
    for player, name in ((1, "first"), (2, "second")):
        marks = page.locator(f".layer-marks .threat.{name} .label")
        # Where both have one, the label stands once, in the second's mark.
        shared = set(position.threats(2)) if player == 1 else set()
        labels = {square: "even" if square[1] % 2 else "odd" for square in position.threats(player)}
        expect(marks).to_have_text(["" if square in shared else labels[square] for square in labels])
    first, second = position.threats(1), position.threats(2)
    assert first
    assert second
    column, row = second[0]
    said = f"column {column + 1} row {row + 1} ({'even' if row % 2 else 'odd'})"
    expect(page.locator(".study-threat-side").nth(1)).to_contain_text(said)
    page.reload()
    expect(page.locator(".threat")).to_have_count(len(first) + len(second))
    page.get_by_role("switch", name="Threats").click()
    expect(page.locator(".threat")).to_have_count(0)


def test_bounds_are_shown_as_such_and_a_newer_position_cancels_the_older_question(
    person: Person,
) -> None:
    remember(person, study_analysis=True, answers="server")
    page = person.page
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    person.visit("/board?width=9&height=9")  # nobody solves that while we wait
    panel = page.locator(".study-panel")
    expect(panel).to_have_attribute("data-state", "solving")
    expect(panel).to_have_attribute("aria-busy", "true")
    expect(page.locator(".study-status")).to_contain_text("Solving to the end of the game")
    expect(page.locator(".study-status")).to_contain_text("Bounds so far; still solving")
    expect(page.locator(".figure-text").first).to_have_text("?")
    expect(page.get_by_role("button", name="Column 1: is not decided yet", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Board size").select_option("4x4")
    expect(page.locator(".study-verdict")).to_contain_text("Red draws")
    assert len([url for url in failed if "/api/analysis" in url]) == 1


@contextmanager
def crowd(server: Server, count: int) -> Iterator[None]:
    """So many others who each want something long solved; they all leave at the end."""
    with ExitStack() as stack:
        for number in range(count):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            moves = f"{number // 8 % 8 + 1}{number % 8 + 1}"
            query = f"width=8&height=8&time_s=60&moves={quote(moves)}"
            line.sendall(f"GET /api/analysis?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        yield


@pytest.mark.slow  # waits as long as the server asks for
def test_who_finds_the_server_busy_is_told_and_gets_an_answer_later(
    person: Person, server: Server
) -> None:
    remember(person, answers="server")
    person.visit(f"/board?moves={EARLY[:-1]}")  # which no test before has asked for
    page = person.page
    with crowd(server, 60):
        page.get_by_role("switch", name="Analysis").click()
        expect(page.locator(".study-status")).to_contain_text(
            re.compile(r"The server is busy with other analyses\. Trying again in \d+ s\.")
        )
        expect(page.get_by_role("button", name="Try now")).to_be_visible()
        expect(page.locator(".study-panel")).to_have_attribute("data-state", "busy")
    expect(page.locator(".study-verdict")).to_contain_text("Yellow wins in 15 moves", timeout=60_000)
    forgive(person, 503)


def test_who_is_offline_is_told_and_gets_an_answer_when_back(person: Person) -> None:
    person.may_lose_connection = True
    remember(person, answers="server")
    person.visit(f"/board?moves={EARLY}")
    page = person.page
    expect(page.locator(".study-counts")).to_have_text("6 red, 6 yellow")
    page.context.set_offline(True)
    page.get_by_role("switch", name="Analysis").click()
    expect(page.locator(".study-status")).to_contain_text("No connection to the server. Trying again in")
    page.context.set_offline(False)
    expect(page.locator(".study-verdict")).to_contain_text("Red draws")


def test_a_finished_game_needs_no_analysis(person: Person) -> None:
    remember(person, study_analysis=True)
    person.visit(f"/board?moves={GAME}")
    expect(person.page.locator(".study-verdict")).to_have_text("Yellow has won.")
    expect(person.page.locator(".figure")).to_have_count(0)


def test_where_every_column_leads_to_the_same_none_is_called_best(person: Person) -> None:
    remember(person, study_analysis=True)
    person.visit("/board?moves=33445")  # red has an open three
    expect(person.page.locator(".study-verdict")).to_have_text(
        "Yellow loses next move, whatever Yellow plays."
    )


def test_in_a_live_game_between_people_only_those_who_watch_may_analyse(people: People) -> None:
    red, yellow, watcher = people(), people(), people(size=PHONE)
    remember(red, study_analysis=True)  # left on from another day
    red.visit(f"/board?moves={EARLY}")
    red.page.get_by_role("button", name="Play from here").click()
    red.page.get_by_label("A friend elsewhere, by a link").check()
    red.page.get_by_role("button", name="Start", exact=True).click()
    red.page.wait_for_url("**/game/*")
    yellow.visit(red.page.url)
    yellow.page.get_by_role("button", name=re.compile("Join|Play|Take")).first.click()
    expect(yellow.status).to_contain_text("to move")
    for player in (red, yellow):
        switch = player.page.get_by_role("switch", name="Analysis")
        expect(switch).to_be_disabled()
        expect(switch).not_to_be_checked()
        expect(player.page.locator(".study-why")).to_contain_text("Fair play")
        expect(player.page.get_by_role("button", name="Why?", exact=True)).to_be_disabled()
        switch.click(force=True)
        expect(switch).not_to_be_checked()
        expect(player.page.locator(".figure")).to_have_count(0)
    yellow.visit(f"{yellow.page.url}?analysis=on")  # a link does not help, either
    expect(yellow.page.locator(".study-why")).to_contain_text("Fair play")
    expect(yellow.page.locator(".figure")).to_have_count(0)
    watcher.visit(f"{red.page.url}?analysis=on")
    expect(watcher.page.get_by_role("switch", name="Analysis")).to_be_checked()
    expect(watcher.page.locator(".figure-text").first).to_have_text("12")

    yellow.page.get_by_role("button", name="Resign").click()
    yellow.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(yellow.status).to_contain_text("You lose")
    for player in (red, yellow):
        expect(player.page.get_by_role("switch", name="Analysis")).to_be_enabled()
        expect(player.page.locator(".study-why")).to_be_hidden()
    red.page.get_by_role("switch", name="Analysis").click()
    expect(red.page.locator(".figure-text").first).to_have_text("12")
