from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fourcast import Position
from fourcast.community.command import Drop, New, parse
from fourcast.community.config import Config
from fourcast.community.config import parse as parse_config
from fourcast.community.entries import NewGame
from fourcast.community.how_it_works import how_it_works
from fourcast.community.issues import Issue
from fourcast.community.judge import Refusal, judge
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site, markdown
from fourcast.community.page import END, START, derive, derive_past, insert
from fourcast.community.reply import emoji_board
from fourcast.game import Game
from tests.community.fake_github import START as NOW
from tests.community.world import LONG_GAME, entries_of

SITE = Site("ada/page")
README = f"# Mine\n\n{START}\n{END}\n\nAlso mine.\n".encode()


def files_of(
    ledger: Ledger, config: Config | None = None, *, readme: bytes = README
) -> dict[str, bytes]:
    return derive(ledger, config or Config(), SITE, readme=readme, archive=None)


def page_of(moves: str, config: Config | None = None) -> str:
    files = files_of(Ledger(entries_of(moves)), config)
    return files["README.md"].decode()


def links(page: str) -> list[str]:
    """The titles of the issues that the page's links open."""
    urls = re.findall(r"\((https://github\.com/ada/page/issues/new\?[^)\s]+)\)", page)
    return [parse_qs(urlsplit(url).query)["title"][0] for url in urls]


@pytest.mark.parametrize("style", ["picture", "cells"])
def test_every_link_of_a_page_is_a_command_that_would_be_accepted(style: str) -> None:
    moves = "44444435"
    config = parse_config(f'board = "{style}"\nbot = "winning"')
    ledger = Ledger(entries_of(moves))
    titles = set(links(page_of(moves, config)))
    assert titles == {f"connect4|drop|red|{column}|g1p8" for column in (*"123567", "ai")}
    for title in titles:
        request = Issue(7, title, "ada", "NONE", NOW)
        assert not isinstance(judge(ledger, request, config, lambda *_: 0), Refusal)


def test_a_finished_game_offers_a_new_one_and_no_move() -> None:
    page = page_of(LONG_GAME)
    assert [parse(title) for title in links(page)] == [New()]
    assert "Blue has won" in page
    assert "[sofja](https://github.com/sofja) | 1 |" in page


def test_a_page_shows_whose_turn_the_last_three_moves_and_the_counts() -> None:
    page = page_of("4453")
    assert "Red to move" in page
    assert [line.split("[")[1][0] for line in page.splitlines() if line.startswith("| [")] == [
        "4",
        "3",
        "2",
    ]
    assert "4 moves, 0 finished games, 3 players so far" in page
    assert "(connect4/README.md)" in page
    assert "(connect4/games/README.md)" in page


def test_a_picture_is_told_in_words() -> None:
    assert 'alt="Connect Four: blue to move after 1 move, red was last in column 4.' in page_of("4")


def test_the_cells_show_the_board() -> None:
    config = parse_config('board = "cells"')
    page = page_of("445", config)
    rows = [re.findall(r"cells/([\w-]+)\.svg", line) for line in page.splitlines() if "cells/" in line]
    assert rows[-1] == ["empty", "empty", "empty", "first", "first", "empty", "empty"]
    assert rows[-2] == ["empty", "empty", "empty", "second", "empty", "empty", "empty"]
    assert len(rows) == 6
    files = files_of(Ledger(entries_of("445")), config)
    for name in {cell for row in rows for cell in row}:
        assert f"connect4/cells/{name}.svg" in files


def test_links_lead_from_where_the_readme_is() -> None:
    config = parse_config('readme = "profile/README.md"')
    files = files_of(Ledger(), config)
    assert 'src="../connect4/boards/1-00.svg"' in files["profile/README.md"].decode()


def test_the_picture_has_another_name_after_each_move() -> None:
    names = set()
    for ply in range(len(LONG_GAME) + 1):
        files = files_of(Ledger(entries_of(LONG_GAME[:ply])))
        name = re.search(r'src="(connect4/boards/[^"]+)"', files["README.md"].decode())
        assert name
        names.add(name[1])
        assert files[name[1]] == files["connect4/board.svg"]
    assert len(names) == len(LONG_GAME) + 1


def test_a_finished_game_is_archived_as_a_game_file_and_a_picture() -> None:
    files = files_of(Ledger(entries_of(LONG_GAME)))
    game = Game.from_text(files["connect4/games/0001.txt"].decode())
    assert game.moves == LONG_GAME
    assert game.first.startswith("red: ")
    assert all(stamp is not None for stamp in game.stamps_s)
    assert b"<svg" in files["connect4/games/0001.svg"]
    assert "blue won | 30 |" in files["connect4/games/README.md"].decode()


def test_a_hundred_players_fit_into_a_game_file() -> None:
    entries = [
        type(entry)(**{**vars(entry), "player": f"a-player-with-a-long-name-{number}"})
        for number, entry in enumerate(entries_of(LONG_GAME))
    ]
    files = files_of(Ledger(entries))
    assert Game.from_text(files["connect4/games/0001.txt"].decode()).moves == LONG_GAME


@pytest.mark.parametrize("style", ["picture", "cells"])
@pytest.mark.parametrize("moves", ["", "44444435", LONG_GAME])
def test_the_page_is_markdown_that_shows_every_link_and_picture(style: str, moves: str) -> None:
    """Held against a reader of CommonMark with GitHub's tables."""
    page = page_of(moves, parse_config(f'board = "{style}"'))
    shown = MarkdownIt("commonmark").enable("table").render(page)
    hrefs = re.findall(r'href="([^"]+)"', shown)
    opened = [parse_qs(urlsplit(html.unescape(href)).query).get("title") for href in hrefs]
    assert sorted(title[0] for title in opened if title) == sorted(links(page))
    assert len(re.findall("<img ", shown)) == (1 if style == "picture" else 42)
    text = re.sub("<[^>]+>", "", shown)
    assert not re.search(r"\]\(|\|-|\*\*", text)


