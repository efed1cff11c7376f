"""What a move costs when many have been played before."""

from __future__ import annotations

import random
import resource
from pathlib import Path

import pytest

from fourcast.community.config import Config
from fourcast.community.entries import Entry, Move, NewGame
from fourcast.community.files import ledger_files
from fourcast.community.git import Branch
from fourcast.community.ledger import Ledger
from fourcast.community.markup import Site
from fourcast.community.page import END, START, derive, derive_past
from fourcast.community.run import Run
from fourcast.community.setup import rebuild
from fourcast.community.simulate import LocalHub
from fourcast.game import Game
from tests.community.fake_github import START as NOW
from tests.community.world import git

SITE = Site("ada/page")
TIME = "2026-11-14T10:00:00Z"


def played(moves: int, people: int = 500) -> Ledger:
    """A ledger of random games, the last of which is in its beginning."""
    chance = random.Random(moves)
    entries: list[Entry] = []
    game, number = Game(), 1
    issue = 0
    for left in range(moves, 0, -1):
        issue += chance.choice((1, 1, 1, 2))
        player = f"player-{chance.randrange(people)}"
        if game.position.is_over or left == 4:
            number += 1
            game = Game()
            entries.append(NewGame(number, player, issue, TIME))
            issue += 1
        column = chance.choice(list(game.position.legal_columns))
        ply = game.position.ply
        game.play(column)
        entries.append(Move(number, ply, column, player, None, issue, TIME, game.position.key))
    return Ledger(entries)


def make_remote(folder: Path, ledger: Ledger) -> Path:
    """A clone with the game after these moves, and its remote, which is returned."""
    config = Config()
    readme = f"# Mine\n\n{START}\n{END}\n".encode()
    files = ledger_files(ledger, config) | derive(ledger, config, SITE, readme=readme, archive=None)
    files |= derive_past(ledger.games, config, SITE)
    clone, remote = folder / "clone", folder / "remote.git"
    clone.mkdir(parents=True)
    git(folder, "init", "-q", "--bare", "-b", "main", str(remote))
    git(clone, "init", "-q", "-b", "main")
    for path, content in files.items():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_bytes(content)
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "Played")
    git(clone, "push", "-q", str(remote), "main")
    git(remote, "gc", "-q")
    return remote


def cpu_s() -> float:
    """Seconds of the processor that this process and its git have used: others do not count."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in usage)


def cost_of_a_move_s(folder: Path, moves: int, rounds: int = 5) -> float:
    """The least cost of a run that plays one move, as the action does: from nothing to the push."""
    ledger = played(moves)
    remote = make_remote(folder, ledger)
    best = 1e9
    position = ledger.current.position
    for column in range(rounds):
        hub = LocalHub(folder / "issues", first=10**6 + column)
        team = ("red", "blue")[position.turn - 1]
        hub.open(f"connect4|drop|{team}|{column + 1}", f"new-{column}", NOW)
        start = cpu_s()
        with Branch(str(remote), "main") as branch:
            run = Run(hub, branch, SITE, log=lambda _: None)
            assert run.all() == 0
        best = min(best, cpu_s() - start)
        assert run.ledger.moves == moves + column + 1
        position = position.play(column)
    return best


@pytest.mark.parametrize("moves", [200, pytest.param(20_000, marks=pytest.mark.slow)])
def test_a_move_costs_the_same_after_any_number_of_moves(tmp_path: Path, moves: int) -> None:
    """What is left of a growth is git's: it fetches the files of the past games."""
    young, old = cost_of_a_move_s(tmp_path / "a", 100), cost_of_a_move_s(tmp_path / "b", moves)
    assert old < 3 * young
    assert rebuild(clone_of(tmp_path / "b"), SITE) == []  # which verifies every line


def clone_of(folder: Path) -> Path:
    git(folder / "clone", "pull", "-q", "--ff-only", str(folder / "remote.git"), "main")
    return folder / "clone"
