"""The pictures of the page in docs/web-page.md, explain.md, learn.md and rooms.md, taken again.

To take and use them:

    make test ARGS="-m slow tests/browser/test_docs_images.py"
    cp build/screenshots/{web,why}-*.png docs/images
"""

from __future__ import annotations

import json
import random
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from fourcast.puzzles import Puzzle, pick
from fourcast.puzzles.history import History
from tests.browser.conftest import SCREENSHOTS, People, Person
from tests.browser.study import GAME, PLAN, remember
from tests.browser.test_learn import state as lesson_state
from tests.browser.test_play_live import alternate, join
from tests.browser.test_play_look import GAME as WON
from tests.browser.test_rooms import come_in, open_event, open_room, resign, solve
from tests.browser.test_train import TWO_MOVES, phase, wrong_column
from tests.browser.test_train import solve as solve_on_page

DOCS = Path(__file__).parents[2] / "docs"
RICH = "34537736726244"  # red to move: a win, two draws, and four ways to lose
GROUPS = "4623433443213412"  # red wins: one move, then groups of columns
BLUNDER = PLAN[:-1] + "1533"  # yellow gives a win away with the first of these moves

PHONE: dict[str, Any] = {
    "size": (360, 760),
    "device_scale_factor": 1.25,
    "has_touch": True,
    "is_mobile": True,
}


def palette(picture: Image.Image) -> Image.Image:
    """A third of the bytes, and the colors as they are."""
    return picture.convert("RGB").quantize(256, kmeans=4, dither=Image.Dither.NONE)


def save(person: Person, name: str) -> None:
    person.screenshot(name)
    path = SCREENSHOTS / f"{name}.png"
    with Image.open(path) as picture:
        palette(picture).save(path, optimize=True)


def open_review(person: Person, *, tall: bool) -> None:
    person.visit(f"/board?moves={GAME}")
    person.page.get_by_role("button", name="Review", exact=True).click()
    panel = person.page.get_by_role("region", name="Review")
    expect(panel.locator(".review-move")).to_have_count(len(GAME))
    if tall:
        panel.get_by_role("button", name="What should Red have played?").click()
        expect(panel.locator(".review-advice")).to_contain_text("Best play")
        panel.evaluate("element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 12)")
    else:
        panel.locator(".review-graph").evaluate(
            "element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 275)"
        )


def take_start(people: People) -> None:
    person = people()
    person.visit("/")
    expect(person.page.locator("input[name=player][value=level-3]")).to_be_checked()
    expect(person.column(4)).to_have_attribute("aria-disabled", "false")
    save(person, "web-start")


def take_live(people: People) -> None:
    ada, bo = people(), people(device_scale_factor=0.75)
    ada.start("link", name="Ada")
    bo.page.emulate_media(color_scheme="light")
    join(ada, bo)
    alternate(ada, bo, GAME[:12])
    ada.do("Offer draw")
    expect(bo.page.locator(".offer")).to_contain_text("Ada offers a draw.")
    save(bo, "web-live")


def take_over(people: People) -> None:
    person = people(device_scale_factor=0.75, color_scheme="dark")
    person.begin(name="Ada", moves=WON[:-1])
    person.click(int(WON[-1]))
    expect(person.status).to_contain_text("Ada wins")
    person.page.mouse.move(1, 1)
    save(person, "web-over")


def take_analysis(people: People) -> None:
    person = people(size=(1280, 860))
    remember(person, study_analysis=True, study_threats=True)
    person.visit(f"/board?moves={RICH}")
    expect(person.page.locator(".study-verdict")).to_contain_text("Red wins in 12 moves.")
    save(person, "web-analysis")
    person.page.get_by_role("switch", name="Threats").click()
    person.page.locator(".study-line[data-column='2']").hover()
    expect(person.page.locator(".layer-preview .preview").first).to_be_visible()
    save(person, "web-line")


def take_review(people: People) -> None:
    person = people(size=(1280, 1040), color_scheme="dark")
    open_review(person, tall=True)
    save(person, "web-review")


def take_phones(people: People) -> None:
    first, second, third = people(**PHONE), people(**PHONE, color_scheme="dark"), people(**PHONE)
    remember(first, study_analysis=True, study_threats=True)
    first.visit(f"/board?moves={RICH}")
    expect(first.page.locator(".figure.best")).to_be_visible()
    open_review(second, tall=False)
    third.visit("/board?start=......./......./......./...X.../..OXO../..XOX..")
    third.page.get_by_label("Set a yellow disc").check()
    expect(third.page.locator(".study-turn")).to_contain_text("Yellow to move")
    side_by_side("web-phones", first, second, third)


def take_other_screens(people: People) -> None:
    """A phone on its side, colors that the system chooses, and paper."""
    for name, size, options in (
        ("web-landscape", (740, 360), {"has_touch": True, "is_mobile": True}),
        ("web-forced", (900, 760), {"forced_colors": "active", "device_scale_factor": 0.8}),
        ("web-print", (794, 760), {"device_scale_factor": 0.8}),
    ):
        person = people(size=size, **options)
        remember(person, study_analysis=True)
        person.visit(f"/board?moves={RICH}")
        expect(person.page.locator(".figure.best")).to_be_visible()
        if name == "web-print":
            person.page.emulate_media(media="print")
        save(person, name)


