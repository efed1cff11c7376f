// A thread with a stack of a given size, which std::thread does not offer.
#pragma once

#include <cstddef>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace fourcast {

class Thread {
  public:
    /// Calls function(argument), which must not throw. Throws std::system_error if the system starts no
    /// thread.
    Thread(std::size_t stack_bytes, void (*function)(void*), void* argument);
    /// Waits for the function to return. Has to be called once.
    void join();

  private:
#if defined(_WIN32)
    void* handle_;
#else
    pthread_t thread_;
#endif
};

}  // namespace fourcast
