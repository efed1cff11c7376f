"""Rooms in real browsers: a lobby, tournaments, classes, and what a projector shows."""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest
from playwright.sync_api import expect

from fourcast.puzzles.collection import find
from fourcast.study.lessons import find_lesson
from tests.browser.conftest import PHONE, PROJECTOR, People, Person, Server
from tests.browser.test_learn import play_step
from tests.browser.test_train import phase, wrong_column

HOSTILE = '<img src=x onerror="document.title=1">'
TOUCH: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}


def open_room(person: Person, *, name: str = "", room: str = "") -> str:
    """Open a room by the page, and return its path."""
    page = person.page
    person.visit("/room")
    page.get_by_label("Name of the room").fill(room)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Open the room").click()
    page.wait_for_url("**/room/*")
    expect(page.get_by_role("heading", level=1)).to_have_text(room or "Room")
    return "/room/" + page.url.rpartition("/")[2]


def come_in(person: Person, room: str, name: str) -> None:
    person.visit(room)
    person.page.get_by_label("Your name").fill(name)
    person.page.get_by_role("button", name="Come in").click()
    expect(person.page.locator(".room-members")).to_contain_text(f"{name} (you)")


def resign(person: Person, column: int = 4) -> None:
    """Play a disc, if it is this person's turn, and resign."""
    page = person.page
    person.column(column).click()
    expect(person.moves).not_to_have_count(0)
    person.do("Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(person.status).to_contain_text("You lose")


def test_a_room_is_opened_and_a_challenge_played_in_it(people: People) -> None:
    ada, bo = people(), people(**TOUCH)
    ada.visit("/")
    ada.page.get_by_role("link", name="open a room").click()
    room = open_room(ada, name="Ada", room="Club")
    come_in(bo, room, "Bo")
    ada.page.locator("#lobby-clock").select_option(label="5 min + 3 s per move")
    ada.page.get_by_role("button", name="Challenge Bo").click()
    expect(bo.page.locator(".room-challenges")).to_contain_text(
        "Ada challenges you (5 min + 3 s per move)."
    )
    bo.has_no_sideways_scroll()
    bo.screenshot("room-phone")
    bo.page.get_by_role("button", name="Accept").click()
    for person in (ada, bo):
        person.page.wait_for_url("**/game/*")
    resign(ada)
    bo.page.get_by_role("link", name="Back to the room").click()
    expect(bo.page.locator(".room-list .room-result").last).to_have_text("0 \u2013 1")
    bo.meets_accessibility_rules()


def test_a_room_is_entered_where_a_network_swallows_sockets(people: People) -> None:
    ada, bo = people(), people()
    room = open_room(ada, name="Ada")
    bo.page.route_web_socket(re.compile("/live$"), lambda _: None)  # it opens, and says nothing
    come_in(bo, room, "Bo")
    expect(ada.page.locator(".room-members")).to_contain_text("Bo")


def test_a_link_passes_the_key_on_and_two_who_look_for_a_game_meet(people: People) -> None:
    ada, bo = people(size=(820, 1180), has_touch=True), people(**TOUCH, locale="de-DE")
    room = open_room(ada, name="Ada")
    expect(
        ada.page.get_by_role("button", name="Play the computer")
    ).to_be_visible()  # nobody else is here
    ada.page.locator("summary", has_text="QR code").click()
    width = "() => document.querySelector('.room-qr').naturalWidth"
    ada.page.wait_for_function(width)
    ada.page.locator("summary", has_text="Link for another host").click()
    link = ada.page.get_by_label("Link for another host").input_value()
    ada.page.locator("summary", has_text="New tournament").click()
    ada.page.locator("summary", has_text="Set tasks").click()
    expect(ada.page.get_by_label("Theme").locator("option")).not_to_have_count(0)
    ada.has_no_sideways_scroll()
    ada.screenshot("room-tablet", full_page=True)
    ada.do("Find an opponent")
    expect(ada.page.get_by_role("status")).to_contain_text(["Looking for an opponent (no clock)"])
    bo.visit(link)
    expect(bo.page.get_by_role("heading", name="Leitung")).to_be_visible()
    assert "key" not in bo.page.url
    bo.page.set_viewport_size({"width": 320, "height": 640})
    bo.has_no_sideways_scroll()
    bo.page.get_by_label("Dein Name").fill(HOSTILE)
    bo.do("Eintreten")
    expect(bo.page.locator(".room-seeks")).to_contain_text("Ada sucht einen Gegner (ohne Uhr).")
    words = bo.page.evaluate("() => document.querySelector('main').innerText").split()
    assert not {"the", "room", "here", "play", "with"} & {word.lower() for word in words}
    bo.page.locator(".room-seeks").get_by_role("button", name="Spielen").click()
    for person in (ada, bo):
        person.page.wait_for_url("**/game/*")
        expect(person.page.locator(".seat", has_text=HOSTILE)).to_be_visible()
    ada.visit("/room")
    expect(ada.page.get_by_role("link", name="Room")).to_have_attribute("href", room)


def play_round(number: int, everybody: dict[str, Person], projector: Person) -> int:
    """Start a round as Ada, see who is paired on the projector, and let those who begin resign.

    Pages of the room go to the games by themselves; those that still show the last game say that
    there is another one. Returns the number of games.
    """
    ada, page = everybody["Ada"], projector.page
    before = {name: person.page.url for name, person in everybody.items()}
    ada.do(f"Start round {number}")
    expect(page.locator(".room-round")).to_contain_text(f"Round {number} of")
    pairs = [text for text in page.locator(".room-pairs li").all_inner_texts() if " \u2013 " in text]
    players = [name for name in everybody if any(name in pair for pair in pairs)]
    assert len(players) == 2 * len(pairs)
    for name in players:
        person, last = everybody[name], before[name]
        if "/game/" in last:
            person.page.locator(".next-game").get_by_role("button", name="To the game").click()
        person.page.wait_for_url(re.compile(rf"/game/(?!{re.escape(last.rpartition('/')[2])}$)"))
    for name in players:
        person = everybody[name]
        expect(person.status).to_contain_text(re.compile("turn|to move|win|lose"))
        if "Your turn" in person.status.inner_text() and not person.moves.count():
            resign(person)
    if "/game/" in ada.page.url:
        ada.page.get_by_role("link", name="Back to the room").click()
    expect(ada.page.locator(".room-members li").first).to_be_visible()
    return len(pairs)


def open_event(host: Person, kind: str) -> None:
    page = host.page
    page.locator("summary", has_text="New tournament").click()
    page.get_by_label("Kind").select_option(kind)
    page.get_by_role("button", name="Open the tournament").click()
    expect(page.get_by_role("region", name="Tournament")).to_contain_text("Before the first round")


def test_an_event_of_four_is_played_and_shown_on_a_projector(people: People) -> None:
    players = {name: people() for name in ("Ada", "Bo", "Cleo", HOSTILE)}
    ada = players["Ada"]
    room = open_room(ada, name="Ada")
    for name in ("Bo", "Cleo", HOSTILE):
        come_in(players[name], room, name)
    projector = people(size=PROJECTOR)
    projector.visit(f"{room}?projector=on")
    expect(ada.page.locator(".room-members li")).to_have_count(4)
    open_event(ada, "knockout")
    for number, games in ((1, 2), (2, 1)):
        assert play_round(number, players, projector) == games
        expect(projector.page.locator(".projector-game")).to_have_count(games)
        projector.has_no_sideways_scroll()
        projector.screenshot(f"room-projector-{number}")
    ada.do("Finish the tournament")
    expect(ada.page.get_by_role("heading", name="Final standings")).to_be_visible()
    table = ada.page.locator(".room-table tbody tr")
    expect(table).to_have_count(4)
    expect(table.first.locator("td").nth(1)).to_have_text("2")
    assert HOSTILE in " ".join(ada.page.locator(".room-table").all_inner_texts())
    with ada.page.expect_download() as download:
        ada.page.get_by_role("region", name="Tournament").get_by_role("link", name="CSV").click()
    assert "Cleo" in download.value.path().read_text()
    ada.meets_accessibility_rules()
    ada.screenshot("room-event", full_page=True)


def solve(person: Person) -> None:
    """Solve the puzzle that is on the board."""
    page = person.page
    phase(page, "open")
    puzzle = find(page.locator(".puzzle-main").get_attribute("data-puzzle") or "")
    for column in puzzle.solution[::2]:
        expect(page.locator(".board-stage.is-enabled, .is-enabled").first).to_be_attached()
        person.column(column + 1).click()
    phase(page, "solved")


def test_a_race_of_two_is_run_by_somebody_who_is_no_member(people: People) -> None:
    teacher, ada, eve = people(), people(), people(**TOUCH)
    room = open_room(teacher, room="Class 7b")
    for person, name in ((ada, "Annabellakonstantina"), (eve, HOSTILE)):
        come_in(person, room, name)
    page = teacher.page
    page.locator("summary", has_text="Set tasks").click()
    page.get_by_label("Number").fill("2")
    page.get_by_role("button", name="Set them").click()
    expect(ada.page.get_by_role("region", name="Class")).to_contain_text("A race: 2 tasks.")
    expect(ada.page.locator(".room-work")).to_be_hidden()
    teacher.do("Start the race")
    phase(eve.page, "open")
    eve.screenshot("room-race", full_page=True)
    eve.has_no_sideways_scroll()
    puzzle = find(eve.page.locator(".puzzle-main").get_attribute("data-puzzle") or "")
    eve.column(wrong_column(puzzle)).click()
    expect(eve.page.locator(".room-items li").first).to_contain_text("✗")
    for number in (1, 2):
        solve(ada)
        expect(ada.page.locator(".room-items li", has_text="✓")).to_have_count(number)
        if number == 1:
            expect(ada.page.locator(".room-items [aria-current]")).to_contain_text("2")
            phase(ada.page, "open")
    expect(ada.page.locator(".room-done")).to_have_text("All done!")
    rows = page.locator(".room-results tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("2 of 2")
    expect(rows.first).to_contain_text("Annabellakonstantina")
    expect(rows.last).to_contain_text("0 of 2")
    cell = eve.page.locator(".room-results tbody th").first
    line = "(cell) => [cell.clientHeight, parseFloat(getComputedStyle(cell).lineHeight)]"
    height, line_height = cell.evaluate(line)  # on one line, also on a phone
    assert height < 2 * line_height
    eve.has_no_sideways_scroll()
    expect(rows.last.locator("th")).to_have_text(HOSTILE)
    with page.expect_download() as download:
        page.get_by_role("region", name="Class").get_by_role("button", name="CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0].startswith("name,right,tries,seconds,")
    assert lines[1].startswith("Annabellakonstantina,2,2,")
    teacher.screenshot("room-class", full_page=True)
    teacher.meets_accessibility_rules()
    teacher.do("Close the tasks")
    expect(eve.page.locator(".room-work")).to_be_hidden()


def test_homework_is_done_on_a_phone_and_gone_on_with_another_day(people: People) -> None:
    teacher, ada, bo = people(size=PROJECTOR), people(**TOUCH), people(**TOUCH)
    room = open_room(teacher, name="Ms Lovelace", room="Class 7b")
    for person, name in ((ada, "Ada"), (bo, "Bo")):
        come_in(person, room, name)
    page = teacher.page
    page.locator("summary", has_text="Set tasks").click()
    page.get_by_label("Number").fill("12")
    page.get_by_text("Homework", exact=True).click()
    page.get_by_role("button", name="Set them").click()
    expect(ada.page.get_by_role("region", name="Class")).to_contain_text("Homework: 12 tasks.")
    puzzle = find(ada.page.locator(".puzzle-main[data-puzzle]").get_attribute("data-puzzle") or "")
    phase(ada.page, "open")
    ada.has_no_sideways_scroll()
    ada.screenshot("room-homework", full_page=True)
    ada.column(wrong_column(puzzle)).tap()
    expect(ada.page.locator(".room-items li").first).to_contain_text("✗")
    phase(ada.page, "failed")
    ada.meets_accessibility_rules()
    ada.page.reload()  # another day
    solve(ada)
    expect(ada.page.locator(".room-items li").first).to_contain_text("✓")
    expect(ada.page.locator(".room-results")).to_be_hidden()  # what others do is the teacher's to see
    rows = page.locator(".room-results tbody tr")
    expect(rows.first).to_contain_text("1 of 12")
    expect(rows.first.locator("th")).to_have_text("Ada")
    expect(rows).to_have_count(2)  # the teacher has no line
    with page.expect_download() as download:
        page.get_by_role("region", name="Class").get_by_role("button", name="CSV").click()
    assert "\nAda,1,2," in download.value.path().read_text()
    teacher.do("Close the tasks")
    expect(bo.page.locator(".room-results tbody tr").first).to_contain_text("1 of 12")
    bo.has_no_sideways_scroll()


def test_a_lesson_is_homework_and_the_server_judges_all_its_steps(people: People) -> None:
    teacher, ada = people(), people(**TOUCH)
    lesson = find_lesson("stacked")
    room = open_room(teacher, room="Class 7b")
    come_in(ada, room, "Ada")
    page = teacher.page
    page.locator("summary", has_text="Set tasks").click()
    page.get_by_text("Lessons", exact=True).first.click()
    page.get_by_role("checkbox", name=lesson.title).check()
    page.get_by_text("Homework", exact=True).click()
    page.get_by_role("button", name="Set them").click()
    for step in lesson.steps:
        play_step(ada.page, step)
        if step is not lesson.steps[-1]:
            expect(ada.page.locator(".room-items li").first).not_to_contain_text("✓")
            ada.page.locator(".learn-lesson .puzzle-actions .button").first.tap()
    expect(ada.page.locator(".room-items li").first).to_contain_text("✓")
    expect(page.locator(".room-results tbody tr").first).to_contain_text("1 of 1")


@pytest.mark.slow
def test_a_swiss_event_of_eight_bears_a_latecomer_a_leaver_and_a_killed_server(
    people: People, server: Server
) -> None:
    """Late comes after the first of three rounds, Hal leaves after the second; the server dies."""
    names = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]
    players = {name: people(size=PHONE) for name in names}
    ada = players["Ada"]
    for person in players.values():
        person.may_lose_connection = True
    room = open_room(ada, name="Ada", room="Swiss")
    for name, person in list(players.items())[1:]:
        come_in(person, room, name)
    projector = people(size=PROJECTOR)
    projector.may_lose_connection = True
    projector.visit(f"{room}?projector=on")
    expect(ada.page.locator(".room-members li")).to_have_count(8)
    open_event(ada, "swiss")
    for number in (1, 2, 3):
        if number == 2:
            late = players["Late"] = people(size=PHONE)
            late.may_lose_connection = True
            come_in(late, room, "Late")
            server.stop(signal.SIGKILL)
            server.start()
        if number == 3:
            hal = players.pop("Hal")
            hal.page.get_by_role("link", name="Back to the room").click()
            hal.do("Leave the room")
            expect(ada.page.locator(".room-members li")).to_have_count(8)
        assert play_round(number, players, projector) == 4
        expect(projector.page.locator(".projector-game")).to_have_count(4)
        projector.screenshot(f"room-swiss-{number}")
        byes = projector.page.locator(".room-pairs li", has_text="bye")
        expect(byes).to_have_count(1 if number == 2 else 0)  # nine players
    ada.do("Finish the tournament")
    table = ada.page.locator(".room-table tbody tr")
    expect(table).to_have_count(9)
    expect(ada.page.locator(".room-table")).to_contain_text("Hal (has left)")
    points = [float(text) for text in ada.page.locator(".room-table td:nth-child(3)").all_inner_texts()]
    assert points == sorted(points, reverse=True)
    ada.has_no_sideways_scroll()
    assert sum(points) == 4 + 5 + 4  # a game is a point, and so is the bye
    projector.screenshot("room-projector-end")
