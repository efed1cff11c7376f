"""Firefox and WebKit by WebDriver: what the tests of other browsers need, and no more.

WebKitGTK comes with a driver that speaks WebDriver over HTTP. Firefox has it built in as Marionette: the
same commands in JSON over a socket. (geckodriver translates between the two; neither Debian nor PyPI has
it.) Both browsers start without anything of the user's, and WebKit on a screen of its own (Xvfb).
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Protocol

START_S = 60.0
WAIT_S = 60.0
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name of a reference to an element in WebDriver
# The first that is there; one directory for each architecture.
MINI_BROWSERS = ("*/webkit2gtk-4.1/MiniBrowser", "*/webkit2gtk-4.0/MiniBrowser")


class DriverError(Exception):
    """What a browser has refused to do."""


class Wire(Protocol):
    """A way to a browser."""

    def send(self, command: str, **parameters: Any) -> Any: ...


class Marionette:
    """Firefox's socket: messages are [0, id, name, parameters] and [1, id, error, value]."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        self._received = b""
        self._last = 0
        self._read()  # the greeting
        self.send("NewSession", capabilities={"alwaysMatch": {}})

    def end(self) -> None:
        self._socket.close()

    def send(self, command: str, **parameters: Any) -> Any:
        self._last += 1
        text = json.dumps([0, self._last, f"WebDriver:{command}", parameters]).encode()
        self._socket.sendall(f"{len(text)}:".encode() + text)
        _, _, error, value = self._read()
        if error:
            raise DriverError(f"{command}: {error['error']}: {error['message']}")
        # One value comes in an object of its own.
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def _read(self) -> Any:
        while b":" not in self._received:
            self._receive()
        length, _, self._received = self._received.partition(b":")
        while len(self._received) < int(length):
            self._receive()
        text, self._received = self._received[: int(length)], self._received[int(length) :]
        return json.loads(text)

    def _receive(self) -> None:
        data = self._socket.recv(1 << 16)
        if not data:
            raise DriverError("Firefox has closed the connection")
        self._received += data


class Http:
    """A driver's HTTP server."""

    PATHS: ClassVar = {
        "Navigate": "url",
        "ExecuteScript": "execute/sync",
        "SetWindowRect": "window/rect",
        "PerformActions": "actions",
        "TakeScreenshot": "screenshot",
    }

    def __init__(self, port: int, capabilities: dict[str, Any]) -> None:
        self._address = f"http://127.0.0.1:{port}"
        session = self._request("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._session = f"/session/{session['sessionId']}"

    def send(self, command: str, **parameters: Any) -> Any:
        if command == "TakeScreenshot":
            return self._request("GET", f"{self._session}/screenshot")
        if command == "FindElements":
            return self._request("POST", f"{self._session}/elements", parameters)
        if command == "ElementClick":
            element = parameters.pop("id")
            return self._request("POST", f"{self._session}/element/{element}/click", {})
        return self._request("POST", f"{self._session}/{self.PATHS[command]}", parameters)

    def end(self) -> None:
        self._request("DELETE", self._session)

    def _request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self._address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise DriverError(f"{path}: {error.read().decode()}") from None


class Window:
    """A window of a browser, and what somebody does in it."""

    def __init__(self, wire: Wire, name: str) -> None:
        self._wire = wire
        self.name = name

    def visit(self, address: str) -> None:
        self._wire.send("Navigate", url=address)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a script returns; a promise is waited for."""
        return self._wire.send("ExecuteScript", script=script, args=list(arguments))

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that *selector* matches."""
        return list(
            self.run(
                "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector
            )
        )

    def click(self, selector: str, text: str = "") -> None:
        """Click on the element that *selector* matches, the first one whose text begins with *text*.

        While the page is loading, its buttons do nothing, and say so: they are waited for.
        """
        selector += ":not([aria-disabled='true'])"
        self.wait_for(selector, text)
        found = self._wire.send("FindElements", using="css selector", value=selector)
        texts = self.texts(selector)
        index = next(i for i, each in enumerate(texts) if each.strip().startswith(text))
        self._wire.send("ElementClick", id=found[index][ELEMENT])

    def press(self, key: str) -> None:
        presses = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        actions = [{"type": "key", "id": "keyboard", "actions": presses}]
        self._wire.send("PerformActions", actions=actions)

    def wait_for(self, selector: str, text: str = "", *, count: int = 1) -> None:
        """Wait until at least *count* elements match *selector* and have *text* in them."""
        deadline = time.monotonic() + WAIT_S
        found: list[str] = []
        while time.monotonic() < deadline:
            found = self.texts(selector)
            if sum(text in each for each in found) >= count:
                return
            time.sleep(0.1)
        raise AssertionError(f"{self.name}: {count} x {selector!r} with {text!r}, not {found}")

    def wait_until(self, script: str) -> None:
        """Wait until a script returns something true."""
        deadline = time.monotonic() + WAIT_S
        while not self.run(script):
            assert time.monotonic() < deadline, f"{self.name}: {script}"
            time.sleep(0.1)

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self._wire.send("TakeScreenshot")))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a program for as long as it is needed."""
    quiet = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **options}
    process = subprocess.Popen(command, text=True, **quiet)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()


def wait_for_port(port: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + START_S
    while not answers(port):
        assert process.poll() is None, f"{process.args!r} has ended by itself"
        assert time.monotonic() < deadline, f"{process.args!r} does not answer"
        time.sleep(0.1)


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@contextmanager
def firefox() -> Iterator[Window]:
    """Firefox without a window on any screen."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        raise FileNotFoundError("firefox-esr")
    with ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        port = free_port()
        settings = {
            "marionette.port": port,
            "app.update.enabled": False,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "network.captive-portal-service.enabled": False,
            "ui.prefersReducedMotion": 1,
        }
        lines = [
            f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in settings.items()
        ]
        Path(profile, "user.js").write_text("\n".join(lines), "utf-8")
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile]
        environment = {**os.environ, "HOME": profile, "MOZ_HEADLESS_WIDTH": "1280"}
        process = stack.enter_context(running(command, env=environment))
        wait_for_port(port, process)
        wire = Marionette(port)
        stack.callback(wire.end)
        yield Window(wire, "firefox")


@contextmanager
def webkit() -> Iterator[Window]:
    """WebKitGTK's small browser, on a screen that nobody sees."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browsers = [path for name in MINI_BROWSERS for path in Path("/usr/lib").glob(name)]
    if driver is None or screen is None or not browsers:
        raise FileNotFoundError("webkit2gtk-driver, xvfb")
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        command = [screen, "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        display = stack.enter_context(running(command, stdout=subprocess.PIPE))
        assert display.stdout
        environment = {
            **os.environ,
            "DISPLAY": f":{display.stdout.readline().strip()}",
            "HOME": home,
            # Its own sandbox needs rights that a container does not have.
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        port = free_port()
        process = stack.enter_context(running([driver, f"--port={port}"], env=environment))
        wait_for_port(port, process)
        options = {"binary": str(browsers[0]), "args": ["--automation"]}
        wire = Http(port, {"webkitgtk:browserOptions": options})
        stack.callback(wire.end)
        yield Window(wire, "webkit")
