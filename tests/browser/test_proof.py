"""The proof of the whole game: as an opponent, and in *Explore*."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from fourcast import Position
from fourcast.certificate import answer, to_play
from fourcast.notation import format_column
from fourcast.render.said import said_text
from tests.browser.conftest import PHONE, People

REPLIES = (7, 3, 1, 4, 2, 5, 6)  # they lead to local games in four parts of the board


def test_the_proof_is_played_by_touch_and_says_what_each_move_rests_on(people: People) -> None:
    person = people(size=PHONE, has_touch=True, is_mobile=True)
    person.start("computer", player="proof", starts="other")
    expect(person.page.locator(".seat.first")).to_contain_text("The proof")
    words = person.page.locator(".proof")
    over = person.page.locator(".status.is-over")
    certificates, position = to_play(), Position()
    while True:
        found = answer(certificates, position)
        assert found is not None
        expect(words).to_have_text(
            f"The proof plays column {format_column(found.column)}. {said_text(found.said)}"
        )
        position = position.play(found.column)
        if position.is_over:
            break
        if found.why == "local":
            person.screenshot("proof-game")
        turn = position.ply // 2  # of mine
        order = (*REPLIES[turn:], *REPLIES)
        reply = next(column - 1 for column in order if position.can_play(column - 1))
        person.column(reply + 1).tap()
        position = position.play(reply)
        expect(over.or_(person.moves.nth(position.ply)).first).to_be_visible()
    expect(over).to_contain_text("You lose")
    person.has_no_sideways_scroll()
    person.meets_accessibility_rules()


def test_where_there_is_no_proof_the_best_move_says_so(people: People) -> None:
    person = people()
    person.start("computer", player="proof", starts="me")
    person.column(4).click()
    expect(person.page.locator(".proof")).to_have_text(
        re.compile(r"Column \d is a best move; the proof says nothing about this position\.")
    )


def test_the_explorer_marks_the_move_of_the_proof(people: People) -> None:
    person = people(size=PHONE, has_touch=True, is_mobile=True)
    page = person.page
    person.visit("/explore?moves=44")
    marked = page.locator(".explore-moves .is-proof")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("s move")
    expect(page.locator(".explore-proof")).to_have_text(
        "The proof plays column 4. The proof has an answer to every reply to this move."
    )
    marked.scroll_into_view_if_needed()
    person.screenshot("proof-explore")
    marked.locator("button").tap()
    expect(page).to_have_url(re.compile("moves=444$"))
    expect(page.locator(".explore-moves li")).to_have_count(7)
    expect(page.locator(".explore-testing")).to_contain_text("Most testing")
    expect(marked).to_have_count(0)  # nothing is proven of the second player's moves
    person.has_no_sideways_scroll()
