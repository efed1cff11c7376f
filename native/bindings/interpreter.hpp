// Leaving Python for long work and coming back, also while the interpreter is shutting down.
#pragma once

#include <nanobind/nanobind.h>

#if defined(__GLIBC__)
#include <cxxabi.h>
#endif

namespace fourcast::bindings {

namespace nb = nanobind;

/// Releases the GIL as long as it lives.
///
/// A daemon thread may be in here when the interpreter ends. It must not ask for the GIL then: before
/// Python 3.14 that ends the thread by unwinding its stack, which C++ answers with std::terminate. So
/// `check_signals` ends its work, it gets a moment to return, and sleeps for good if it comes too late.
class WithoutGil {
  public:
    WithoutGil();
    ~WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

  private:
    PyThreadState* state_;
};

/// Takes the GIL as long as it lives, on a thread that has released it; see WithoutGil.
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

/// Runs Python code from C++: `function` calls back into Python, with the GIL. If the interpreter ends
/// this thread in there, it sleeps instead of unwinding the frames of C++ below.
template <class Function>
decltype(auto) run_python(Function&& function) {
#if defined(__GLIBC__)
    try {
        return function();
    } catch (abi::__forced_unwind&) {
        sleep_for_good();
    }
#else
    return function();
#endif
}

/// A function to call in long work without the GIL: raises what a signal's handler raises (Ctrl-C), and
/// StoppedError if the interpreter is shutting down.
void check_signals();

/// Prepares for the end of the interpreter.
void add_interpreter(nb::module_& module);

}  // namespace fourcast::bindings
