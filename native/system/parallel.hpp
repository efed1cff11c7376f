// The one place where the core starts threads.
//
//     std::atomic<std::size_t> next{0};
//     std::atomic<bool> stop{false};
//     const auto work = [&](int) {
//         for (std::size_t i; !stop && (i = next++) < items.size();) handle(items[i]);
//     };
//     run_in_parallel(threads, work, stop, &check);
//
// No thread outlives its call, so nothing has to be started again after a fork.
#pragma once

#include <atomic>
#include <cstddef>

#include "poll.hpp"

namespace fourcast {

/// The stack of every thread that the core starts. A search of the largest boards takes up to 600 KB of
/// it, one frame for each disc; by default a thread has 512 KB on macOS and 128 KB with musl. Memory
/// that is not used costs nothing.
inline constexpr std::size_t thread_stack_bytes = std::size_t{8} << 20;

/// A reference to a function of a number, which has to outlive it. Not a std::function: kernels use this
/// class, and must not bring library code that is compiled for their processor (kernels.hpp).
class WorkRef {
  public:
    template <class Function>
    WorkRef(const Function& function)
        : function_(&function), call_([](const void* context, int index) {
              (*static_cast<const Function*>(context))(index);
          }) {}
    void operator()(int index) const { call_(function_, index); }

  private:
    const void* function_;
    void (*call_)(const void* context, int index);
};

/// What the calling thread does meanwhile.
enum class Caller {
    works,  // it is one of the workers, number 0; the check is called once that is done
    waits,  // it calls the check every 20 ms
};

/// Calls work(0) .. work(threads - 1) at the same time, and returns when all of them have.
///
/// Each call should take pieces of the whole until none is left, because fewer threads may run than were
/// asked for: those that the system refuses to start are left out. If there is none and the caller only
/// waits, std::system_error is thrown.
///
/// The first exception, of a worker or the check, sets `stop` and is thrown here once all workers have
/// returned. They must look at `stop` often enough.
void run_in_parallel(int threads, WorkRef work, std::atomic<bool>& stop, const Check* check = nullptr,
                     Caller caller = Caller::works);

}  // namespace fourcast
