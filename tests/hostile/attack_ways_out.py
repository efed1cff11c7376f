"""Looks for ways out of the sandbox that need no bug: says each that is open, and changes nothing."""

import ctypes
import fcntl
import os
import socket
import sys
import termios

sys.stdin.readline()
libc = ctypes.CDLL(None, use_errno=True)


def is_open(what: str) -> None:
    print(f"open: {what}", file=sys.stderr)


# Files that were open before: nothing but the three standard streams, none of which is a terminal.
for name in os.listdir("/proc/self/fd"):
    try:
        target = os.readlink(f"/proc/self/fd/{name}")
    except OSError:
        continue
    if int(name) > 2 and not target.startswith("/proc/"):
        is_open(f"file {name} is {target}")
for name in ("/dev/tty", "/dev/console", "/dev/pts/0", "/dev/kmsg", "/dev/mem", "/dev/fuse", "/dev/kvm"):
    try:
        os.close(os.open(name, os.O_RDWR))
        is_open(name)
    except OSError:
        pass
for stream in (0, 1, 2):
    try:
        fcntl.ioctl(stream, termios.TIOCSTI, b"x")
        is_open(f"typing into the terminal of stream {stream}")
    except OSError:
        pass
# The process above: to trace it, to look through its eyes, to signal it.
if libc.ptrace(16, 1, 0, 0) == 0:  # PTRACE_ATTACH
    is_open("tracing process 1")
for name in ("root", "cwd", "fd/0", "fd/3", "mem", "environ", "maps"):
    try:
        path = f"/proc/1/{name}"
        os.listdir(path) if name in ("root", "cwd") else os.close(os.open(path, os.O_RDONLY))
        is_open(path)
    except OSError:
        pass
# Namespaces, mounts, another root, other users.
for flag, name in ((0x10000000, "user"), (0x00020000, "mount"), (0x40000000, "network")):
    if libc.unshare(flag) == 0:
        is_open(f"a new {name} namespace")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    is_open("mounting")
if libc.chroot(b"/tmp") == 0:
    is_open("chroot")
if libc.setuid(0) == 0:
    is_open("becoming root")
if libc.personality(0x0400000) == 0 and "ADDR_NO_RANDOMIZE" in os.environ:
    is_open("personality")
# Abstract sockets of processes outside.
with open("/proc/net/unix") as file:
    names = [line.split()[7] for line in file.readlines()[1:] if len(line.split()) > 7]
for name in names:
    if name.startswith("@"):
        with socket.socket(socket.AF_UNIX) as connection:
            if connection.connect_ex("\0" + name[1:]) == 0:
                is_open(f"socket {name}")
print("tried everything", file=sys.stderr)
