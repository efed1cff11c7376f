"""The pictures of docs/web-page.md, taken again.

To take and use them:

    make test ARGS="-m slow tests/browser/test_docs_images.py"
    cp build/screenshots/web-*.png docs/images
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import SCREENSHOTS, People, Person
from tests.browser.study import GAME, remember
from tests.browser.test_play_live import alternate, join
from tests.browser.test_play_look import GAME as WON

DOCS = Path(__file__).parents[2] / "docs"
RICH = "34537736726244"  # red to move: a win, two draws, and four ways to lose

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
    names = ["phone-1", "phone-2", "phone-3"]
    for person, name in zip((first, second, third), names, strict=True):
        person.screenshot(name)
    pictures = [Image.open(SCREENSHOTS / f"{name}.png").convert("RGB") for name in names]
    width, height = pictures[0].size
    together = Image.new("RGB", (3 * width + 50, height), "white")
    for number, picture in enumerate(pictures):
        together.paste(picture, (number * (width + 25), 0))
    palette(together).save(SCREENSHOTS / "web-phones.png", optimize=True)


TAKES = {
    "web-start": take_start,
    "web-live": take_live,
    "web-over": take_over,
    "web-analysis": take_analysis,
    "web-line": take_analysis,
    "web-review": take_review,
    "web-phones": take_phones,
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
    shown = re.findall(r"\(images/(web-[a-z]+)\.png\)", (DOCS / "web-page.md").read_text())
    assert sorted(shown) == sorted(TAKES)
    assert sorted(path.stem for path in (DOCS / "images").glob("*.png")) == sorted(TAKES)
