"""`fourcast seat`: programs that play on a server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.people import FRIEND, ME, new_game
from tests.web.server import Server
from tests.web.test_rooms import Host

ROOT = Path(__file__).resolve().parents[2]
HONEST = ROOT / "tests" / "hostile" / "honest.py"


def seat(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "fourcast", "seat", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_program_takes_the_open_seat_of_a_game_and_plays_it(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        me = new_game(client, ME, FRIEND)
        bot = f"{sys.executable} {HONEST}"
        program = seat(bot, "--server", server.url, "--game", me.id, "--name", "Bot")
        me.wait(lambda game: game["second"]["kind"] == "person")
        assert me.game()["second"]["name"] == "Bot"
        me.move(3)
        me.wait(lambda game: game["position"]["ply"] == 2)
        me.act("resign")
        out, error = program.communicate(timeout=60)
        assert (program.returncode, error) == (0, "")
        assert "Yellow wins: red has resigned." in out


def test_two_players_meet_in_a_room(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        host = Host(client)
        seats = [seat(name, "--server", server.url, "--room", host.id) for name in ("random", "winning")]
        for one in seats:
            out, error = one.communicate(timeout=120)
            assert (one.returncode, error) == (0, "")
            assert "wins" in out or "draw" in out
        (game,) = host.room()["games"]
        assert game["winner"] is not None
        assert all(member["is_gone"] for member in host.room()["members"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["random"], "give either --game ID or --room ID"),
        (["random", "--game", "abcdefghijkl", "--server", "play.example.org"], "address of a server"),
        (["nobody", "--game", "abcdefghijkl"], "nobody"),
    ],
)
def test_what_cannot_be_seated_is_told_in_a_line(words: list[str], complaint: str) -> None:
    done = seat(*words)
    out, error = done.communicate(timeout=60)
    assert (done.returncode, out) == (2, "")
    assert complaint in error
    assert len(error.strip().splitlines()) == 1


def test_a_game_that_is_taken_is_refused_with_the_servers_words(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.client() as client:
        me = new_game(client, ME, ME)
        done = seat("random", "--game", me.id, "--server", server.url)
        _, error = done.communicate(timeout=60)
        assert done.returncode == 2
        assert "has no seat for random" in error


def test_where_nothing_has_ever_answered_it_is_not_tried_for_long() -> None:
    done = seat("random", "--game", "abcdefghijkl", "--server", "http://127.0.0.1:9")
    out, error = done.communicate(timeout=40)
    assert (done.returncode, error) == (2, "fourcast: http://127.0.0.1:9 does not answer\n")
    assert "trying again" in out