def test_a_name_that_is_markup_stays_a_name() -> None:
    entries = [type(entry)(**{**vars(entry), "player": "_x_[bot]"}) for entry in entries_of("44")]
    page = files_of(Ledger(entries))["README.md"].decode()
    shown = MarkdownIt("commonmark").enable("table").render(page)
    assert "<td>_x_[bot]</td>" in shown


# What is ours in a README, and what is not


@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_nothing_outside_of_the_markers_is_touched(before: bytes, between: bytes, after: bytes) -> None:
    readme = before + START.encode() + between + END.encode() + after
    changed = insert(readme, "page")
    assert changed is not None
    assert changed.startswith(before + START.encode())
    assert changed.endswith(END.encode() + after)
    assert b"page" in changed
    assert insert(changed, "page") == changed


@pytest.mark.parametrize("readme", ["", START, END, END + START, START + START + END, START + END + END])
def test_without_one_pair_of_markers_a_readme_is_left_alone(readme: str) -> None:
    assert insert(readme.encode(), "page") is None
    assert "README.md" not in files_of(Ledger(), Config(), readme=readme.encode())


def test_line_ends_stay_as_they_are() -> None:
    readme = f"a\r\n{START}\r\n{END}\r\nb\r\n".encode()
    changed = insert(readme, "one\ntwo")
    assert changed == f"a\r\n{START}\r\none\r\ntwo\r\n{END}\r\nb\r\n".encode()


# Text


@given(st.text(max_size=50))
def test_text_is_shown_and_does_nothing_else(text: str) -> None:
    shown = markdown(text)
    assert "@" not in shown
    assert "\n" not in shown
    bare = re.sub(r"\\.", "", shown.replace("&#64;", ""))
    assert not re.search(r"[`*_<>\[\]()!#|&]", bare)


def test_the_board_in_emoji_has_the_teams_discs() -> None:
    lines = emoji_board(Game("44").position, Config()).splitlines()
    assert len(lines) == 8
    assert lines[-2] == "⚪⚪⚪🔴⚪⚪⚪"
    assert lines[-3] == "⚪⚪⚪🔵⚪⚪⚪"


def test_how_it_works_shows_the_bitboards_and_peaks_of_the_seed() -> None:
    """The example that the project's document on the community game works out."""
    position = Position.from_bitboards(2146432, 272695297)
    page = how_it_works(position, Config(), SITE)
    assert "  2146432 = 0000000 0000000 0000000 0000001 0000011 0000001 0000000  red\n" in page
    assert "272695297 = 0000000 0000000 0000001 0000010 0000100 0000000 0000001  blue\n" in page
    assert "`[1, 8, 17, 23, 29, 35, 42]`" in page
    assert " 6 13 20 27 34 41 48\n 5 12 19" in page
    assert (
        ". . O . . . .      0 0 0 0 0 0 0      0 0 1 0 0 0 0\n"
        ". . X O . . .      0 0 1 0 0 0 0      0 0 0 1 0 0 0\n"
        "O X X X O . .      0 1 1 1 0 0 0      1 0 0 0 1 0 0\n"
        "1 2 3 4 5 6 7      red's bits         blue's bits\n"
    ) in page


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("perfect", "for 20 s at most"),
        ("streaks:depth=6", "`streaks:depth=6`. Looks ahead"),
        ("python mybot.py", "the program `python mybot.py`, which has 20 s"),
    ],
)
def test_how_it_works_says_what_the_bot_does(bot: str, words: str) -> None:
    assert words in how_it_works(Position(), parse_config(f'bot = "{bot}"'), SITE)


def test_the_page_links_to_where_to_contribute_and_to_the_sources_if_they_are_known() -> None:
    config = parse_config(
        'contribute = "https://example.org/help"\nsources = "https://example.org/code"'
    )
    for page in (page_of("4", config), how_it_works(Position(), config, SITE)):
        assert "[Contribute](https://example.org/help) · [Source code](https://example.org/code)" in page
    assert "[Contribute](https://github.com/ada/page/issues)" in page_of("4")
    assert "Source code" not in page_of("4")


def test_a_finished_game_is_added_to_the_archive_once_and_the_others_stay() -> None:
    first = Ledger(entries_of(LONG_GAME))
    archive = files_of(first)["connect4/games/README.md"]
    again = derive(first, Config(), SITE, readme=README, archive=archive)
    assert again["connect4/games/README.md"] == archive
    entries = [*entries_of(LONG_GAME), NewGame(2, "ada", 7, "2026-11-15T00:00:00Z")]
    second = Ledger([*entries, *entries_of("1212121", game=2, first_issue=200_000)])
    known = second.copy()
    known.forget_closed()
    added = derive(known, Config(), SITE, readme=README, archive=archive)
    assert (
        added["connect4/games/README.md"]
        == derive_past(second.games, Config(), SITE)["connect4/games/README.md"]
    )
    assert [path for path in added if "/0001" in path] == []


def test_the_commands_on_the_page_behind_are_understood() -> None:
    how = files_of(Ledger())["connect4/README.md"].decode()
    titles = [title.replace("\\", "") for title in re.findall(r"^\| `([^`]+)`", how, re.MULTILINE)]
    assert [parse(title) for title in titles] == [Drop("red", "4"), Drop("blue", "ai"), New()]
