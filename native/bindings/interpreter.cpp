#include "interpreter.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "system/errors.hpp"
#include "system/fork.hpp"

namespace fourcast::bindings {
namespace {

using namespace std::chrono_literals;

/// Threads that have released the GIL inside a call of this module.
std::atomic<int> threads_inside{0};
/// The interpreter is about to end: all work is to end, and nobody but its own thread takes the GIL
/// again.
std::atomic<bool> is_ending{false};
/// Set before `is_ending`.
std::thread::id ending_thread;

/// Whether the calling thread must not take the GIL any more. One that has just been told that it may
/// gets the GIL while `prepare_for_end` waits.
bool comes_too_late() { return is_ending && std::this_thread::get_id() != ending_thread; }

/// Called by `atexit`, when daemon threads still run and Python is still whole. A thread that still
/// works when the process ends would use what its destructors have taken apart, so this waits long
/// enough for a busy machine; an idle one takes some milliseconds.
void prepare_for_end() {
    ending_thread = std::this_thread::get_id();
    is_ending = true;
    PyThreadState* const state = PyEval_SaveThread();
    for (auto waited = 0ms; threads_inside > 0 && waited < 10s; waited += 1ms)
        std::this_thread::sleep_for(1ms);
    PyEval_RestoreThread(state);
}

/// The threads of the parent are not those of the child.
void forget_threads() { threads_inside = 0; }

bool is_main_thread() {
    const WithGil gil;
    const nb::module_ threading = nb::module_::import_("threading");
    return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

void sleep_for_good() {
    for (;;) std::this_thread::sleep_for(1h);
}

WithoutGil::WithoutGil() {
    ++threads_inside;
    state_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
    if (comes_too_late()) {
        --threads_inside;
        sleep_for_good();
    }
    PyEval_RestoreThread(state_);
    --threads_inside;
}

WithGil::WithGil() {
    if (comes_too_late()) throw StoppedError("error.stopped");
    state_ = PyGILState_Ensure();
}

WithGil::~WithGil() { PyGILState_Release(state_); }

void check_signals() {
    // Signals are the main thread's. The others must not wait for the lock for nothing, nor hold it when
    // they have a lower priority and are set aside: all of Python would wait with them. After a fork the
    // thread that called it is the main one, whatever it was before.
    thread_local int generation = -1;
    thread_local bool is_main = false;
    if (generation != fork_generation()) {
        generation = fork_generation();
        is_main = is_main_thread();
    }
    if (!is_main) {
        if (comes_too_late()) throw StoppedError("error.stopped");
        return;
    }
    const WithGil gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void add_interpreter(nb::module_&) {
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&prepare_for_end));
    const nb::module_ os = nb::module_::import_("os");
    if (nb::hasattr(os, "register_at_fork"))
        os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&forget_threads));
}

}  // namespace fourcast::bindings
