from __future__ import annotations

import http.server
import threading
from pathlib import Path

import pytest

from fourcast.community.git import Branch, GitError, Pushed
from fourcast.errors import CommunityError
from tests.community.world import World, git


def test_files_are_read_and_pushed_as_one_commit(world: World) -> None:
    with Branch(str(world.remote), "main") as branch:
        assert branch.fetch()
        assert not branch.fetch()
        assert branch.read("README.md", "none", "connect4/ledger.jsonl")[1:] == [None, b""]
        content = b"\0any bytes\n\xff"
        assert (
            branch.push({"a/b.bin": content, "README.md": b"new\n"}, "A: message\n\nlong") is Pushed.DONE
        )
        assert branch.read("a/b.bin", "README.md") == [content, b"new\n"]
    assert world.commits()[0] == "A: message"
    assert git(world.remote, "log", "-1", "--format=%an %ae", "main").startswith(
        "github-actions[bot] 41898282+"
    )
    assert world.file("connect4/board.svg")  # what was not pushed is still there


def test_somebody_elses_push_is_noticed(world: World) -> None:
    with Branch(str(world.remote), "main") as one, Branch(str(world.remote), "main") as other:
        one.fetch()
        other.fetch()
        assert one.push({"a": b"1"}, "one") is Pushed.DONE
        assert other.push({"a": b"2"}, "other") is Pushed.RACED
        assert other.fetch()
        assert other.push({"a": b"2"}, "other") is Pushed.DONE
    assert world.commits()[:2] == ["other", "one"]


def test_an_executable_stays_one_and_a_link_is_not_replaced(world: World) -> None:
    (world.clone / "run.sh").write_text("x")
    (world.clone / "run.sh").chmod(0o755)
    (world.clone / "link.md").symlink_to("README.md")
    git(world.clone, "add", "-A")
    git(world.clone, "commit", "-qm", "More")
    git(world.clone, "push", "-q", "origin", "main")
    with Branch(str(world.remote), "main") as branch:
        branch.fetch()
        assert branch.push({"run.sh": b"y"}, "y") is Pushed.DONE
        assert git(world.remote, "ls-tree", "main", "run.sh").startswith("100755")
        with pytest.raises(GitError, match=r"link\.md is a symbolic link, but the game needs"):
            branch.push({"link.md": b"y"}, "y")
        with pytest.raises(GitError, match="connect4 is a folder, but the game needs a plain"):
            branch.read("connect4")


def test_a_branch_that_is_not_there_is_told(world: World) -> None:
    pauses: list[float] = []
    with (
        Branch(str(world.remote), "nowhere", sleep=pauses.append) as branch,
        pytest.raises(GitError, match="the branch nowhere cannot be fetched"),
    ):
        branch.fetch()
    assert len(pauses) == 2


@pytest.mark.parametrize(
    "name", ["", "-x", "../x", "a b", "a:b", "a\nb", "/a", "a..b", "a@{1}", "--upload-pack=x"]
)
def test_a_name_that_is_no_branch_does_not_reach_git(name: str) -> None:
    with pytest.raises(CommunityError, match="is not a branch"):
        Branch("nowhere", name)


def test_a_broken_connection_is_not_taken_for_a_race(world: World, tmp_path: Path) -> None:
    with Branch(str(world.remote), "main") as branch:
        branch.fetch()
        branch.remote = str(tmp_path / "gone.git")
        assert branch.push({"a": b"1"}, "one") is Pushed.UNSURE


def test_the_token_reaches_the_server_and_nobody_else() -> None:
    """It is in the header of the request, and not in what git says or in any file."""
    seen: list[str | None] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("authorization"))
            self.send_error(403)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/ada/page.git"
    with Branch(url, "main", token="t0ken-of-tests", sleep=lambda _: None) as branch:
        with pytest.raises(GitError) as caught:
            branch.fetch()
        files = [path for path in Path(branch._folder.name).rglob("*") if path.is_file()]
        assert not any(b"t0ken" in path.read_bytes() for path in files)
    server.shutdown()
    server.server_close()
    assert seen[0] == "basic eC1hY2Nlc3MtdG9rZW46dDBrZW4tb2YtdGVzdHM="
    assert "t0ken" not in str(caught.value)
