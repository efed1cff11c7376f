"""A control group for the memory of one program, where the system lets this process make one.

The kernel then counts everything: no list of what a program can take memory with is complete. That is
so in a session of systemd, and in a container with cgroups of its own. Elsewhere `keeper.py` counts.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path

__all__ = ["MemoryGroup"]

REMOVE_S = 1.0
"""Seconds in which the last processes of a group have to be gone."""


class MemoryGroup:
    """A group with at most *memory_mb*; `procs` and `events` are open files of it, for a child."""

    def __init__(self, folder: Path, memory_mb: int) -> None:
        folder.mkdir()
        self._folder = folder
        try:
            for name, value in (("max", memory_mb * 2**20), ("swap.max", 0), ("oom.group", 1)):
                if (file := folder / f"memory.{name}").exists():  # without swap there is one less
                    file.write_text(str(value))
            self.procs = os.open(folder / "cgroup.procs", os.O_WRONLY)
            self.events = os.open(folder / "memory.events", os.O_RDONLY)
        except OSError:
            folder.rmdir()
            raise

    @classmethod
    def make(
        cls, memory_mb: int, root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
    ) -> MemoryGroup | None:
        """Return a new group inside or beside the one of this process; None if there can be none."""
        try:
            lines = own.read_text().splitlines()
            place = next(line[3:].strip("/") for line in lines if line.startswith("0::"))
        except (OSError, StopIteration):
            return None
        here = root / place
        for parent in dict.fromkeys((here, here.parent if place else here)):
            with contextlib.suppress(OSError):
                if "memory" in (parent / "cgroup.subtree_control").read_text().split():
                    return cls(parent / f"fourcast-{secrets.token_hex(8)}", memory_mb)
        return None

    def close(self) -> None:
        """Remove the group, whose processes have ended."""
        os.close(self.procs)
        os.close(self.events)
        end_s = time.monotonic() + REMOVE_S
        while time.monotonic() < end_s:
            try:
                self._folder.rmdir()
            except OSError:  # noqa: PERF203  # the kernel takes a moment
                time.sleep(0.01)
            else:
                return