def side_by_side(name: str, *people: Person) -> None:
    """Take a picture of several windows of the same size."""
    pictures = []
    for number, person in enumerate(people):
        person.screenshot(f"{name}-{number}")
        pictures.append(Image.open(SCREENSHOTS / f"{name}-{number}.png").convert("RGB"))
    width, height = pictures[0].size
    together = Image.new("RGB", (len(people) * (width + 25) - 25, height), "white")
    for number, picture in enumerate(pictures):
        together.paste(picture, (number * (width + 25), 0))
    palette(together).save(SCREENSHOTS / f"{name}.png", optimize=True)


def ask_why(person: Person, moves: str) -> None:
    person.visit(f"/board?moves={moves}")
    person.do("Why?")
    expect(person.page.locator(".why-claim").first).to_be_visible()
    expect(person.page.locator(".board:not([hidden]) .layer-reason .token").first).to_be_visible()


def try_to_break(person: Person, *columns: int) -> None:
    person.do("Try to break it")
    expect(person.page.locator(".challenge-hint")).to_contain_text("You play")
    for column in columns:
        person.page.locator(".is-second .board-column").nth(column - 1).click()
        expect(person.page.locator(".challenge-status")).to_contain_text(f"column {column}. ")
    person.page.mouse.move(1, 1)


def review_mistake(person: Person) -> None:
    person.visit(f"/board?moves={BLUNDER}")
    person.page.get_by_role("button", name="Review", exact=True).click()
    panel = person.page.locator(".review-panel")
    panel.get_by_role("button", name="Why?", exact=True).click()
    expect(panel.locator(".why-claim").first).to_be_visible()
    expect(person.page.locator(".board:not([hidden]) .layer-reason").first).to_be_attached()


def take_why(people: People) -> None:
    person = people(size=(1280, 860))
    ask_why(person, PLAN)
    save(person, "why-board")
    try_to_break(person, 6, 5)
    save(person, "why-break")


def take_why_analysis(people: People) -> None:
    person = people(size=(1280, 1040), device_scale_factor=0.8)
    remember(person, study_analysis=True)
    person.visit(f"/board?moves={PLAN[:-1]}")
    person.page.get_by_role("button", name=re.compile("^Why column 1 loses")).click()
    expect(person.page.locator(".why-claim")).to_have_count(2)
    expect(person.page.locator(".board.is-second .layer-reason > *").first).to_be_visible()
    save(person, "why-analysis")


def take_why_dark(people: People) -> None:
    person = people(size=(1280, 860), color_scheme="dark", device_scale_factor=0.8)
    ask_why(person, GROUPS)
    save(person, "why-dark")


def take_why_review(people: People) -> None:
    person = people(size=(1280, 1040), device_scale_factor=0.8)
    review_mistake(person)
    person.page.locator(".review-card").evaluate(
        "element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 12)"
    )
    save(person, "why-review")


def take_why_phones(people: People) -> None:
    first, second, third = people(**PHONE), people(**PHONE), people(**PHONE, color_scheme="dark")
    ask_why(first, PLAN)
    ask_why(second, GROUPS)
    try_to_break(second, 5, 6)
    second.page.locator(".challenge").evaluate(
        "element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 300)"
    )
    review_mistake(third)
    third.page.locator(".review-card").evaluate(
        "element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 275)"
    )
    side_by_side("why-phones", first, second, third)


def solve_puzzle(person: Person, puzzle: Puzzle) -> None:
    solve_on_page(person, puzzle)
    expect(person.page.locator(".lesson .why-claim").first).to_be_visible()
    person.page.mouse.move(1, 1)


def some_history() -> str:
    """Attempts of some weeks, one every other day."""
    chance = random.Random(4)
    when = datetime.now(timezone.utc) - timedelta(days=50)
    with TemporaryDirectory() as folder:
        history = History(Path(folder) / "training.jsonl")
        for _ in range(24):
            when += timedelta(days=2)
            puzzle = pick(history.strength.rating, chance)
            history.add(puzzle, solved=chance.random() < 0.6, when=when)
        return history.path.read_text()


def take_puzzle(people: People) -> None:
    person = people(size=(1280, 860))
    person.visit(f"/puzzles?id={TWO_MOVES.id}")
    solve_puzzle(person, TWO_MOVES)
    save(person, "web-puzzle")


def take_train(people: People) -> None:
    person = people(size=(1280, 800), color_scheme="dark", device_scale_factor=0.8)
    keep_history(person, some_history())
    person.visit("/train")
    expect(person.page.locator(".plot")).to_be_visible()
    expect(person.page.locator(".train-sides")).to_be_visible()
    save(person, "web-train")


def keep_history(person: Person, text: str) -> None:
    person.page.add_init_script(f"localStorage.setItem('fourcast.training', {json.dumps(text)})")


