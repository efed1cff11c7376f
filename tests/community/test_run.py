"""Whole runs: a real HTTP server that behaves like GitHub, real git repositories, real processes."""

# ruff: noqa: RUF001  # characters that look like others are what this is about

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fourcast.community.entries import Move, NewGame
from fourcast.community.git import Branch, GitError, Pushed
from fourcast.community.github import UnreachableError
from fourcast.community.issues import MARK
from fourcast.community.ledger import Ledger
from fourcast.community.setup import rebuild
from fourcast.errors import CommunityError
from fourcast.game import Game
from fourcast.notation import parse_moves
from fourcast.protocol import sandbox
from fourcast.protocol.sandbox import Isolation
from tests.community.conftest import MakeWorld
from tests.community.fake_github import Fault
from tests.community.world import LONG_GAME, World, entries_of, git


def test_a_move_is_recorded_shown_and_confirmed(world: World) -> None:
    issue = world.drop(3, "grace")
    assert world.run(issue) == 0
    world.assert_played(issue)
    entry = world.ledger().entries[-1]
    assert isinstance(entry, Move)
    assert (entry.column, entry.player, entry.bot, entry.issue) == (3, "grace", None, issue)
    assert world.github.threads[issue].comments == []
    assert world.commits()[0] == "connect4: red in column 4, by grace (#1)"
    readme = world.file("README.md")
    assert readme.startswith("# Ada's page\n\nAbove.\n")
    assert "Blue to move" in readme
    assert "connect4%7Cdrop%7Cblue%7C1%7Cg1p1" in readme
    assert 'class="disc first"' in world.file("connect4/board.svg")


@pytest.mark.slow
def test_whole_games_are_played_archived_and_started_again(world: World) -> None:
    people = ("grace", "emmy", "sofja", "ada")
    for ply, column in enumerate(parse_moves(LONG_GAME)):
        issue = world.drop(column, people[ply % 4])
        assert world.run(issue) == 0
        world.assert_played(issue)
    final = world.answer(issue)
    assert "Blue wins game 1" in final
    assert (
        "Move 29: Red played column 1 and turned a win into a loss. Red could have won at once" in final
    )
    assert "That move was by [grace](https://github.com/grace)." in final
    assert "Column 1 turns a win into a loss. Only column 6 kept the win." in final
    assert "could have won at once on 6/" in final
    for name in people:
        assert f"[{name}](https://github.com/{name})" in final
    assert "connect4%7Cnew" in final
    archived = Game.from_text(world.file("connect4/games/0001.txt"))
    assert archived.moves == LONG_GAME
    assert "1 finished game," in world.file("README.md")
    assert "Winning moves" in world.file("README.md")
    late = world.github.open("connect4|drop|red|1", "ada")
    again = world.new("ada")
    second = world.github.open("connect4|drop|red|1|g2p0", "ada")
    assert world.run(late) == 0
    world.assert_refused(late, "Game 1 is over")
    world.assert_played(again)
    world.assert_played(second)
    assert world.ledger().current.number == 2


def test_the_bot_moves_when_asked_and_may_follow_the_one_who_asks(world: World) -> None:
    issues = [world.drop(3, "ada")]
    world.run()
    issues.append(world.drop("ai", "ada"))
    world.run()
    issues.append(world.drop(3, "ada"))
    world.run()
    for issue in issues:
        world.assert_played(issue)
    assert [move.bot for move in world.ledger().current.moves] == [None, "winning", None]
    assert "the bot (winning), asked by [ada]" in world.file("README.md")


def test_a_rerun_changes_nothing(world: World) -> None:
    played, refused = world.drop(3, "ada"), world.github.open("connect4|drop|blue|9", "ada")
    world.run(played)
    before = world.head(), world.github.state()
    for issue in (played, refused, None):
        assert world.run(issue) == 0
    assert (world.head(), world.github.state()) == before


def test_reopened_issues_are_closed_again_and_not_played_again(world: World) -> None:
    played, refused = world.drop(3, "ada"), world.github.open("connect4|drop|blue|ai|g1p9", "emmy")
    world.run(played)
    before = world.head(), world.github.state()
    for issue in (played, refused):
        world.github.threads[issue].state = "open"
    assert world.run() == 0
    assert (world.head(), world.github.state()) == before


