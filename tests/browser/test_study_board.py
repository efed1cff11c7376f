"""The free board: set up, step, undo, share, download, and go on from there."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from PIL import Image
from playwright.sync_api import expect

import fourcast as fc
from tests.browser.conftest import PHONE, People, Person
from tests.browser.study import EARLY, GAME, REST, START, cells, discs, forgive


def query(person: Person) -> dict[str, str]:
    """What the address says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(person.page.url).query).items()}


def wait_for(person: Person, **expected: str) -> None:
    """Wait until the address says this."""
    text = "&".join(rf"{name}={re.escape(value)}" for name, value in expected.items())
    person.page.wait_for_url(re.compile(rf"/board\?{text}$" if text else "/board$"))


def test_moves_are_played_stepped_through_and_taken_back_with_the_address_in_step(
    person: Person,
) -> None:
    person.visit("/board")
    page = person.page
    turn, count = page.locator(".study-turn"), page.locator(".study-count")
    expect(turn).to_contain_text("Red to move")
    for column, played in ((4, "4"), (4, "44"), (5, "445")):
        person.column(column).click()
        wait_for(person, moves=played)
    expect(turn).to_contain_text("Yellow to move")
    expect(discs(page)).to_have_count(3)
    # Arrow keys step, without a click on anything.
    person.press("ArrowLeft")
    wait_for(person, moves="445", at="2")
    expect(count).to_have_text("2 of 3")
    expect(discs(page)).to_have_count(2)
    person.press("Home")
    wait_for(person, moves="445", at="0")
    expect(discs(page)).to_have_count(0)
    page.get_by_role("button", name="One move forward").click()
    expect(discs(page)).to_have_count(1)
    page.reload()  # the address holds all of it
    expect(count).to_have_text("1 of 3")
    person.press("End")
    expect(count).to_have_text("3 of 3")
    wait_for(person, moves="445")
    # Another move than the one played there begins another line; undo brings the old one back.
    person.press("ArrowLeft", "ArrowLeft")
    expect(count).to_have_text("1 of 3")
    person.column(1).click()
    wait_for(person, moves="41")
    person.press("Control+z")
    wait_for(person, moves="445", at="1")
    person.press("Control+y")
    wait_for(person, moves="41")
    page.get_by_role("button", name="Undo").click()
    wait_for(person, moves="445", at="1")
    page.get_by_role("button", name="Redo").click()
    wait_for(person, moves="41")
    expect(page.locator("#announcer")).to_contain_text("Red to move.")


def test_any_position_is_set_up_by_clicking(person: Person) -> None:
    person.visit("/board?moves=44")
    page = person.page
    turn, problem = page.locator(".study-turn"), page.locator(".study-main .study-problem")
    page.get_by_label("Set a red disc").check()
    person.column(4).click()
    expect(turn).to_contain_text("Yellow to move")
    expect(turn).to_contain_text("2 red, 1 yellow")
    for column in (1, 1):  # quicker than the server answers
        person.column(column).click()
    expect(turn).to_contain_text("Not a position yet")
    expect(turn).to_contain_text("4 red, 1 yellow")
    expect(problem).to_contain_text("Red has 4 discs and Yellow 1")
    assert cells(page) == (4, 1)
    # Nothing is lost by a reload, though it is no position yet.
    page.reload()
    expect(turn).to_contain_text("4 red, 1 yellow")
    page.get_by_label("Set a yellow disc").check()
    person.column(7).click()
    person.column(7).click()
    expect(turn).to_contain_text("Yellow to move")
    expect(turn).to_contain_text("4 red, 3 yellow")
    expect(problem).to_be_hidden()
    page.get_by_label("Erase the top disc").check()
    person.column(7).click()
    expect(turn).to_contain_text("Not a position yet")
    person.column(4).click()
    expect(turn).to_contain_text("3 red, 2 yellow")
    person.column(3).click()  # empty: nothing happens
    expect(page.locator("#announcer")).to_contain_text("Column 3 is empty.")
    wait_for(person, start="......./......./......./......./X..O.../X..X..O")
    # From there the game goes on.
    page.get_by_label("Make a move").check()
    person.column(7).click()
    expect(turn).to_contain_text("Red to move")
    expect(page.locator(".study-count")).to_have_text("1 of 1")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(turn).to_contain_text("4 red, 2 yellow")
    forgive(person, 400)


