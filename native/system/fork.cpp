#include "fork.hpp"

#include <atomic>

#include "mutex.hpp"

#if !defined(__wasm__) && !defined(_WIN32)
#include <pthread.h>
#define FOURCAST_FORKS
#endif

namespace fourcast {
namespace {

Mutex mutex;
std::atomic<int> generation{0};

#if defined(FOURCAST_FORKS)
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