def test_comments_of_strangers_do_not_stop_a_move(world: World) -> None:
    """The mark of the game's own answers, on somebody else's issue, more often than one page of it."""
    issue = world.drop(3, "ada")
    for number in range(150):
        world.github.comment(issue, f"mallory-{number}", f"{MARK}\nYour move was not played.")
    assert world.run(issue) == 0
    assert [entry.issue for entry in world.ledger().entries] == [issue]
    assert world.github.threads[issue].state == "closed"
    before = world.head(), world.github.state()
    world.github.threads[issue].state = "open"
    assert world.run() == 0
    assert (world.head(), world.github.state()) == before


def test_an_issue_that_its_author_has_closed_is_not_played(world: World) -> None:
    issue = world.drop(3, "ada")
    world.github.threads[issue].state = "closed"
    world.run(issue)
    assert world.ledger().entries == []
    assert world.github.threads[issue].reactions == []


def test_an_issue_that_was_closed_while_others_were_played_is_left_alone(world: World) -> None:
    first, second = world.drop(3, "ada"), world.github.open("connect4|drop|blue|4", "emmy")

    def close(request: int) -> None:
        if request == 3:
            world.github.threads[second].state = "closed"

    world.github.after = close
    assert world.run(first) == 0
    world.assert_played(first)
    assert world.github.threads[second].reactions == []


def test_other_issues_and_pull_requests_are_left_alone(world: World) -> None:
    issues = [
        world.github.open("A question on connect4", "emmy"),
        world.github.open("connect4|drop|red|4", "emmy", is_pull_request=True),
        world.github.open("connect4|drop|red|4", "emmy", is_deleted=True),
    ]
    for issue in issues:
        assert world.run(issue) == 0
    assert world.ledger().entries == []
    assert all(not thread.reactions for thread in world.github.threads.values())


def test_what_an_outage_has_left_open_is_played_by_the_next_run_oldest_first(world: World) -> None:
    for ply in range(6):
        world.github.open(f"connect4|drop|{('red', 'blue')[ply % 2]}|4", ("ada", "emmy")[ply % 2])
    assert world.run(6) == 0
    assert [entry.issue for entry in world.ledger().entries] == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
def test_of_fifty_issues_at_once_one_a_ply_is_played_and_the_others_get_a_clear_answer(
    world: World,
) -> None:
    issues = [
        world.drop(number % 7, f"player-{number}", after_s=number) for number in range(50)
    ]  # all of them see the empty board
    assert world.run(issues[-1]) == 0
    world.assert_played(issues[0])
    for issue in issues[1:]:
        world.assert_refused(issue, "Somebody was quicker: your link was for game 1 after 0 moves")
    assert len(world.ledger().entries) == 1
    assert len(world.commits()) == 2


@pytest.mark.slow
def test_fifty_issues_without_the_board_in_the_link_are_played_in_their_order(world: World) -> None:
    for number in range(50):
        team = ("red", "blue")[number % 3 % 2]
        world.github.open(f"connect4|drop|{team}|{1 + number % 7}", f"player-{number}", after_s=number)
    world.run(50)
    ledger = world.ledger()
    accepted = [entry.issue for entry in ledger.entries]
    assert accepted == sorted(accepted)
    assert len(accepted) > 5
    for issue in range(1, 51):
        if issue in accepted:
            thread = world.github.threads[issue]
            assert thread.state_reason == "completed"
        else:
            assert len(world.answer(issue)) > 30


REFUSALS = [
    ("connect4|drop|blue|4", "ada", "It is red's turn, not blue's"),
    ("connect4|drop|green|4", "ada", "There is no team `green`"),
    ("connect4|drop|red|8", "ada", "There is no column 8: they are 1 to 7"),
    ("connect4|drop|red|0", "ada", "There is no column 0"),
    ("connect4|drop|red|4", "ada", "Column 4 is full"),
    ("connect4|drop|red|3", "sofja", "You made the last move yourself"),
    ("connect4|drop|red|3|g1p4", "ada", "your link was for game 1 after 4 moves, but this is game 1"),
    ("connect4|drop|red|3|g2p0", "ada", "your link was for game 2"),
    ("connect4|new", "ada", "Game 1 is still being played"),
    ("connect4|drop|red|3", "mallory", "has closed the game to you"),
    ("connect4|drop|red", "ada", "I could not understand the title"),
]


