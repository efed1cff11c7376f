"""The report of a tournament in a browser: one file, on which games are replayed."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from fourcast.arena import Settings, Tournament
from fourcast.arena.report import write_report


def test_a_click_on_a_game_replays_it_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    results = Tournament(["random", "winning", "level-2"], Settings(games=2)).run()
    write_report(results, tmp_path, title="Cup")
    errors: list[str] = []
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_text("Show 6 rows").click()
    page.locator("a[data-moves]").first.click()
    moves = results.records[0].moves
    replay = page.get_by_role("group", name="Replay")
    expect(replay.locator("output")).to_have_text(f"Game 1: move {len(moves)} of {len(moves)}")
    expect(replay.locator("i.p1, i.p2")).to_have_count(len(moves))
    replay.get_by_label("first").click()
    replay.get_by_label("next").click()
    column = int(moves[0]) - 1
    expect(replay.locator("i").nth(35 + column)).to_have_class("p1 last")
    replay.get_by_label("close").click()
    expect(replay).to_be_hidden()
    assert errors == []
    page.close()