def test_a_position_is_set_up_by_keyboard_alone(person: Person) -> None:
    person.visit("/board")
    page = person.page
    expect(page.locator(".study-counts")).to_have_text("0 red, 0 yellow")
    page.get_by_label("Make a move").focus()
    person.press("ArrowRight")
    expect(page.get_by_label("Set a red disc")).to_be_checked()
    person.press("2")
    expect(page.locator(".study-counts")).to_have_text("1 red, 0 yellow")
    person.press("ArrowRight", "2")
    expect(page.locator(".study-counts")).to_have_text("1 red, 1 yellow")
    for _ in range(10):
        person.press("Tab")
        if page.locator(".board-column:focus").count():
            break
    person.press("Home", "Enter")
    expect(page.locator(".study-counts")).to_have_text("1 red, 2 yellow")
    expect(page.locator("#announcer")).to_contain_text("Yellow disc in column 1. Not a position yet")
    person.press("Control+z")
    expect(page.locator(".study-counts")).to_have_text("1 red, 1 yellow")
    forgive(person, 400)


def test_a_move_string_is_typed_and_a_wrong_one_is_refused_with_the_reason(person: Person) -> None:
    person.visit("/board")
    page = person.page
    field = page.get_by_label("Moves", exact=True)
    field.fill("44 55 1")
    field.press("Enter")
    wait_for(person, moves="44551")
    assert cells(page) == (3, 2)
    field.fill("4444444")
    field.press("Enter")
    expect(page.locator(".study-entry .study-problem")).to_contain_text("column 4 is full")
    wait_for(person, moves="44551")
    assert cells(page) == (3, 2)
    field.fill("49")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".study-entry .study-problem")).to_contain_text("'9'")
    forgive(person, 400)


def test_a_diagram_a_game_file_or_an_address_is_pasted_or_opened(people: People, tmp_path: Path) -> None:
    person = people(permissions=["clipboard-read", "clipboard-write"])
    person.visit("/board")
    page = person.page
    text = page.get_by_label("Diagram, move string or game file")
    problem = page.locator(".study-entry .study-problem")
    page.get_by_text("Paste a diagram or a game").click()
    text.fill(". . . . . . .\n" * 4 + ". . . O . . .\n. . X X . . .")
    page.get_by_role("button", name="Read").click()
    expect(page.locator(".study-turn")).to_contain_text("Yellow to move")
    wait_for(person, start="......./......./......./......./...O.../..XX...")
    # Not a diagram: the reason, and all stays as it is.
    text.fill(". . . O\n. . X")
    page.get_by_role("button", name="Read").click()
    expect(problem).to_contain_text("squares")
    expect(page.locator(".study-turn")).to_contain_text("2 red, 1 yellow")
    forgive(person, 400)

    game = fc.Game(GAME, first="Ada", second="Grace")
    for name in ("game.txt", "game.json"):
        game.save(tmp_path / name)
        page.get_by_role("button", name="Clear").click()
        wait_for(person)
        page.get_by_label("Open a file").set_input_files(tmp_path / name)
        wait_for(person, moves=GAME)
        expect(page.locator(".study-turn")).to_contain_text("Yellow has won")
        expect(page.locator(".study-count")).to_have_text("24 of 24")
    (tmp_path / "large").write_bytes(b"4" * 70_000)
    page.get_by_label("Open a file").set_input_files(tmp_path / "large")
    expect(problem).to_have_text("That file is too large to be a game.")
    # Pasted anywhere on the page.
    page.evaluate("text => navigator.clipboard.writeText(text)", str(fc.Position("4455")))
    page.locator("h2", has_text="Share").click()
    person.press("Control+v")
    expect(page.locator(".study-turn")).to_contain_text("2 red, 2 yellow")
    page.evaluate("text => navigator.clipboard.writeText(text)", f"{person.address}/board?moves=4433")
    person.press("Control+v")
    wait_for(person, moves="4433")


def test_mirror_clear_and_other_sizes(person: Person) -> None:
    person.visit(f"/board?start={START}&moves={REST}&at=3")
    page = person.page
    expect(page.locator(".study-count")).to_have_text("3 of 12")
    page.get_by_role("button", name="Mirror").click()
    mirrored = "/".join(row[::-1] for row in START.split("/"))
    wait_for(person, start=mirrored, moves="".join(str(8 - int(name)) for name in REST), at="3")
    page.get_by_role("button", name="Clear").click()
    wait_for(person)
    assert cells(page) == (0, 0)
    page.get_by_role("combobox", name="Board size").select_option("10x7")
    wait_for(person, size="10x7")
    expect(page.locator(".board-column")).to_have_count(10)
    person.press("a")  # the tenth column
    wait_for(person, size="10x7", moves="a")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    wait_for(person, start=mirrored, moves="".join(str(8 - int(name)) for name in REST), at="3")


