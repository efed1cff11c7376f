"""examples/deployment: two servers on PostgreSQL behind a proxy with TLS, restarted under people."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import People
from tests.browser.test_play_live import alternate
from tests.browser.test_rooms import come_in, open_room
from tests.web.postgresql import PostgreSql
from tests.web.server import Server

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "deployment"
PATH = f"/usr/sbin:/usr/local/sbin:{os.environ['PATH']}"
# Notes everything that would look like an error to a person, until the page is left.
WATCH = """() => {
  const seen = JSON.parse(sessionStorage.getItem("seen") ?? "[]");
  new MutationObserver(() => {
    for (const each of document.querySelectorAll(".banner:not([hidden]), .error:not(:empty)")) {
      if (!seen.includes(each.textContent)) seen.push(each.textContent);
    }
    sessionStorage.setItem("seen", JSON.stringify(seen));
  }).observe(document, { subtree: true, childList: true, attributes: true });
}"""


def filled(name: str, places: dict[str, str]) -> str:
    """A file of the example with our own ports and files in place of its own."""
    text = (EXAMPLES / name).read_text("utf-8")
    for before, after in places.items():
        assert before in text
        text = text.replace(before, after)
    return text


def start(program: str, *arguments: str, stack: ExitStack, folder: Path) -> None:
    found = shutil.which(program, path=PATH)
    assert found, f"there is no {program}: run tools/setup/test_programs.sh proxy"
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen([found, *arguments], env=environment, stdout=log, stderr=log)
    stack.callback(process.wait)
    stack.callback(process.terminate)


class Deployment:
    """Two servers on one database behind a proxy with TLS."""

    def __init__(self, proxy: str, folder: Path, database: str, stack: ExitStack) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"https://localhost:{self.port}"
        settings = {"FOURCAST_ORIGINS": self.address, "FOURCAST_TRUST_PROXY": "yes"}
        self.servers = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            self.servers.append(stack.enter_context(Server(folder / name, database, **settings)))
        (self.start_nginx if proxy == "nginx" else self.start_caddy)(stack)
        with socket.socket() as wait:
            end_s = time.monotonic() + 30
            while wait.connect_ex(("localhost", self.port)):
                assert time.monotonic() < end_s, (folder / "proxy.log").read_text()
                time.sleep(0.1)

    def start_nginx(self, stack: ExitStack) -> None:
        folder = self.folder
        certificate, key = folder / "site.pem", folder / "site.key"
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
                *("-subj", "/CN=localhost", "-out", str(certificate), "-keyout", str(key)),
            ],
            check=True,
            capture_output=True,
        )
        places = {
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "play.example.org;": "localhost;",
            "/etc/ssl/play.example.org.pem": str(certificate),
            "/etc/ssl/play.example.org.key": str(key),
            "127.0.0.1:8001": f"127.0.0.1:{self.servers[0].port}",
            "127.0.0.1:8002": f"127.0.0.1:{self.servers[1].port}",
        }
        (folder / "fourcast.conf").write_text(filled("nginx.conf", places))
        files = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy"))
        (folder / "nginx.conf").write_text(
            f"user root;\npid {folder}/pid;\nevents {{}}\nhttp {{ access_log off;\n"
            f"{files}\ninclude {folder}/fourcast.conf; }}\n"
        )
        options = ("-e", "stderr", "-c", f"{folder}/nginx.conf", "-p", str(folder))
        start("nginx", *options, "-g", "daemon off;", stack=stack, folder=folder)

    def start_caddy(self, stack: ExitStack) -> None:
        """Caddy makes the certificate of localhost by itself."""
        servers = " ".join(f"127.0.0.1:{server.port}" for server in self.servers)
        site = filled("Caddyfile", {"{$SITE}": f"localhost:{self.port}", "one:8000 two:8000": servers})
        ours = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
        (self.folder / "Caddyfile").write_text(ours + site)
        options = ("--config", f"{self.folder}/Caddyfile", "--adapter", "caddyfile")
        start("caddy", "run", *options, stack=stack, folder=self.folder)

    def restart(self) -> None:
        """Restart one server after the other."""
        for server in self.servers:
            server.stop()
            server.start()


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def deployment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    with ExitStack() as stack:
        postgresql = PostgreSql()
        stack.callback(postgresql.close)
        folder = tmp_path_factory.mktemp(request.param)
        yield Deployment(request.param, folder, postgresql.new_database(), stack)


def test_nobody_sees_an_error_while_the_servers_behind_a_proxy_are_restarted(
    deployment: Deployment, browser: Browser
) -> None:
    people = People(browser, deployment.address)
    ada, bo, watcher = (people(ignore_https_errors=True) for _ in range(3))
    for person in (ada, bo, watcher):
        person.may_lose_connection = True  # browsers note it; people see nothing
        person.page.add_init_script(f"({WATCH})()")
    room = open_room(ada, name="Ada", room="Club")
    come_in(bo, room, "Bo")
    come_in(watcher, room, "Cleo")
    deployment.restart()
    watcher.page.locator(".room-side summary").first.click()
    expect(watcher.page.locator(".room-qr")).to_be_visible()
    ada.page.get_by_role("button", name="Challenge Bo").click()
    bo.page.get_by_role("button", name="Accept").click()
    for person in (ada, bo):
        person.page.wait_for_url("**/game/*")
        expect(person.page.locator(".seat-name").first).to_be_visible()
    moves = alternate(ada, bo, "44")
    for more in ("35", "26", "1"):
        deployment.restart()
        moves = alternate(ada, bo, more, played=moves)
    expect(ada.status).to_contain_text("You win")
    expect(watcher.page.locator(".room-side .room-result").first).to_have_text("1 \u2013 0")
    for person in (ada, bo, watcher):
        seen = person.page.evaluate("() => sessionStorage.getItem('seen') ?? '[]'")
        assert seen == "[]"
    people.close()
