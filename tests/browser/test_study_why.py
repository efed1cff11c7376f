"""Why: reasons in words and with marks, and attempts to break them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, expect

import fourcast as fc
from fourcast.notation import format_moves
from fourcast.render.legend import legend
from fourcast.render.said import said_text
from fourcast.study.explain import Explanation
from fourcast.study.follow import follow
from tests.browser.conftest import PHONE, People, Person
from tests.browser.study import PLAN, discs, remember

LOCAL = "4623433443213412"  # red wins: one move, then groups of columns
BLUNDER = PLAN[:-1] + "1533"  # yellow gives the win away with the first of these moves
DRAW = "4623177244664763555563334225234652"  # a proof for each side

_solver = fc.Solver()


def explain(moves: str) -> Explanation:
    """What the page must say: asked of the library, not of the server."""
    return fc.explain(fc.Position(moves), solver=_solver)


def ask(person: Person, moves: str) -> Locator:
    """Ask why the position on the board is what it is; return what is answered."""
    person.visit(f"/board?moves={moves}")
    person.do("Why?")
    return person.page.locator(".why")


def marks(person: Person) -> Locator:
    return person.page.locator(".board:not([hidden]) .layer-reason")


def says(reason: Locator, text: str) -> None:
    """See that the words are there, in the order in which they are read."""
    expect(reason.locator(".why-verdict, .why-claim")).to_have_text(text.splitlines())


def test_the_position_has_its_reason_in_words_with_marks_and_a_legend(person: Person) -> None:
    reason = ask(person, PLAN)
    page = person.page
    found = explain(PLAN)
    says(reason, found.words())
    expect(reason.get_by_role("heading", name="Why Yellow wins")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(
        re.compile("Then Red must play 3/1 or 7/3, and Yellow wins on top")
    )
    drawn = found.marks()
    signs = marks(person)
    in_plan = len(drawn.gets) - len({*drawn.gets} & {*drawn.wins})
    expect(signs.locator(".token.second .diamond")).to_have_count(in_plan)
    expect(signs.locator(".token.first .ring")).to_have_count(len(drawn.leaves))
    expect(signs.locator(".token.second .sign")).to_have_text(["!"] * len(drawn.wins))
    expect(signs.locator(".token.shared .sign")).to_have_text(["a", "a"])
    expect(signs.locator(".hatch")).to_have_count(len(drawn.frozen))
    # Only what is on the board is in the legend.
    texts = [text[0].upper() + text[1:] for _, text in legend(drawn, ("Red", "Yellow"))]
    assert len(texts) == 5
    expect(reason.locator(".legend span")).to_have_text(texts)
    person.press("Escape")
    expect(reason).to_be_hidden()
    expect(page.get_by_role("button", name="Why?", exact=True)).to_be_focused()
    expect(signs.locator("*")).to_have_count(0)


def test_a_reason_that_comes_later_is_shown_where_it_begins_and_the_board_comes_back(
    person: Person,
) -> None:
    reason = ask(person, LOCAL)
    page = person.page
    found = explain(LOCAL)
    says(reason, found.words())
    played = found.marks().played
    second = page.locator(".board.is-second")
    expect(second.locator(".layer-discs .disc")).to_have_count(len(LOCAL) + len(played))
    expect(second.locator(".badge .sign")).to_have_text([str(n + 1) for n in range(len(played))])
    expect(second.locator(".group")).not_to_have_count(0)
    after = format_moves(column for column, _ in played)
    expect(second.locator(".easel-caption")).to_have_text(f"After {', '.join(after)}: Yellow to move")
    person.press("4")  # what is shown is not the page's own position: nobody plays there
    reason.get_by_role("button", name="Show on the board").click()
    expect(second).to_have_count(0)
    expect(discs(page)).to_have_count(len(LOCAL))
    expect(reason.locator(".legend")).to_have_count(0)
    reason.get_by_role("button", name="Show on the board").click()
    expect(second).to_be_visible()
    # Another position has other reasons.
    page.locator("body").press("ArrowLeft")
    expect(second).to_have_count(0)
    expect(reason).to_be_hidden()
    expect(discs(page)).to_have_count(len(LOCAL) - 1)


def test_each_side_of_a_draw_has_its_own_reason_and_one_is_on_the_board(person: Person) -> None:
    reason = ask(person, DRAW)
    found = explain(DRAW)
    says(reason, found.words())
    expect(reason.get_by_role("heading")).to_have_text("Why it is a draw")
    toggles = reason.get_by_role("button", name="Show on the board")
    for number in (1, 0):
        toggles.nth(number).click()
        expect(toggles.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(toggles.nth(1 - number)).to_have_attribute("aria-pressed", "false")
        expect(reason.locator(".legend")).to_have_count(1)


def test_every_column_of_the_analysis_says_why(person: Person) -> None:
    remember(person, study_analysis=True)
    moves = PLAN[:-1]
    person.visit(f"/board?moves={moves}")
    page = person.page
    why = page.get_by_role("button", name=re.compile("^Why column 1 loses"))
    why.click()
    expect(why).to_have_attribute("aria-expanded", "true")
    reason = page.locator(".why")
    found = fc.explain_move(fc.Position(moves), 0, solver=_solver)
    assert found.reason
    assert found.better
    verdict = found.reason.words().splitlines()[0]
    says(reason, "\n".join([found.words(), verdict, found.better.words()]))
    expect(reason.locator("h4")).to_have_text(["After column 1", "After column 5 instead"])
    second = page.locator(".board.is-second")
    expect(second.locator(".layer-discs .disc")).to_have_count(
        len(moves) + 1 + len(found.reason.marks().played)
    )
    reason.get_by_role("button", name="Close the explanation").click()
    expect(why).to_be_focused()
    expect(why).to_have_attribute("aria-expanded", "false")


def rings(person: Person, column: int, row: int) -> None:
    """See that this square, counted from 1, is ringed: right of its row number, above its column's."""
    board = person.page.locator(".board:not([hidden])")
    ring = board.locator(".layer-pointer .pointer")
    expect(ring).to_have_count(1)
    names = (
        board.locator(".names text", has_text=str(column)),
        board.locator(f".rows text >> nth={row - 1}"),
    )
    expect(names[1]).to_have_text(str(row))
    boxes: list[Any] = [each.bounding_box() for each in (ring, *names)]
    ringed, above, beside = boxes
    assert abs(ringed["x"] + ringed["width"] / 2 - above["x"] - above["width"] / 2) < 3
    assert abs(ringed["y"] + ringed["height"] / 2 - beside["y"] - beside["height"] / 2) < 6