def test_links_to_a_position_and_to_a_game_are_copied_and_lead_there(people: People) -> None:
    person = people(permissions=["clipboard-read", "clipboard-write"])
    person.visit(f"/board?moves={GAME}&at=12")
    page = person.page
    link = person.copy("Copy: Link to this position")
    assert link == f"{person.address}/board?moves={EARLY}"
    expect(page.locator("#announcer")).to_have_text("Link copied.")
    whole = person.copy("Copy: Link to the whole game")
    friend = people(size=PHONE)
    friend.visit(link)
    expect(friend.page.locator(".study-count")).to_have_text("12 of 12")
    friend.has_no_sideways_scroll()
    friend.visit(whole)
    expect(friend.page.locator(".study-turn")).to_contain_text("Yellow has won")


def test_downloads_are_what_they_say(person: Person, tmp_path: Path) -> None:
    person.visit(f"/board?start={START}&moves={REST}")
    page = person.page
    expect(page.locator(".study-count")).to_have_text("12 of 12")
    files = {}
    for name in ("TXT", "JSON", "SVG", "PNG", "GIF"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == f"connect-four.{name.lower()}"
        files[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[name])
    for name in ("TXT", "JSON"):
        game = fc.Game.load(files[name])
        assert game.moves == REST
        assert game.position.winner == 2
        assert game.start == fc.Position(EARLY)
    picture = ElementTree.fromstring(files["SVG"].read_text())
    first = [part for part in picture.iter() if part.get("class") == "disc first"]
    assert len(first) == 12
    with Image.open(files["PNG"]) as image:
        assert image.format == "PNG"
        assert image.size == (2 * int(picture.get("width", 0)), 2 * int(picture.get("height", 0)))
    with Image.open(files["GIF"]) as image:
        assert image.format == "GIF"
        assert getattr(image, "n_frames", 1) == len(REST) + 1


def test_one_plays_on_from_a_position_against_the_computer(person: Person) -> None:
    person.visit(f"/board?moves={EARLY}")
    page = person.page
    page.get_by_role("button", name="Play from here").click()
    dialog = page.get_by_role("dialog", name="Play from here")
    expect(dialog.get_by_label("Red")).to_be_checked()  # who is to move
    dialog.get_by_label("Which one").select_option("level-1")
    dialog.get_by_label("Yellow").check()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    expect(person.moves).to_have_count(13)  # the computer has red and is to move
    expect(person.status).to_contain_text("Your turn")
    person.column(2).click()
    expect(person.moves).to_have_count(15)
    # The level is remembered for the next time.
    person.visit(f"/board?start={START}")
    page.get_by_role("button", name="Play from here").click()
    expect(dialog.get_by_label("Which one")).to_have_value("level-1")
    person.press("Escape")
    expect(dialog).to_have_count(0)


def test_one_plays_on_from_a_set_up_position_with_a_friend(person: Person) -> None:
    person.visit(f"/board?start={START}")
    page = person.page
    page.get_by_role("button", name="Play from here").click()
    page.get_by_label("A friend on this screen").check()
    expect(page.get_by_role("group", name="You play")).to_be_hidden()
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    for number, column in enumerate(REST, start=1):
        person.column(int(column)).click()
        expect(person.moves).to_have_count(number)
    expect(person.status).to_contain_text("Yellow wins")


def test_an_address_that_names_no_position_says_why_and_shows_an_empty_board(person: Person) -> None:
    for path, reason in (
        ("/board?moves=4444444", "column 4 is full"),
        ("/board?start=nonsense", "nonsense"),
        ("/board?width=99&height=2", "Width"),
    ):
        person.visit(path)
        problem = person.page.locator(".study-main .study-problem")
        expect(problem).to_contain_text("The address names no position")
        expect(problem).to_contain_text(reason)
        expect(person.page.locator(".board-column")).to_have_count(7)
        assert query(person)  # what was wrong can be read and corrected
        forgive(person, 400)
