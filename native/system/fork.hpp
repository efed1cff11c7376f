// What a child process may use after a fork of a busy process.
//
// A fork copies memory as it is at that moment, but only the thread that forks. What another thread was
// changing stays half changed in the child, and a lock that it held stays locked. So whatever outlives a
// call is changed in one of two ways: by single atomic accesses (the table's slots), or under this lock.
#pragma once

namespace fourcast {

/// Holds the lock of all state that outlives a call: the engines of a solver, the idle searches of an
/// engine. One lock for the whole process, which a fork waits for; so the child finds the lock free and
/// all that it protects whole. Hold it briefly, and never while waiting for anything else.
class ForkLock {
  public:
    ForkLock();
    ~ForkLock();
    ForkLock(const ForkLock&) = delete;
    ForkLock& operator=(const ForkLock&) = delete;
};

/// How many forks lie between this process and the first one that used the core.
int fork_generation();

}  // namespace fourcast
