// Looking up from long work, by the clock.
#pragma once

#include <chrono>
#include <functional>

namespace fourcast {

/// What long work calls every now and then; it may throw to end the work.
using PollFunction = std::function<void()>;

/// Calls a function at most every 20 ms, however often it is asked to.
///
/// By the clock and not by the amount of work: the function may have to wait for Python's lock, which
/// takes 5 ms whenever another thread is busy.
class Poll {
  public:
    explicit Poll(const PollFunction& function) : function_(function) {}

    void operator()() {
        if (Clock::now() < next_) return;
        function_();
        next_ = Clock::now() + interval;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto interval = std::chrono::milliseconds(20);

    const PollFunction& function_;
    Clock::time_point next_ = Clock::now() + interval;
};

}  // namespace fourcast
