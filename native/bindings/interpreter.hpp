// Leaving Python for long work and coming back, also while the interpreter is shutting down.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <type_traits>

namespace fourcast::bindings {

namespace nb = nanobind;

/// Releases the GIL as long as it lives.
///
/// A daemon thread may be in here when the interpreter ends. It must not ask for the GIL then: before
/// Python 3.14 that ends the thread by unwinding its stack, which C++ answers with std::terminate. So
/// `check_signals` ends its work, and it sleeps for good instead of returning.
class WithoutGil {
  public:
    WithoutGil();
    ~WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

  private:
    PyThreadState* state_;
};

/// Takes the GIL as long as it lives, on a thread that has released it. Throws StoppedError if the
/// interpreter is about to end; see WithoutGil.
class WithGil {
  public:
    WithGil();
    ~WithGil();
    WithGil(const WithGil&) = delete;
    WithGil& operator=(const WithGil&) = delete;

  private:
    PyGILState_STATE state_;
};

/// Sleeps until the process ends.
[[noreturn]] void sleep_for_good();

/// Sleeps for good if its scope is left by neither a return nor an exception, but because the thread is
/// ended: that unwinds the stack, too, but there is no exception in flight.
class SleepIfEnded {
  public:
    SleepIfEnded() = default;
    ~SleepIfEnded() {
        if (!returned && std::uncaught_exceptions() == exceptions_) sleep_for_good();
    }
    SleepIfEnded(const SleepIfEnded&) = delete;
    SleepIfEnded& operator=(const SleepIfEnded&) = delete;

    bool returned = false;

  private:
    int exceptions_ = std::uncaught_exceptions();
};

/// Runs Python code from C++: `function` calls back into Python, with the GIL. If the interpreter ends
/// this thread in there, it sleeps instead of unwinding the frames of C++ below.
template <class Function>
decltype(auto) run_python(Function&& function) {
    SleepIfEnded guard;
    if constexpr (std::is_void_v<decltype(function())>) {
        function();
        guard.returned = true;
    } else {
        decltype(auto) result = function();
        guard.returned = true;
        return result;
    }
}

/// A function to call in long work without the GIL: raises what a signal's handler raises (Ctrl-C), and
/// StoppedError if the interpreter is shutting down.
void check_signals();

/// Prepares for the end of the interpreter.
void add_interpreter(nb::module_& module);

}  // namespace fourcast::bindings
