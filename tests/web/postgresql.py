"""PostgreSQL and Redis of this machine's packages, started for the tests in folders of their own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

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

    def processes(self) -> list[int]:
        leader = int(Path(self._data, "postmaster.pid").read_text().split()[0])
        children = subprocess.run(["pgrep", "-P", str(leader)], capture_output=True, text=True).stdout
        return [leader, *map(int, children.split())]

    def kill(self) -> None:
        """Kill all of its processes at once, as a power cut would."""
        processes = self.processes()
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

    def close(self) -> None:
        """Stop it, and leave nothing behind."""
        self.stop("immediate")
        shutil.rmtree(self.folder)


class RedisServer:
    """A server of Redis on a free port, which writes nothing to the disk."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.folder = tempfile.mkdtemp(prefix="fourcast-redis-")
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder]
        program = shutil.which("redis-server")
        assert program, "the tests need Redis: sudo apt install redis-server"
        self._process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL)
        end_s = time.monotonic() + 20
        while time.monotonic() < end_s:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.02)
        raise AssertionError("Redis did not start")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)
