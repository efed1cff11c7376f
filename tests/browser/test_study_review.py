"""The review of a game: graph, verdicts, what should have been played, and another try."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

import fourcast as fc
from fourcast.study.review import Verdict
from tests.browser.conftest import PHONE, People, Person
from tests.browser.study import EARLY, REST, START, discs, remember

SYMBOLS = {"best": "★", "good": "✓", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}

_start = fc.Position(EARLY)
_review = fc.review(fc.Game(REST, start=_start))  # of the library, not of the server


def open_review(person: Person) -> Locator:
    person.visit(f"/board?start={START}&moves={REST}")
    person.page.get_by_role("button", name="Review", exact=True).click()
    panel = person.page.get_by_role("region", name="Review")
    expect(panel.locator(".review-move")).to_have_count(len(REST))
    return panel


def test_every_move_is_judged_with_symbol_and_words_and_both_sides_get_their_accuracy(
    person: Person,
) -> None:
    panel = open_review(person)
    verdicts = [move.verdict.value for move in _review.moves if move.verdict]
    assert set(verdicts) >= {"best", "good", "inaccuracy", "mistake"}
    expect(panel.locator(".review-move .review-badge")).to_have_text(
        [SYMBOLS[name] for name in verdicts]
    )
    colors = panel.locator(".review-move .review-badge").evaluate_all(
        "all => all.map(element => getComputedStyle(element).backgroundColor)"
    )
    assert len({colors[verdicts.index(name)] for name in set(verdicts)}) == len(set(verdicts))
    for player, name in ((1, "Red"), (2, "Yellow")):
        side = panel.get_by_role("region", name=name)
        accuracy = _review.accuracy(player)
        assert accuracy is not None
        expect(side.locator(".review-accuracy")).to_have_text(f"{accuracy:.1f} % accuracy")
        for verdict in SYMBOLS:
            count = sum(
                move.player == player and move.verdict == Verdict(verdict) for move in _review.moves
            )
            expect(side.locator(f".review-count.is-{verdict} b")).to_have_text(str(count))
    # It opens at the move that decided the game.
    assert _review.decisive is not None
    number = _review.decisive.number
    expect(panel.locator("[aria-current=step]")).to_have_attribute("data-number", str(number))
    expect(panel.locator(".review-card h3")).to_contain_text(f"Move {number}: Red in column 6")
    expect(panel.locator(".review-sentence")).to_contain_text("Mistake: threw away a draw")


def test_the_story_is_told_and_its_mistakes_lead_to_their_moves(people: People) -> None:
    person = people(size=PHONE)
    person.visit("/board?moves=16215421752236411636&review=on")
    page = person.page
    panel = page.get_by_role("region", name="Review")
    story = panel.locator(".review-text")
    expect(story.locator("p").first).to_have_text(
        re.compile("^Yellow won with move 20; the result changed hands 5 times.")
    )
    expect(story).to_contain_text("Red left Yellow's three in column 6 unblocked")
    expect(story).to_contain_text("Lesson: before every move")
    items = panel.locator(".review-mistake")
    expect(items).to_have_count(6)
    expect(items.last).to_contain_text("19. Red, column 3: Red left Yellow's three in column 6")
    expect(items.last.locator(".review-badge")).to_have_text("3!")
    items.last.click()
    expect(discs(page)).to_have_count(19)
    expect(panel.locator(".review-card h3")).to_contain_text("Move 19: Red in column 3")
    expect(panel.locator(".review-why")).to_contain_text("unblocked")
    expect(panel.locator(".review-count.is-missed_block b")).to_have_text(["1", "0"])
    expect(panel.locator(".review-marker.is-missed_block")).to_have_count(1)
    person.has_no_sideways_scroll()


def test_the_graph_is_gone_through_with_keys_mouse_and_buttons(person: Person) -> None:
    panel = open_review(person)
    page = person.page
    graph = panel.get_by_role("slider", name="Move of the game")
    graph.focus()
    person.press("Home")
    expect(graph).to_have_attribute("aria-valuenow", "0")
    expect(discs(page)).to_have_count(12)
    person.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(graph).to_have_attribute("aria-valuenow", "3")
    expect(graph).to_have_attribute(
        "aria-valuetext", re.compile("Move 3 of 12: Red in column 6. Inaccuracy: ")
    )
    expect(discs(page)).to_have_count(15)
    expect(page.locator(".study-count")).to_have_text("3 of 12")
    person.press("End")
    expect(discs(page)).to_have_count(24)
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 6.5 / 12, box["y"] + 40)
    expect(graph).to_have_attribute("aria-valuenow", "7")
    expect(discs(page)).to_have_count(19)
    panel.locator(".review-move[data-number='2']").click()
    expect(graph).to_have_attribute("aria-valuenow", "2")
    panel.get_by_role("button", name="First mistake again").click()  # the only one
    expect(graph).to_have_attribute("aria-valuenow", "1")
    panel.get_by_role("button", name="After the last move").click()
    expect(graph).to_have_attribute("aria-valuenow", "12")
    # The steps below the board and the arrow keys anywhere go through the review as well.
    page.get_by_role("button", name="One move back").first.click()
    expect(graph).to_have_attribute("aria-valuenow", "11")
    # What the graph shows is there in words.
    panel.get_by_text("All moves as a table").click()
    rows = panel.get_by_role("row")
    expect(rows).to_have_count(13)
    expect(rows.nth(1)).to_have_text(re.compile("1\\s*Red\\s*6\\s*Mistake\\s*5\\s*\N{MINUS SIGN}4"))
    panel.get_by_role("button", name="Close the review").click()
    expect(panel).to_be_hidden()


def test_it_says_what_should_have_been_played_and_shows_the_line(person: Person) -> None:
    panel = open_review(person)
    page = person.page
    panel.get_by_role("button", name="What should Red have played?").click()
    advice = panel.locator(".review-advice")
    expect(advice).to_contain_text("Red draws with column 5. Best play: 5")
    expect(discs(page)).to_have_count(12)  # as it was before the move
    line = next(line for line in fc.Solver().analyze(_start) if line.column == 4)
    expect(page.locator(".layer-preview .preview")).to_have_count(len(line.variation))
    expect(page.locator(".figure.best")).to_have_attribute("aria-label", "Column 5: draws, best")
    person.press("ArrowRight")
    expect(page.locator(".layer-preview .preview")).to_have_count(0)
    expect(page.locator(".figure")).to_have_count(0)


def test_after_the_best_move_nobody_asks_for_a_better_one(person: Person) -> None:
    panel = open_review(person)
    best = next(move for move in _review.moves if move.verdict is Verdict.BEST)
    panel.locator(f".review-move[data-number='{best.number}']").click()
    expect(panel.locator(".review-card h3")).to_contain_text(f"Move {best.number}:")
    expect(panel.get_by_role("button", name="Retry on the board")).to_be_visible()
    expect(panel.get_by_role("button", name=re.compile("What should"))).to_have_count(0)


def test_one_tries_again_on_the_board(person: Person) -> None:
    panel = open_review(person)
    page = person.page
    panel.get_by_role("button", name="Retry on the board").click()
    expect(panel).to_be_hidden()
    expect(discs(page)).to_have_count(12)
    person.press("5")
    page.wait_for_url(re.compile(r"/board\?start=[^&]*&moves=5$"))


def test_one_tries_again_against_the_computer_with_the_side_that_went_wrong(person: Person) -> None:
    panel = open_review(person)
    page = person.page
    panel.locator(".review-move[data-number='2']").click()
    panel.get_by_role("button", name="Retry against the computer").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Yellow")).to_be_checked()
    dialog.get_by_label("Which one").select_option("level-2")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    expect(person.status).to_contain_text("Your turn")
    person.sees_moves(REST[0])


def test_a_finished_game_is_reviewed_on_its_page(people: People) -> None:
    person = people(size=PHONE)
    page = person.page
    person.visit(f"/board?start={START}&moves={REST[:-1]}")
    page.get_by_role("button", name="Play from here").click()
    page.get_by_label("A friend on this screen").check()
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    person.column(3).click()
    expect(person.status).to_contain_text("Yellow wins")
    page.get_by_role("button", name="Review").first.click()
    panel = page.get_by_role("region", name="Review")
    expect(panel.locator(".review-move")).to_have_count(12)
    person.has_no_sideways_scroll()
    panel.locator(".review-move[data-number='3']").click()
    expect(discs(page)).to_have_count(15)
    # The list follows the board.
    panel.get_by_role("button", name="After the last move").click()
    last = panel.locator(".review-move[data-number='12']")
    expect(last).to_have_attribute("aria-current", "step")
    assert last.evaluate(
        """element => {
            const list = element.closest("ol").getBoundingClientRect();
            const item = element.getBoundingClientRect();
            return item.top >= list.top && item.bottom <= list.bottom + 1;
        }"""
    )


def test_on_a_phone_its_buttons_stay_within_their_card(people: People) -> None:
    person = people(size=PHONE)
    person.visit("/board?moves=4343434&review=true")
    panel = person.page.get_by_role("region", name="Review")
    panel.locator(".review-move[data-number='6']").click()
    expect(panel.get_by_role("button", name="What should Yellow have played?")).to_be_visible()
    outside = panel.evaluate(
        """card => {
            const edge = element => element.getBoundingClientRect().right;
            const room = edge(card) - parseFloat(getComputedStyle(card).paddingRight);
            return [...card.querySelectorAll(".button")].filter(each => edge(each) > room + 1).length;
        }"""
    )
    assert outside == 0


def test_the_review_goes_on_when_the_connection_is_back(person: Person) -> None:
    person.may_lose_connection = True
    remember(person, answers="server")
    page = person.page
    remember(person, study_analysis=False)
    person.visit(f"/board?start={START}&moves={REST[:6]}")
    expect(page.locator(".study-count")).to_have_text("6 of 6")
    page.context.set_offline(True)
    page.get_by_role("button", name="Review", exact=True).click()
    panel = page.get_by_role("region", name="Review")
    expect(panel).to_contain_text("No connection to the server.")
    page.context.set_offline(False)
    panel.get_by_role("button", name="Try again").click()
    expect(panel.locator(".review-move")).to_have_count(6)