def take_explore(people: People) -> None:
    person = people(size=(1280, 800), device_scale_factor=0.8)
    person.visit("/explore?moves=4445")
    expect(person.page.locator(".explore-testing")).to_contain_text("Most testing")
    save(person, "web-explore")


def take_learning(people: People) -> None:
    first, second, third = people(**PHONE), people(**PHONE, color_scheme="dark"), people(**PHONE)
    first.visit(f"/puzzles?id={TWO_MOVES.id}")
    phase(first.page, "open")
    first.column(wrong_column(TWO_MOVES)).tap()
    phase(first.page, "failed")
    second.visit(f"/puzzles?id={TWO_MOVES.id}")
    solve_puzzle(second, TWO_MOVES)
    second.page.locator(".lesson").evaluate(
        "element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 300)"
    )
    keep_history(third, some_history())
    third.visit("/train")
    expect(third.page.locator(".plot")).to_be_visible()
    side_by_side("web-learning", first, second, third)


def take_lessons(people: People) -> None:
    first, second, third = people(**PHONE), people(**PHONE), people(**PHONE, color_scheme="dark")
    first.visit("/learn")
    expect(first.page.locator(".learn-card").first).to_be_visible()
    second.visit("/learn?lesson=blocks")
    lesson_state(second.page, "open")
    second.column(1).tap()
    lesson_state(second.page, "wrong")
    third.visit("/learn?lesson=zugzwang")
    lesson_state(third.page, "open")
    side_by_side("web-lessons", first, second, third)


def take_room(people: People) -> None:
    ada, *others = [people(size=(1280, 900)), *(people() for _ in range(3))]
    room = open_room(ada, name="Ada", room="Chess club")
    for person, name in zip(others, ("Bo", "Cleo", "Dan"), strict=True):
        come_in(person, room, name)
    open_event(ada, "swiss")
    ada.do("Start round 1")
    for person in (ada, *others):
        person.page.wait_for_url("**/game/*")
        expect(person.status).to_contain_text(re.compile("turn|to move"))
    for person in others:
        if "Your turn" in person.status.inner_text():
            resign(person)
            break
    ada.visit(room)
    expect(ada.page.locator(".room-table tbody tr")).to_have_count(4)
    save(ada, "web-room")


def take_class(people: People) -> None:
    teacher = people(size=(1280, 760))
    room = open_room(teacher, room="Class 7b")
    pupils = [people() for _ in range(3)]
    for person, name in zip(pupils, ("Ada", "Bo", "Cleo"), strict=True):
        come_in(person, room, name)
    page = teacher.page
    page.locator("summary", has_text="Set tasks").click()
    page.get_by_label("Number").fill("4")
    teacher.do("Set them")
    teacher.do("Start the race")
    for person, count in zip(pupils, (3, 2, 1), strict=True):
        for number in range(count):
            solve(person)
            expect(person.page.locator(".room-items li", has_text="✓")).to_have_count(number + 1)
            expect(person.page.locator(".room-items [aria-current]")).to_contain_text(str(number + 2))
    expect(page.locator(".room-results tbody tr").first).to_contain_text("3 of 4")
    page.evaluate("() => window.scrollTo(0, 0)")
    save(teacher, "web-class")


TAKES = {
    "web-room": take_room,
    "web-class": take_class,
    "web-start": take_start,
    "web-live": take_live,
    "web-over": take_over,
    "web-analysis": take_analysis,
    "web-line": take_analysis,
    "web-review": take_review,
    "web-phones": take_phones,
    "web-puzzle": take_puzzle,
    "web-train": take_train,
    "web-explore": take_explore,
    "web-learning": take_learning,
    "web-lessons": take_lessons,
    "web-landscape": take_other_screens,
    "web-forced": take_other_screens,
    "web-print": take_other_screens,
    "why-board": take_why,
    "why-break": take_why,
    "why-analysis": take_why_analysis,
    "why-dark": take_why_dark,
    "why-review": take_why_review,
    "why-phones": take_why_phones,
}


@pytest.mark.slow
@pytest.mark.parametrize("take", dict.fromkeys(TAKES.values()), ids=lambda take: take.__name__)
def test_pictures_of_the_docs_are_taken_again(people: People, take: object) -> None:
    assert callable(take)
    take(people)
    for name in (name for name, each in TAKES.items() if each is take):
        with (
            Image.open(SCREENSHOTS / f"{name}.png") as new,
            Image.open(DOCS / f"images/{name}.png") as old,
        ):
            assert new.size == old.size


def test_every_picture_of_the_docs_can_be_taken_again() -> None:
    pages = "".join(
        (DOCS / name).read_text() for name in ("web-page.md", "explain.md", "learn.md", "rooms.md")
    )
    assert sorted(re.findall(r"\(images/((?:web|why)-[a-z]+)\.png\)", pages)) == sorted(TAKES)
    kept = [*(DOCS / "images").glob("web-*.png"), *(DOCS / "images").glob("why-*.png")]
    assert sorted(path.stem for path in kept) == sorted(TAKES)
