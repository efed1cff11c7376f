"""The system calls that an isolated program is refused, as a filter for bubblewrap's `--seccomp`.

It refuses what reaches past the sandbox, and memory that cannot be counted from outside (`keeper.py`
counts the rest). A refused call fails with ENOSYS, as on a system without it: runtimes know what to do
then. docs/protocol.md has the list for the authors of programs.
"""

from __future__ import annotations

import platform
import struct

__all__ = ["REFUSED", "seccomp_filter"]

REFUSED = {  # on x86_64, and on all processors that came later
    # Sharing with processes outside
    "add_key": (248, 217),
    "keyctl": (250, 219),  # except for a new session keyring
    "request_key": (249, 218),
    # Ways around this filter, or into a lot of the kernel
    "bpf": (321, 280),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "perf_event_open": (298, 241),
    "syslog": (103, 116),
    "userfaultfd": (323, 282),
    # Memory that no process has mapped: it would not be counted
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "msgget": (68, 186),
    "semget": (64, 190),
    "shmget": (29, 194),
    "vmsplice": (278, 75),
}
_SOCKETS = ((41, 198), (53, 199))  # socket, socketpair: of the family AF_UNIX only
_MMAP = (9, 222)  # but for memory that is both shared and anonymous

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}
_X32 = 0x40000000
_JOIN_SESSION_KEYRING = 1
_AF_UNIX = 1
_MAP_SHARED_ANONYMOUS = 0x21
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97

# Instructions of the filter, and the places of what it looks at.
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _FOURTH = 0, 4, 16, 40
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000


def seccomp_filter(machine: str | None = None) -> bytes:
    """Return the filter for a processor, this one by default; empty if it is not known."""
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    column = 0 if machine == "x86_64" else 1
    code = [(_LOAD, 0, 0, _ARCHITECTURE), (_IF_EQUAL, 1, 0, _ARCHITECTURES[machine])]
    code += [(_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    if machine == "x86_64":  # a second set of numbers for the same calls
        code += [(_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE | _ENOSYS)]
    for name, numbers in REFUSED.items():
        if name != "keyctl":
            code += [(_IF_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _REFUSE | _ENOSYS)]
    code += _only_if(REFUSED["keyctl"][column], _JOIN_SESSION_KEYRING, _ENOSYS)
    for numbers in _SOCKETS:
        code += _only_if(numbers[column], _AF_UNIX, _EAFNOSUPPORT)
    code += [(_IF_EQUAL, 0, 4, _MMAP[column]), (_LOAD, 0, 0, _FOURTH)]
    code += [(_AND, 0, 0, _MAP_SHARED_ANONYMOUS), (_IF_EQUAL, 0, 1, _MAP_SHARED_ANONYMOUS)]
    code += [(_RETURN, 0, 0, _REFUSE | _EPERM), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def _only_if(number: int, first: int, error: int) -> list[tuple[int, int, int, int]]:
    """Refuse call *number* unless its first argument is *first*."""
    return [
        (_IF_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _FIRST),
        (_IF_EQUAL, 0, 1, first),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE | error),
    ]
