#include "fork.hpp"

#include <atomic>
#include <mutex>

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

namespace fourcast {
namespace {

std::mutex mutex;
std::atomic<int> generation{0};

#if __has_include(<pthread.h>)
void unlock_in_child() {
    mutex.unlock();
    ++generation;
}

// When the program is loaded, before there is a thread that could fork meanwhile.
[[maybe_unused]] const int registered =
    pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, &unlock_in_child);
#endif

}  // namespace

ForkLock::ForkLock() { mutex.lock(); }
ForkLock::~ForkLock() { mutex.unlock(); }

int fork_generation() { return generation; }

}  // namespace fourcast