def test_squares_in_the_words_point_at_the_board_by_mouse_and_keyboard(person: Person) -> None:
    reason = ask(person, PLAN)
    page = person.page
    square = reason.get_by_role("button", name="7/4").first
    square.hover()
    rings(person, 7, 4)
    page.mouse.move(1, 1)
    expect(page.locator(".pointer")).to_have_count(0)
    square.focus()
    rings(person, 7, 4)
    page.keyboard.press("Enter")
    expect(page.locator("#announcer")).to_have_text("7/4, empty")
    page.keyboard.press("Home")  # the squares of a text are one stop of the tab key
    rings(person, 3, 2)
    page.keyboard.press("ArrowRight")
    rings(person, 7, 4)
    assert page.url.endswith(PLAN), "the arrow keys did not step through the moves"
    page.keyboard.press("Tab")
    expect(reason.get_by_role("button", name="Show on the board")).to_be_focused()
    expect(page.locator(".pointer")).to_have_count(0)
    reason.get_by_text("Show the proof").click()
    reason.locator(".why-proof").get_by_role("button", name="1/2").first.focus()
    rings(person, 1, 2)


def test_squares_in_the_words_point_at_the_board_by_touch(people: People) -> None:
    person = people(size=PHONE, has_touch=True)
    reason = ask(person, PLAN)
    reason.get_by_role("button", name="3/2").first.tap()
    rings(person, 3, 2)
    expect(person.page.locator(".board:not([hidden]) .pointer")).to_be_in_viewport()
    person.page.locator(".why-title").tap()
    person.has_no_sideways_scroll()
    person.meets_accessibility_rules()
    person.screenshot("why-pointing-phone")


# ---- Try to break it ---------------------------------------------------------------------------------


