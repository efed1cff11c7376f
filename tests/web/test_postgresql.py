"""Games in PostgreSQL: a real server of Debian's package, started in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from fourcast.web.settings import Settings
from tests.web.people import ME, computer, friends, new_game, play
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

ROOT = Path(__file__).resolve().parents[2]


class PostgreSql:
    """A server that only this machine's users can reach, through a socket in its folder."""

    def __init__(self) -> None:
        found = subprocess.run(
            [ROOT / "tools" / "setup" / "postgresql.sh"], capture_output=True, text=True
        )
        assert found.returncode == 0, found.stderr
        self._bin = Path(found.stdout.strip())
        # It refuses to run as root; not in pytest's folder, which is closed to other users.
        self._user = "postgres" if os.getuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="fourcast-pg-"))
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self._databases = 0
        self._run("initdb", "--auth=trust", "--username=fourcast", "--encoding=UTF8", self._data)
        self.start()

    @property
    def _data(self) -> str:
        return f"{self.folder}/data"

    def start(self) -> None:
        options = f"-c listen_addresses='' -k {self.folder}"
        log = f"{self.folder}/log"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", log, "-o", options, "start")

    def stop(self, mode: str) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    def kill(self) -> None:
        """Kill all of its processes at once, as a power cut would."""
        leader = int(Path(self._data, "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["pgrep", "-P", str(leader)], capture_output=True, text=True).stdout
        processes = [leader, *map(int, children.split())]
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        for process in processes:
            while Path(f"/proc/{process}").exists():
                time.sleep(0.05)

    def new_database(self) -> str:
        """Return the address of a new database."""
        self._databases += 1
        name = f"games{self._databases}"
        self._run("createdb", "-h", str(self.folder), "-U", "fourcast", name)
        return f"postgresql://fourcast@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        # The server that pg_ctl leaves behind must not hold our pipes open: hence no pipes.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(
                [self._bin / program, *arguments],
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
                user=self._user,
                cwd=self.folder,
                timeout=120,
            )
            output.seek(0)
            assert done.returncode == 0, output.read()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSql]:
    server = PostgreSql()
    yield server
    server.stop("immediate")
    shutil.rmtree(server.folder)


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
