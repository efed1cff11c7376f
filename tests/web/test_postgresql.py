"""Games in PostgreSQL: a real server of Debian's package, started in a folder of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcast.web.settings import Settings
from tests.web.people import ME, computer, friends, new_game, play
from tests.web.postgresql import PostgreSql
from tests.web.server import Server
from tests.web.test_kill import lose_nothing
from tests.web.test_store import (  # noqa: F401
    open_store,
    test_a_game_is_read_as_it_was_kept,
    test_a_rematch_is_kept_together_with_what_made_it,
    test_of_many_stores_at_once_one_plays_each_ply,
    test_old_games_are_deleted_and_so_are_those_untouched_for_longest,
    test_one_write_that_fails_in_the_database_does_not_spoil_the_others,
    test_two_servers_on_one_database_never_both_play_a_ply,
    test_what_a_rule_refuses_changes_nothing,
    test_writes_together_are_one_commit_and_one_refusal_does_not_spoil_the_others,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSql]:
    server = PostgreSql()
    yield server
    server.close()


@pytest.fixture
def address(postgresql: PostgreSql) -> str:
    return postgresql.new_database()


@pytest.fixture
def url(address: str) -> str:
    """For the tests of the store, which run here once more."""
    return Settings.from_environment({"FOURCAST_DATABASE_URL": address}).database_url


def test_games_are_played_on_it(address: str, tmp_path: Path) -> None:
    with Server(tmp_path, address) as server, server.client() as client:
        players = friends(client)
        play(players, [0, 1, 0, 1, 0, 1, 0])
        assert players[0].game()["result"]["winner"] == 1
        players[1].act("offer-rematch")
        assert players[0].act("accept-rematch")["rematch_id"]
        me = new_game(client, ME | {"name": "\N{PILE OF POO}"}, computer("level-1"))
        me.move(3)
        assert me.wait_for_computer()["position"]["ply"] == 2
        server.stop()
        server.start()
        assert me.game()["first"]["name"] == "\N{PILE OF POO}"


def test_two_servers_share_the_games(address: str, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    with (
        Server(folders[0], address) as one,
        Server(folders[1], address) as other,
        one.client() as here,
        other.client() as there,
    ):
        ada, bo = friends(here)
        bo.client = there
        play((ada, bo), [3, 3, 2, 2])
        assert ada.game()["position"] == bo.game()["position"]
        assert ada.try_move(5, 4).status_code == 200
        assert ada.try_move(5, 4).status_code == 200
        assert bo.try_move(5, 4).status_code == 409


def test_no_acknowledged_move_is_lost_when_our_server_is_killed(address: str, tmp_path: Path) -> None:
    assert lose_nothing(tmp_path, kills=5, database=address) >= 25


def test_a_database_that_is_cut_off_comes_back_with_every_acknowledged_move(
    postgresql: PostgreSql, address: str, tmp_path: Path
) -> None:
    with Server(tmp_path, address) as server, server.client() as client:
        both = new_game(client, ME, ME)
        for round_ in range(3):
            both.move(round_)
            postgresql.kill()
            gone = both.try_move(round_, 2 * round_ + 1)
            assert gone.status_code == 503
            assert client.get("/healthz").status_code == 200
            postgresql.start()
            both.wait(lambda game: game["position"]["ply"] >= 1)
            both.move(round_)
        assert both.moves() == "112233"


def test_a_server_without_its_database_says_so_and_keeps_the_password_to_itself(tmp_path: Path) -> None:
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "fourcast", "serve", "--port", "0"],
        env=os.environ | {"FOURCAST_DATABASE_URL": f"postgresql://me:secret@/games?host={tmp_path}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "games cannot be kept in the database games on this machine" in done.stderr
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr
