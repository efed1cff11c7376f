// Checking in from long work, by the clock.
#pragma once

#include <chrono>
#include <functional>

namespace fourcast {

/// A function that long work calls every now and then on the thread that asked for it. It may throw to
/// end the work. Empty: there is nothing to check.
using Check = std::function<void()>;

/// Time between two calls of a check. By the clock and not by the amount of work: a check may have to
/// wait for Python's lock, which takes 5 ms whenever another thread is busy.
inline constexpr auto check_interval = std::chrono::milliseconds(20);

/// Calls a check once per interval, however often it is asked to.
class Poll {
  public:
    explicit Poll(const Check& check) : check_(check) {}

    void operator()() {
        if (!check_ || Clock::now() < next_) return;
        check_();
        next_ = Clock::now() + check_interval;
    }

  private:
    using Clock = std::chrono::steady_clock;

    const Check& check_;
    Clock::time_point next_ = Clock::now() + check_interval;
};

}  // namespace fourcast
