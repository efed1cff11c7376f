"""Takes memory that no limit of a process counts: python attack_memory.py KIND MEGABYTES"""

import contextlib
import ctypes
import fcntl
import mmap
import os
import socket
import sys
import time

MEGABYTE = bytes(2**20)
kind, megabytes = sys.argv[1], int(sys.argv[2])
libc = ctypes.CDLL(None, use_errno=True)
kept: list[object] = []


def check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def memory_file(number: int) -> int:
    file = os.memfd_create(str(number))
    for _ in range(32):
        os.write(file, MEGABYTE)
    return file


def shared() -> mmap.mmap:
    memory = mmap.mmap(-1, megabytes * 2**20)  # MAP_SHARED | MAP_ANONYMOUS
    for number in range(megabytes):
        memory.write(MEGABYTE)
        if kind == "given-back" and number % 8 == 7:  # it stays, and counts for nobody
            memory.madvise(mmap.MADV_DONTNEED, (number - 7) * 2**20, 8 * 2**20)
    return memory


def segments() -> None:
    """System V segments that are attached nowhere."""
    libc.shmat.restype = ctypes.c_void_p
    for _ in range(megabytes // 32):
        segment = check(libc.shmget(0, 32 * 2**20, 0o1600))
        place = ctypes.c_void_p(libc.shmat(segment, None, 0))
        ctypes.memset(place, 1, 32 * 2**20)
        check(libc.shmdt(place))


def messages() -> None:
    """System V queues, of 16 KB each."""
    for _ in range(megabytes * 64):
        queue = check(libc.msgget(0, 0o1600))
        for _ in range(2):
            check(libc.msgsnd(queue, b"\1" + bytes(8191), 8184, 0))


def files_in_flight() -> socket.socket:
    """Memory files that are on their way to nobody, and open nowhere."""
    here, there = socket.socketpair()
    kept.append(there)
    for number in range(megabytes // 32):
        file = memory_file(number)
        socket.send_fds(here, [b"x"], [file])
        os.close(file)
    return here


def fill(one: socket.socket) -> None:
    one.setblocking(False)
    try:
        while True:
            one.send(bytes(65536))
    except BlockingIOError:
        kept.append(one)


def sockets() -> None:
    """Buffers of sockets: 400 pairs in each process, some 350 KB a pair."""
    for _ in range(megabytes // 128):
        if os.fork() == 0:
            for _ in range(400):
                for end in socket.socketpair():
                    fill(end)
            time.sleep(60)


def datagrams() -> None:
    """Datagrams whose sender is gone: 2 MB for each socket."""
    for number in range(megabytes // 2):
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        receiver.bind(f"\0{number}")
        kept.append(receiver)
        for _ in range(11):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.sendto(bytes(190_000), f"\0{number}")


def page_tables() -> mmap.mmap:
    """4 KB of the kernel's for every 2 MB that are looked at and hold nothing."""
    no_reserve = 0x4000
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve
    memory = mmap.mmap(-1, megabytes * 256 * 2**21, flags=flags, prot=mmap.PROT_READ)
    for place in range(0, len(memory), 2**21):
        memory[place]
    return memory


def empty_files() -> None:
    """Files that hold nothing, some 1.5 KB of the kernel's each."""
    for number in range(megabytes * 2**10):
        if number % 10_000 == 0:
            os.mkdir(f"/tmp/{number}")
        os.close(os.open(f"/tmp/{number // 10_000 * 10_000}/{number:0200}", os.O_CREAT | os.O_WRONLY))


def pipes() -> None:
    """Pipes with buffers of 1 MB, 400 in each process."""
    children = megabytes // 400 + 1
    for child in range(children):
        if os.fork() == 0:
            written = 0
            for _ in range(400):
                ends = os.pipe()
                with contextlib.suppress(OSError):  # the kernel has a limit for each user
                    fcntl.fcntl(ends[1], 1031, 2**20)
                os.set_blocking(ends[1], False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        written += os.write(ends[1], bytes(4096))
            with open(f"/tmp/{child}", "w") as file:
                file.write(str(written))
            time.sleep(8)
    time.sleep(3)
    taken = 0
    for child in range(children):
        with open(f"/tmp/{child}") as file:
            taken += int(file.read())
    if taken < megabytes * 2**20:
        sys.exit(f"No space left on device: pipes take {taken >> 20} MB")


def processes() -> None:
    for _ in range(megabytes // 64):
        if os.fork() == 0:
            kept.append(bytearray(os.urandom(2**16) * 2**10))
            time.sleep(60)


sys.stdin.readline()
if kind == "files":
    kept += [memory_file(number) for number in range(megabytes // 32)]
else:
    ways = (
        shared,
        segments,
        messages,
        files_in_flight,
        sockets,
        datagrams,
        page_tables,
        empty_files,
        pipes,
        processes,
    )
    named = {way.__name__.replace("_", "-"): way for way in ways} | {"given-back": shared}
    kept.append(named[kind]())
# Those of several processes take theirs at the same time.
time.sleep(20 if kind == "processes" else 3 if kind == "sockets" else 0.5)
print('{"move": 3}', flush=True)
time.sleep(20)