@pytest.mark.parametrize(("title", "player", "words"), REFUSALS)
def test_what_is_refused_is_told_why(make_world: MakeWorld, title: str, player: str, words: str) -> None:
    world = make_world('bot = "winning"\ncooldown_s = 0\nblocked = ["Mallory"]', "444444")
    before = world.head()
    issue = world.github.open(title, player)
    assert world.run(issue) == 0
    world.assert_refused(issue, words)
    assert world.head() == before


def test_a_cool_down_is_kept_by_the_clock_of_github(make_world: MakeWorld) -> None:
    world = make_world('bot = "winning"\ncooldown_s = 60')
    world.github.open("connect4|drop|red|4", "ada", after_s=0)
    hasty = world.github.open("connect4|drop|blue|ai", "ada", after_s=59)
    patient = world.github.open("connect4|drop|blue|ai", "ada", after_s=60)
    world.run()
    world.assert_refused(hasty, "Only 59 s have passed since your last move; please wait 60 s")
    world.assert_played(patient)


def test_a_person_may_be_held_to_one_team(make_world: MakeWorld) -> None:
    world = make_world('bot = "winning"\ncooldown_s = 0\none_team = true')
    world.github.open("connect4|drop|red|4", "ada")
    world.github.open("connect4|drop|blue|4", "grace")
    world.github.open("connect4|drop|red|5", "emmy")
    turncoat = world.github.open("connect4|drop|blue|5", "ada")
    through_the_bot = world.github.open("connect4|drop|blue|ai", "ada")
    loyal = world.github.open("connect4|drop|blue|5", "grace")
    world.run()
    for issue in (turncoat, through_the_bot):
        world.assert_refused(issue, "You have played for red in this game")
    world.assert_played(loyal)


def test_owners_may_end_a_game_that_is_on(make_world: MakeWorld) -> None:
    world = make_world(moves="44")
    issue = world.new("ada", association="OWNER")
    world.run()
    world.assert_played(issue)
    assert world.ledger().current.number == 2


# Games that are closed


def test_a_closed_game_moves_to_a_file_of_its_own_and_the_page_counts_all(make_world: MakeWorld) -> None:
    world = make_world(moves=LONG_GAME[:-1])
    world.drop(parse_moves(LONG_GAME)[-1], "ada")
    world.new("ada", after_s=1)
    world.github.open("connect4|drop|red|4|g2p0", "grace", after_s=2)
    world.github.open("connect4|drop|blue|4|g2p1", "kurt", after_s=3)
    assert world.run() == 0
    assert world.file("connect4/games/0001.jsonl").count("\n") == 30
    assert world.file("connect4/ledger.jsonl").count("\n") == 3
    page = world.file("README.md")
    assert "32 moves, 1 finished game, 5 players so far" in page
    assert "[ada](https://github.com/ada) | 1 |" in page
    world.new("ada", association="OWNER", after_s=4)  # an unfinished game is closed alike
    world.github.open("connect4|drop|red|4|g3p0", "grace", after_s=5)
    assert world.run() == 0
    assert world.file("connect4/games/0002.jsonl").count("\n") == 3
    assert "33 moves, 1 finished game, 5 players so far" in world.file("README.md")
    clone = world.folder / "again"
    git(world.folder, "clone", "-q", str(world.remote), str(clone))
    assert rebuild(clone, world.site) == []


def test_a_move_writes_the_files_of_its_own_game_only(make_world: MakeWorld) -> None:
    world = make_world(moves=LONG_GAME)
    world.new("ada")
    world.run()
    world.drop(3, "grace")
    world.run()
    changed = git(world.remote, "show", "--format=", "--name-only", "main").split()
    own = ["README.md", "board.svg", "boards/0-01.svg", "checksums.json", "ledger.jsonl"]
    assert changed == ["README.md", *(f"connect4/{name}" for name in own)]


def test_an_issue_of_a_closed_game_is_answered_late_and_never_played_again(
    make_world: MakeWorld,
) -> None:
    world = make_world(moves=LONG_GAME[:-1])
    won = world.drop(parse_moves(LONG_GAME)[-1], "ada")
    world.github.faults = {5: Fault(410)}  # the reaction to what was just pushed
    assert world.run(won) == 1
    world.new("emmy", after_s=1)
    world.github.threads[won].state = "closed"  # out of the way of the new game
    assert world.run(None) == 0
    world.github.threads[won].state = "open"
    before = world.head()
    assert world.run(None) == 0
    world.assert_played(won)
    assert "Blue wins game 1" in world.answer(won)
    world.github.threads[won].state = "open"
    assert world.run(None) == 0
    world.assert_played(won)
    assert world.head() == before


