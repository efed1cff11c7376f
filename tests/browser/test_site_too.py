"""What was written for the page of a server, tried on the static site: the same page in another home.

And without a bundle, as a checkout has it: every module comes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from fourcast.web.page import bundled
from fourcast.web.page.site import write_site
from tests.browser import test_beginner, test_play, test_proof, test_stumbles
from tests.browser.conftest import People, Person
from tests.browser.test_site import address

__all__ = ["address"]  # a fixture

TESTS: list[Callable[..., None]] = [
    test_play.test_two_friends_play_a_whole_game_on_one_screen_by_mouse,
    test_play.test_the_first_disc_on_the_start_page_starts_the_game,
    test_play.test_a_full_column_is_refused_in_words,
    test_play.test_undo_and_redo_on_one_screen,
    test_play.test_stepping_through_shows_earlier_positions_marked_as_such,
    test_play.test_a_game_against_the_computer_until_it_ends,
    test_play.test_after_resigning_a_game_is_played_again_with_colors_changed,
    test_beginner.test_the_start_page_has_the_rules_in_a_sentence_and_three_pictures,
    test_beginner.test_a_hint_is_a_column_and_then_the_reason,
    test_beginner.test_a_blunder_is_asked_about_only_if_somebody_wants_it,
    test_beginner.test_best_play_is_stepped_through_and_the_line_that_was_left_is_kept,
    test_beginner.test_what_is_not_solved_has_an_estimate_that_says_so,
    test_beginner.test_the_question_mark_says_which_keys_there_are,
    test_beginner.test_own_colors_are_named_and_never_the_same,
    test_beginner.test_a_finished_game_is_replayed,
    test_beginner.test_a_diagram_in_letters_of_the_colors_and_moves_as_squares_are_read,
]
WITH_PEOPLE: list[Callable[..., None]] = [
    test_stumbles.test_a_review_is_read_from_its_beginning_with_the_board_in_view,
    test_stumbles.test_a_tapped_figure_keeps_its_line_on_the_board,
    test_stumbles.test_low_and_narrow_screens_show_the_whole_board,
    test_stumbles.test_nothing_moves_while_a_page_loads,
    test_play.test_a_game_is_played_by_touch_on_a_phone,
    test_proof.test_the_proof_is_played_by_touch_and_says_what_each_move_rests_on,
    test_proof.test_where_there_is_no_proof_the_best_move_says_so,
    test_proof.test_the_explorer_marks_the_move_of_the_proof,
]


class Visitor(Person):
    """Somebody on the static site, which tests address as if it were a server."""

    game_pattern = "**game=*"

    def visit(self, path: str = "/") -> None:
        name, _, query = path.lstrip("/").partition("?")
        page = urlencode({"page": name}) if name else ""
        asked = "&".join(part for part in (page, query) if part)
        self.page.goto(f"{self.address}/name/?{asked}" if asked else f"{self.address}/name/")

    def make_game(self, request: dict[str, Any]) -> None:
        self.visit("/train")
        self.page.evaluate(
            "(request) => { import('./static/js/game/new-game.js')"
            ".then(({ startBy }) => startBy(document.createElement('button'), request)); }",
            request,
        )


class Visitors(People):
    """Windows on the static site, which has a service worker."""

    def __call__(self, **options: Any) -> Person:
        return super().__call__(**{"service_workers": "allow", **options})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "name"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundled, "BUNDLED", out / "none")
        write_site(out, book_plies=8)
    return out


@pytest.fixture
def visitors(browser: Browser, address: str) -> Iterator[Visitors]:
    visitors = Visitors(browser, address, Visitor)
    yield visitors
    visitors.close()


def name_of(test: Callable[..., None]) -> str:
    return test.__name__.removeprefix("test_")


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS, ids=name_of)
def test_on_the_static_site(visitors: Visitors, test: Callable[..., None]) -> None:
    test(visitors())


@pytest.mark.slow
@pytest.mark.parametrize("test", WITH_PEOPLE, ids=name_of)
def test_on_screens_of_the_static_site(visitors: Visitors, test: Callable[..., None]) -> None:
    test(visitors)
