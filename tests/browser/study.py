"""What the tests of the study pages share: positions, and ways of looking at the page."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

import fourcast as fc
from fourcast.render.words import describe_score
from tests.browser.conftest import DESKTOP, PHONE, Person

# Far enough for the solver to be done in a moment on any machine.
EARLY = "444475273155"  # red to move: one column draws, the others lose
GAME = "444475273155656466521333"  # the same game to its end: yellow wins
START = "......./......./...O.../...XO../...OX.O/OXXXO.X"  # EARLY as a diagram
REST = "656466521333"
PLAN = "14642545655244774665"  # yellow wins by a plan with a pair and two frozen columns

_solver = fc.Solver()

in_both_themes = pytest.mark.parametrize(
    ("theme", "size"),
    [pytest.param("light", DESKTOP, marks=pytest.mark.slow), ("dark", PHONE)],
    ids=["light-desk", "dark-phone"],
)


def check_for_everybody(person: Person, view: Callable[[Person], None]) -> None:
    """Open a view: it fits the window and breaks no rule of accessibility."""
    view(person)
    person.has_no_sideways_scroll()
    person.meets_accessibility_rules()


def figures(moves: str) -> dict[int, str]:
    """What a person must read at each column: asked of the library, not of the server."""
    position = fc.Position(moves)
    texts = {}
    for line in _solver.analyze(position):
        assert line.score is not None
        texts[line.column] = describe_score(line.score, position)
    return texts


def remember(person: Person, **prefs: object) -> None:
    """Let the browser have kept these choices, as if they had been made before."""
    for name, value in prefs.items():
        key = json.dumps("fourcast." + name.replace("_", "."))
        person.page.add_init_script(f"localStorage.setItem({key}, {json.dumps(json.dumps(value))})")


def forgive(person: Person, status: int) -> None:
    """An answer that the test wanted is no error, though the browser notes it as one."""
    wanted = [problem for problem in person.problems if f"status of {status}" in problem]
    assert wanted, f"no answer of status {status}, but {person.problems}"
    person.problems[:] = [problem for problem in person.problems if problem not in wanted]


def discs(page: Page) -> Locator:
    return page.locator(".layer-discs .disc")


def cells(page: Page) -> tuple[int, int]:
    """How many discs of the first and of the second lie on the board."""
    return discs(page).and_(page.locator(".first")).count(), discs(page).and_(
        page.locator(".second")
    ).count()