@pytest.mark.parametrize("archive", [None, "mine\n"])
def test_a_list_of_past_games_that_was_deleted_or_edited_is_written_again(
    make_world: MakeWorld, archive: str | None
) -> None:
    world = make_world(moves=LONG_GAME)
    world.new("ada")
    world.run()
    before = world.file("connect4/games/README.md")
    git(world.clone, "pull", "-q", "--ff-only", "origin", "main")
    path = world.clone / "connect4" / "games" / "README.md"
    path.unlink() if archive is None else path.write_text(archive)
    push(world)
    world.drop(3, "grace")
    assert world.run() == 0
    assert world.file("connect4/games/README.md") == before


def two_games(world: World) -> None:
    """Write the ledger as version 0.1 did: all games in one file, no tally and no checksums."""
    entries = [*entries_of(LONG_GAME), NewGame(2, "ada", 7, "2026-11-15T00:00:00Z")]
    entries += entries_of("445", game=2, first_issue=200_000)
    text = "".join(game.to_text() for game in Ledger(entries).games)
    (world.clone / "connect4" / "checksums.json").unlink()
    commit(world, {"connect4/ledger.jsonl": text})


def commit(world: World, files: Mapping[str, str]) -> None:
    git(world.clone, "pull", "-q", "--ff-only", "origin", "main")
    for path, content in files.items():
        (world.clone / path).parent.mkdir(parents=True, exist_ok=True)
        (world.clone / path).write_text(content)
    push(world)


def push(world: World) -> None:
    git(world.clone, "add", "-A")
    git(world.clone, "commit", "-qm", "By hand")
    git(world.clone, "push", "-q", "origin", "main")


@pytest.mark.parametrize("way", ["move", "rebuild"])
def test_a_ledger_of_version_0_1_is_split_by_the_next_move_or_by_rebuild(world: World, way: str) -> None:
    two_games(world)
    if way == "rebuild":
        assert {"connect4/games/0001.jsonl", "connect4/tally.json"} < set(
            rebuild(world.clone, world.site)
        )
        push(world)
    issue = world.drop(3, "kurt")
    assert world.run(issue) == 0
    world.assert_played(issue)
    assert world.file("connect4/games/0001.jsonl").count("\n") == 30
    assert world.file("connect4/ledger.jsonl").count("\n") == 5
    assert "34 moves, 1 finished game, 4 players so far" in world.file("README.md")
    git(world.clone, "pull", "-q", "--ff-only", "origin", "main")
    rebuild(world.clone, world.site)  # version 0.1 had drawn what this world had not
    assert git(world.clone, "status", "--porcelain", "--", "connect4/tally.json") == ""


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"tally.json": "{"}, "connect4/tally.json: it is not a tally; `fourcast community rebuild`"),
        ({"tally.json": '{"games": 3}'}, "line 1 of the ledger: game 2 cannot follow game 3"),
        ({"ledger.jsonl": ""}, "the ledger is empty, but game 1 is closed: restore it from git"),
        ({"ledger.jsonl": "{}"}, "line 1 of the ledger: '{}' is neither a move nor a new game"),
    ],
)
def test_files_that_do_not_fit_together_stop_the_game_with_a_sentence(
    world: World, files: Mapping[str, str], complaint: str
) -> None:
    two_games(world)
    rebuild(world.clone, world.site)
    push(world)
    issue = world.drop(3, "kurt")
    commit(world, {f"connect4/{name}": content for name, content in files.items()})
    with pytest.raises(CommunityError) as caught:
        world.run(issue)
    assert complaint in str(caught.value)
    assert world.github.threads[issue].state == "open"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"player": "emmy"', '"player": "mallory"', "line 2 of the ledger: it is not as it was written"),
        ("T10:02:00Z", "T10:02:01Z", "line 3 of the ledger: it is not as it was written"),
        ("LAST", "", "line 4 of the ledger: it is missing"),
        ("ALL", "", "line 1 of the ledger: it is missing"),
    ],
)
def test_an_edited_line_of_the_current_game_stops_the_game(
    make_world: MakeWorld, old: str, new: str, complaint: str
) -> None:
    """A player who is renamed, a move that is taken back: what fits the rules, and was not played."""
    world = make_world(moves="4455")
    lines = world.file("connect4/ledger.jsonl").splitlines(keepends=True)
    kept = {"LAST": lines[:-1], "ALL": []}.get(old, [line.replace(old, new) for line in lines])
    issue = world.drop(3, "kurt")
    commit(world, {"connect4/ledger.jsonl": "".join(kept)})
    with pytest.raises(CommunityError, match=complaint):
        world.run(issue)
    assert world.github.threads[issue].state == "open"
    with pytest.raises(CommunityError, match=complaint):
        rebuild(world.clone, world.site)
    (world.clone / "connect4" / "checksums.json").unlink()  # the owner's decision
    rebuild(world.clone, world.site)
    push(world)
    assert world.run(issue) == 0


