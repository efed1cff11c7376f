// The lock of the core: a mutex, or nothing at all where there are no threads (WebAssembly).
#pragma once

#include <mutex>

namespace fourcast {

#if defined(__wasm__)
class Mutex {
  public:
    void lock() {}
    void unlock() {}
};
#else
using Mutex = std::mutex;
#endif

}  // namespace fourcast