def reply(person: Person, columns: Sequence[int]) -> None:
    """See that the board has answered these replies to the plan as the library does."""
    found = explain(PLAN)
    followed = follow(found.claims_position, found.claims[0], columns)
    second = person.page.locator(".board.is-second")
    expect(second.locator(".layer-discs .disc")).to_have_count(len(PLAN) + len(followed.columns))
    column = followed.columns[-1]
    now = found.position.play(*followed.columns)
    square = f"{column + 1}/{now.heights[column]}"
    expect(person.page.locator(".challenge-status")).to_contain_text(square)
    if followed.state == "open":
        (frozen,) = [said_text(said) for kind, said in found.marks().legend_at(now) if kind == "frozen"]
        expect(person.page.locator(".challenge .legend")).to_contain_text(frozen[1:])


def test_somebody_tries_to_break_a_plan_with_the_mouse(person: Person) -> None:
    reason = ask(person, PLAN)
    page = person.page
    reason.get_by_role("button", name="Try to break it").click()
    status = page.locator(".challenge-status")
    expect(reason.locator(".challenge-hint")).to_have_text(
        "You play Red: choose any column and try to keep Yellow from winning."
    )
    columns = page.locator(".board.is-second .board-column")
    replies = [5, 4, 2]
    for number, column in enumerate(replies):
        columns.nth(column).click()
        reply(person, replies[: number + 1])
    expect(status).to_have_text(
        "Red in column 3. Yellow completes a four on 3/2. Yellow has won with disc 26."
    )
    expect(reason.locator(".challenge-hint")).to_contain_text("Not broken")
    expect(columns.first).to_have_attribute("aria-disabled", "true")
    person.do("Back")
    reply(person, replies[:2])
    columns.nth(6).click()
    expect(status).to_contain_text("Yellow completes a four on 7/4")
    person.do("Restart")
    expect(status).to_have_text("Red to move.")
    expect(reason.get_by_role("button", name="Back")).to_be_disabled()
    person.do("Leave")
    expect(page.locator(".board.is-second")).to_have_count(0)
    expect(reason.get_by_role("button", name="Show on the board")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(discs(page)).to_have_count(len(PLAN))
    assert page.url.endswith(PLAN), "nothing was played in the page's own position"


def test_the_keyboard_alone_suffices_to_break_nothing(person: Person) -> None:
    person.visit(f"/board?moves={PLAN}")
    page = person.page
    expect(discs(page)).to_have_count(len(PLAN))
    why = page.get_by_role("button", name="Why?", exact=True)
    expect(why).to_be_enabled()  # else it does not take the focus
    why.focus()
    person.press("Enter")
    expect(page.locator(".why-claim")).to_be_visible()
    # From the heading to the close button, to the squares, to the marks, to the game.
    person.press("Tab", "Tab", "Tab", "Tab")
    opener = page.get_by_role("button", name="Try to break it")
    expect(opener).to_be_focused()
    person.press("Enter")
    second = page.locator(".board.is-second")
    expect(second.locator(".board-column:focus")).to_have_count(1)
    person.press("6")
    reply(person, [5])
    expect(page.locator("#announcer")).to_contain_text(
        "Red in column 6. Yellow plays on top of it: 6/6."
    )
    person.press("Home", "Enter")  # column 1
    reply(person, [5, 0])
    person.press("Escape")
    expect(second).to_have_count(0)
    expect(opener).to_be_focused()
    person.press("Escape")
    expect(page.locator(".why")).to_be_hidden()


# ---- The review --------------------------------------------------------------------------------------


def test_a_review_explains_its_mistakes_and_what_was_better(person: Person) -> None:
    person.visit(f"/board?moves={BLUNDER}")
    page = person.page
    page.get_by_role("button", name="Review", exact=True).click()
    panel = page.get_by_role("region", name="Review")
    expect(panel.locator(".review-card h3")).to_contain_text("Move 20: Yellow in column 1")
    expect(panel.locator(".why")).to_be_hidden()
    panel.get_by_role("button", name="Why?", exact=True).click()
    reason = panel.locator(".why")
    found = fc.explain_move(fc.Position(PLAN[:-1]), 0, solver=_solver)
    assert found.reason
    assert found.better
    verdict = found.reason.words().splitlines()[0]
    says(reason, "\n".join([found.words(), verdict, found.better.words()]))
    # The refutation is about the position on the board, and is drawn there.
    expect(marks(person).locator(".preview .number")).to_have_text(["1", "2"])
    expect(page.locator(".board.is-second")).to_have_count(0)
    expect(discs(page)).to_have_count(20)
    # What was better is about another one.
    better = reason.locator(".why-part").nth(1)
    expect(better.get_by_role("heading")).to_have_text("After column 5 instead")
    better.get_by_role("button", name="Show on the board").click()
    second = page.locator(".board.is-second")
    expect(second.locator(".token.shared")).to_have_count(2)
    panel.get_by_role("button", name="What should Yellow have played?").click()
    expect(second).to_have_count(0)
    expect(discs(page)).to_have_count(19)
    panel.locator(".review-move[data-number='5']").click()
    expect(discs(page)).to_have_count(5)
    expect(reason).to_be_hidden()
    expect(marks(person).locator("*")).to_have_count(0)


# ---- For everybody -----------------------------------------------------------------------------------


def test_it_is_read_in_a_sensible_order(person: Person) -> None:
    reason = ask(person, PLAN)
    expect(reason.locator(".why-claim")).to_be_visible()
    reason.get_by_role("button", name="Try to break it").click()
    expect(reason.locator(".challenge-hint")).to_contain_text("You play Red")
    found = reason.aria_snapshot()
    wanted = [
        'heading "Why Yellow wins"',
        "paragraph: Red, to move, loses",
        'text: "Zugzwang: Yellow has threats',
        'button "Show on the board"',
        'button "Try to break it"',
        'group "Try to break it"',
        "You play Red",
        "paragraph: Red to move.",
        'button "Back"',
        'button "Leave"',
        'list "Marks on the board"',
    ]
    places = [found.find(text) for text in wanted]
    assert -1 not in places, found
    assert places == sorted(places), found


def test_on_a_small_phone_the_board_stays_in_view_and_nothing_scrolls_sideways(people: People) -> None:
    person = people(size=(320, 640), has_touch=True, is_mobile=True)
    reason = ask(person, PLAN)
    page = person.page
    expect(reason.locator(".why-claim")).to_be_visible()
    person.has_no_sideways_scroll()
    opener = reason.get_by_role("button", name="Try to break it")
    opener.tap()
    expect(reason.locator(".challenge-hint")).to_contain_text("You play Red")
    page.locator(".challenge .legend").scroll_into_view_if_needed()
    second = page.locator(".board.is-second .board-picture")
    expect(second).to_be_in_viewport(ratio=0.99)
    page.locator(".board.is-second .board-column").nth(5).tap()
    reply(person, [5])
    expect(second).to_be_in_viewport(ratio=0.99)
    person.has_no_sideways_scroll()


def test_words_and_legend_name_the_chosen_colors(person: Person) -> None:
    remember(person, colors="blue")
    reason = ask(person, PLAN)
    expect(reason.get_by_role("heading")).to_have_text("Why Blue wins")
    expect(reason).to_contain_text("Blue completes a four if possible")
    expect(reason.locator(".legend")).to_contain_text("Blue gets it")
    reason.get_by_role("button", name="Try to break it").click()
    expect(reason.locator(".challenge-hint")).to_contain_text("You play Red")
    person.press("6")
    expect(reason.locator(".challenge-status")).to_contain_text("Blue plays on top of it")
    expect(reason).not_to_contain_text("Yellow")


def test_a_game_can_be_asked_about_on_its_own_page(person: Person) -> None:
    person.begin(moves=PLAN)
    page = person.page
    page.get_by_role("button", name="Why?", exact=True).click()
    says(page.locator(".why"), explain(PLAN).words())
    expect(marks(person).locator(".token").first).to_be_visible()
    person.column(6).click()
    expect(page.locator(".why")).to_be_hidden()
    expect(marks(person).locator("*")).to_have_count(0)


def test_who_is_offline_is_told_and_can_ask_again(person: Person) -> None:
    person.may_lose_connection = True
    remember(person, answers="server")
    person.visit(f"/board?moves={PLAN}")
    page = person.page
    expect(discs(page)).to_have_count(len(PLAN))
    page.context.set_offline(True)
    person.do("Why?")
    reason = page.locator(".why")
    expect(reason).to_contain_text("No connection to the server.")
    page.context.set_offline(False)
    reason.get_by_role("button", name="Try again").click()
    expect(reason.locator(".why-claim")).to_be_visible()