def test_a_title_that_is_no_command_costs_three_calls(make_world: MakeWorld) -> None:
    world = make_world()
    for number in range(3):
        world.github.open(f"connect4|drop|{number}", "mallory")
    world.run()
    assert len(world.github.requests) == 1 + 3 * 3, world.github.requests  # the list, and those
    assert {thread.state for thread in world.github.threads.values()} == {"closed"}


def test_one_person_has_ten_issues_in_a_run(make_world: MakeWorld) -> None:
    """What is opened by the hundred does not keep the others from playing."""
    world = make_world()
    flood = [world.github.open("connect4|nonsense", "mallory") for _ in range(40)]
    issue = world.drop(3, "grace")
    assert world.run(issue) == 0
    world.assert_played(issue)
    states = [world.github.threads[each].state for each in flood]
    assert states == ["closed"] * 10 + ["open"] * 30
    assert len(world.github.requests) < 60
    assert "#11 and later ones of mallory wait for the next run" in world.log


def test_a_bot_that_is_a_program_runs_in_a_sandbox_or_not_at_all(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sandbox, "_available", lambda: Isolation("none", "a test forbids it"))
    mark = tmp_path / "has-run"
    world = make_world(f'bot = "touch {mark}"\ncooldown_s = 0')
    issue = world.drop("ai", "grace")
    assert world.run(issue) == 0
    world.assert_refused(issue, "there is no sandbox here to run it in")
    assert f"#{issue}: refused, no sandbox for the bot" in world.log
    assert not mark.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is where it would be seen")
def test_the_token_is_gone_from_the_environment_before_a_program_starts(world: World) -> None:
    """Also from what other processes read of it in /proc."""
    code = (
        "import os, sys; from fourcast.community.run import forget; forget('GITHUB_TOKEN');"
        "sys.stdout.write(str('GITHUB_TOKEN' in os.environ) + open('/proc/self/environ').read())"
    )
    environment = world.environment(None)
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert run.stdout.startswith("False")
    assert "GITHUB_EVENT_PATH=" in run.stdout
    assert environment["GITHUB_TOKEN"] not in run.stdout


@pytest.mark.parametrize("what", ["link", "submodule", "file"])
def test_what_stands_where_the_folder_should_be_is_not_replaced(world: World, what: str) -> None:
    git(world.clone, "rm", "-rq", "connect4")
    if what == "submodule":
        head = world.head()
        git(world.clone, "update-index", "--add", "--cacheinfo", f"160000,{head},connect4")
    else:
        place = world.clone / "connect4"
        place.symlink_to("elsewhere") if what == "link" else place.write_text("mine")
        git(world.clone, "add", "connect4")
    git(world.clone, "commit", "-qm", "Mine")
    git(world.clone, "push", "-q", "origin", "main")
    before = world.head()
    issue = world.github.open("connect4|drop|red|4", "grace")
    kind = {"link": "a symbolic link", "submodule": "a submodule", "file": "a file"}[what]
    with pytest.raises(GitError, match=f"connect4 is {kind}, but the game needs a folder there"):
        world.run(issue)
    assert world.head() == before
    assert world.github.threads[issue].state == "open"


# Hostile titles

OTHER_DIGITS = "４٤४৪๔𝟜④⁴₄四"
DROP = "|drop|red|"
TAILS = [
    *[DROP + digit for digit in OTHER_DIGITS],
    *[
        f"{DROP}4{tail}"
        for tail in ("\n", " ", "\r\n", "\t", "\0", "\x1b[31m", "\u202e", "\ufeff", "\x85")
    ],
    *[
        f"{DROP}4|{tail}"
        for tail in ("g1", "p0", "g0p0", "g01p0", "g1p00", "g1p0|", "g-1p0", "gp", "g１p0")
    ],
    *[f"{DROP}4|{tail}" for tail in ("g9999999p0", "g1p9999", "g1p0|g1p0")],
    *[
        DROP + column
        for column in ("", "+4", "-4", "4.0", "4e0", "0x4", "444", "ai ", "aı", "4|4", "four")
    ],
    *[
        f"|drop|{team}|4"
        for team in ("", "réd", "rеd", "r d", "1red", "-red", "r" * 21, "red|blue", "🔴")
    ],
    *[
        "",
        "|",
        "||",
        "|new|",
        "|new game",
        "|NEW\n",
        "|ｎｅｗ",
        "|new\u2028",
        "|undo",
        "-4",
        "4|drop|red|4",
    ],
    *["|drop", "|drop|", "|drop||", "|Drop|red", "\N{PILE OF POO}", '{"column": 4}'],
    *[
        DROP + shell
        for shell in ("$(touch pwned)", "`id`", "4; rm -rf /", "4 && curl x", "${IFS}", "%34")
    ],
    *[
        DROP + quote
        for quote in ("4' || true #", '4" || true #', "4\\", "'4'", '"4"', "4,4", "[4]", "{{4}}")
    ],
    *[
        DROP + text
        for text in ("${{ github.token }}", "${{ secrets.GITHUB_TOKEN }}", "4\n::error::pwned")
    ],
    *[
        DROP + html
        for html in ("<img src=x onerror=1>", "<script>alert(1)</script>", "&#52;", "4]]></x>")
    ],
    *[
        DROP + mark
        for mark in ("<!-- fourcast:end -->", "**4**", "`4`", "#1", "[x](http://evil.example)")
    ],
    *[
        DROP + name
        for name in ("@ada", "![x](http://evil.example/x.png)", "../../etc/passwd", "{0}", "%s")
    ],
    *["::set-output name=x::y", "<!-- fourcast:reply -->", "|drop|@everyone|4", " @github/security"],
    *[DROP + "4" * 300, "|" * 300, DROP + "4" + " " * 300, DROP + "é" * 250, "4" * 248, DROP + "null"],
]
HOSTILE = [f"connect4{tail}" for tail in TAILS]


def test_a_hundred_hostile_titles_are_refused_and_leave_no_trace(world: World) -> None:
    assert len(set(HOSTILE)) >= 100
    before = world.head()
    for number, title in enumerate(HOSTILE):
        world.github.open(title, f"player-{number}", after_s=number)
    assert world.run(1) == 0
    assert world.head() == before
    answers = set()
    for issue in world.github.threads:
        thread = world.github.threads[issue]
        assert thread.state == "closed", thread.title
        answers.add(world.answer(issue))
    assert len(answers) == 1  # nothing of a title is in its answer
    assert "@" not in answers.pop()
    assert not any(title in line for title in HOSTILE if len(title) > 12 for line in world.log)


# Races


def racing(world: World, rival: Callable[[int], Mapping[str, str]], times: int) -> type[Branch]:
    """A branch to which somebody else pushes *times* times just before we do."""
    raced = 0

    class Racing(Branch):
        def push(self, files: Mapping[str, bytes], message: str) -> Pushed:
            nonlocal raced
            if raced < times:
                raced += 1
                git(world.clone, "pull", "-q", "--ff-only", "origin", "main")
                for path, content in rival(raced).items():
                    (world.clone / path).write_text(content)
                git(world.clone, "add", "-A")
                git(world.clone, "commit", "-qm", f"Rival {raced}")
                git(world.clone, "push", "-q", "origin", "main")
            return super().push(files, message)

    return Racing


@pytest.mark.parametrize("times", [1, 2])
def test_a_move_survives_what_others_push_meanwhile(world: World, times: int) -> None:
    issue = world.drop(3, "grace")
    assert world.run(issue, branch=racing(world, lambda n: {"other.txt": str(n)}, times)) == 0
    world.assert_played(issue)
    assert world.file("other.txt") == str(times)
    assert len(world.commits()) == 2 + times


def test_after_three_races_the_player_is_told(world: World) -> None:
    issue = world.drop(3, "grace")
    assert world.run(issue, branch=racing(world, lambda n: {"other.txt": str(n)}, 3)) == 0
    world.assert_refused(issue, "Your move was not played: each of the 3 times")


def test_a_rival_move_is_judged_again_on_the_new_board(make_world: MakeWorld) -> None:
    world, rival = make_world(), make_world(moves="4")
    files = {f"connect4/{name}": "" for name in ("ledger.jsonl", "checksums.json")}
    files = {path: rival.file(path) for path in files}
    issue = world.drop(3, "grace")
    assert world.run(issue, branch=racing(world, lambda _: files, 1)) == 0
    world.assert_refused(issue, "this is game 1 after 1 move. Reload")
    assert len(world.ledger().entries) == 1


def test_parallel_runs_apply_each_issue_once(world: World) -> None:
    """What the workflow's concurrency group prevents is still not able to harm the ledger."""
    for ply in range(12):
        world.github.open(
            f"connect4|drop|{('red', 'blue')[ply % 2]}|{1 + ply % 7}", f"player-{ply}", after_s=ply
        )
    runs = [world.start(issue) for issue in (1, 5, 12)]
    for run in runs:
        output, _ = run.communicate(timeout=60)
        assert run.returncode == 0, output
    ledger = world.ledger()  # which would not be read if an issue were there twice
    assert {thread.state for thread in world.github.threads.values()} == {"closed"}
    assert len(world.commits()) == 1 + len(ledger.entries)


def test_a_push_that_is_forbidden_ends_the_run_and_leaves_the_issue_open(world: World) -> None:
    hook = world.remote / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho protected >&2\nexit 1\n")
    hook.chmod(0o755)
    issue = world.drop(3, "grace")
    with pytest.raises(GitError, match="the push is refused"):
        world.run(issue)
    assert world.github.threads[issue].state == "open"
    hook.unlink()
    assert world.run() == 0
    world.assert_played(issue)


# Trouble at GitHub's


@pytest.mark.parametrize("has_worked", [False, True])
@pytest.mark.parametrize("status", [0, 502])
def test_trouble_at_any_request_is_outlived(
    make_world: MakeWorld, status: int, has_worked: bool
) -> None:
    world = make_world(moves=LONG_GAME[:-1])
    won = world.drop(parse_moves(LONG_GAME)[-1], "ada")
    refused = world.github.open("connect4|drop|red|9|g1p30", "ada")
    # Every third request fails, with what comes between as the second try.
    world.github.faults = {n: Fault(status, has_worked=has_worked) for n in range(0, 60, 3)}
    assert world.run(won) == 0
    world.assert_played(won)
    assert "wins game 1" in world.answer(won)
    world.assert_refused(refused, "Game 1 is over")


def test_rate_limits_in_the_middle_are_waited_for(world: World) -> None:
    issue = world.drop(3, "grace")
    pauses: list[float] = []
    world.github.faults = {
        1: Fault(429, {"retry-after": "17"}, "You have exceeded a secondary rate limit"),
        3: Fault(403, {"retry-after": "33"}, "You have exceeded a secondary rate limit"),
    }
    assert world.run(issue, sleep=pauses.append) == 0
    world.assert_played(issue)
    assert pauses == [17, 33]


def test_an_outage_ends_the_run_and_the_next_one_heals(world: World) -> None:
    played, refused = world.drop(3, "grace"), world.github.open("connect4|drop|red|9", "ada")
    world.github.faults = {n: Fault(503) for n in range(4, 100)}  # from just after the push on
    with pytest.raises(UnreachableError, match="503"):
        world.run(played)
    assert len(world.ledger().entries) == 1
    world.github.faults = {}
    assert world.run(None) == 0
    world.assert_played(played)
    world.assert_refused(refused, "It is blue's turn")


def test_an_issue_that_github_refuses_does_not_hold_up_the_others(world: World) -> None:
    gone, played = world.github.open("connect4|drop|blue|1", "emmy"), world.drop(3, "grace")
    world.github.faults = {2: Fault(410, message="This issue was deleted")}
    assert world.run(played) == 1
    assert world.github.threads[gone].state == "open"
    world.assert_played(played)


# kill -9

WRAPPER = """#!/bin/sh
count=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo $count > "$COUNT"
"{git}" "$@"
status=$?
[ "$count" = "$KILL_AFTER" ] && kill -9 $PPID
exit $status
"""


def is_killed_after_git_call(world: World, issue: int, call: int) -> bool:
    """Start a run that is killed when its git has been called *call* times; False if it ends before."""
    folder = world.folder / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "git").write_text(WRAPPER.replace("{git}", str(shutil.which("git"))))
    (folder / "git").chmod(0o755)
    count = world.folder / "count"
    count.unlink(missing_ok=True)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    run = world.start(issue, PATH=path, COUNT=str(count), KILL_AFTER=str(call))
    output, _ = run.communicate(timeout=60)
    assert run.returncode in (0, -signal.SIGKILL), output
    return run.returncode != 0


def is_killed_after_request(world: World, issue: int, request: int) -> bool:
    """Start a run that is killed when GitHub has done its request *request*; False if it ends before."""
    world.github.requests.clear()
    run: subprocess.Popen[Any] = world.start(issue)
    world.github.after = lambda number: run.kill() if number == request else None
    output, _ = run.communicate(timeout=60)
    world.github.after = lambda _: None
    assert run.returncode in (0, -signal.SIGKILL), output
    return run.returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("killed", [is_killed_after_git_call, is_killed_after_request])
@pytest.mark.parametrize("wish", ["won", "refused"])
def test_killed_between_any_two_steps_a_rerun_heals(
    make_world: MakeWorld, killed: Callable[[World, int, int], bool], wish: str
) -> None:
    is_won = wish == "won"
    steps = 0
    while True:
        world = make_world(moves=LONG_GAME[:-1])
        column = parse_moves(LONG_GAME)[-1]
        issue = world.drop(column, "ada") if is_won else world.github.open("connect4|drop|red|1", "ada")
        if not killed(world, issue, steps):
            if steps:
                break
            steps += 1  # git calls count from 1
            continue
        assert world.run(None) == 0  # the next run is somebody else's
        if is_won:
            world.assert_played(issue)
            assert "wins game 1" in world.answer(issue)
            assert len(world.commits()) == 2
        else:
            world.assert_refused(issue, "It is blue's turn")
        before = world.head(), world.github.state()
        assert world.run(issue) == 0
        assert (world.head(), world.github.state()) == before
        steps += 1
    assert steps > 5


# The whole command


def test_the_command_runs_from_what_a_workflow_has_and_never_shows_the_token(world: World) -> None:
    issue = world.drop(3, "grace")
    world.github.faults = {2: Fault(403, message="Resource not accessible by integration")}
    environment = world.environment(issue)
    command = [sys.executable, "-m", "fourcast", "community", "run"]
    first = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert first.returncode == 1
    assert "Resource not accessible by integration" in first.stdout
    second = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (second.returncode, second.stderr) == (0, "")
    world.assert_played(issue)
    broken = environment | {"GITHUB_TOKEN": environment["GITHUB_TOKEN"] + "x"}
    third = subprocess.run(command, env=broken, capture_output=True, text=True, timeout=60)
    assert third.returncode == 2
    assert "401" in third.stderr
    for run in (first, second, third):
        assert environment["GITHUB_TOKEN"] not in run.stdout + run.stderr


def test_a_run_leaves_nothing_behind(world: World) -> None:
    issue = world.drop(3, "grace")
    before = set(world.folder.iterdir()) | {world.folder / f"event-{issue}.json"}
    run = world.start(issue)
    run.communicate(timeout=60)
    assert run.returncode == 0
    assert set(world.folder.iterdir()) == before


@pytest.mark.parametrize("missing", ["GITHUB_EVENT_PATH", "GITHUB_TOKEN"])
def test_outside_of_a_workflow_the_command_says_what_it_lacks(world: World, missing: str) -> None:
    from fourcast.community.run import main

    with pytest.raises(CommunityError, match=f"{missing} not set"):
        main(world.environment(None) | {missing: ""})


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"repository": 3}', '{"issue": {"number": "x"}}'])
def test_a_file_that_is_no_event_is_refused(world: World, tmp_path: Path, content: str) -> None:
    from fourcast.community.run import Event

    path = tmp_path / "event"
    path.write_text(content)
    with pytest.raises(CommunityError, match="is not a file of a GitHub event"):
        Event.load(path)
    assert Event.load(world.event(None)).issue is None
